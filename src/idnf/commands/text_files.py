"""Text files as people have them: compression, encoding, separator, quotes and names, detected or given."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import lzma
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, cast

from idnf.columns.phrases import is_number
from idnf.logic.errors import InvalidArgument

SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "spaces", ":": "colons"}
ENCODING_WORDS = {"utf-8-sig": "UTF-8 with a mark at its start", "cp1252": "Windows-1252 (Latin-1)", "utf-16": "UTF-16"}

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PACKED: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_ENCODINGS = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r"),
    *("shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"),
)
_FEW_LETTERS = 10
_AS_GOOD = 0.02
_PART = 1 << 20
_SAMPLE = 1 << 18
_LINES = 400
# Names of very many columns make a line of megabytes.
_LONGEST_LINES = 1 << 26


@dataclass(frozen=True)
class FileOptions:
    """What the user says about a text file; None means that it is detected.

    Parameters
    ----------
    separator, encoding : str, optional
    header : bool
        Whether the file names its columns.
    skip : int, optional
        Lines before the names of the columns.
    sheet : str, optional
        The sheet of an Excel file.
    unpacked : float, optional
        Gigabytes that a packed file may take unpacked; by default one, or a hundred times what it takes packed.
    """

    separator: str | None = None
    encoding: str | None = None
    header: bool = True
    skip: int | None = None
    sheet: str | None = None
    unpacked: float | None = None


@dataclass(frozen=True)
class TextFormat:
    """How a text file is written.

    Parameters
    ----------
    encoding, separator, quote : str
    skip : int
        Lines before the first row, the line of names included.
    names : tuple of str
        The names of the columns, each different.
    given : tuple of str
        The names as the file has them.
    remarks : tuple of str
        What was assumed, where it is not the most usual.
    """

    encoding: str
    separator: str
    quote: str
    skip: int
    names: tuple[str, ...]
    given: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def find_format(path: Path, options: FileOptions | None = None) -> TextFormat:
    r"""Find out how a text file is written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.csv")
    ...     _ = path.write_bytes("Größe;Umsatz\n1;2,5\n".encode("latin-1"))
    ...     found = find_format(path)
    >>> found.separator, found.encoding, found.names
    (';', 'cp1252', ('Größe', 'Umsatz'))
    """
    options = options or FileOptions()
    if is_packed(path):
        refuse_unpacking(path, options.unpacked)
    encoding = options.encoding or find_encoding(path)
    lines = _first_lines(path, encoding)
    remarks = []
    if encoding not in ("utf-8", "utf-8-sig", options.encoding):
        remarks.append(f"read as {ENCODING_WORDS.get(encoding, encoding)} (--read encoding=NAME)")
    said = _said_separator(lines)
    if said is not None:
        lines = lines[1:]
    tabs = "\t" if {".tsv", ".tab"} & set(path.suffixes) else None
    separator = options.separator or said or tabs or find_separator(lines)
    if separator not in (",", tabs, options.separator):
        remarks.append(f"columns are separated by {SEPARATOR_WORDS.get(separator, separator)} (--read separator=SIGN)")
    quote = _quote(lines, separator)
    rows = list(csv.reader(lines[:_LINES], delimiter=separator, quotechar=quote))
    before = lines_before_names(rows) if options.skip is None else options.skip
    if before and options.skip is None:
        remarks.append(passed_over(before))
    given, names = _names(rows[before:], path, header=options.header)
    renamed = [f"{old!r} is called {new!r}" for old, new in zip(given, names, strict=True) if old.strip() != new]
    if renamed and options.header:
        remarks.append(f"columns with no name, or one that another has: {', '.join(renamed[:5])}")
    skip = before + int(options.header) + int(said is not None)
    return TextFormat(encoding, separator, quote, skip, names, given, tuple(remarks))


def find_encoding(path: Path) -> str:
    """Return the encoding of a text file: by the mark at its start, UTF-8 where all of it is, else by its letters."""
    with opened(path) as stream:
        start = stream.read(4096)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    if start.count(0) > len(start) // 4:
        return "utf-16-le" if start[1::2].count(0) > start[::2].count(0) else "utf-16-be"
    lines = _lines_beyond_utf8(path)
    return "utf-8" if not lines else _by_letters(b"\n".join(lines))


def find_separator(lines: Sequence[str]) -> str:
    r"""Return what separates the columns: the one sign that gives most lines the same number of fields.

    >>> find_separator(["a;b", "1,5;2", "2,5;3"]), find_separator(["a", "1"])
    (';', ',')
    """
    shares = {separator: _regularity(lines, separator) for separator in SEPARATORS}
    regular = [separator for separator, share in shares.items() if share >= 0.9]
    if len(regular) == 1:
        return regular[0]
    if not regular and max(shares.values()) == 0:
        return " " if _regularity(lines, " ") >= 0.9 else ","
    candidates = regular or [separator for separator, share in shares.items() if share == max(shares.values())]
    return candidates[0] if len(candidates) == 1 else _sniff(lines, candidates)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, unpacked where it is compressed."""
    with open(path, "rb") as raw:
        start = raw.read(8)
        raw.seek(0)
        packed = next((name for mark, name in _PACKED if start.startswith(mark)), None)
        if packed == "zip":
            with zipfile.ZipFile(raw) as archive, archive.open(_only_member(archive, path)) as member:
                yield cast(BinaryIO, member)
            return
        if packed == "zstd":
            raise InvalidArgument(
                "table", "be uncompressed, or compressed by gzip, bzip2, xz or zip", f"zstd: unzstd {path} first"
            )
        unpack: dict[str, Callable[[BinaryIO], object]] = {
            "gzip": lambda f: gzip.GzipFile(fileobj=f),
            "bzip2": bz2.BZ2File,
            "xz": lzma.LZMAFile,
        }
        yield raw if packed is None else cast(BinaryIO, unpack[packed](raw))


