"""One answer everywhere: values on which engines and languages differ, asked of each of them; docs/exports.md says why.

A table in memory decides: where it refuses a row, exports to SQL and lazy tables give no label and programs raise.
"""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import psycopg
import pytest
from tests.exporting.cases import first_cell_model

from idnf import DNFBands, DNFClassifier, exporting, reporting
from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.columns.phrases import microseconds_since_epoch
from idnf.governance import to_excel

INF, NAN = math.inf, math.nan
YES, NO, REFUSED = "yes", "no", None
MOMENT = datetime(2020, 10, 25, 0, 30)
CUT = microseconds_since_epoch(MOMENT)


@dataclass(frozen=True)
class Hard:
    """Values of a column of some type, and the label of each where a model says yes to the first cell."""

    column: TableColumn
    dtype: pl.DataType | type[pl.DataType]
    answers: tuple[tuple[object, str | None], ...]
    engines: tuple[str, ...] = ("polars", "duckdb", "spark")

    @property
    def clf(self) -> DNFClassifier:
        return first_cell_model(self.column)

    @property
    def frame(self) -> pl.DataFrame:
        values = [value for value, _ in self.answers]
        numbers = isinstance(values[0], int) and self.dtype.is_temporal()
        series = (
            pl.Series("x", values, dtype=pl.Int64).cast(self.dtype) if numbers else pl.Series("x", values, self.dtype)
        )
        return pl.DataFrame({"x": series})

    @property
    def labels(self) -> list[str | None]:
        return [label for _, label in self.answers]


def number(*cuts: float) -> NumberColumn:
    return NumberColumn("x", "seen", cuts=cuts)


def day(text: str) -> float:
    return microseconds_since_epoch(datetime.fromisoformat(text))


