"""Models under a limit on the gap between groups: search, exact with its bound, bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests import naive

from idnf import DNFClassifier, Fairness


def table(seed, rows=200):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 2, rows)
    a = (rng.random(rows) < 0.25 + 0.5 * group).astype(int)
    b, c = rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    y = (rng.random(rows) < 0.15 + 0.35 * a + 0.3 * b).astype(int)
    X = pd.DataFrame({"a": a, "b": b, "c": c, "group": np.array(["x", "y"])[group]})
    return X, y


def rates(given, groups, y, metric):
    counted = y == 1 if metric == "equal_opportunity" else np.ones(len(y), dtype=bool)
    return [given[counted & (groups == g)].mean() for g in ("x", "y")]


@pytest.mark.parametrize("metric", ["demographic_parity", "equal_opportunity"])
@pytest.mark.parametrize("learner", ["search", "exact", "greedy"])
def test_the_gap_is_within_the_limit(learner, metric):
    X, y = table(0)
    clf = DNFClassifier(k=2, learner=learner, effort=0.2, fairness=Fairness("group", metric, 0.05)).fit(X, y)
    given = clf.predict(X) == 1
    low, high = sorted(rates(given, X["group"].to_numpy(), y, metric))
    report = clf.fairness_
    assert high - low <= 0.05 + 1e-12
    assert report.gap == pytest.approx(high - low)
    assert report.error == pytest.approx(np.mean(clf.predict(X) != y))
    assert "group" not in [column.name for column in clf.fitted_.columns]
    for place, one in enumerate(report.alternatives):
        other = clf.fair_alternative(place)
        assert np.mean(other.predict(X) != y) == pytest.approx(one.error)
        assert other.verify().k <= 2
    curve = report.curve
    assert [gap for gap, _ in curve] == sorted(gap for gap, _ in curve)
    assert [error for _, error in curve] == sorted((error for _, error in curve), reverse=True)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("limit", [0.0, 0.1])
def test_no_model_of_the_family_beats_the_bound(seed, limit):
    X, y = table(seed, 120)
    clf = DNFClassifier(k=2, learner="exact", price=0.0, fairness=Fairness("group", limit=limit)).fit(X, y)
    report = clf.fairness_
    assert report.bound is not None
    place = (X["a"] + 2 * X["b"] + 4 * X["c"]).to_numpy()
    least = 1.0
    for bits in range(256):
        values = [bits >> p & 1 for p in range(8)]
        if naive.is_k_dnf(values, 3, 2) and naive.is_k_dnf([1 - v for v in values], 3, 2):
            given = np.array(values, dtype=bool)[place]
            low, high = sorted(rates(given, X["group"].to_numpy(), y, "demographic_parity"))
            if high - low <= limit + 1e-12:
                least = min(least, float(np.mean(given != (y == 1))))
    assert report.bound <= least + 1e-9
    assert least <= report.error + 1e-9


def test_the_report_says_what_was_considered():
    X, y = table(1)
    clf = DNFClassifier(k=2, learner="greedy", fairness=Fairness("group", limit=0.05)).fit(pl.from_pandas(X), y)
    text = str(clf.fairness_)
    assert text.startswith("Demographic parity by group, at most 0.05.\nWithout regard to groups: ")
    assert text.count("<- taken") == 1
    assert len(clf.fairness_.to_dict()["alternatives"]) == len(clf.fairness_.alternatives)


def test_bad_input_is_refused():
    X, y = table(2)
    learn = {"k": 2, "learner": "greedy"}
    with pytest.raises(ValueError, match=r"fairness must name a column of the table \(a, b, c, group\); got 'sex'"):
        DNFClassifier(**learn, fairness=Fairness("sex")).fit(X, y)
    with pytest.raises(ValueError, match="every group of 'group' must have rows; 'z' has none"):
        DNFClassifier(**learn, fairness=Fairness("group", groups=("x", "z"))).fit(X, y)
    with pytest.raises(TypeError, match="X must be a pandas or polars table for fairness"):
        DNFClassifier(**learn, fairness=Fairness("x0")).fit(X[["a", "b"]].to_numpy(), y)
    with pytest.raises(ValueError, match="fairness must be None for 3 classes"):
        DNFClassifier(**learn, fairness=Fairness("group")).fit(X, np.arange(len(y)) % 3)
    with pytest.raises(AttributeError, match="fairness_ is there after a fit with fairness"):
        DNFClassifier(**learn).fit(X, y).fairness_  # noqa: B018
    with pytest.raises(ValueError, match="place must be below"):
        DNFClassifier(**learn, fairness=Fairness("group")).fit(X, y).fair_alternative(99)
