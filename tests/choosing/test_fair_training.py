"""Models under a limit on the gap between groups: search, exact with its bound, bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests import naive
from tests.strategies import seeds

from idnf import DNFClassifier, exporting, reporting
from idnf.choosing import Fairness, fair_alternative, fit_fairly
from idnf.exporting.file_checks import check_file
from idnf.governance import model_card


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
    clf = fit_fairly(DNFClassifier(k=2, learner=learner, effort=0.2), X, y, Fairness("group", metric, 0.05))
    given = clf.predict(X) == 1
    low, high = sorted(rates(given, X["group"].to_numpy(), y, metric))
    report = clf.fairness_
    assert high - low <= 0.05 + 1e-12
    assert report.gap == pytest.approx(high - low)
    assert report.error == pytest.approx(np.mean(clf.predict(X) != y))
    assert "group" not in [column.name for column in clf.fitted_.columns]
    for place, one in enumerate(report.alternatives):
        other = fair_alternative(clf, place)
        assert np.mean(other.predict(X) != y) == pytest.approx(one.error)
        assert other.verify().k <= 2
    curve = report.curve
    assert [gap for gap, _ in curve] == sorted(gap for gap, _ in curve)
    assert [error for _, error in curve] == sorted((error for _, error in curve), reverse=True)


@cache
def functions_of_three_features():
    """All of which every decision has a reason of at most two conditions."""
    tables = [[bits >> p & 1 for p in range(8)] for bits in range(256)]
    both = (one for one in tables if naive.is_k_dnf(one, 3, 2) and naive.is_k_dnf([1 - v for v in one], 3, 2))
    return [np.array(values, dtype=bool) for values in both]


@pytest.mark.parametrize("seed", seeds(2, 40))
@pytest.mark.parametrize("limit", [0.0, 0.1])
def test_no_model_of_the_family_beats_the_bound(seed, limit):
    X, y = table(seed, 120)
    clf = fit_fairly(DNFClassifier(k=2, learner="exact", price=0.0), X, y, Fairness("group", limit=limit))
    report = clf.fairness_
    assert report.bound is not None
    place = (X["a"] + 2 * X["b"] + 4 * X["c"]).to_numpy()
    least = 1.0
    for values in functions_of_three_features():
        given = values[place]
        low, high = sorted(rates(given, X["group"].to_numpy(), y, "demographic_parity"))
        if high - low <= limit + 1e-12:
            least = min(least, float(np.mean(given != (y == 1))))
    assert report.bound <= least + 1e-9
    assert least <= report.error + 1e-9


def test_the_report_says_what_was_considered():
    X, y = table(1)
    clf = fit_fairly(DNFClassifier(k=2, learner="greedy"), pl.from_pandas(X), y, Fairness("group", limit=0.05))
    text = str(clf.fairness_)
    assert text.startswith("Demographic parity by group, at most 0.05.\nWithout regard to groups: ")
    assert text.count("<- taken") == 1
    assert len(clf.fairness_.to_dict()["alternatives"]) == len(clf.fairness_.alternatives)


def test_nothing_is_claimed_of_the_shifted_problem():
    X, y = table(0)
    clf = fit_fairly(DNFClassifier(k=2, learner="exact", price=0.0), X, y, Fairness("group", limit=0.05))
    assert (clf.optimal_, clf.bound_, clf.path_) == (None, None, None)
    assert clf.objective_ == pytest.approx(np.mean(clf.predict(X) != y))


def test_the_best_tree_is_taken_where_multipliers_miss_it():
    X, y = table(3, 120)
    errors = {}
    for limit in (0.02, 0.05, 0.1, 0.2):
        report = fit_fairly(
            DNFClassifier(k=2, family="tree", learner="exact", price=0.0), X, y, Fairness("group", limit=limit)
        ).fairness_
        assert report.bound_family == "tree"
        assert report.error == pytest.approx(report.bound)
        errors[limit] = report.error
    assert list(errors.values()) == sorted(errors.values(), reverse=True)


def test_a_model_file_keeps_the_alternatives(tmp_path):
    X, y = table(4)
    asked = Fairness("group", "equal_opportunity", 0.05, ("x", "y"))
    clf = fit_fairly(DNFClassifier(k=2, effort=0.2), X, y, asked)
    exporting.to_json(clf, tmp_path / "model.json")
    again = exporting.from_json(tmp_path / "model.json")
    assert again.fairness_ == replace(clf.fairness_, claimed=True)
    assert "not proved again" in str(again.fairness_)
    assert "alternatives considered" in str(check_file(tmp_path / "model.json"))
    assert again.fairness_.fairness == asked
    for place in range(len(clf.fairness_.alternatives)):
        ours, read = (fair_alternative(one, place).predict(X).tolist() for one in (clf, again))
        assert ours == read
    reporting.alternatives_to_html(again, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("(taken)") == 1
    card = model_card(again, reporting.summarise(again, X, y)).to_markdown()
    assert "## Alternatives considered" in card
    assert "Equal opportunity by group, at most 0.05." in card
    document = json.loads((tmp_path / "model.json").read_text())
    for change, message in (
        ({"chosen": 99}, "fairness.chosen must be an integer from 0 to"),
        ({"chosen": 0}, "fairness.chosen must be the place of a model within the limit"),
        (
            {"chosen": len(clf.fairness_.alternatives) - 1},
            "fairness.chosen must be the place of the model of this file",
        ),
        ({"limit": -1}, "limit must be between 0 and 1; got -1"),
        ({"bounds": {"forest": 0.1}}, "fairness.bounds must be one of any, any-literals, pair-tree"),
        ({"alternatives": []}, "fairness.alternatives must be a list of 1 to"),
    ):
        bad = {**document, "fairness": {**document["fairness"], **change}}
        (tmp_path / "bad.json").write_text(json.dumps(bad))
        with pytest.raises(ValueError, match=message):
            exporting.from_json(tmp_path / "bad.json")


def test_class_weights_do_not_change_the_gap():
    X, y = table(5)
    clf = fit_fairly(DNFClassifier(k=2, learner="exact", class_weight={0: 1, 1: 3}), X, y, Fairness("group", limit=0.1))
    low, high = sorted(rates(clf.predict(X) == 1, X["group"].to_numpy(), y, "demographic_parity"))
    assert clf.fairness_.gap == pytest.approx(high - low)
    assert high - low <= 0.1 + 1e-12


def test_caps_on_size_are_kept():
    X, y = table(6)
    clf = fit_fairly(DNFClassifier(k=3, effort=0.2, max_terms=1), X, y, Fairness("group", limit=0.1))
    assert clf.fitted_.size.terms <= 1
    assert all(one.terms <= 1 for one in clf.fairness_.alternatives)


def test_bad_input_is_refused():
    X, y = table(2)
    learn = {"k": 2, "learner": "greedy"}
    with pytest.raises(ValueError, match=r"fairness must name a column of the table \(a, b, c, group\); got 'sex'"):
        fit_fairly(DNFClassifier(**learn), X, y, Fairness("sex"))
    with pytest.raises(ValueError, match="every group of 'group' must have rows; 'z' has none"):
        fit_fairly(DNFClassifier(**learn), X, y, Fairness("group", groups=("x", "z")))
    with pytest.raises(TypeError, match=r"X must be a pandas or polars table in memory for fairness.* got ndarray"):
        fit_fairly(DNFClassifier(**learn), X[["a", "b"]].to_numpy(), y, Fairness("group"))
    with pytest.raises(TypeError, match="X must be a table in memory; got a lazy one"):
        fit_fairly(DNFClassifier(**learn), pl.from_pandas(X).lazy(), y, Fairness("group"))
    with pytest.raises(ValueError, match=r"limit must be between 0 and 1; got -0\.1"):
        fit_fairly(DNFClassifier(**learn), X, y, Fairness("group", limit=-0.1))
    with pytest.raises(ValueError, match="y must hold two labels for fairness, which compares the rates of one; got 3"):
        fit_fairly(DNFClassifier(**learn), X, np.arange(len(y)) % 3, Fairness("group"))
    with pytest.raises(AttributeError, match="fairness_ exists only after idnf.choosing.fit_fairly"):
        DNFClassifier(**learn).fit(X, y).fairness_  # noqa: B018
    with pytest.raises(ValueError, match="place must be below"):
        fair_alternative(fit_fairly(DNFClassifier(**learn), X, y, Fairness("group")), 99)
