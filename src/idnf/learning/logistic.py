"""What a smooth model thinks of examples it was not shown: logistic regression with a ridge penalty.

Where labels are noisy and many features matter a little, trees grown to the end vote noisily, and a weighted sum of
features is the better guess. Each part of the rows in turn is left out; the weights learned from the others give the
chance of class 1 on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights

# Parts of the rows that are left out in turn.
_PARTS = 5
# The penalty on the square of a feature's weight, in examples.
_PENALTY = 3.0
_STEPS = 25
# Wider tables have no such model; in large ones it learns from a part of the rows.
_MOST_FEATURES = 400
_MOST_PRODUCTS = 200_000_000
# Rows asked about at a time.
_BLOCK = 1 << 14
# Chances are rounded, so that sums in another order give the same ones.
_DIGITS = 4


def left_out_chances(rows: DistinctRows, *, unit: float = 1.0, random_state: int = 0) -> Weights:
    """Return the chance of class 1 of each distinct row, by a model that was not shown it; nan where there is none.

    Parameters
    ----------
    rows : DistinctRows
        The examples with their weights.
    unit : float
        The weight of one example.
    random_state : int
        The seed of the parts.

    Examples
    --------
    >>> features = np.repeat(np.array([[0, 0], [1, 1]], dtype=bool), 20, axis=0)
    >>> rows = DistinctRows(features, features[:, 0] * 1.0, ~features[:, 0] * 1.0, True)
    >>> (left_out_chances(rows) > 0.5)[[0, -1]].tolist()
    [False, True]
    """
    count, width = rows.features.shape
    if not width or width > _MOST_FEATURES or count < 2 * _PARTS:
        return np.full(count, np.nan)
    generator = np.random.default_rng([random_state, 3])
    parts = generator.permutation(count) % _PARTS
    kept = generator.permutation(count) < _MOST_PRODUCTS // width**2
    chances = np.empty(count)
    for part in range(_PARTS):
        shown = np.flatnonzero(kept & (parts != part))
        beta = _fitted(rows.features[shown], rows.positive[shown] / unit, rows.negative[shown] / unit)
        asked = np.flatnonzero(parts == part)
        for start in range(0, len(asked), _BLOCK):
            some = asked[start : start + _BLOCK]
            chances[some] = _chance(_with_constant(rows.features[some]), beta)
    return np.round(chances, _DIGITS)


def _with_constant(features: NDArray[np.bool_]) -> Weights:
    """Return features as -1/2 and 1/2, and a constant."""
    return np.column_stack([features - 0.5, np.ones(len(features))])


def _chance(design: Weights, beta: Weights) -> Weights:
    chances: Weights = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
    return chances


def _fitted(features: NDArray[np.bool_], positive: Weights, negative: Weights) -> Weights:
    """Return the weights of the features and the constant.

    Every step goes to the minimum of a parabola above the loss: it never goes up (Böhning, Lindsay, *Monotonicity of
    quadratic-approximation algorithms*, 1988).
    """
    design, weight = _with_constant(features), positive + negative
    penalty = np.full(design.shape[1], _PENALTY)
    penalty[-1] = 1e-3
    bound = (design * weight[:, np.newaxis] / 4).T @ design + np.diag(penalty)
    inverse = np.linalg.inv(bound)
    beta = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        beta = beta + inverse @ (design.T @ (positive - weight * _chance(design, beta)) - penalty * beta)
    return beta
