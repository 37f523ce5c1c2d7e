"""Tables that stay in an engine: opened by name or by the address of a database, and answers written part by part."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw

from idnf.commands.console import Console
from idnf.commands.table_files import BATCH, require_polars
from idnf.engines.addresses import shown_address
from idnf.engines.lazy_frames import Lazy, as_lazy
from idnf.engines.queries import Step
from idnf.tables.sources import ENGINES, is_database, open_table

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


def add_engine(parser: argparse.ArgumentParser, *, what: str) -> None:
    """Add the options of a command whose table may stay in an engine."""
    parser.add_argument("--engine", choices=ENGINES, help=f"{what} in this engine, for tables larger than memory")
    parser.add_argument("--table-name", metavar="NAME", help="table of the database")


def in_engine(arguments: argparse.Namespace) -> bool:
    """Tell whether a table is to stay where it is: an engine is named, or the table is the address of a database."""
    return arguments.engine is not None or is_database(arguments.table[0])


def open_lazily(arguments: argparse.Namespace) -> Lazy:
    """Open the table of a command in its engine."""
    source, name = arguments.table[0], arguments.table_name
    if is_database(source):
        if len(arguments.table) > 1:
            raise ValueError(f"a database must be the only table; got {shown_address(arguments.table[1])} too.")
        if name is None:
            raise ValueError(f"--table-name must name a table of {shown_address(source)}; got none.")
        opened = open_table(source, table=name)
    elif name is not None:
        raise ValueError(f"--table-name must be left out for files; got {name}.")
    else:
        opened = open_table(arguments.table, arguments.engine)
    lazy = as_lazy(opened)
    assert lazy is not None, "engines give lazy tables"
    return lazy


def answer_parts(answer: object, console: Console) -> Iterator[pl.DataFrame]:
    """Work out a lazy table in its engine and give it part by part; count the rows that are done."""
    require_polars()
    lazy = as_lazy(answer)
    assert lazy is not None, "what an engine answers is lazy"
    count = console.counter("done")
    done = 0
    with Step("working out the answer", lazy):
        for part in _parts(lazy.to_native(), lazy.implementation):
            yield part
            done += part.height
            count(done)
    count(None)


def _parts(native: object, implementation: nw.Implementation) -> Iterator[pl.DataFrame]:
    """Give a lazy table as parts that fit into memory, first one without rows, which says what the columns are."""
    import polars as pl

    if implementation.is_polars():
        assert isinstance(native, pl.LazyFrame), "a lazy polars table"
        yield native.head(0).collect()
        yield from native.collect_batches(chunk_size=BATCH, maintain_order=True)
    elif implementation.is_pyspark():
        yield from _spark_parts(native)
    else:
        reader = _arrow_reader(native, implementation)
        yield pl.DataFrame(reader.schema.empty_table())
        for batch in reader:
            yield pl.DataFrame(batch)


def _spark_parts(native: object) -> Iterator[pl.DataFrame]:
    import polars as pl
    import pyspark.sql

    assert isinstance(native, pyspark.sql.DataFrame), "a Spark table"
    empty = pl.DataFrame(native.limit(0).toArrow())
    yield empty
    rows = native.toLocalIterator(prefetchPartitions=True)
    while part := list(islice(rows, BATCH)):
        yield pl.DataFrame([tuple(row) for row in part], schema=empty.schema, orient="row")


def _arrow_reader(native: object, implementation: nw.Implementation) -> pa.RecordBatchReader:
    if implementation.is_duckdb():
        import pyarrow as pa

        return pa.RecordBatchReader.from_stream(native)
    import ibis

    assert isinstance(native, ibis.Table), "an ibis table"
    return native.to_pyarrow_batches(chunk_size=BATCH)
