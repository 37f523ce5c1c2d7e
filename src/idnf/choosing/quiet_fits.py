"""Fits whose warnings about the table are not repeated."""

from __future__ import annotations

from numpy.typing import ArrayLike

from idnf.choosing.fair_training import fit_fairly
from idnf.classifier.estimator import DNFClassifier
from idnf.learning.fairness import Fairness
from idnf.tables.column_check import quiet


def quietly_fitted(model: DNFClassifier, X: object, y: ArrayLike, fairness: Fairness | None = None) -> DNFClassifier:
    """Return a model fitted without warnings about its table: they are not repeated for every part of it.

    >>> quietly_fitted(DNFClassifier(k=1, learner="greedy"), [[0], [1]] * 4, [0, 1] * 4).k
    1
    """
    with quiet():
        return model.fit(X, y) if fairness is None else fit_fairly(model, X, y, fairness)
