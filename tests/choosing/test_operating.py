"""Operating points: what is measured is what scikit-learn measures."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import train_test_split
from tests.choosing.test_k_by_folds import GREEDY, rare_cases

from idnf.choosing import operating_points
from idnf.classifier.k_choices import KChoice, KChoices, Measure


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
