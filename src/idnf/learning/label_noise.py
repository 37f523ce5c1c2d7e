"""How far the label of each training example is believed.

Many small trees are grown, each on a random part of the distinct rows, and each votes on the rows it was not shown. An
example whose label most of these trees contradict is often mislabelled, or beyond what its features can tell; a model
bent to it errs elsewhere. The votes also say how noisy the data are.

Logistic regression with a ridge penalty is asked in the same way: where labels are noisy and many features matter a
little, trees grown to the end vote noisily, and a weighted sum of features is the better guess. Each part of the rows
in turn is left out; the weights learned from the others give the chance of each class on it. Of two classes one is
asked about, of more each against the rest. The mixture of the two that comes nearest to the labels it was not shown is
the best guess there is at the chance of each class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.local.kernels import kernels
from idnf.learning.local.voting_task import VotingTask
from idnf.logic.boxes import Space

Places = NDArray[np.intp]

# Parts of the rows that are left out in turn.
_PARTS = 5
ROUNDS = 4
"""Random divisions into parts drawn for a small table; probabilities are averages over them."""

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
        How many times the parts are drawn if rows are few; less often with more than two classes.

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
    beta = _fit(rows.features[learning], asked[learning], rows.masses[learning], hidden, is_over)
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


def _fit(
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


TREES = 40
"""How many trees vote where all rows are drawn from."""

# Where distinct rows are few, more trees vote, so that all together are shown as many: it costs little, and chance has
# less of a say.
_FEW_ROWS, _MOST_TREES = 1000, 160
# How many distinct rows one of them is shown at most.
_MOST_SHOWN = 5000
# Parts of the second guess that are tried in a mixture.
_MIXTURES = (0.0, 0.25, 0.5, 0.75, 1.0)
# The largest weight as an integer: sums over all draws stay exact.
_LARGEST = 2.0**30
# With more than two classes, a chance below this counts as none: what is left is quicker to count.
_LEAST_CHANCE = 0.02


def best_guess(rows: DistinctRows, *, is_over: Callable[[], bool] = lambda: False) -> Weights:
    """Return the chance of each class, a line for each distinct row, by models that were not shown it.

    Fewer models are asked once `is_over` says so; a row that none was asked about is nan.

    >>> features = np.repeat(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool), 20, axis=0)
    >>> rows = DistinctRows(features, np.repeat(np.eye(3), 20, axis=0), True)
    >>> best_guess(rows)[[0, 20, 40]].argmax(axis=1).tolist()
    [0, 1, 2]
    """
    votes = left_out_votes(rows, is_over=is_over, trees=voters(len(rows.features)))
    guess = best_mixture(rows, votes, left_out_chances(rows, unit=rows.example, is_over=is_over))
    if rows.n_classes == 2:
        return guess
    likely = np.where(guess < _LEAST_CHANCE, 0.0, guess)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def voters(count: int) -> int:
    """Return how many trees vote on some distinct rows.

    >>> voters(5000), voters(500), voters(100)
    (40, 80, 160)
    """
    return min(_MOST_TREES, max(TREES, TREES * _FEW_ROWS // count))


def left_out_votes(
    rows: DistinctRows, *, random_state: int = 0, is_over: Callable[[], bool] = lambda: False, trees: int = TREES
) -> Weights:
    """Return, for each distinct row and class, the share of the trees not shown the row that vote for the class.

    A row that every tree was shown is nan. Fewer trees vote once `is_over` says so.

    >>> features = np.repeat(np.array([[0, 0], [1, 1]], dtype=bool), 20, axis=0)
    >>> rows = DistinctRows.of_two(features, features[:, 0] * 1.0, ~features[:, 0] * 1.0, True)
    >>> left_out_votes(rows)[[0, -1]].tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    present = rows.weights.any(axis=0)
    shares = np.full(rows.weights.shape, np.nan)
    if not rows.features.shape[1]:
        return shares
    if present.sum() < 2:
        shares[:] = present if present.any() else np.eye(1, rows.n_classes)
        return shares
    seen = np.flatnonzero(rows.weights.any(axis=1))
    tried = max(1, math.isqrt(rows.features.shape[1]))
    shown = min(len(seen), _MOST_SHOWN)
    # Where few rows are shown, each has more votes, and fewer trees do.
    asked = round(trees * math.exp(shown / len(seen) - 1))
    task = VotingTask(rows.features[seen], _integers(rows.weights[seen].T), asked, shown, tried)
    seed = int(np.random.SeedSequence([random_state, 1]).generate_state(1, np.uint64)[0])
    votes = kernels().vote(task, seed, is_over)
    voters = votes.sum(axis=1, keepdims=True)
    shares[seen] = np.divide(votes, voters, out=np.full(votes.shape, np.nan), where=voters > 0)
    return shares


