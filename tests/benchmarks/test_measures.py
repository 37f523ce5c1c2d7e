"""Figures of a model by one computation: overlaps, gaps, length, log loss, models that decide otherwise."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from benchmarks.board.measures import measured

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.uint8)
DIVISION = {"train_y": np.array([0, 0]), "test_y": np.array([0, 1])}


def answer(rules, labels, written=None, **more):
    rows = base64.b64encode(np.packbits(X.astype(bool)).tobytes()).decode()
    columns = [([0], [(0,), (1,)]), ([1], [(0,), (1,)])]
    model = {"rules": rules, "conditions": 2, "columns": columns, "rows": rows, "written": written}
    return {"status": "ok", "message": "", "accuracy": 50.0, "labels": labels, "model": model, **more}


def test_a_rule_and_otherwise():
    found = measured(answer([(1, [0, 2]), (0, [])], [0, 0, 0, 1]), DIVISION, seconds=9)
    assert (found["largest_reason"], found["mean_reason"]) == (2, 1.25)
    assert (found["reasons"], found["conditions"]) == (1, 2)
    assert (found["overlap"], found["conflict"], found["gap"]) == (0, 0, 75)
    # Both training rows fall to "otherwise": 3 to 1 with each class counted once more; the rule has none, 1 to 1.
    assert found["log_loss"] == pytest.approx(-(np.log(3 / 4) + np.log(1 / 2)) / 2)


def test_rules_of_two_classes_that_hold_together():
    found = measured(answer([(1, [0]), (0, [2]), (1, [])], [1, 0, 1, 1]), DIVISION, seconds=9)
    assert (found["overlap"], found["conflict"], found["gap"]) == (25, 25, 25)


def test_a_tree_is_written_by_its_leaves_and_splits():
    leaves = [(0, [1]), (1, [0])]
    found = measured(answer(leaves, [0, 0, 1, 1], written=[2, 1]), DIVISION, seconds=9)
    assert (found["reasons"], found["conditions"]) == (2, 1)


def test_terms_of_all_classes_are_written_without_the_longest():
    found = measured(answer([(1, [0, 2]), (0, [1]), (0, [3])], [0, 0, 0, 1]), DIVISION, seconds=9)
    assert (found["reasons"], found["conditions"], found["overlap"], found["conflict"]) == (1, 2, 25, 0)


def test_a_model_that_does_not_decide_as_it_says_has_failed():
    found = measured(answer([(1, [0]), (0, [])], [0, 0, 0, 1]), DIVISION, seconds=9)
    assert (found["status"], found["message"]) == ("failed", "its rules decide 1 rows otherwise than it does")


def test_a_failure_keeps_its_message():
    found = measured({"status": "failed", "message": "ValueError: no"}, DIVISION, seconds=9)
    assert (found["status"], found["message"]) == ("failed", "ValueError: no")


def test_figures_of_probabilities():
    shares = np.array([[0.8, 0.2], [0.4, 0.6]], dtype=np.float32)
    stated = base64.b64encode(shares.tobytes()).decode()
    found = measured(answer([(1, [2]), (0, [])], [0, 1, 0, 1], probabilities=stated), DIVISION, seconds=9)
    assert found["log_loss"] == pytest.approx(-(np.log(0.8) + np.log(0.6)) / 2)
    assert found["brier"] == pytest.approx((0.2**2 + 0.4**2) / 2)
    # Two rows, each a part of its own, both right: 0.2 and 0.4 away.
    assert found["calibration"] == pytest.approx(0.3)
    assert (found["auc"], found["balanced_accuracy"]) == (1, 100)


def test_area_under_the_curve_of_several_classes_is_the_mean_over_them():
    shares = np.array([[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.2, 0.2, 0.6]], dtype=np.float32)
    stated = base64.b64encode(shares.tobytes()).decode()
    asked = {"status": "ok", "labels": [0, 0, 2], "probabilities": stated}
    # Class 0 is ranked second of three (1/2), 1 and 2 first.
    found = measured(asked, {"train_y": np.array([]), "test_y": np.array([1, 0, 2])}, seconds=9)
    assert found["auc"] == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)


def test_rows_of_one_probability_stay_together():
    asked = {"status": "ok", "labels": [0, 1, 1, 0]}
    shares = np.full((4, 2), 0.5, dtype=np.float32)
    asked["probabilities"] = base64.b64encode(shares.tobytes()).decode()
    found = measured(asked, {"train_y": np.array([]), "test_y": np.array([0, 0, 1, 1])}, seconds=9)
    assert (found["calibration"], found["auc"], found["brier"]) == (0, 0.5, 0.25)
