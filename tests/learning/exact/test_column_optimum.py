"""Optima over columns against all functions of small spaces, and the names of what is proved."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import few

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.learning.choices import FAMILIES
from idnf.learning.exact.column_optimum import column_optimum
from idnf.learning.proved_families import PROVED
from idnf.logic.boxes import Column, Space
from idnf.logic.nested import NestedDNF

SIZES = (3, 2, 2)
ROWS = list(product(*map(range, SIZES)))
TABLE = Space(
    (Column("x", ("0", "1", "2"), ordered=True), Column("a", ("0", "1")), Column("b", ("0", "1"))),
    ((0, 0b001), (0, 0b011), (1, 0b10), (2, 0b10)),
)
NAMES = ("x <= 0", "x <= 1", "a", "b")
FUNCTIONS = {k: naive.column_functions(SIZES, k) for k in (1, 2, 3)}


@few(15)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=12, max_size=12), st.integers(1, 3))
def test_no_function_with_reasons_this_short_errs_less(weights, k):
    """Weights of 0 leave points without examples."""
    features = np.array([TABLE.features(row) for row in ROWS], dtype=bool)
    seen = [i for i, pair in enumerate(weights) if any(pair)] or [0]
    rows = DistinctRows(features[seen], np.array(weights, dtype=float)[seen] + (not any(map(any, weights))), True)
    found = column_optimum(rows, NestedDNF.constant(NAMES, False, k), k, TABLE)
    errors = min(
        sum(weights[i][1 - (f >> i & 1)] for i in range(12)) if any(map(any, weights)) else 1 for f in FUNCTIONS[k]
    )
    assert found.objective * rows.total == pytest.approx(errors)
    assert found.model.verify().k == k
    assert (found.optimal, found.bound) == ("any", found.objective)


def twelve_rows():
    X = pd.DataFrame([(x, bool(a), bool(b)) for x, a, b in ROWS], columns=list("xab"))
    return X, (~X.a & ~X.b | (X.x > 0) & ~X.a | (X.x > 1) & X.b).astype(int)


def test_functions_that_literals_cannot_say_are_learned_without_error():
    X, y = twelve_rows()
    clf = DNFClassifier(k=2, learner="exact").fit(X, y)
    assert (clf.score(X, y), clf.optimal_, clf.bound_family_, clf.objective_) == (1, "any", "any", 0)
    assert clf.verify().widths == (2, 2)
    X = pd.DataFrame({"x": [1, 2, 3]})
    clf = DNFClassifier(k=1, learner="exact").fit(X, X.x == 2)
    assert (clf.score(X, X.x == 2), clf.optimal_) == (1, "any")
    assert len(clf.reasons()) == 3


def test_an_optimum_over_literals_is_called_so():
    X, y = twelve_rows()
    priced = DNFClassifier(k=2, learner="exact", price=0.001).fit(X, y)
    assert (priced.optimal_, priced.bound_family_) == ("any-literals", "any-literals")
    rising = DNFClassifier(k=2, learner="exact", monotonic_cst={"x": 1}).fit(X, y)
    assert rising.bound_family_ == "any-literals"
    boolean = DNFClassifier(k=2, learner="exact", price=0.001).fit(X[["a", "b"]], y)
    assert boolean.optimal_ == "any"


def test_every_family_but_two_has_a_name_in_the_table_of_what_is_proved():
    assert set(FAMILIES) - set(PROVED) == {"checklist", "column-tree"}
