"""Real databases that answer a query over generated rows."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import polars as pl
import psycopg
import pytest
from tests.exporting.cases import Case, frame_of

from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.columns.value_groups import GroupedColumn
from idnf.exporting.sql_conditions import name_sql

Answer = list[tuple[object, ...]]
Ask = Callable[[Case, str], Answer]
"""Runs a query over the table "rows" of a case, and returns its new columns in the order of the rows."""

_TIMES = {"date": "DATE", "datetime": "TIMESTAMP", "datetime-utc": "TIMESTAMPTZ", "duration": "INTERVAL"}


def sqlite_ask(case: Case, query: str) -> Answer:
    with closing(sqlite3.connect(":memory:")) as base:
        names = ", ".join(name_sql(name, "sqlite") for name in case.rows)
        base.execute(f"CREATE TABLE rows ({names})")
        rows = zip(*([_sqlite_value(value) for value in values] for values in case.rows.values()))
        base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(case.rows))})", rows)
        return [row[len(case.rows) :] for row in base.execute(query + " ORDER BY rowid")]


def _sqlite_value(value: object) -> object:
    if isinstance(value, timedelta):
        return value / timedelta(seconds=1)
    if isinstance(value, datetime):
        return value.isoformat(sep="T" if value.second else " ")
    return value.isoformat() if hasattr(value, "isoformat") else value


def duckdb_ask(folder: Path) -> Ask:
    def ask(case: Case, query: str) -> Answer:
        columns = list(case.clf.binariser_.columns_)
        frame = frame_of(columns, _with_nan(case)).with_row_index("row number")
        lasting = [name for name, type_ in frame.schema.items() if type_ == pl.Duration]
        plain = frame.with_columns(pl.col(name).dt.total_microseconds() for name in lasting)
        plain.write_parquet(folder / "rows.parquet")
        names = {name: name_sql(name, "duckdb") for name in frame.columns}
        listed = [f"to_microseconds({sql}) AS {sql}" if name in lasting else sql for name, sql in names.items()]
        with duckdb.connect() as base:
            base.execute("SET TimeZone = 'Asia/Tokyo'")
            base.execute(f"CREATE TABLE rows AS SELECT {', '.join(listed)} FROM read_parquet('{folder}/rows.parquet')")
            new = f"SELECT * EXCLUDE ({', '.join(names.values())}) FROM ({query}) ORDER BY {names['row number']}"
            return base.execute(new).fetchall()

    return ask


def postgres_ask(url: str) -> Ask:
    def ask(case: Case, query: str) -> Answer:
        types = {name: _postgres_type(c) for c in case.clf.binariser_.columns_ for name in c.sources}
        names = ", ".join(f"{name_sql(name, 'postgres')} {types[name]}" for name in case.rows)
        with psycopg.connect(url) as base:
            base.execute("SET TIME ZONE 'Asia/Tokyo'")
            base.execute(f"CREATE TEMPORARY TABLE rows (number SERIAL, {names})")
            listed = ", ".join(name_sql(name, "postgres") for name in case.rows)
            with base.cursor().copy(f"COPY rows ({listed}) FROM STDIN") as copy:
                for row in zip(*_with_nan(case).values()):
                    copy.write_row(row)
            answer = base.execute(query + " ORDER BY number").fetchall()
            base.rollback()
        return [row[len(case.rows) + 1 :] for row in answer]

    return ask


def _postgres_type(column: TableColumn) -> str:
    if isinstance(column, TimeColumn):
        return _TIMES[column.kind]
    if _is_number(column):
        return "DOUBLE PRECISION"
    if isinstance(column, GroupedColumn):
        return "TEXT" if isinstance(column.groups[0][0], str) else "BIGINT"
    if isinstance(column, (CategoryColumn, OrderedColumn)):
        return "TEXT" if not column.values or isinstance(column.values[0], str) else "BIGINT"
    return "SMALLINT" if isinstance(column, GroupColumn) else "BOOLEAN"


def _is_number(column: TableColumn) -> bool:
    return isinstance(column, NumberColumn) or isinstance(column, BooleanColumn) and column.digits


def _with_nan(case: Case) -> dict[str, list[object]]:
    """Return the rows with every second missing number as NaN."""
    numbers = {column.name for column in case.clf.binariser_.columns_ if _is_number(column)}
    return {
        name: [math.nan if v is None and i % 2 else v for i, v in enumerate(values)] if name in numbers else values
        for name, values in case.rows.items()
    }


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Ask]]:
    """Return the name of a dialect and a way to ask a real database that speaks it."""
    if request.param == "sqlite":
        yield "sqlite", sqlite_ask
    elif request.param == "duckdb":
        yield "duckdb", duckdb_ask(tmp_path)
    else:
        yield "postgres", postgres_ask(request.getfixturevalue("postgres_url"))