TRUTH = BooleanColumn("x", "seen")
ABOVE_FIVE = math.nextafter(5, 6)
FLOATS = ((5.0, YES), (ABOVE_FIVE, NO), (None, NO), (NAN, NO), (INF, REFUSED), (-INF, REFUSED), (-0.0, YES))
TEXTS = (("a", YES), ("A", NO), ("a ", YES), ("\t\n\u00a0a\r", YES), ("ä", NO), ("a\u0308", NO), ("b", NO), (None, NO))
NANOSECONDS = 1000 * int(CUT)
ALL = ("polars", "duckdb", "spark")
SINGLE = float(np.float32(0.1))
LONGEST = CategoryColumn("x", "seen", values=(2**53 - 1,))
HARD = {
    "doubles": Hard(number(5.0), pl.Float64, FLOATS),
    "floats": Hard(number(5.0), pl.Float32, ((5.0, YES), (5.5, NO), (NAN, NO), (INF, REFUSED), (-INF, REFUSED))),
    "decimals": Hard(number(5.0), pl.Decimal(20, 2), ((Decimal("5.00"), YES), (Decimal("5.01"), NO), (None, NO))),
    "integers of more digits than doubles have": Hard(
        number(2.0**53), pl.Int64, ((2**53, YES), (2**53 + 1, YES), (2**53 + 2, NO), (-(2**63), YES), (None, NO))
    ),
    "integers from 2**63 on": Hard(
        number(2.0**63),
        pl.UInt64,
        ((2**63, YES), (2**63 + 1, YES), (2**64 - 1, NO), (0, YES)),
        ("polars", "duckdb"),
    ),
    "Booleans as doubles": Hard(
        BooleanColumn("x", "seen"),
        pl.Float64,
        ((0.0, YES), (1.0, NO), (0.7, REFUSED), (2.0, REFUSED), (NAN, NO), (None, NO), (INF, REFUSED)),
    ),
    "Booleans as integers": Hard(TRUTH, pl.Int64, ((0, YES), (1, NO), (2, REFUSED), (-1, REFUSED), (None, NO))),
    "Booleans": Hard(TRUTH, pl.Boolean, ((False, YES), (True, NO), (None, NO))),
    "digits": Hard(
        BooleanColumn("x", "seen", digits=True),
        pl.Float64,
        ((0.5, YES), (0.7, NO), (-3.0, YES), (1e300, NO), (INF, REFUSED), (-INF, REFUSED), (NAN, NO)),
    ),
    "numbers as categories, given as doubles": Hard(
        CategoryColumn("x", "seen", values=(1, 2, 7)),
        pl.Float64,
        ((1.0, YES), (2.0, NO), (1.5, NO), (NAN, NO), (None, NO), (INF, REFUSED)),
    ),
    **{
        f"numbers as categories, given as {dtype}": Hard(
            CategoryColumn("x", "seen", values=(-3, 0, 5, 2**53 - 1)), dtype, answers, engines
        )
        for dtype, answers, engines in (
            (
                pl.Int64,
                ((-3, YES), (0, NO), (2**53 - 1, NO), (2**53, NO), (2**53 + 1, NO), (-(2**63), NO), (None, NO)),
                ALL,
            ),
            (pl.UInt64, ((0, NO), (5, NO), (2**53, NO), (2**53 + 1, NO), (2**64 - 1, NO), (2**64 - 3, NO)), ALL[:2]),
            (pl.Int8, ((-3, YES), (0, NO), (127, NO), (None, NO)), ALL),
            (pl.UInt8, ((0, NO), (253, NO), (255, NO), (None, NO)), ALL[:2]),
            (pl.Decimal(20, 2), ((Decimal("-3.00"), YES), (Decimal("-3.01"), NO), (Decimal(2**53 + 1), NO)), ALL),
            (pl.Boolean, ((False, NO), (True, NO), (None, NO)), ALL),
        )
    },
    "one number as a category, given as an integer": Hard(
        LONGEST,
        pl.Int64,
        ((2**53 - 1, YES), (2**53, NO), (2**53 + 1, NO), (1, NO), (None, NO)),
    ),
    "one number as a category, given as a Boolean": Hard(
        CategoryColumn("x", "seen", values=(1, 2)), pl.Boolean, ((True, YES), (False, NO), (None, NO))
    ),
    "zeros": Hard(CategoryColumn("x", "seen", values=(0, 5)), pl.Float64, ((-0.0, YES), (0.0, YES), (5e-324, NO))),
    "fractions as categories": Hard(
        CategoryColumn("x", "seen", values=(0.3, 0.5)), pl.Float64, ((0.3, YES), (0.1 + 0.2, NO), (0.5, NO))
    ),
    "fractions as categories, given as floats": Hard(
        CategoryColumn("x", "seen", values=(0.1, 0.5)), pl.Float32, ((SINGLE, NO), (0.5, NO), (None, NO))
    ),
    "fractions as categories, given as integers": Hard(
        CategoryColumn("x", "seen", values=(1, 2.5)), pl.Int64, ((1, YES), (2, NO), (3, NO), (None, NO))
    ),
    "sums": Hard(number(0.3), pl.Float64, ((0.3, YES), (0.1 + 0.2, NO), (0.1 + 0.1 + 0.1, NO))),
    "floats near a cut": Hard(number(0.1), pl.Float32, ((SINGLE, NO), (0.09375, YES))),
    "decimals of more digits than doubles have": Hard(
        number(0.3),
        pl.Decimal(38, 20),
        ((Decimal("0.3"), YES), (Decimal("0.30000000000000000001"), YES), (Decimal("0.30000000000000001665"), YES))
        + ((Decimal("0.30000000000000001666"), NO), (Decimal("0.30000000000000004"), NO)),
        ("polars", "duckdb", "spark"),
    ),
    "whole numbers": Hard(
        NumberColumn("x", "seen", cuts=(2.0,), seen=((1.0, 2.0), (3.0, 4.0)), whole=True),
        pl.Float64,
        ((2.0, YES), (2.001, NO), (2.999, NO), (3.0, NO), (1.5, YES), (-0.5, YES), (None, NO)),
    ),
    "texts": Hard(CategoryColumn("x", "seen", values=("a", "b")), pl.String, (*TEXTS, ("", NO))),
    "texts that end in NUL": Hard(
        CategoryColumn("x", "seen", values=("a\0", "b")),
        pl.String,
        (("a\0", YES), ("a", NO), ("b", NO)),
        ("polars", "duckdb"),
    ),
    "nanoseconds": Hard(
        TimeColumn("x", "seen", kind="datetime", cuts=(CUT,)),
        pl.Datetime("ns"),
        ((NANOSECONDS, YES), (NANOSECONDS + 999, YES), (NANOSECONDS + 1000, NO), (NANOSECONDS - 1, YES), (None, NO)),
        ("polars", "duckdb"),
    ),
    "nanoseconds before 1970": Hard(
        TimeColumn("x", "seen", kind="datetime", cuts=(-2.0,)),
        pl.Datetime("ns"),
        ((-2001, YES), (-1001, YES), (-1000, NO), (-1, NO)),
        ("polars", "duckdb"),
    ),
    "nanoseconds of days": Hard(
        TimeColumn("x", "seen", kind="date", cuts=(0.0,)),
        pl.Datetime("ns"),
        ((86_400_000_000_000 - 1, YES), (86_400_000_000_000, NO), (-1, YES)),
        ("polars", "duckdb"),
    ),
    "nanoseconds of durations": Hard(
        TimeColumn("x", "seen", kind="duration", cuts=(-2.0,)),
        pl.Duration("ns"),
        ((-2001, YES), (-1001, YES), (-1000, NO), (-1, NO)),
        ("polars",),
    ),
    "a time zone": Hard(
        TimeColumn("x", "seen", kind="datetime-utc", cuts=(CUT,)),
        pl.Datetime("us", "Europe/Berlin"),
        (
            (int(CUT), YES),
            (int(CUT) + 1, NO),
            (int(CUT) + 3_600_000_000, NO),
            (int(CUT) - 3_600_000_000, YES),
            (None, NO),
        ),
    ),
    "days": Hard(
        TimeColumn("x", "seen", kind="date", cuts=(day("2020-01-31"),)),
        pl.Date,
        ((date(2020, 1, 31), YES), (date(2020, 2, 1), NO), (date(9999, 12, 31), NO), (None, NO)),
    ),
    "times": Hard(
        TimeColumn("x", "seen", kind="datetime", cuts=(CUT,)),
        pl.Datetime("us"),
        ((MOMENT, YES), (MOMENT + timedelta(microseconds=1), NO), (datetime(9999, 12, 31), NO), (None, NO)),
    ),
    "days of far years": Hard(
        TimeColumn("x", "seen", kind="date", cuts=(CUT,)),
        pl.Date,
        ((-719_162, YES), (-719_163, REFUSED), (2_932_896, NO), (2_932_897, REFUSED), (None, NO)),
        ("polars", "duckdb"),
    ),
    "times of far years": Hard(
        TimeColumn("x", "seen", kind="datetime", cuts=(CUT,)),
        pl.Datetime("us"),
        ((-62_135_596_800_000_000, YES), (-62_135_596_801_000_000, REFUSED), (253_402_300_799_000_000, NO))
        + ((253_402_300_800_000_000, REFUSED), (9 * 10**18, REFUSED)),
        ("polars", "duckdb"),
    ),
}


