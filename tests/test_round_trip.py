"""What fit reads, predict reads: generated tables in files and databases, asked again where they were learned from."""

from __future__ import annotations

import sqlite3
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import count
from pathlib import Path

import duckdb
import polars as pl
import psycopg
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from idnf import DNFClassifier, exporting
from idnf.cli import main
from idnf.exporting.sql_conditions import name_sql

# Every case is a fit and several questions.
CASES = max(4, settings().max_examples // 16)
ROWS = 24
_NUMBERS = count()


@dataclass(frozen=True)
class Kind:
    """A type of column: its polars type, its PostgreSQL type and values of it."""

    dtype: pl.DataType | type[pl.DataType]
    postgres: str
    values: st.SearchStrategy[object]


WORDS = (
    "red",
    "Red",
    "RED ",
    "",
    "NA",
    "n/a",
    "=1+1",
    "@x",
    "-",
    "1",
    "01",
    "1.0",
    "true",
    "ä",
    "a\u0308",
    "it's",
    "2020-01-01",
)
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))
KINDS = {
    "integers": Kind(pl.Int64, "bigint", st.integers(-3, 9) | st.sampled_from([2**53, 2**53 + 1, 2**63 - 1, -(2**63)])),
    "large integers": Kind(pl.UInt64, "numeric", st.sampled_from([0, 2**53 + 1, 2**63, 2**63 + 1, 2**64 - 1])),
    "floats": Kind(
        pl.Float64, "double precision", st.floats(allow_infinity=False) | st.sampled_from([0.0, 1.0, 0.5, 0.1, 5e-324])
    ),
    "short floats": Kind(pl.Float32, "real", st.floats(width=32, allow_infinity=False) | st.sampled_from([0.5, 0.25])),
    "decimals": Kind(pl.Decimal(12, 2), "numeric(12, 2)", st.integers(-500, 500).map(lambda n: Decimal(n) / 100)),
    "zeros and ones": Kind(pl.Int8, "smallint", st.integers(0, 1)),
    "Booleans": Kind(pl.Boolean, "boolean", st.booleans()),
    "texts": Kind(pl.String, "text", st.sampled_from(WORDS)),
    "categories written as numbers": Kind(pl.String, "text", st.sampled_from(["1", "2", "10", "02"])),
    "dates": Kind(
        pl.Date, "date", st.dates(date(1, 1, 1), date(9999, 12, 31)) | st.dates(date(2020, 1, 1), date(2020, 1, 9))
    ),
    "times": Kind(pl.Datetime("us"), "timestamp", MOMENTS | st.datetimes(datetime(2020, 1, 1), datetime(2020, 1, 2))),
    "times in a zone": Kind(
        pl.Datetime("us", "Europe/Berlin"),
        "timestamptz",
        st.datetimes(datetime(2020, 10, 24), datetime(2020, 10, 26)).map(lambda moment: moment.replace(tzinfo=UTC)),
    ),
}
NAMES = ("x", "idnf class", "idnf cell 0", "__proto__", "it's", 'a "b"', "größe", "reasons", "label", "1", "=x", "a b")


