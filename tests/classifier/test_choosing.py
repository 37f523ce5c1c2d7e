"""Choosing k and operating points: what is measured is what scikit-learn measures."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split

from idnf import DNFClassifier, choose_k, operating_points
from idnf.classifier.choosing import KChoice, KChoices, Measure
from idnf.classifier.plots import reasons_picture
from idnf.pictures.drawing import escape

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


def test_points_are_measured_on_rows_held_out():
    X, y = rare_cases()
    told = []
    found = operating_points(X, y, 2, costs=[1, 10], estimator=GREEDY, progress=told.append)
    assert told == [0.5, 1.0]
    assert found.positive == "ill"
    test = train_test_split(np.arange(len(y)), test_size=0.25, random_state=0, stratify=y)[1]
    for point in found.points:
        given = point.model.predict(X.iloc[test])
        assert point.recall == pytest.approx(recall_score(y[test], given, pos_label="ill"))
        assert point.precision == pytest.approx(precision_score(y[test], given, pos_label="ill"))
        assert point.model.explain(X.iloc[test])[0].label == given[0]
    assert found.at(recall=found.points[1].recall) is found.points[1]
    with pytest.raises(ValueError, match="recall must be at most .* the greatest reached; got 2"):
        found.at(recall=2)


def test_figures_that_do_not_exist_are_words_in_text_and_null_in_json():
    """Without alarms there is no precision; too many reasons to count are many."""
    X, y = np.zeros((40, 1)), np.array(["ill"] * 4 + ["well"] * 36)
    found = operating_points(X, y, 1, costs=[1], estimator=GREEDY)
    assert found.columns()["precision"] == [None]
    assert "none" in found.to_text()
    assert "NaN" not in json.dumps(found.columns())
    assert found.at(recall=0) is found.points[0]
    assert "<circle" not in found.plot().svg
    measure = Measure(0.8, 0.1)
    choices = KChoices((KChoice(3, 0.8, 0.1, float("nan"), 900.0, measure),), measure, measure, measure, 2)
    assert choices.columns()["reasons"] == [None]
    assert "many" in choices.to_text()


def test_points_are_refused_for_several_labels():
    with pytest.raises(ValueError, match="y must hold two labels for operating points; got 3"):
        operating_points([[0], [1], [2]], ["a", "b", "c"])
    with pytest.raises(ValueError, match="positive must be one of a, b; got c"):
        operating_points([[0], [1]], ["a", "b"], positive="c")


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
    drawn = clf.plot_reasons(X, y).svg
    for reason in clf.reasons(X, y):
        assert f">{escape(f'{reason.label}: {reason.words}')}<" in drawn
    assert drawn.count("% right") == drawn.count("<rect") == len(clf.reasons())
    with pytest.raises(ValueError, match=r"reasons must be measured to be drawn: reasons\(X, y\)"):
        reasons_picture(clf.reasons())


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
