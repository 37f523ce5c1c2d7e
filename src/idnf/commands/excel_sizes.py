"""How much memory an Excel file takes when it is read, found without reading it: a small file may ask for terabytes.

A reader holds every part unpacked, and every sheet as a grid up to its last row and last column, even if a single cell
is far out. It cannot be stopped once it runs out of memory.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

_PART = 1 << 18
_CELL = 32
"""Bytes that a cell takes, filled or not."""

_LOCAL_HEADER = 30
_A_CELL, _A_ROW = re.compile(rb"[<:]c[\s/>]"), re.compile(rb"[<:]row[\s/>]")
_MOST_CELLS = 1 << 60


def excel_size(path: Path, most: int) -> int:
    """Return the bytes that the parts and the largest sheet of a file take, or more than the most as soon as they do.

    A file that is no archive, as older versions of Excel write, counts with its own size, and a sheet whose references
    are too short for a large grid with its parts alone.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.xlsx")
    ...     with zipfile.ZipFile(path, "w") as book:
    ...         book.writestr("xl/worksheets/sheet1.xml", '<x><row r="9"><c r="ZZ9"><v>1</v></c></row></x>')
    ...     excel_size(path, 10**5)
    202223
    """
    if not zipfile.is_zipfile(path):
        return path.stat().st_size
    with open(path, "rb") as raw, zipfile.ZipFile(raw) as book:
        size = sum(member.file_size for member in book.infolist())
        if size > most:
            return size
        size, largest = 0, 0
        for member in book.infolist():
            grid = _grid_of(member.filename)
            narrow = grid is _Grid and _is_narrow(_unpacked(raw, member), (most - size) // _CELL)
            sheet = None if grid is None or narrow else grid()
            for part in _unpacked(raw, member):
                size += len(part)
                if sheet is not None:
                    sheet.read(part)
                    largest = max(largest, sheet.cells * _CELL)
                if size + largest > most:
                    return size + largest
    return size + largest


def _grid_of(name: str) -> type[_Grid] | None:
    """Return how a part of an archive is read if it holds sheets."""
    if name == "content.xml":
        return _TextGrid
    return _Grid if name.lower().endswith(".xml") and "sheet" in name.lower() else None


def _is_narrow(parts: Iterator[bytes], most: int) -> bool:
    """Return whether the references of a sheet are too short for a large grid, which is quickly seen.

    Cells and rows without a reference, or with an unusual one, are left to the parser.
    """
    sizes = [(letters, len(str(most // 26**letters)) - 1) for letters in (1, 2, 3)]
    shapes = [
        (re.compile(b'<c r="[A-Z]{1,%d}[0-9]{1,%d}"' % size), re.compile(b'<row r="[0-9]{1,%d}"' % size[1]))
        for size in sizes
        if size[1] > 0
    ]
    rest = b""
    for part in parts:
        text = rest + part
        cut = text.rfind(b"<")
        text, rest = text[:cut], text[cut:]
        cells, rows = len(_A_CELL.findall(text)), len(_A_ROW.findall(text))
        shapes = [(c, r) for c, r in shapes if len(c.findall(text)) == cells and len(r.findall(text)) == rows]
        if not shapes or len(rest) > _PART:
            return False
    return True


def _unpacked(raw: BinaryIO, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a part of an archive as a reader unpacks it, whatever size the archive claims for it."""
    raw.seek(member.header_offset)
    header = raw.read(_LOCAL_HEADER)
    if len(header) < _LOCAL_HEADER or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile(f"part {member.filename!r} is packed in an unknown way")
    raw.seek(sum(struct.unpack("<HH", header[26:30])), 1)
    left, unpack = member.compress_size, zlib.decompressobj(-zlib.MAX_WBITS)
    while left > 0 and (packed := raw.read(min(left, _PART))):
        left -= len(packed)
        if member.compress_type == zipfile.ZIP_STORED:
            yield packed
            continue
        while packed:
            yield unpack.decompress(packed, _PART)
            packed = unpack.unconsumed_tail


class _Grid:
    """The last row and the last column with a cell of a sheet in Office Open XML."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.place, self.rows, self.columns = (0, 0), 0, 0

    @property
    def cells(self) -> int:
        """The cells up to the last row and column."""
        return self.rows * self.columns

    def read(self, part: bytes) -> None:
        """Read a further part of the sheet."""
        self.parser.Parse(part, False)  # noqa: FBT003 - not the last part

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Note the place of a cell, and that it is filled if it has a value."""
        local = name.rpartition(":")[2]
        if local == "row":
            self.place = (_number(attributes.get("r"), self.place[0] + 1), 0)
        elif local == "c":
            row, column = _place(attributes.get("r", ""))
            self.place = (row or self.place[0], column or self.place[1] + 1)
        elif local in ("v", "is", "f"):
            self.rows, self.columns = max(self.rows, self.place[0]), max(self.columns, self.place[1])


class _TextGrid(_Grid):
    """The same of the sheets of an OpenDocument file, in which rows and cells may be repeated."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Note the place of a cell, and that it is filled if it says what kind of value it has."""
        local = name.rpartition(":")[2]
        if local == "table":
            self.place = (0, 0)
        elif local == "table-row":
            self.place = (self.place[0] + _number(attributes.get("table:number-rows-repeated"), 1), 0)
        elif local in ("table-cell", "covered-table-cell"):
            count = _number(attributes.get("table:number-columns-repeated"), 1)
            self.place = (self.place[0], self.place[1] + count)
            if "office:value-type" in attributes:
                self.rows, self.columns = max(self.rows, self.place[0]), max(self.columns, self.place[1])


def _number(text: str | None, otherwise: int) -> int:
    return min(int(text), _MOST_CELLS) if text is not None and text.isdecimal() and len(text) < 20 else otherwise


def _place(reference: str) -> tuple[int, int]:
    """Return the row and the column of a reference such as B7, from 1; 0 for what it leaves out.

    >>> _place("B7"), _place("AA")
    ((7, 2), (0, 27))
    """
    letters = reference.rstrip("0123456789")[:20].upper()
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return _number(reference[len(letters) :] or None, 0), max(column, 0)
