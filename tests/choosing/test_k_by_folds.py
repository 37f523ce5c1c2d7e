"""Choosing k and operating points: what is measured is what scikit-learn measures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from idnf import DNFClassifier, choose_k
from idnf.choosing import operating_points
from idnf.classifier.k_choices import KChoice, KChoices, Measure

GREEDY = DNFClassifier(learner="greedy")


def rare_cases(rows=600):
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(rows, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + X["b"] + rng.normal(size=rows) > 2.4, "ill", "well")
    return X, y


def test_accuracy_by_k_is_that_of_cross_validation():
    X, y = rare_cases()
    found = choose_k(X, y, [1, 2], cv=3, estimator=GREEDY)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    for one in found.choices:
        scores = cross_val_score(DNFClassifier(one.k, learner="greedy"), X, y, cv=folds)
        assert one.accuracy == pytest.approx(scores.mean())
        assert one.spread == pytest.approx(scores.std(ddof=1))
    assert found.constant.accuracy == pytest.approx(np.mean(y == "well"), abs=0.01)


@pytest.mark.parametrize("classes", [2, 3])
def test_what_sizes_share_changes_none_of_their_models(classes: int) -> None:
    generator = np.random.default_rng(3)
    X = pd.DataFrame(generator.normal(size=(240, 4))).rename(columns=str)
    y = (X["0"] > 0) * 1 + ((X["1"] > 0.3) & (X["2"] < 0.5)) * (classes - 1) % classes
    y = np.where(generator.random(240) < 0.1, 0, y)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    found = choose_k(X, y, [1, 2, 3], cv=3, estimator=DNFClassifier(effort=0.2))
    for one in found.choices:
        apart = [
            DNFClassifier(one.k, effort=0.2).fit(X.iloc[train], y[train]) for train, _ in folds.split(np.arange(240), y)
        ]
        assert one.conditions == pytest.approx(np.mean([clf.size_.conditions for clf in apart]))
        scores = [clf.score(X.iloc[test], y[test]) for clf, (_, test) in zip(apart, folds.split(np.arange(240), y))]
        assert one.accuracy == pytest.approx(np.mean(scores))


def test_the_smallest_k_within_half_a_standard_error_is_best():
    tree = Measure(0.5, 0.0)
    choices = tuple(KChoice(k, accuracy, 0.04, 1, 1, tree) for k, accuracy in ((1, 0.8), (2, 0.895), (3, 0.9)))
    assert KChoices(choices, tree, tree, tree, folds=4).best == 2


@pytest.mark.parametrize(("make", "frame"), [(pd.DataFrame, pd.DataFrame), (pl.from_pandas, pl.DataFrame)])
def test_results_come_as_the_table_came(make, frame):
    X, y = rare_cases(200)
    found = choose_k(make(X), y, [1], cv=2, estimator=GREEDY)
    assert isinstance(found.to_frame(), frame)
    assert "<td>1</td>" in found._repr_html_()
    explained = DNFClassifier(2, learner="greedy").fit(make(X), y).explain(make(X))
    assert isinstance(explained.to_frame(), frame)
    assert len(explained.to_frame()) == 200
    assert "reason id" in explained._repr_html_()


def test_plots_show_every_model():
    X, y = rare_cases(200)
    found = choose_k(X, y, [1, 2], cv=2, estimator=GREEDY)
    curve = found.plot().svg
    assert curve.count('<circle class="ours"') == 2
    assert "k = 1" in curve
    assert all(name in curve for name in ("forest", "logistic regression", "tree of depth k"))
    points = operating_points(X, y, 1, costs=[1, 5], estimator=GREEDY)
    notes = [f"cost {one.cost:g}" for one in points.points]
    assert all(note in points.plot().svg for note in notes)
    clf = DNFClassifier(2, learner="greedy").fit(X, y)
    assert clf.plot()._repr_svg_().startswith("<svg")


def test_shares_are_those_of_the_table_whatever_the_weights():
    X, y = rare_cases(4000)
    train, test = X[:3000], X[3000:]
    base = np.mean(y[3000:] == "ill")
    for weight in (None, "balanced", {"ill": 5, "well": 1}):
        clf = DNFClassifier(2, learner="greedy", class_weight=weight).fit(train, y[:3000])
        shares = clf.predict_proba(test)[:, 0]
        assert shares.mean() == pytest.approx(base, abs=0.03)
        low, high = {None: (1, 1), "balanced": (np.mean(y[:3000] == "ill"), np.mean(y[:3000] == "well"))}.get(
            weight if isinstance(weight, str | None) else "other", (1, 5)
        )
        assert ((shares > low / (low + high)) == (clf.predict(test) == "ill")).all()