def is_packed(path: Path) -> bool:
    """Return whether a file is compressed."""
    with open(path, "rb") as raw:
        start = raw.read(8)
    return any(start.startswith(mark) for mark, _ in _PACKED)


def refuse_unpacking(path: Path, gigabytes: float | None = None) -> None:
    """Refuse a packed file that grows beyond all measure, before any of it is kept."""
    most, size = most_unpacked(path, gigabytes), 0
    with opened(path) as stream:
        while part := stream.read(_PART):
            size += len(part)
            refuse_size(path, size, most)


def most_unpacked(path: Path, gigabytes: float | None) -> int:
    """Return the bytes that a packed file may take unpacked: as many gigabytes as given, else as usual ones take."""
    return int(gigabytes * 1e9) if gigabytes is not None else max(10**9, 100 * path.stat().st_size)


def refuse_size(path: Path, size: int, most: int) -> None:
    """Refuse a packed file that takes more bytes unpacked than it may."""
    if size > most:
        raise ValueError(
            f"table must take at most {most / 1e9:g} gigabytes unpacked; {path} takes more. "
            "--read unpacked=GIGABYTES sets another limit."
        )


def write_utf8(path: Path, encoding: str, target: BinaryIO) -> None:
    """Copy a text file, unpacked and as UTF-8."""
    with opened(path) as stream:
        if encoding in ("utf-8", "utf-8-sig"):
            shutil.copyfileobj(stream, target, _PART)
            return
        decoder = codecs.getincrementaldecoder(encoding)()
        while part := stream.read(_PART):
            target.write(decoder.decode(part).encode())
        target.write(decoder.decode(b"", final=True).encode())


def odd_line(path: Path, form: TextFormat) -> str | None:
    """Return the first line with more fields than there are names, in words; None if there is none."""
    with opened(path) as stream:
        lines = codecs.getreader(form.encoding)(stream)
        reader = csv.reader(lines, delimiter=form.separator, quotechar=form.quote)
        for number, row in enumerate(reader, start=1):
            if number > form.skip and len(row) > len(form.names):
                return f"line {reader.line_num} has {len(row)} fields, but there are {len(form.names)} names"
    return None


def _only_member(archive: zipfile.ZipFile, path: Path) -> str:
    names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX")]
    if len(names) != 1:
        raise InvalidArgument(
            "table", "be one file", f"{path} with {len(names)}: {', '.join(names[:5])}", "Unpack it first."
        )
    return names[0]


def _first_lines(path: Path, encoding: str) -> list[str]:
    """Return the first lines of a file that are whole."""
    with opened(path) as stream:
        data = part = stream.read(_SAMPLE)
        while part and data.count(b"\n") < 2 and len(data) < _LONGEST_LINES:
            part = stream.read(_PART)
            data += part
    try:
        decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)()
    except LookupError:
        raise InvalidArgument(
            "--read encoding", "be one that Python knows, such as utf-8 or latin-1", encoding
        ) from None
    text = decoder.decode(data)
    lines = text.splitlines(keepends=True) if "\n" not in text else [line + "\n" for line in text.split("\n")]
    return lines[:-1] if len(lines) > 1 and (len(data) >= _SAMPLE or not lines[-1].strip("\n")) else lines