def one_by_one(clf: DNFClassifier, frame: pl.DataFrame) -> list[str | None]:
    """Return what memory says of each row alone; None if it refuses it."""
    found: list[str | None] = []
    for row in range(len(frame)):
        try:
            found += clf.predict(frame[row : row + 1]).tolist()
        except ValueError:
            found.append(REFUSED)
    return found


@pytest.mark.parametrize("name", HARD)
def test_memory(name: str) -> None:
    hard = HARD[name]
    assert one_by_one(hard.clf, hard.frame) == hard.labels


def test_a_model_that_counts_says_that_it_rounds_up(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": [1, 2, 3, 4] * 20, "z": [30, 50, 70, 90] * 20})
    counted = DNFClassifier(k=1).fit(table[["x"]], ["no", "no", "yes", "yes"] * 20)
    line = "Rounded up to whole numbers: x."
    assert counted.to_text().splitlines()[1] == line
    assert counted.to_text(both=True).splitlines()[1] == line
    assert "yes if\n     x >= 3" in counted.to_text()
    for dialect in ("duckdb", "sqlite", "postgres"):
        assert exporting.to_sql(counted, dialect=dialect).splitlines()[1] == f"-- {line}"
    assert counted.predict(pd.DataFrame({"x": [2, 2.001, 2.999, 3]})).tolist() == ["no", "yes", "yes", "yes"]
    assert "x is 2.001 (read as 3)" in str(counted.explain({"x": 2.001}))
    bands = DNFBands(1, boundaries=[0.5]).fit(table[["x"]], ["no", "no", "yes", "yes"] * 20)
    assert bands.to_text().splitlines()[1] == line
    for model in (counted, bands):
        to_excel(model, tmp_path / "model.xlsx")
        sheet = openpyxl.load_workbook(tmp_path / "model.xlsx")["Reasons"]
        assert sheet.cell(sheet.max_row, 3).value == line
    reporting.to_html(counted, tmp_path / "page.html", table[["x"]], ["no", "no", "yes", "yes"] * 20)
    assert line in (tmp_path / "page.html").read_text("utf-8")
    compared = DNFClassifier(k=1).fit(table[["z"]], ["no", "no", "yes", "yes"] * 20)
    assert "ounded" not in compared.to_text()


def test_the_least_of_a_count_is_said() -> None:
    table = pd.DataFrame({"x": [0, 1, 2, 3] * 20})
    clf = DNFClassifier(k=1).fit(table, ["no", "yes", "yes", "yes"] * 20)
    assert clf.to_text().splitlines()[1] == "Rounded up to whole numbers: x (from 0)."
    assert clf.predict(pd.DataFrame({"x": [-1, 0, 0.5, 1]})).tolist() == ["no", "no", "yes", "yes"]


def forms(frame: pl.DataFrame) -> dict[str, Callable[[int], object]]:
    """Return the ways to hold each row of a table of one column in memory."""
    values = frame["x"].to_list()
    tables = {
        "pandas": frame.to_pandas(),
        "pandas, Arrow's types": frame.to_pandas(use_pyarrow_extension_array=True),
        "pandas, own types": frame.to_pandas().convert_dtypes(),
        "pandas, objects": pd.DataFrame({"x": pd.Series(values, dtype=object)}),
    }
    return {
        **{name: lambda i, table=table: table[i : i + 1] for name, table in tables.items()},
        "pyarrow": lambda i: frame.to_arrow()[i : i + 1],
        "an array of objects": lambda i: np.array([[values[i]]], dtype=object),
    }


@pytest.mark.parametrize("name", [name for name, hard in HARD.items() if not hard.dtype.is_temporal()])
def test_memory_whatever_holds_the_table(name: str) -> None:
    hard = HARD[name]
    for form, held in forms(hard.frame).items():
        found = [answered(lambda row: hard.clf.predict(row).item(), held(i)) for i in range(len(hard.labels))]
        assert (form, found) == (form, hard.labels)
    rows = [{"x": value} for value in hard.frame["x"].to_list()]
    assert [answered(lambda row: hard.clf.explain(row)[0].label, row) for row in rows] == hard.labels


@pytest.mark.parametrize(("name", "engine"), [(name, engine) for name, hard in HARD.items() for engine in hard.engines])
def test_lazy_tables(engines, name: str, engine: str, request: pytest.FixtureRequest) -> None:
    hard = HARD[name]
    clf, lazy = hard.clf, engines.table(engine, hard.frame.with_row_index("row"))
    explained = engines.collected(engine, clf.explain(lazy))
    assert explained.sort("row")["predicted"].to_list() == hard.labels
    if engine != "spark" or request.config.getoption("--slow"):
        answer = engines.collected(engine, clf.predict(lazy))
        assert answer.sort("row")["predicted"].to_list() == hard.labels


@pytest.mark.parametrize(
    "name", [name for name, hard in HARD.items() if "NUL" not in name and "duckdb" in hard.engines]
)
def test_duckdb_export(name: str) -> None:
    hard = HARD[name]
    with duckdb.connect() as base:
        base.execute("SET TimeZone = 'Asia/Tokyo'")
        base.register("given", hard.frame.with_row_index("row").to_arrow())
        base.execute("CREATE TABLE rows AS SELECT * FROM given")
        query = exporting.to_sql(hard.clf, dialect="duckdb", table="rows")
        # Without the value itself: times with a zone need a package of their own to become Python's.
        answer = base.execute(f"SELECT * EXCLUDE (x) FROM ({query}) ORDER BY row").fetchall()
        assert [row[-1] for row in answer] == hard.labels


# SQLite keeps any value in any column: the type of the column, then values and labels.
SQLITE = {
    "numbers": (
        number(5.0),
        "",
        (*((value, label) for value, label in FLOATS if value is not NAN), ("", REFUSED), ("NA", REFUSED), ("3", YES))
        + ((" 7 ", NO), ("3abc", REFUSED), ("nan", REFUSED), ("1e999", REFUSED), (b"3", REFUSED), (2**53 + 1, NO)),
    ),
    "numbers of a column declared to be": (number(5.0), "REAL", (("3", YES), ("", REFUSED), ("NA", REFUSED), (7, NO))),
    "Booleans": (
        TRUTH,
        "",
        (
            (0, YES),
            (1.0, NO),
            (0.7, REFUSED),
            ("true", REFUSED),
            ("false", REFUSED),
            ("0", YES),
            (2, REFUSED),
            (None, NO),
        ),
    ),
    "texts": (CategoryColumn("x", "seen", values=("a", "b")), "TEXT COLLATE NOCASE", TEXTS),
    "texts and others": (
        CategoryColumn("x", "seen", values=("1", "2")),
        "",
        (("1", YES), (1, REFUSED), (1.0, REFUSED), (b"1", REFUSED), ("2", NO)),
    ),
    "categories": (CategoryColumn("x", "seen", values=(1, 2)), "", ((1, YES), (1.0, YES), (1.5, NO), ("a", REFUSED))),
    "long categories": (LONGEST, "", ((2**53 - 1, YES), (2**53, NO), (2**53 + 1, NO), (-(2**63), NO), (None, NO))),
    "dates": (
        TimeColumn("x", "seen", kind="date", cuts=(day("2020-01-31"),)),
        "",
        (("2020-01-31", YES), ("2020-02-01", NO), ("2020-01-31 23:59:59.999999", YES), (None, NO), ("now", REFUSED))
        + (
            ("2020-02-31", REFUSED),
            ("", REFUSED),
            ("31/01/2020", REFUSED),
            (2458849.5, REFUSED),
            ("0000-01-01", REFUSED),
        )
        + (("2020-01-31T10:00:00Z", REFUSED), ("2020-01-31T10:00:00-05:00", REFUSED)),
    ),
    "times": (
        TimeColumn("x", "seen", kind="datetime", cuts=(CUT,)),
        "",
        (("2020-10-25 00:30", YES), ("2020-10-25T00:30:00.0000009", YES), ("2020-10-25 00:30:00.000001", NO))
        + (("2020-10-25", YES), ("2020-10-25 25:30", REFUSED), ("2020-10-25 00:30:00Z", REFUSED), ("12:00", REFUSED)),
    ),
    "times with a zone": (
        TimeColumn("x", "seen", kind="datetime-utc", cuts=(CUT,)),
        "",
        (("2020-10-25 00:30:00", YES), ("2020-10-25 00:30:00Z", YES), ("2020-10-25T00:30:01+00:00", NO))
        + (
            ("2020-10-25 02:30:00+02:00", REFUSED),
            ("2020-10-24 20:30:00-04:00", REFUSED),
            ("2020-10-25 00:30Z", REFUSED),
        ),
    ),
}


@pytest.mark.parametrize("name", SQLITE)
def test_sqlite_export(name: str) -> None:
    column, declared, answers = SQLITE[name]
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(f"CREATE TABLE rows (x {declared})")
        base.executemany("INSERT INTO rows VALUES (?)", [(value,) for value, _ in answers])
        query = exporting.to_sql(first_cell_model(column), dialect="sqlite", table="rows", reasons=True)
        found = base.execute(f"{query} ORDER BY rowid").fetchall()
    assert [label for _, label, _ in found] == [label for _, label in answers]
    assert [reason is None for *_, reason in found] == [label is None for _, label in answers]


POSTGRES = {
    "double precision": (
        number(5.0),
        "double precision",
        ("5", "5.000000000000001", None, "NaN", "Infinity", "-Infinity"),
    ),
    "real": (number(5.0), "real", ("5", "5.5", None, "NaN", "Infinity", "-Infinity")),
    "numeric": (number(5.0), "numeric", ("5.00", "5.01", None, "NaN", "Infinity", "-Infinity")),
}
FLOAT_LABELS = (YES, NO, NO, NO, REFUSED, REFUSED)
POSTGRES_LABELS = {
    **{name: (*given, FLOAT_LABELS) for name, given in POSTGRES.items()},
    "bigint": (number(2.0**53), "bigint", (str(2**53), str(2**53 + 1), str(2**53 + 2)), (YES, YES, NO)),
    "Booleans": (TRUTH, "boolean", ("false", "true", None), (YES, NO, NO)),
    "Booleans as integers": (TRUTH, "smallint", ("0", "1", "2", None), (YES, NO, REFUSED, NO)),
    "Booleans as numbers": (
        TRUTH,
        "numeric(6, 2)",
        ("0", "1", "0.7", "1.01", "NaN", None),
        (YES, NO, REFUSED, REFUSED, NO, NO),
    ),
    "Booleans as doubles": (
        TRUTH,
        "double precision",
        ("0", "1", "0.7", "NaN", "Infinity", None),
        (YES, NO, REFUSED, NO, REFUSED, NO),
    ),
    "categories as doubles": (
        CategoryColumn("x", "seen", values=(1, 2)),
        "double precision",
        ("1", "2", "1.5", "NaN", "Infinity"),
        (YES, NO, NO, NO, REFUSED),
    ),
    **{
        f"long categories as {kind}": (
            LONGEST,
            kind,
            (str(2**53 - 1), str(2**53), str(2**53 + 1), None),
            (YES, NO, NO, NO),
        )
        for kind in ("bigint", "numeric")
    },
    **{
        kind: (
            CategoryColumn("x", "seen", values=("a", "b")),
            kind,
            tuple(text for text, _ in TEXTS),
            tuple(l for _, l in TEXTS),
        )
        for kind in ("text", "varchar(9)", "citext", "text COLLATE loose", "varchar(9) COLLATE loose")
    },
    "enumerations": (CategoryColumn("x", "seen", values=("a", "b")), "letter", ("a", "A", None), (YES, NO, NO)),
    "dates": (
        TimeColumn("x", "seen", kind="date", cuts=(day("2020-01-31"),)),
        "date",
        (
            "2020-01-31",
            "2020-02-01",
            None,
            "infinity",
            "-infinity",
            "9999-12-31",
            "10000-01-01",
            "0001-01-01",
            "0001-12-31 BC",
        ),
        (YES, NO, NO, REFUSED, REFUSED, NO, REFUSED, YES, REFUSED),
    ),
    "times": (
        TimeColumn("x", "seen", kind="datetime", cuts=(CUT,)),
        "timestamp",
        ("2020-10-25 00:30", "2020-10-25 00:30:00.000001", None, "infinity", "-infinity", "10000-01-01"),
        (YES, NO, NO, REFUSED, REFUSED, REFUSED),
    ),
    "times with a zone": (
        TimeColumn("x", "seen", kind="datetime-utc", cuts=(CUT,)),
        "timestamptz",
        ("2020-10-25 02:30+02", "2020-10-25 02:30:00.000001+02", None, "infinity", "-infinity"),
        (YES, NO, NO, REFUSED, REFUSED),
    ),
}


@pytest.fixture(scope="module")
def postgres(postgres_url: str) -> str:
    with psycopg.connect(postgres_url, autocommit=True) as base:
        base.execute("CREATE EXTENSION IF NOT EXISTS citext")
        base.execute("CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
        base.execute("CREATE TYPE letter AS ENUM ('a', 'b', 'A')")
    return postgres_url


@pytest.mark.parametrize("name", POSTGRES_LABELS)
def test_postgres_export_and_lazy_table(postgres: str, name: str) -> None:
    import ibis

    column, declared, values, labels = POSTGRES_LABELS[name]
    clf = first_cell_model(column)
    table = f"hard {name}"
    with psycopg.connect(postgres, autocommit=True) as base:
        base.execute("SET TIME ZONE 'Asia/Tokyo'")
        base.execute(f'CREATE TABLE "{table}" (number serial, x {declared})')
        with base.cursor() as cursor, cursor.copy(f'COPY "{table}" (x) FROM STDIN') as copy:
            for value in values:
                copy.write_row([value])
        query = f'SELECT {exporting.to_sql(clf, dialect="postgres")} FROM "{table}" ORDER BY number'
        assert tuple(label for (label,) in base.execute(query).fetchall()) == labels
    lazy = ibis.connect(postgres).table(table)
    for answer in (clf.predict(lazy), clf.explain(lazy)):
        found = answer.order_by("number").select("predicted").to_polars()["predicted"]
        assert tuple(found.to_list()) == labels


@pytest.mark.parametrize("name", [name for name, hard in HARD.items() if not hard.dtype.is_temporal()])
def test_python_export(name: str) -> None:
    hard = HARD[name]
    program: dict[str, object] = {}
    exec(exporting.to_python(hard.clf), program)
    assert [answered(program["predict"], {"x": value}) for value, _ in hard.answers] == hard.labels


def answered(predict: Callable[[object], str], row: object) -> str | None:
    try:
        return predict(row)
    except ValueError:
        return REFUSED


# Values of a kind, as Python and as JavaScript have them, and what both say.
PROGRAMS = (
    (number(5.0), np.float32("nan"), "NaN", NO),
    (number(5.0), Decimal("NaN"), "0 / 0", NO),
    (number(5.0), pd.NA, "null", NO),
    (number(5.0), pd.NaT, "null", NO),
    (number(5.0), INF, "Infinity", REFUSED),
    (number(5.0), Decimal("-Infinity"), "-Infinity", REFUSED),
    (number(5.0), "3", '"3"', REFUSED),
    (number(5.0), b"3", "[3]", REFUSED),
    (number(5.0), datetime(1970, 1, 1), "new Date(3)", REFUSED),
    (number(5.0), True, "true", YES),
    (number(5.0), np.bool_(True), "3n", YES),
    (TRUTH, 0.7, "0.7", REFUSED),
    (TRUTH, "true", '"true"', REFUSED),
    (TRUTH, 0.0, "0", YES),
    (TRUTH, np.True_, "true", NO),
    (CategoryColumn("x", "seen", values=(1, 2)), 1.0, "1.0", YES),
    (CategoryColumn("x", "seen", values=(1, 2)), "1", '"1"', REFUSED),
    (LONGEST, 2**53 - 1, "9007199254740991", YES),
    (LONGEST, np.uint64(2**53 - 1), "9007199254740991n", YES),
    (LONGEST, 2**53, "9007199254740992", NO),
    (LONGEST, Decimal(2**53 + 1), "9007199254740993n", NO),
    (LONGEST, -0.0, "-0", NO),
    (number(2.0**53), np.int64(2**53 + 1), "9007199254740993n", YES),
    (number(2.0**53), 2**53 + 2, "9007199254740994", NO),
    (number(0.3), 0.1 + 0.2, "0.1 + 0.2", NO),
    (number(0.1), np.float32(0.1), "Math.fround(0.1)", NO),
    (number(0.0), -0.0, "-0", YES),
    (CategoryColumn("x", "seen", values=("1", "2")), 1, "1", REFUSED),
    (CategoryColumn("x", "seen", values=("a\0", "b")), "a\0", '"a\\0"', YES),
    (CategoryColumn("x", "seen", values=("a\0", "b")), "a", '"a"', NO),
    (CategoryColumn("x", "seen", values=("a", "b")), "A", '"A"', NO),
    (TimeColumn("x", "seen", kind="duration", cuts=(5e6,)), 5, "5", YES),
    (TimeColumn("x", "seen", kind="duration", cuts=(5e6,)), 5.0000005, "5.0000005", NO),
    (TimeColumn("x", "seen", kind="duration", cuts=(5e6,)), "5", '"5"', REFUSED),
    (TimeColumn("x", "seen", kind="duration", cuts=(5e6,)), INF, "Infinity", REFUSED),
)
WRITTEN = {
    "2020-10-25": (YES, YES, REFUSED),
    "2020-10-25 00:30": (YES, YES, REFUSED),
    "2020-10-25T00:30:00.0000009": (YES, YES, REFUSED),
    "2020-10-25T00:30:00.000001": (YES, NO, REFUSED),
    "2020-10-25T02:30:00+02:00": (REFUSED, REFUSED, YES),
    "2020-10-24T20:30:00.000001-04:00": (REFUSED, REFUSED, NO),
    "2020-10-25T00:30:00Z": (REFUSED, REFUSED, YES),
    "2020-10-25 00:31 UTC": (REFUSED, REFUSED, NO),
    "0001-01-01": (YES, YES, REFUSED),
    "9999-12-31 23:59:59.999999": (NO, NO, REFUSED),
    **dict.fromkeys(
        ("2020-02-30", "2020-13-01", "0000-01-01", "10000-01-01", "2020-10-25 24:00", "2020-10-25 00:60", "20201025")
        + ("2020-10-25 00:30:60", "2020-W43-7", "25/10/2020", "2020-10-25T00:30:00+0200", "2020-10-25 00:30+01:60", ""),
        (REFUSED, REFUSED, REFUSED),
    ),
    "2020-10-25 00:30:00+24:00": (REFUSED, REFUSED, REFUSED),
}
TIMES = tuple(
    (
        TimeColumn("x", "seen", kind=kind, cuts=(day("2020-10-25") if kind == "date" else CUT,)),
        text,
        json.dumps(text),
        label,
    )
    for text, labels in WRITTEN.items()
    for kind, label in zip(("date", "datetime", "datetime-utc"), labels)
)


@pytest.mark.parametrize(
    ("column", "value", "label"), [(column, value, label) for column, value, _, label in PROGRAMS + TIMES]
)
def test_single_values_in_python(column: TableColumn, value: object, label: str | None) -> None:
    assert answered(exported(column)["predict"], {"x": value}) == label


@cache
def exported(column: TableColumn) -> dict[str, object]:
    program: dict[str, object] = {}
    exec(exporting.to_python(first_cell_model(column)), program)
    return program


def in_node(folder: Path, lines: Sequence[str]) -> list[object]:
    """Return what node makes of some expressions; None if one raises."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("this test needs node: apt-get install nodejs (or put node on PATH)")
    tries = [f"(() => {{ try {{ return {line}; }} catch (error) {{ return null; }} }})()" for line in lines]
    (folder / "run.js").write_text(f"console.log(JSON.stringify([{', '.join(tries)}]))", "utf-8")
    done = subprocess.run([program, folder / "run.js"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_single_values_in_javascript(tmp_path: Path) -> None:
    lines = []
    models: dict[TableColumn, int] = {}
    for column, _, written, _ in PROGRAMS + TIMES:
        i = models.setdefault(column, len(models))
        lines.append(f'require("./{i}.js").predict({{ x: {written} }})')
    for column, i in models.items():
        (tmp_path / f"{i}.js").write_text(exporting.to_javascript(first_cell_model(column)), "utf-8")
    found = in_node(tmp_path, lines)
    given = [(column, written, label) for column, _, written, label in PROGRAMS + TIMES]
    assert [(*case[:2], label) for case, label in zip(given, found, strict=True)] == given


def test_a_date_of_javascript_is_read_by_its_clock_in_utc(tmp_path: Path) -> None:
    kinds = ("date", "datetime", "datetime-utc")
    for kind in kinds:
        column = TimeColumn("x", "seen", kind=kind, cuts=(day("2020-10-25") if kind == "date" else CUT,))
        (tmp_path / f"{kind}.js").write_text(exporting.to_javascript(first_cell_model(column)), "utf-8")
    moments = ("Date.UTC(2020, 9, 25, 0, 30)", "Date.UTC(2020, 9, 26)", "NaN", "8640000000000000", "-8640000000000000")
    lines = [f'require("./{kind}.js").predict({{ x: new Date({moment}) }})' for kind in kinds for moment in moments]
    assert in_node(tmp_path, lines) == [YES, NO, REFUSED, REFUSED, REFUSED] * 3


@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", "hasOwnProperty"])
def test_columns_named_like_parts_of_objects_in_javascript(tmp_path: Path, name: str) -> None:
    clf = first_cell_model(NumberColumn(name, "refused", cuts=(5.0,)))
    (tmp_path / "model.js").write_text(exporting.to_javascript(clf), "utf-8")
    rows = [json.dumps(json.dumps({name: value})) for value in (3, 7)]
    lines = [f"require('./model.js').predict(JSON.parse({row}))" for row in rows]
    lines += ["require('./model.js').predict({})", f"require('./model.js').explain(JSON.parse({rows[0]})).text"]
    assert in_node(tmp_path, lines) == [YES, NO, REFUSED, clf.explain(pl.DataFrame({name: [3]}))[0].to_dict()["text"]]
