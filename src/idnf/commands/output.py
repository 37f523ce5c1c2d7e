"""Where commands speak: results to standard output, or to a file that appears whole or not at all; else to stderr."""

from __future__ import annotations

import argparse
import codecs
import glob
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol, TextIO, TypeVar

from idnf.atomic_files import parts_folder, whole_file
from idnf.columns.phrases import one_line
from idnf.logic.errors import InvalidArgument

if TYPE_CHECKING:
    import polars as pl

Part = TypeVar("Part")

_BAR = 30

_FORMULA = r"(?s)^([=@\t\r]|[+-].*[\p{L}(|!])"


@dataclass
class Console:
    """The two streams of a command, and its progress bar.

    Parameters
    ----------
    out, err : text streams
    quiet : bool
        Leave out remarks and progress.
    verbose : bool
        Cut no remark and no model short.
    """

    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    quiet: bool = False
    verbose: bool = False

    def show(self, text: str) -> None:
        """Write a result."""
        self.out.write(one_line(text if text.endswith("\n") else text + "\n", kept="\n\t"))

    def remark(self, text: str) -> None:
        """Write something beside the result."""
        if not self.quiet:
            self.out.flush()
            with suppress(OSError):  # a remark that cannot be written stops no work
                self.err.write(one_line(text, kept="\n\t") + "\n")

    def progress(self, label: str) -> Callable[[float], None]:
        """Return a function that draws a bar for a share between 0 and 1; on a terminal only, once a second."""
        draw = self._line(label)

        def bar(share: float) -> None:
            filled = round(_BAR * min(share, 1))
            draw(f"[{'#' * filled}{'.' * (_BAR - filled)}] {share:4.0%}", share >= 1)

        return bar

    def counted(self, parts: Iterable[Part], rows: Callable[[Part], int]) -> Iterator[Part]:
        """Give the parts of a table on, and show how many rows are done; on a terminal only."""
        draw = self._line("done")
        done = 0
        for part in parts:
            yield part
            done += rows(part)
            draw(f"{done:>12,} rows", False)
        draw(f"{done:>12,} rows", True)

    def _line(self, label: str) -> Callable[[str, bool], None]:
        """Return a function that draws over one line, at most once a second until the last time."""
        if self.quiet or not self.err.isatty():
            return lambda _text, _last: None
        started = drawn = time.monotonic()
        width = 0

        def draw(text: str, last: bool) -> None:
            nonlocal drawn, width
            now = time.monotonic()
            # Work that ends within the first second shows no line at all.
            if (not last and now - drawn < 1) or (last and not width):
                return
            drawn = now
            line = f"{label} {text} {now - started:5.0f} s"
            self.err.write("\r" + line.ljust(width) + ("\n" if last else ""))
            self.err.flush()
            width = 0 if last else len(line)

        return draw


@dataclass(frozen=True)
class TextStyle:
    """How a text file is written: what separates its columns, its encoding, and whether fractions have a comma."""

    separator: str = ","
    encoding: str = "utf-8"
    commas: bool = False


PLAIN = TextStyle()
"""What a table is written as that comes from no text file."""


class WritePart(Protocol):
    """Writes a part of a table; of its columns the last few may be what the command adds to the user's own."""

    def __call__(self, part: pl.DataFrame, *, added: int = 0, style: TextStyle = PLAIN) -> None:
        """Write a part."""


@contextmanager
def output_file(target: str) -> Iterator[BinaryIO]:
    """Open what is to be written: a file that appears only when all of it is there, or standard output for ``-``."""
    if target == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with whole_file(target) as stream:
            yield stream


_READ = ("table", "model", "old", "new", "rules", "edits", "records", "template", "alternative")
_WRITTEN = ("output", "card", "rectify", "holdout", "fair_page", "page", "plot")


def refuse_overwriting(arguments: argparse.Namespace) -> None:
    """Refuse to write over a file that a command reads; a command may name the arguments it writes to."""
    written = getattr(arguments, "writes", _WRITTEN)
    read = list(_files(arguments, [name for name in _READ if name not in written]))
    for name, output in _files(arguments, written):
        if any(output.samefile(path) for _, path in read):
            raise InvalidArgument(f"--{name.replace('_', '-')}", "not be a file that is read", output)


def _files(arguments: argparse.Namespace, names: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Yield the files there are of those that some arguments name, with the names of the arguments."""
    for name in names:
        given = getattr(arguments, name, None) or []
        for text in [given] if isinstance(given, str) else given:
            for path in map(Path, [text, *glob.glob(text)]):
                if path.is_file():
                    yield name, path


def write_text(target: str, text: str) -> None:
    """Write a text as a whole file, or to standard output for ``-``."""
    with output_file(target) as stream:
        stream.write(text.encode("utf-8"))


@contextmanager
def output_table(target: str) -> Iterator[WritePart]:
    """Give a function that writes the parts of a table: as Parquet where the name says so, else as CSV."""
    if Path(target).suffix.lower() in (".parquet", ".pq"):
        with _parquet(target) as write:
            yield write
        return
    with output_file(target) as stream:
        encoder: codecs.IncrementalEncoder | None = None

        def write_csv(part: pl.DataFrame, *, added: int = 0, style: TextStyle = PLAIN) -> None:
            nonlocal encoder
            text = _without_formulas(_plain(part), added).write_csv(
                include_header=encoder is None,
                separator=style.separator,
                decimal_comma=style.commas and style.separator != ",",
            )
            encoder = encoder or codecs.getincrementalencoder(style.encoding)()
            try:
                stream.write(encoder.encode(text))
            except UnicodeEncodeError as error:
                sign = error.object[error.start]
                rule = f"be writable in {style.encoding}, as the table is"
                remedy = "Name an --output that ends in .parquet."
                raise InvalidArgument("answers", rule, f"{sign!r}", remedy) from error

        yield write_csv


@contextmanager
def _parquet(target: str) -> Iterator[WritePart]:
    """Write the parts of a table beside the target and join them at the end, so that they need not fit into memory."""
    import polars as pl

    with whole_file(target) as stream, parts_folder(Path(target).parent) as folder:
        parts: list[Path] = []

        def write(part: pl.DataFrame, *, added: int = 0, style: TextStyle = PLAIN) -> None:
            del style  # Parquet has one way to write a table
            assert added <= part.width, "columns that are added are columns"
            parts.append(Path(folder) / f"{len(parts)}.parquet")
            part.write_parquet(parts[-1])

        yield write
        pl.scan_parquet(parts, glob=False).sink_parquet(stream)


def _without_formulas(part: pl.DataFrame, added: int) -> pl.DataFrame:
    """Return a part in which no added text is a formula to a spreadsheet: an apostrophe before it makes it text."""
    import polars as pl

    texts = [pl.col(name) for name in part.columns[part.width - added :] if part[name].dtype == pl.String]
    return part.with_columns(t.str.replace(_FORMULA, "'${1}") for t in texts)


def _plain(part: pl.DataFrame) -> pl.DataFrame:
    """Return a part as CSV can hold it: durations in seconds."""
    import polars as pl
    from polars import selectors

    return part.with_columns(selectors.duration().dt.total_microseconds().cast(pl.Float64) / 1e6)
