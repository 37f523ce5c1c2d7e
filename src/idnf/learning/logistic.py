"""What a smooth model thinks of examples it was not shown: logistic regression with a ridge penalty.

Where labels are noisy and many features matter a little, trees grown to the end vote noisily, and a weighted sum of
features is the better guess. Each part of the rows in turn is left out; the weights learned from the others give the
chance of class 1 on it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights

# Parts of the rows that are left out in turn.
_PARTS = 5
# Of few rows, the parts are drawn several times, and chances are means.
_FEW, _ROUNDS = 1000, 4
# The penalty on the square of a feature's weight, in examples.
_PENALTY = 3.0
_STEPS = 25
# Wider tables have no such model; in large ones it learns from a part of the rows.
_MOST_FEATURES = 400
_MOST_PRODUCTS = 50_000_000
# Rows asked about at a time.
_BLOCK = 1 << 14
# Chances are rounded, so that sums in another order give the same ones.
_DIGITS = 4


def left_out_chances(
    rows: DistinctRows, *, unit: float = 1.0, random_state: int = 0, is_over: Callable[[], bool] = lambda: False
) -> Weights:
    """Return the chance of class 1 of each distinct row, by a model that was not shown it; nan where there is none.

    Parameters
    ----------
    rows : DistinctRows
        The examples with their weights.
    unit : float
        The weight of one example.
    random_state : int
        The seed of the parts.
    is_over : callable
        Once it says so, no more steps are made.

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
    scaled = DistinctRows(rows.features, rows.positive / unit, rows.negative / unit, rows.complete)
    rounds = _ROUNDS if count < _FEW else 1
    chances: Weights = np.mean([_drawn_chances(scaled, generator, is_over) for _ in range(rounds)], axis=0)
    return np.round(chances, _DIGITS)


def _drawn_chances(rows: DistinctRows, generator: np.random.Generator, is_over: Callable[[], bool]) -> Weights:
    """Return the chances of rows by models of the other parts, the parts being drawn at random."""
    count, width = rows.features.shape
    parts = generator.permutation(count) % _PARTS
    kept = generator.permutation(count) < _MOST_PRODUCTS // width**2
    learning = np.flatnonzero(kept)
    shown = (parts[learning, np.newaxis] != np.arange(_PARTS)).astype(np.float64)
    beta = _fitted(rows.features[learning], rows.positive[learning], rows.negative[learning], shown, is_over)
    chances = np.empty(count)
    for start in range(0, count, _BLOCK):
        part = slice(start, start + _BLOCK)
        guesses = _chance(_with_constant(rows.features[part]), beta)
        chances[part] = guesses[np.arange(len(guesses)), parts[part]]
    return chances


def _with_constant(features: NDArray[np.bool_]) -> Weights:
    """Return features as -1/2 and 1/2, and a constant."""
    return np.column_stack([features - 0.5, np.ones(len(features))])


def _chance(design: Weights, beta: Weights) -> Weights:
    chances: Weights = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
    return chances


def _fitted(
    features: NDArray[np.bool_], positive: Weights, negative: Weights, shown: Weights, is_over: Callable[[], bool]
) -> Weights:
    """Return the weights of the features and the constant, a column for each part that is not shown.

    Every step goes to the minimum of a parabola above the loss: it never goes up (Böhning, Lindsay, *Monotonicity of
    quadratic-approximation algorithms*, 1988). All parts take it together: their products are those of one matrix.
    """
    design, weight = _with_constant(features), positive + negative
    penalty = np.full((design.shape[1], 1), _PENALTY)
    penalty[-1] = 1e-3
    bounds = np.array([(design * (weight * part)[:, np.newaxis] / 4).T @ design for part in shown.T])
    inverses = np.linalg.inv(bounds + np.diag(penalty[:, 0]))
    beta = np.zeros((design.shape[1], shown.shape[1]))
    wanted, weights = positive[:, np.newaxis] * shown, weight[:, np.newaxis] * shown
    for _ in range(_STEPS):
        if is_over():
            break
        slope = design.T @ (wanted - weights * _chance(design, beta)) - penalty * beta
        beta = beta + np.einsum("pij,jp->ip", inverses, slope)
    return beta
