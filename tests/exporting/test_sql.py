from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from itertools import product

import duckdb
import polars as pl
import pytest
from tests.exporting.cases import Case, cases
from tests.exporting.databases import Ask, database

from idnf import DNFClassifier, exporting
from idnf.explaining.explanation import condition_text
from idnf.exporting.sql_conditions import name_sql
from idnf.logic.sides import LARGE
from idnf.pictures.drawing import visible

__all__ = ["database"]


def test_predicts_and_explains_as_the_classifier_on_all_rows(database: tuple[str, Ask]) -> None:
    dialect, ask = database
    for case in cases():
        small = case.clf.fitted_.sides.terms[0] is not None
        query = exporting.to_sql(case.clf, dialect=dialect, table="rows", reasons=small)
        answer = ask(case, query)
        assert case.labels == [row[0] for row in answer]
        if small:
            explanations = case.clf.explain(case.frame)[:200]
            reasons = [condition_text(e.axp) or "always" for e in explanations]
            assert reasons == [row[1] for row in answer[:200]]


def test_expression_is_what_the_query_selects(database: tuple[str, Ask]) -> None:
    dialect, ask = database
    case = cases()[0]
    expression = exporting.to_sql(case.clf, dialect=dialect)
    assert expression.partition("\nCASE\n")[0] == "\n".join(
        f"-- {visible(line)}".rstrip() for line in case.clf.to_text().replace(" (both=True lists them)", "").split("\n")
    )
    assert case.labels == [row[0] for row in ask(case, f"SELECT *, {expression} AS label FROM rows")]


def test_rows_the_classifier_refuses_give_null(database: tuple[str, Ask]) -> None:
    dialect, ask = database
    clf = DNFClassifier.from_dnf("'age <= 5' & late", columns={"age": [5], "late": bool})
    rows = {"age": [None, 3.0, 3.0, 7.0], "late": [True, None, True, False]}
    query = exporting.to_sql(clf, dialect=dialect, table="rows", reasons=True)
    assert [row[0] for row in ask(Case(clf, rows, []), query)] == [None, None, 1, 0]


def test_constant_models(database: tuple[str, Ask]) -> None:
    dialect, ask = database
    for formula, label in (("0", "no"), ("1", "yes")):
        clf = DNFClassifier.from_dnf(formula, columns={"late": bool}, classes=("no", "yes"))
        query = exporting.to_sql(clf, dialect=dialect, table="rows", reasons=True)
        assert ask(Case(clf, {"late": [True, False]}, []), query) == [(label, "always")] * 2


def test_a_large_side_is_not_written_down() -> None:
    clf = cases()[-1].clf
    assert clf.fitted_.sides.terms[0] is None
    query = exporting.to_sql(clf, dialect="sqlite")
    assert query.count("WHEN") < LARGE
    with pytest.raises(ValueError, match="too many reasons to be exported; export with reasons=False"):
        exporting.to_sql(clf, dialect="sqlite", reasons=True)


def test_no_name_ends_the_comment_that_says_the_model() -> None:
    hostile = ["a\n'; DROP TABLE rows; --", "*/ SELECT 1; /*", "b\r\x0b\x0c\x85\u2028c", "/*!d\u202e"]
    labels = ("no\n*/ SELECT 2; --", "yes\r")
    truths = list(product((False, True), repeat=len(hostile)))
    X = pl.DataFrame(truths, schema=hostile, orient="row")
    clf = DNFClassifier(2, price=0).fit(X, [labels[a and b or c and d] for a, b, c, d in truths])
    for dialect, connect in (("sqlite", sqlite3.connect), ("duckdb", duckdb.connect)):
        query = exporting.to_sql(clf, dialect=dialect, table="rows")
        said, _, rest = query.partition("\nSELECT *,\n")
        assert rest
        assert all(line.startswith("--") for line in said.splitlines())
        assert len(said.splitlines()) == len(said.split("\n"))
        assert not re.search(r"\*/|/\*|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", said)
        with closing(connect(":memory:")) as base:
            base.execute(f"CREATE TABLE rows ({', '.join(f'{name_sql(name, dialect)} BOOLEAN' for name in hostile)})")
            base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(hostile))})", truths)
            assert [row[-1] for row in base.execute(query).fetchall()] == clf.predict(X).tolist()


def test_unknown_dialect_is_refused() -> None:
    clf = DNFClassifier.from_dnf("a")
    with pytest.raises(ValueError, match="dialect must be one of postgres, duckdb, sqlite; got 'oracle'"):
        exporting.to_sql(clf, dialect="oracle")


def test_names_with_null_characters_are_refused() -> None:
    clf = DNFClassifier.from_dnf("'a\0b'", columns={"a\0b": bool})
    with pytest.raises(ValueError, match="no null character"):
        exporting.to_sql(clf, dialect="sqlite")


def test_a_column_that_is_not_there_is_an_error_in_sqlite() -> None:
    clf = DNFClassifier.from_dnf("late", columns={"late": bool})
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE rows (other)")
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            base.execute(exporting.to_sql(clf, dialect="sqlite", table="rows"))
