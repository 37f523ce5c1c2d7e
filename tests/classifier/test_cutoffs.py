"""Cutoffs, KS, Gini and points beside their definitions, row by row."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve
from tests.classifier.test_bands import ORDER, QUICK, loans

from idnf import DNFBands
from idnf.classifier.cutoffs import Cutoffs


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = loans(3)
    return DNFBands(k=2, boundaries=4, tune=False, **ORDER, **QUICK).fit(X, y), *loans(8)[:2]


def test_every_cutoff_is_what_is_counted_row_by_row(fitted):
    bands, X, y = fitted
    numbers, bad = bands.band(X).tolist(), (y == "bad").tolist()
    table = bands.cutoffs(X, y).columns()
    assert table["below"] == list(bands.names_[1:])
    for place in range(1, len(bands.names_)):
        passed = [one for band, one in zip(numbers, bad) if band < place]
        assert table["approved"][place - 1] == pytest.approx(len(passed) / len(bad))
        assert table["bad rate"][place - 1] == (pytest.approx(sum(passed) / len(passed)) if passed else None)
        assert table["bad caught"][place - 1] == pytest.approx(1 - sum(passed) / sum(bad))
        assert table["referred"][place - 1] == pytest.approx(numbers.count(place) / len(bad))


def test_ks_and_gini_are_those_of_the_curve(fitted):
    bands, X, y = fitted
    false, true, _ = roc_curve(y == "bad", bands.band(X))
    found = bands.cutoffs(X, y)
    assert found.ks == pytest.approx(max(abs(true - false)))
    assert found.gini == pytest.approx(2 * roc_auc_score(y == "bad", bands.band(X)) - 1)


def test_points_double_the_odds(fitted):
    bands = fitted[0]
    table = bands.scale(base=600, odds=50, double=20).columns()
    for share, points in zip(table["probability"], table["points"]):
        assert points == round(600 + 20 * (log2((1 - share) / share) - log2(50)))
    assert table["points"] == sorted(table["points"], reverse=True)


def test_rows_of_one_label_have_no_rate_of_the_other():
    table = Cutoffs(("a", "b"), "bad", np.array([[0.0, 0.0], [3.0, 0.0]])).columns()
    assert (table["bad rate"], table["bad caught"]) == ([None], [None])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"odds": 0}, "odds must be above 0; got 0."),
        ({"double": -1}, "double must be above 0; got -1."),
        ({"base": "many"}, "base must be a number; got many."),
    ],
)
def test_refusals(fitted, given, message):
    with pytest.raises(ValueError, match=message):
        fitted[0].scale(**given)


def test_levels_have_no_cutoffs():
    X, _, score = loans(3)
    bands = DNFBands(k=2, order=[0, 1, 2], tune=False, **QUICK).fit(X, np.digitize(score, [-1, 1]))
    for asked in (lambda: bands.scale(), lambda: bands.cutoffs(X, np.digitize(score, [-1, 1]))):
        with pytest.raises(ValueError, match=r"(scale|cutoffs) must be of bands of two labels; got 3 levels\."):
            asked()