@st.composite
def tables(draw: st.DrawFn, kinds: Sequence[str] = tuple(KINDS)) -> pl.DataFrame:
    """Return a table of few values that recur, some of them missing, and a target of two classes."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    columns = {}
    for name in names:
        kind = KINDS[draw(st.sampled_from(kinds))]
        pool = draw(st.lists(kind.values, min_size=2, max_size=5, unique_by=repr))
        some = [*pool, None] if draw(st.booleans()) else pool
        values = [pool[row] if row < 2 else draw(st.sampled_from(some)) for row in range(ROWS)]
        columns[name] = pl.Series(name, values, dtype=kind.dtype)
    y = draw(st.permutations([0, 1] * (ROWS // 2)))
    return pl.DataFrame(columns).with_columns(target=pl.Series(y))


def run(*arguments: object) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return main([*map(str, arguments), "--quiet"])


def asked_again(folder: Path, table: Path, *engine: str) -> pl.DataFrame:
    """Learn from a file and ask all commands about it; return what predict writes."""
    model, out = folder / "model.json", folder / "out.parquet"
    learn = ("--target", "target", "--k", 2, "--learner", "greedy", "--missing", "allow", "-o", model)
    assert run("fit", table, *learn, *engine) == 0
    assert run("explain", model, table, "-o", folder / "explained.parquet", *engine) == 0
    if not engine:
        assert run("report", model, table, "--target", "target", "-o", folder / "page.html") == 0
    assert run("predict", model, table, "-o", out, *engine) == 0
    return pl.read_parquet(out)


@settings(max_examples=CASES)
@given(table=tables())
def test_parquet_files_are_read_as_they_were_in_training(table: pl.DataFrame) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table.write_parquet(folder / "t.parquet")
        for engine in ((), ("--engine", "polars"), ("--engine", "duckdb")):
            answer = asked_again(folder, folder / "t.parquet", *engine)
            expected = exporting.from_json(folder / "model.json").predict(table.drop("target")).tolist()
            assert answer["predicted"].to_list() == expected


@settings(max_examples=CASES)
@given(table=tables(), separator=st.sampled_from(",;\t"), day_first=st.booleans())
def test_csv_files_are_read_as_they_were_in_training(table: pl.DataFrame, separator: str, day_first: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        form = "%d/%m/%Y" if day_first else "%Y-%m-%d"
        table.write_csv(folder / "t.csv", separator=separator, date_format=form)
        answer = asked_again(folder, folder / "t.csv")
        assert answer["predicted"].null_count() == 0
        if separator == ",":
            for engine in ("polars", "duckdb"):
                answer = asked_again(folder, folder / "t.csv", "--engine", engine)
                assert answer["predicted"].null_count() == 0


SQLITE = ("integers", "floats", "zeros and ones", "texts", "categories written as numbers", "dates", "times")


@settings(max_examples=CASES)
@given(table=tables(kinds=SQLITE))
def test_a_table_of_sqlite_gets_the_answers_of_memory(table: pl.DataFrame) -> None:
    clf, X = in_memory(table), table.drop("target")
    assume(not clf.binariser_.readings_)  # a database has types: what is text there is never read as something else
    plain = [[value.isoformat() if isinstance(value, date) else value for value in row] for row in X.rows()]
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(f"CREATE TABLE t ({', '.join(name_sql(name, 'sqlite') for name in X.columns)})")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * X.width)})", plain)
        found = base.execute(f"SELECT {exporting.to_sql(clf, dialect='sqlite')} FROM t ORDER BY rowid").fetchall()
    assert [label for (label,) in found] == clf.predict(X).tolist()


def in_memory(table: pl.DataFrame) -> DNFClassifier:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return DNFClassifier(k=2, learner="greedy").fit(table.drop("target"), table["target"].to_numpy())


@settings(max_examples=CASES)
@given(table=tables())
def test_a_table_of_duckdb_gets_the_answers_of_memory(table: pl.DataFrame) -> None:
    with duckdb.connect() as base:
        base.register("given", table.with_row_index("row number").to_arrow())
        base.execute("CREATE TABLE t AS SELECT * FROM given")
        relation = base.table("t").project('* EXCLUDE ("row number")')
        clf, X = learned(relation), table.drop("target")
        expected, query = clf.predict(X).tolist(), exporting.to_sql(clf, dialect="duckdb")
        found = base.execute(f'SELECT {query} FROM t ORDER BY "row number"').fetchall()
        assert [label for (label,) in found] == expected
        for answer in (clf.predict(base.table("t")), clf.explain(base.table("t"))):
            assert answer.order('"row number"').pl()["predicted"].to_list() == expected


@pytest.mark.slow
@settings(max_examples=CASES)
@given(table=tables())
def test_a_table_of_postgres_gets_the_answers_of_memory(postgres_url: str, table: pl.DataFrame) -> None:
    import ibis

    kinds = {kind.dtype: kind.postgres for kind in KINDS.values()}
    name = f"round trip {next(_NUMBERS)}"
    columns = [f"{name_sql(column, 'postgres')} {kinds[kind]}" for column, kind in table.schema.items()]
    with psycopg.connect(postgres_url, autocommit=True) as base:
        base.execute(f'CREATE TABLE "{name}" ("row number" serial, {", ".join(columns)})')
        listed = ", ".join(name_sql(column, "postgres") for column in table.columns)
        with base.cursor() as cursor, cursor.copy(f'COPY "{name}" ({listed}) FROM STDIN') as copy:
            for row in table.rows():
                copy.write_row(row)
        lazy = ibis.connect(postgres_url).table(name)
        clf, X = learned(lazy.drop("row number")), table.drop("target")
        expected, query = clf.predict(X).tolist(), exporting.to_sql(clf, dialect="postgres")
        found = base.execute(f'SELECT {query} FROM "{name}" ORDER BY "row number"').fetchall()
        assert [label for (label,) in found] == expected
        for answer in (clf.predict(lazy), clf.explain(lazy)):
            assert answer.order_by("row number").select("predicted").to_polars()["predicted"].to_list() == expected


def learned(lazy: object) -> DNFClassifier:
    return DNFClassifier(k=2, learner="greedy").fit(lazy, "target")
