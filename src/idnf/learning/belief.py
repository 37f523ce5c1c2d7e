"""How far the label of each training example is believed.

Many small trees are grown, each on a random part of the distinct rows, and each votes on the rows it was not shown. An
example whose label most of these trees contradict is often mislabelled, or beyond what its features can tell; a model
bent to it errs elsewhere. The votes also say how noisy the data are. Logistic regression is asked in the same way
(:mod:`idnf.learning.logistic`); the mixture of the two that comes nearest to the labels it was not shown is the best
guess there is at the chance of each class.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.local.kernels import kernels
from idnf.learning.local.voting import VotingTask
from idnf.learning.logistic import left_out_chances
from idnf.logic.boxes import Space

TREES = 40
"""How many trees vote where all rows are drawn from."""

# Where distinct rows are fewer than this, more trees vote: it costs little, and chance has less of a say.
_FEW_ROWS, _MORE_TREES = 1000, 160
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
    trees = TREES if len(rows.features) >= _FEW_ROWS else _MORE_TREES
    votes = left_out_votes(rows, is_over=is_over, trees=trees)
    guess = best_mixture(rows, votes, left_out_chances(rows, unit=rows.example, is_over=is_over))
    if rows.n_classes == 2:
        return guess
    likely = np.where(guess < _LEAST_CHANCE, 0.0, guess)
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


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

    Those are the points of a space, if one is given, that its literals tell apart.

    >>> unseen_share(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool))
    0.25
    >>> from idnf.logic.boxes import Column
    >>> ages = Space((Column("age", ("30", "40", "50"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> unseen_share(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool), ages)
    0.0
    """
    points = 2 ** features.shape[1] if space is None else space.points
    return 1.0 - len(features) / float(min(points, 2**1000))