def _integers(weights: Weights) -> NDArray[np.int64]:
    """Return weights that count examples as they are, others scaled to integers, none positive that becomes 0."""
    if np.array_equal(weights, np.floor(weights)) and weights.max() <= _LARGEST:
        return np.ascontiguousarray(weights, dtype=np.int64)
    scale = _LARGEST / float(weights.max())
    scaled = np.where(weights > 0, np.maximum(np.rint(weights * scale), 1), 0)
    return np.ascontiguousarray(scaled, dtype=np.int64)


def best_mixture(rows: DistinctRows, votes: Weights, chances: Weights) -> Weights:
    """Return the mixture of two guesses at the chance of each class whose squared distance to the labels is least.

    Where one of them is nan, the other is taken.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[0.0, 1.0], [1.0, 0.0]]), True)
    >>> best_mixture(rows, np.array([[0.4, 0.6], [np.nan] * 2]), np.array([[0.1, 0.9], [0.8, 0.2]])).tolist()
    [[0.1, 0.9], [0.8, 0.2]]
    """
    first = np.where(np.isnan(votes), chances, votes)
    second = np.where(np.isnan(chances), first, chances)
    mixtures = [(1 - part) * first + part * second for part in _MIXTURES]
    return min(mixtures, key=lambda guess: _distance(rows, guess))


def _distance(rows: DistinctRows, guess: Weights) -> float:
    """Return the squared distance of a guess to the labels, but for what does not depend on it."""
    return float(np.nansum(rows.masses * (guess**2).sum(axis=1) - 2 * (rows.weights * guess).sum(axis=1)))


def left_out_errors(rows: DistinctRows, guess: Weights) -> float:
    """Return the weighted share of the examples that a guess is there for and whose class is not its likeliest.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[1.0, 0, 0], [0, 3, 0]]), True)
    >>> left_out_errors(rows, np.array([[0.4, 0.6, 0.0], [0.0, 1.0, 0.0]]))
    0.25
    """
    asked = np.flatnonzero(~np.isnan(guess).any(axis=1))
    right = rows.weights[asked, guess[asked].argmax(axis=1)].sum()
    weight = float(rows.masses[asked].sum())
    return (weight - float(right)) / weight if weight else 0.0


def believed(rows: DistinctRows, guess: Weights, part: float | Weights = 0.5) -> DistinctRows:
    """Return the rows with a part of their weight, of all or of each, given to the classes that others speak for.

    Up to one half, a row whose examples agree keeps its class: it only weighs less the more speak against it.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[0.0, 1.0], [1.0, 0.0]]), True)
    >>> believed(rows, np.array([[0.8, 0.2], [np.nan, np.nan]])).positive.tolist()
    [0.6, 0.0]
    """
    parts = np.broadcast_to(part, len(rows.features))[:, np.newaxis]
    weight = rows.masses[:, np.newaxis]
    own = np.divide(rows.weights, weight, out=np.zeros_like(rows.weights), where=weight > 0)
    weights = (1 - parts) * rows.weights + parts * weight * np.where(np.isnan(guess), own, guess)
    return DistinctRows(rows.features, weights, rows.complete)


def unseen_share(features: NDArray[np.bool_], space: Space | None = None) -> float:
    """Return the share of all points that are not among the distinct rows: where it is 0, nothing is left to guess.

    Those are the points of a space, if one is given, that its literals distinguish.

    >>> unseen_share(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool))
    0.25
    >>> from idnf.logic.boxes import Column
    >>> ages = Space((Column("age", ("30", "40", "50"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> unseen_share(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool), ages)
    0.0
    """
    points = 2 ** features.shape[1] if space is None else space.points
    return 1.0 - len(features) / float(min(points, 2**1000))
