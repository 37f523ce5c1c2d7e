"""Tables and texts out: to a file that appears whole or not at all, or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from idnf.tables.whole_files import parts_folder, whole_file

if TYPE_CHECKING:
    import polars as pl

_FORMULA = r"(?s)^([=@\t\r]|[+-].*[\p{L}(|!])"


class WritePart(Protocol):
    """Writes a part of a table; of its columns the last few may be what the command adds to the user's own."""

    def __call__(self, part: pl.DataFrame, *, added: int = 0) -> None:
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


def refuse_overwriting(output: str, tables: Sequence[str]) -> None:
    """Refuse to write a model or a page over a table that it is made from."""
    for table in tables:
        if Path(output).exists() and Path(table).exists() and Path(output).samefile(table):
            raise ValueError(f"--output must not be a table that is read; got {output}.")


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
        header = True

        def write_csv(part: pl.DataFrame, *, added: int = 0) -> None:
            nonlocal header
            stream.write(_without_formulas(_plain(part), added).write_csv(include_header=header).encode("utf-8"))
            header = False

        yield write_csv


@contextmanager
def _parquet(target: str) -> Iterator[WritePart]:
    """Write the parts of a table beside the target and join them at the end, so that they need not fit into memory."""
    import polars as pl

    with whole_file(target) as stream, parts_folder(Path(target).parent) as folder:
        parts: list[Path] = []

        def write(part: pl.DataFrame, *, added: int = 0) -> None:
            assert added <= part.width, "columns that are added are columns"
            parts.append(Path(folder) / f"{len(parts)}.parquet")
            part.write_parquet(parts[-1])

        yield write
        pl.scan_parquet(parts).sink_parquet(stream)


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
