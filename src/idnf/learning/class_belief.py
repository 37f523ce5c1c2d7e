"""What other models think of examples of several classes that they were not shown.

Each class against the rest is a question of two classes: small trees vote on it (:mod:`idnf.learning.belief`), logistic
regression gives it a chance (:mod:`idnf.learning.logistic`), and the shares of all classes are made to sum to one. The
mixture of the two that comes nearest to the labels is the guess. Where several examples have the same features, the
labels of the others speak too, each as much as a part of the guess.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.belief import TREES, left_out_votes
from idnf.learning.logistic import left_out_chances

# Where distinct rows are fewer than this, more trees vote.
_FEW_ROWS, _MORE_TREES = 1000, 160
# With more classes than this, fewer trees vote on each.
_MANY_CLASSES, _LEAST_TREES = 10, 10
# Parts of the second guess that are tried in a mixture.
_MIXTURES = (0.0, 0.25, 0.5, 0.75, 1.0)
# As many examples of the same features weigh as much as the guess of other models.
_EXAMPLES_ALIKE = 4.0
# A chance below this counts as none: what is left is quicker to count.
_LEAST_CHANCE = 0.02


def left_out_guess(rows: DistinctRows, *, is_over: Callable[[], bool] = lambda: False) -> Weights:
    """Return the chance of each class, a row for each distinct row, by models that were not shown it.

    Parameters
    ----------
    rows : DistinctRows
        The examples with their weights.
    is_over : callable
        Once it says so, fewer models are asked.

    Examples
    --------
    >>> features = np.repeat(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool), 20, axis=0)
    >>> rows = DistinctRows(features, np.repeat(np.eye(3), 20, axis=0), True)
    >>> left_out_guess(rows)[[0, 20, 40]].argmax(axis=1).tolist()
    [0, 1, 2]
    """
    votes, chances = np.zeros_like(rows.weights), np.zeros_like(rows.weights)
    usual = _MORE_TREES if len(rows.features) < _FEW_ROWS else TREES
    trees = max(_LEAST_TREES, usual * _MANY_CLASSES // max(_MANY_CLASSES, rows.n_classes))
    unit = rows.example
    for label in np.flatnonzero(rows.weights.any(axis=0)).tolist():
        one = rows.against_rest(label)
        votes[:, label] = left_out_votes(one, is_over=is_over, trees=trees)
        chances[:, label] = left_out_chances(one, unit=unit, is_over=is_over)
    share = rows.weights.sum(axis=0) / rows.total
    first, second = _normalised(votes, share), _normalised(chances, share)
    first = np.where(np.isnan(votes).any(axis=1, keepdims=True), second, first)
    if np.isnan(chances).any():
        return _normalised(np.where(first < _LEAST_CHANCE, 0.0, first), share)
    mixed = min(((1 - part) * first + part * second for part in _MIXTURES), key=lambda one: _distance(rows, one))
    return _normalised(np.where(mixed < _LEAST_CHANCE, 0.0, mixed), share)


def _normalised(chances: Weights, share: Weights) -> Weights:
    """Return chances that sum to one in every row; where there are none, the share of each class."""
    known = np.nan_to_num(chances)
    total = known.sum(axis=1, keepdims=True)
    return np.where(total > 0, known / np.where(total > 0, total, 1.0), share)


def _distance(rows: DistinctRows, guess: Weights) -> float:
    """Return the squared distance of a guess to the labels, but for what does not depend on it."""
    return float(rows.weights.sum(axis=1) @ (guess**2).sum(axis=1) - 2 * (rows.weights * guess).sum())


def believed_classes(rows: DistinctRows, guess: Weights, part: float) -> DistinctRows:
    """Return the rows with a part of the weight of each example given to the classes that others speak for.

    These are the guess and, where several examples have the same features, the labels of the other ones.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[1.0, 0, 0], [0, 5, 0]]), True)
    >>> guess = np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    >>> believed_classes(rows, guess, 0.5).weights.tolist()
    [[0.75, 0.25, 0.0], [0.0, 3.75, 1.25]]
    """
    weight = rows.weights.sum(axis=1, keepdims=True)
    others = np.maximum(weight / rows.example - 1.0, 0.0)
    spoken = (others * rows.weights + _EXAMPLES_ALIKE * weight * guess) / (others + _EXAMPLES_ALIKE)
    return DistinctRows(rows.features, (1 - part) * rows.weights + part * spoken, rows.complete)


def left_out_class_errors(rows: DistinctRows, guess: Weights) -> float:
    """Return the weighted share of the examples whose class others, and the examples alike, do not speak for.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[1.0, 0, 0], [0, 3, 0]]), True)
    >>> left_out_class_errors(rows, np.array([[0.4, 0.6, 0.0], [0.0, 1.0, 0.0]]))
    0.25
    """
    counts = rows.weights / rows.example
    wrong = 0.0
    for label in range(rows.n_classes):
        spoken = counts + _EXAMPLES_ALIKE * guess
        spoken[:, label] -= 1.0
        wrong += float(rows.weights[spoken.argmax(axis=1) != label, label].sum())
    return wrong / rows.total
