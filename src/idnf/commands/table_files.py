"""Tables in: CSV and Parquet files and standard input, read with types for learning or as they are written."""

from __future__ import annotations

import csv
import glob
import gzip
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from idnf.columns.column import TableColumn
from idnf.commands.cell_text import typed
from idnf.tables.sources import MISSING

if TYPE_CHECKING:
    import polars as pl

BATCH = 50_000
"""Rows of a table held at a time by commands that stream."""


@dataclass(frozen=True)
class Rows:
    """Some rows of a table: as the file has them, and whether all of it is text, as in CSV."""

    given: pl.DataFrame
    text: bool

    def typed(self, columns: Sequence[TableColumn]) -> pl.DataFrame:
        """Return the columns of a model, with the types it expects."""
        return typed(self.given, columns, missing=MISSING if self.text else ())


def read_table(sources: Sequence[str]) -> pl.DataFrame:
    """Read a whole table from files of one kind, or CSV from standard input for ``-``; types follow from all rows."""
    with _paths(sources) as paths, _named_errors(sources):
        return _scan(paths, infer=True).collect()


def read_rows(sources: Sequence[str]) -> Rows:
    """Read a whole table for a model to be applied to; CSV stays text."""
    with _paths(sources) as paths, _named_errors(sources):
        return Rows(_scan(paths, infer=False).collect(), not _is_parquet(paths[0]))


def read_batches(sources: Sequence[str]) -> Iterator[Rows]:
    """Read a table part by part for a model to be applied to, at most ``BATCH`` rows at a time; CSV stays text."""
    with _paths(sources) as paths:
        text = not _is_parquet(paths[0])
        with _named_errors(sources):
            lazy = _scan(paths, infer=False)
            batches = iter(lazy.collect_batches(chunk_size=BATCH, maintain_order=True))
            yield Rows(lazy.head(0).collect(), text)
        while True:
            with _named_errors(sources):
                batch = next(batches, None)
            if batch is None:
                return
            for start in range(0, batch.height, BATCH):
                yield Rows(batch.slice(start, BATCH), text)


def require_polars() -> None:
    """Refuse to go on without polars, which reads and writes the tables of the command line."""
    if find_spec("polars") is None:
        raise ModuleNotFoundError("reading tables on the command line needs polars: pip install idnf[polars]")


@contextmanager
def _paths(sources: Sequence[str]) -> Iterator[list[Path]]:
    """Give the files behind the names; standard input is first put into one, so that it need not fit into memory."""
    require_polars()
    if list(sources) == ["-"]:
        with tempfile.NamedTemporaryFile(suffix=".csv") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
            copy.flush()
            yield [Path(copy.name)]
        return
    found = [Path(path) for source in sources for path in (sorted(glob.glob(source)) or [source])]
    for path in found:
        if not path.exists():
            raise ValueError(f"table must be a CSV or Parquet file; got {path}, which does not exist.")
        if path.is_dir():
            raise ValueError(f"table must be a CSV or Parquet file; got the folder {path}. Try {path}/*.parquet.")
    if len({_is_parquet(path) for path in found}) > 1:
        raise ValueError("tables must be of one kind, CSV or Parquet; got both.")
    yield found


@contextmanager
def _named_errors(sources: Sequence[str]) -> Iterator[None]:
    """Say which table cannot be read, whatever the reason."""
    import polars as pl

    name = "standard input" if list(sources) == ["-"] else ", ".join(sources)
    try:
        yield
    except (pl.exceptions.PolarsError, OSError, csv.Error, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        first = reason.strip().splitlines()[0] if reason.strip() else type(error).__name__
        raise ValueError(f"{name} cannot be read as a table: {first.rstrip('.')}.") from error


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() in (".parquet", ".pq")


def _scan(paths: Sequence[Path], *, infer: bool) -> pl.LazyFrame:
    import polars as pl

    if _is_parquet(paths[0]):
        return pl.scan_parquet(list(paths))
    separator = "\t" if ".tsv" in paths[0].suffixes or ".tab" in paths[0].suffixes else ","
    names = _header(paths[0], separator)
    if infer:
        return pl.scan_csv(
            list(paths),
            separator=separator,
            null_values=list(MISSING),
            try_parse_dates=True,
            infer_schema_length=None,
            with_column_names=lambda _: names,
        )
    return pl.scan_csv(list(paths), separator=separator, infer_schema=False, with_column_names=lambda _: names)


def _header(path: Path, separator: str) -> list[str]:
    """Return the names of the columns, with doubled quotes undone, which polars leaves as they are."""
    with open(path, "rb") as raw:
        unpacked = gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw
        text = TextIOWrapper(unpacked, encoding="utf-8-sig", newline="")
        names = next(csv.reader(text, delimiter=separator), [])
    if not names:
        raise ValueError(f"table must begin with the names of its columns; got {path}, which is empty.")
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise ValueError(f"table must have a different name for each column; got {doubled!r} twice in {path}.")
    return names
