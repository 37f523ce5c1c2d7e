"""A model that gives every row the same label is warned of, in words that say what to try."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from idnf import DNFClassifier, TableWarning


def test_a_constant_model_is_warned_of() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (400, 3)), (rng.random(400) < 0.2).astype(int)
    with pytest.warns(TableWarning, match="the model gives every row the label 0; try class_weight='balanced'"):
        DNFClassifier(2, learner="greedy", price=1.0, tune=False).fit(X, y)


def test_other_models_are_not() -> None:
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 10)
    with warnings.catch_warnings():
        warnings.simplefilter("error", TableWarning)
        DNFClassifier(2, learner="greedy").fit(X, X[:, 0])


def test_one_row_may_be_a_mapping() -> None:
    policy = DNFClassifier.from_dnf("late & ~owner", classes=("no", "yes"))
    (one,) = policy.explain({"late": True, "owner": False})
    assert one.label == "yes"
    assert set(one.axp_columns) == {"late", "owner"}
