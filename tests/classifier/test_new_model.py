"""A kind of model that the library does not have works everywhere, added by one class: here, decision lists."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
from tests.logic.decision_lists import DecisionList

from idnf import DNFClassifier, check_rules, exporting, reporting
from idnf.classifier.fitted import Fitted
from idnf.columns.groups import declared_columns
from idnf.learning.objective import Learned, labels_of
from idnf.logic.literals import mask_of
from idnf.tables.binariser import declared_binariser

NAMES = ("late", "owner", "member", "guarantor")
LABELS = np.array(["declined", "referred", "approved"])
LIST = DecisionList(NAMES, [(mask_of([0, 3]), 0), (mask_of([2, 4]), 2), (mask_of([6]), 1)], 0, 3)
ROWS = pl.DataFrame(list(product((False, True), repeat=4)), schema=list(NAMES), orient="row")


def by_hand(late: bool, owner: bool, member: bool, guarantor: bool) -> str:
    if late and not owner:
        return "declined"
    if owner and member:
        return "approved"
    return "referred" if guarantor else "declined"


EXPECTED = [by_hand(*row) for row in ROWS.rows()]


@pytest.fixture(scope="module")
def clf() -> DNFClassifier:
    binariser = declared_binariser(declared_columns(dict.fromkeys(NAMES, bool)))
    made = DNFClassifier(LIST.k)
    made.fitted_ = Fitted.untrained(binariser, LABELS, Learned(LIST, float("nan")), "none: written by hand")
    return made


def test_it_is_proved_and_counted() -> None:
    assert (LIST.k, LIST.literal_count, LIST.verify().k) == (3, 5, 3)
    assert LABELS[labels_of(LIST, ROWS.to_numpy())].tolist() == EXPECTED
    moved = LIST.renumber(("x", *NAMES), {j: j + 1 for j in range(4)}).within(4)
    assert (type(moved), moved.k, moved.literal_count) == (DecisionList, 4, 5)


def test_answers_and_reasons(clf: DNFClassifier) -> None:
    assert clf.predict(ROWS).tolist() == EXPECTED
    explained = clf.explain(ROWS)
    assert all(len(one.axp) <= LIST.k for one in explained)
    assert [one.label for one in explained] == EXPECTED
    rules = ["if late is true and owner is false then declined", "member alone never decides"]
    assert [answer.holds for answer in check_rules(clf, rules)] == [True, False]


def test_exports_and_the_page(clf: DNFClassifier, tmp_path: Path) -> None:
    module: dict[str, object] = {}
    exec(exporting.to_python(clf), module)
    assert [module["predict"](row) for row in ROWS.to_dicts()] == EXPECTED  # type: ignore[operator]
    answers = (
        duckdb.from_arrow(ROWS.to_arrow()).query("rows", exporting.to_sql(clf, table="rows", dialect="duckdb")).pl()
    )
    assert EXPECTED in [answers[name].to_list() for name in answers.columns]
    reporting.to_html(clf, tmp_path / "page.html", ROWS, EXPECTED)
    assert "approved" in (tmp_path / "page.html").read_text("utf-8")