def _lines_beyond_utf8(path: Path) -> list[bytes]:
    """Return the lines that hold other than plain letters, if the file is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    found: list[bytes] = []
    sound = True
    with opened(path) as stream:
        while part := stream.read(_PART):
            if sound:
                try:
                    decoder.decode(part)
                except UnicodeDecodeError:
                    sound = False
            if not part.isascii() and len(found) < _LINES:
                found += [line for line in part.splitlines() if not line.isascii()][:_LINES]
    return [] if sound else found


def _by_letters(data: bytes) -> str:
    """Return the encoding whose letters make sense: the usual one of Western Europe if another reads the same."""
    if find_spec("charset_normalizer") is None:
        raise ModuleNotFoundError("detecting the encoding needs charset-normalizer: pip install 'idnf[cli]'")
    from charset_normalizer import from_bytes

    matches = from_bytes(data[:_SAMPLE], cp_isolation=list(_ENCODINGS))
    best = matches.best()
    if best is None or sum(byte > 127 for byte in data) < _FEW_LETTERS:
        return "cp1252"
    usual = [one for one in matches if "cp1252" in (one.encoding, *one.could_be_from_charset)]
    if not usual or usual[0].chaos > best.chaos + _AS_GOOD:
        return best.encoding
    return min(("cp1252", "cp1250"), key=lambda encoding: _odd_signs(data, encoding))


def _odd_signs(data: bytes, encoding: str) -> int:
    """Return how many signs beyond plain ones are not letters if some text is read so."""
    return sum(sign > "\x7f" and not sign.isalpha() for sign in data.decode(encoding, errors="replace"))


def _said_separator(lines: Sequence[str]) -> str | None:
    """Return the separator that Excel writes into a first line of its own, ``sep=;``."""
    first = lines[0].strip("\r\n\ufeff") if lines else ""
    return first[4] if len(first) == 5 and first.lower().startswith("sep=") else None


def _regularity(lines: Sequence[str], separator: str) -> float:
    """Return the share of lines with the most frequent number of fields, if that is more than one."""
    try:
        counts = Counter(len(row) for row in csv.reader(lines[:_LINES], delimiter=separator) if row)
    except csv.Error:  # a field longer than any should be: that is not what separates the columns
        return 0.0
    if not counts:
        return 0.0
    fields, rows = max(counts.items(), key=lambda item: (item[1], item[0]))
    return rows / counts.total() if fields > 1 else 0.0


def _sniff(lines: Sequence[str], candidates: Sequence[str]) -> str:
    if find_spec("clevercsv") is None:
        raise ModuleNotFoundError("detecting the separator needs clevercsv: pip install 'idnf[cli]'")
    import clevercsv

    try:
        found = clevercsv.Sniffer().sniff("".join(lines[:100]), delimiters=list(candidates))
    except clevercsv.Error:
        return candidates[0]
    return next((sign for sign in candidates if found is not None and found.delimiter == sign), candidates[0])


def _quote(lines: Sequence[str], separator: str) -> str:
    """Return the quotation mark: the single one where most fields stand between such, else the double one."""
    fields = [field.strip() for line in lines[1:100] for field in line.split(separator)]
    single = sum(len(field) > 1 and field[0] == field[-1] == "'" for field in fields)
    return "'" if fields and single > 0.4 * len(fields) else '"'


def lines_before_names(rows: Sequence[Sequence[str]]) -> int:
    """Return how many lines come before the first one with as many fields as most have."""
    counts = Counter(len(row) for row in rows if row)
    if not counts:
        return 0
    usual = max(counts.items(), key=lambda item: (item[1], item[0]))[0]
    # R leaves out the name of the first column, so that the line of names is one field short.
    enough = usual - 1 if usual > 2 and len(rows[0]) == usual - 1 else usual
    return next((i for i, row in enumerate(rows) if len(row) >= enough and any(row)), 0) if usual > 1 else 0


def passed_over(before: int) -> str:
    """Return that lines before the names of the columns are not read."""
    return f"skipping the first {before} lines, which do not name the columns (--read skip={before})"


def _names(rows: Sequence[Sequence[str]], path: Path, *, header: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the columns as the file has them, and as they are used: none blank, each different."""
    if not rows or not rows[0]:
        raise InvalidArgument("table", "begin with the names of its columns", f"{path}, which is empty")
    if not header:
        blank = ("",) * len(rows[0])
        return blank, _different(blank)
    given = list(rows[0])
    longer = [row for row in rows[1:] if len(row) == len(given) + 1]
    if len(rows) > 1 and len(longer) > 0.9 * (len(rows) - 1):
        at_end = all(not row[-1].strip() for row in longer)
        given = [*given, ""] if at_end else ["", *given]
    elif len(rows) > 1 and sum(is_number(name.replace(",", ".")) for name in given) > 0.5 * len(given):
        raise InvalidArgument(
            "table",
            "begin with the names of its columns",
            f"numbers in the first line of {path} ({', '.join(given[:4])})",
            "Add a line of names, or use --read header=no: columns are then called column 1, column 2 and so on.",
        )
    return tuple(given), _different(given)


def _different(given: Sequence[str]) -> tuple[str, ...]:
    """Return names with those left blank called by their place, and repeated ones numbered.

    >>> _different(["", "a", "a"])
    ('column 1', 'a', 'a (2)')
    """
    names: dict[str, None] = {}
    copies: dict[str, int] = {}
    for place, name in enumerate(given, start=1):
        wanted = free = name.strip().strip("\ufeff") or f"column {place}"
        while free in names:
            copies[wanted] = copies.get(wanted, 1) + 1
            free = f"{wanted} ({copies[wanted]})"
        names[free] = None
    return tuple(names)
