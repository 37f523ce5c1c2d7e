"""Every writer of tests says what the tests mean in numpy, on every kind of column and on sets of its cells."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from functools import cache

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pytest
from tests.columns.clock import ClockColumn
from tests.exporting.cases import all_columns, frame_of, generated_rows
from tests.exporting.databases import _sqlite_value

from idnf.columns.column import TableColumn
from idnf.columns.predicates import Predicate, holds
from idnf.engines.queries import indicator
from idnf.exporting.programs import portable_column
from idnf.exporting.row_engine import cell_of
from idnf.exporting.sql_conditions import condition_sql, name_sql
from idnf.tables.lazy_columns import condition, lazy_column

ROWS = 200
CLOCK = ClockColumn("hour", "seen", hours=(6.0, 12.0, 18.0, 22.0))


@cache
def columns() -> tuple[TableColumn, ...]:
    return (*all_columns(), CLOCK)


@cache
def frame() -> pl.DataFrame:
    """Rows at the cuts and beside them, missing, NaN where the type has it, and categories never seen."""
    rows = generated_rows(list(all_columns()), ROWS, seed=5)
    hours = [(0.0, 6.0, 6.5, 12.0, 23.5, 24.0, None)[i % 7] for i in range(ROWS)]
    made = frame_of(list(all_columns()), rows).with_columns(hour=pl.Series(hours, dtype=pl.Float64))
    floats = [name for name, kind in made.schema.items() if kind == pl.Float64]
    odd = pl.int_range(pl.len()) % 2 == 1
    return made.with_columns(
        pl.when(pl.col(n).is_null() & odd).then(float("nan")).otherwise(n).alias(n) for n in floats
    )


@cache
def asked() -> tuple[tuple[TableColumn, Predicate, tuple[bool, ...]], ...]:
    """Tests of random sets of cells, with their truth on every row in numpy."""
    rng = random.Random(7)
    found = []
    for column in columns():
        masks = {1 << cell for cell in range(len(column.labels))}
        for mask in masks | {rng.randrange(1, column.full) for _ in range(6)}:
            test = column.test(mask)
            truth = holds(test, column.read(*(frame()[name] for name in column.sources)))
            found.append((column, test, tuple(truth.tolist())))
    return tuple(found)


def expected() -> list[tuple[bool, ...]]:
    return [truth for *_, truth in asked()]


def test_sqlite() -> None:
    names = ", ".join(name_sql(name, "sqlite") for name in frame().columns)
    cases = ", ".join(f"CASE WHEN {condition_sql(test, 'sqlite')} THEN 1 ELSE 0 END" for _, test, _ in asked())
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(f"CREATE TABLE rows ({names})")
        plain = [[_sqlite_value(None if value != value else value) for value in row] for row in frame().rows()]
        base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(frame().columns))})", plain)
        found = base.execute(f"SELECT {cases} FROM rows ORDER BY rowid").fetchall()
    assert [tuple(map(bool, column)) for column in zip(*found)] == expected()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_narwhals(engine: str) -> None:
    # DuckDB has no durations of fixed length; fitting refuses them there.
    kept = [(c, t, truth) for c, t, truth in asked() if engine == "polars" or c.fields[0].kind != "duration"]
    names = dict.fromkeys(name for column, *_ in kept for name in column.sources)
    table = frame().select(*names).with_row_index("row number")
    lazy = nw.from_native(table.lazy() if engine == "polars" else duckdb.connect().from_arrow(table.to_arrow()))
    raws = {name: lazy_column(name, kind) for name, kind in lazy.collect_schema().items()}
    flags = [indicator(condition(test, raws)).alias(f"{i}") for i, (_, test, _) in enumerate(kept)]
    found = nw.from_native(lazy.select("row number", *flags).collect().to_native()).sort("row number")
    for i, (column, test, truth) in enumerate(kept):
        assert tuple(bool(v) for v in found.get_column(f"{i}").to_list()) == truth, (column, test)


@pytest.mark.parametrize("column", columns(), ids=lambda column: type(column).__name__)
def test_python(column: TableColumn) -> None:
    plain = json.loads(json.dumps(portable_column(column, range(len(column.labels)))))
    rows = frame().select(column.sources).to_dicts()
    cells = column.cells(*(frame()[name] for name in column.sources)).tolist()
    assert [cell_of(plain, row) for row in rows] == cells


@pytest.mark.parametrize("column", columns(), ids=lambda column: type(column).__name__)
def test_an_example_of_a_cell_lies_in_it(column: TableColumn) -> None:
    for cell in range(len(column.labels)):
        assert column.cells(*([value] for value in column.example(cell))).tolist() == [cell]
