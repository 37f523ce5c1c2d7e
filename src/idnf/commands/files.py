"""Tables and texts on disk: CSV and Parquet in and out, standard input and output, writes that leave no half file."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from idnf.tables.categories import CategoryColumn
from idnf.tables.columns import TableColumn
from idnf.tables.intervals import NumberColumn, OrderedColumn

if TYPE_CHECKING:
    import polars as pl

BATCH = 100_000
"""Rows of a table held at a time by commands that stream."""

_MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"]


def read_table(source: str, *, columns: Sequence[TableColumn] = ()) -> pl.DataFrame:
    """Read a whole table from a path, or CSV from standard input for ``-``.

    ``columns`` gives the types a model expects; other columns have theirs inferred.
    """
    return _scan(source, columns).collect()


def read_batches(source: str, *, columns: Sequence[TableColumn] = ()) -> Iterator[pl.DataFrame]:
    """Read a table part by part, at most ``BATCH`` rows at a time."""
    lazy = _scan(source, columns)
    empty = True
    for batch in lazy.collect_batches(chunk_size=BATCH, maintain_order=True):
        empty = False
        for start in range(0, max(batch.height, 1), BATCH):
            yield batch.slice(start, BATCH)
    if empty:
        yield lazy.head(0).collect()


def _scan(source: str, columns: Sequence[TableColumn]) -> pl.LazyFrame:
    require_polars()
    import polars as pl

    path = Path(source)
    if source != "-" and "*" not in source and not path.exists():
        raise FileNotFoundError(f"table must be a CSV or Parquet file; got {source}, which does not exist.")
    if path.suffix.lower() in (".parquet", ".pq"):
        return pl.scan_parquet(source)
    return pl.scan_csv(
        sys.stdin.buffer.read() if source == "-" else source,
        separator="\t" if path.suffix.lower() in (".tsv", ".tab") else ",",
        null_values=_MISSING,
        try_parse_dates=True,
        infer_schema_length=10_000,
        schema_overrides=_types(columns),
    )


def _types(columns: Sequence[TableColumn]) -> dict[str, type[pl.DataType]]:
    import polars as pl

    types: dict[str, type[pl.DataType]] = {}
    for column in columns:
        if isinstance(column, NumberColumn):
            types[column.name] = pl.Float64
        elif isinstance(column, (CategoryColumn, OrderedColumn)):
            types[column.name] = pl.String
    return types


@contextmanager
def whole_file(target: str) -> Iterator[BinaryIO]:
    """Open a file that appears under its name only when all of it is written; ``-`` is standard output."""
    if target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(target)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent or Path())
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_text(target: str, text: str) -> None:
    """Write a text as a whole file, or to standard output for ``-``."""
    with whole_file(target) as stream:
        stream.write(text.encode("utf-8"))


def require_polars() -> None:
    """Refuse to go on without polars, which reads and writes the tables of the command line."""
    if find_spec("polars") is None:
        raise ModuleNotFoundError("reading tables on the command line needs polars: pip install idnf[polars]")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
