"""What a smooth model thinks of examples it was not shown: logistic regression with a ridge penalty.

Where labels are noisy and many features matter a little, trees grown to the end vote noisily, and a weighted sum of
features is the better guess. Each part of the rows in turn is left out; the weights learned from the others give the
chance of each class on it. Of two classes one is asked about, of more each against the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights

Places = NDArray[np.intp]

# Parts of the rows that are left out in turn.
_PARTS = 5
ROUNDS = 4
"""How many times the parts of few rows are drawn for a question; chances are means."""

# More rows than this are not few.
_FEW = 1000
# The penalty on the square of a feature's weight, in examples.
_PENALTY = 3.0
# A model makes steps until none of its weights changes by more than a little.
_STEPS, _LITTLE = 25, 0.002
# Wider tables have no such model; in large ones it learns from a part of the rows.
_MOST_FEATURES = 400
_MOST_PRODUCTS = 50_000_000
# Rows asked about at a time.
_BLOCK = 1 << 14
# Chances are rounded, so that sums in another order give the same ones.
_DIGITS = 4


def left_out_chances(
    rows: DistinctRows,
    *,
    unit: float = 1.0,
    random_state: int = 0,
    is_over: Callable[[], bool] = lambda: False,
    rounds: int = ROUNDS,
) -> Weights:
    """Return the chance of each class of each distinct row, by models that were not shown it; nan if there are none.

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
    rounds : int
        How many times the parts are drawn where rows are few; less often with more than two classes.

    Examples
    --------
    >>> features = np.repeat(np.array([[0, 0], [1, 1]], dtype=bool), 20, axis=0)
    >>> rows = DistinctRows.of_two(features, features[:, 0] * 1.0, ~features[:, 0] * 1.0, True)
    >>> (left_out_chances(rows) > 0.5)[[0, -1]].tolist()
    [[True, False], [False, True]]
    """
    count, width = rows.features.shape
    if not width or width > _MOST_FEATURES or count < 2 * _PARTS:
        return np.full(rows.weights.shape, np.nan)
    generator = np.random.default_rng([random_state, 3])
    scaled = DistinctRows(rows.features, rows.weights / unit, rows.complete)
    few = max(1, rounds // max(1, rows.n_classes - 1)) if count < _FEW else 1
    drawn = [_drawn_parts(count, width, generator) for _ in range(few)]
    if all(len(learning) == count for _, learning in drawn):
        # All rounds take their steps together.
        chances = _chances(scaled, [parts for parts, _ in drawn], np.arange(count), is_over)
    else:
        chances = np.mean([_chances(scaled, [parts], learning, is_over) for parts, learning in drawn], axis=0)
    if rows.n_classes == 2:
        chances = np.round(chances, _DIGITS)
        return np.column_stack([1 - chances, chances])
    return np.asarray(np.round(chances / chances.sum(axis=1, keepdims=True), _DIGITS))


def _drawn_parts(count: int, width: int, generator: np.random.Generator) -> tuple[Places, Places]:
    """Return the part of each row, and the rows to learn from, both drawn at random."""
    parts = generator.permutation(count) % _PARTS
    return parts, np.flatnonzero(generator.permutation(count) < _MOST_PRODUCTS // width**2)


def _chances(rows: DistinctRows, rounds: Sequence[Places], learning: Places, is_over: Callable[[], bool]) -> Weights:
    """Return the chances of rows, a column for each question, by models of the other parts: means over some rounds."""
    hidden = np.column_stack([parts[learning, np.newaxis] == np.arange(_PARTS) for parts in rounds])
    asked = rows.weights[:, 1:] if rows.n_classes == 2 else rows.weights
    beta = _fitted(rows.features[learning], asked[learning], rows.masses[learning], hidden, is_over)
    # The models of a question, and of a round of it, stand one after the other.
    own = np.column_stack([_PARTS * place + parts for place, parts in enumerate(rounds)])
    chances = np.empty((len(rows.features), asked.shape[1]))
    for start in range(0, len(chances), _BLOCK):
        part = slice(start, start + _BLOCK)
        guesses = _chance(_with_constant(rows.features[part]), beta)
        for question in range(asked.shape[1]):
            places = own[part] + question * hidden.shape[1]
            chances[part, question] = np.take_along_axis(guesses, places, axis=1).mean(axis=1)
    return chances


def _with_constant(features: NDArray[np.bool_]) -> Weights:
    """Return features as -1/2 and 1/2, and a constant."""
    return np.column_stack([features - 0.5, np.ones(len(features))])


def _chance(design: Weights, beta: Weights) -> Weights:
    chances: Weights = design @ beta
    np.clip(chances, -30, 30, out=chances)
    np.exp(np.negative(chances, out=chances), out=chances)
    chances += 1
    return np.divide(1, chances, out=chances)


def _fitted(
    features: NDArray[np.bool_],
    asked: Weights,
    weight: Weights,
    hidden: NDArray[np.bool_],
    is_over: Callable[[], bool],
) -> Weights:
    """Return the weights of the features and the constant, a column for each question and the examples hidden from it.

    Every step goes to the minimum of a parabola above the loss: it never goes up (Böhning, Lindsay, *Monotonicity of
    quadratic-approximation algorithms*, 1988). All models take it together: their products are those of one matrix.
    """
    design, questions, parts = _with_constant(features), asked.shape[1], hidden.shape[1]
    penalty = np.full((design.shape[1], 1), _PENALTY)
    penalty[-1] = 1e-3
    # What all examples add to a parabola, less what the hidden ones would.
    quarter = design * (weight / 4)[:, np.newaxis]
    bounds = quarter.T @ design - np.array([quarter[part].T @ design[part] for part in hidden.T])
    inverses = np.linalg.inv(bounds + np.diag(penalty[:, 0]))
    beta = np.zeros((design.shape[1], questions * parts))
    shown, moving = ~hidden, np.ones(questions * parts, dtype=bool)
    wanted = np.column_stack([column[:, np.newaxis] * shown for column in asked.T])
    weights = np.tile(weight[:, np.newaxis] * shown, questions)
    for _ in range(_STEPS):
        if is_over():
            break
        guesses = _chance(design, beta)
        guesses *= weights
        slope = design.T @ np.subtract(wanted, guesses, out=guesses) - penalty * beta
        step = np.matmul(inverses, slope.T.reshape(questions, parts, -1, 1)).reshape(questions * parts, -1).T
        beta += step * moving
        moving &= np.abs(step).max(axis=0) > _LITTLE
        if not moving.any():
            break
    return beta
