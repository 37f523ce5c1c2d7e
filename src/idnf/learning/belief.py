"""How far the label of each training example is believed.

Many small trees are grown, each on a random part of the distinct rows, and each votes on the rows it was not shown. An
example whose label most of these trees contradict is often mislabelled, or beyond what its features can tell; a model
bent to it errs elsewhere. The votes also say how noisy the data are. Logistic regression is asked in the same way
(:mod:`idnf.learning.logistic`); the mixture of the two that comes nearest to the labels it was not shown is the best
guess there is at the chance of class 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.local.kernels import kernels
from idnf.learning.local.voting import VotingTask

TREES = 40
"""How many trees vote where all rows are drawn from."""

# How many distinct rows one of them is shown at most.
_MOST_SHOWN = 5000
# Parts of the second guess that are tried in a mixture.
_MIXTURES = (0.0, 0.25, 0.5, 0.75, 1.0)
# The largest weight as an integer: sums over all draws stay exact.
_LARGEST = 2.0**30


def left_out_votes(
    rows: DistinctRows, *, random_state: int = 0, is_over: Callable[[], bool] = lambda: False, trees: int = TREES
) -> Weights:
    """Return, for each distinct row, the share of the trees not shown it that vote for class 1; nan without a vote.

    Fewer trees vote once `is_over` says so.

    >>> features = np.repeat(np.array([[0, 0], [1, 1]], dtype=bool), 20, axis=0)
    >>> rows = DistinctRows.of_two(features, features[:, 0] * 1.0, ~features[:, 0] * 1.0, True)
    >>> left_out_votes(rows)[[0, -1]].tolist()
    [0.0, 1.0]
    """
    ones, zeros = rows.positive > 0, rows.negative > 0
    if not ones.any() or not zeros.any():
        return np.full(len(rows.features), float(ones.any()))
    seen = np.flatnonzero(ones | zeros)
    positive, negative = _integers(rows.positive[seen], rows.negative[seen])
    tried = max(1, math.isqrt(rows.features.shape[1]))
    shown = min(len(seen), _MOST_SHOWN)
    # Where few rows are shown, each has more votes, and fewer trees do.
    voters_asked = round(trees * math.exp(shown / len(seen) - 1))
    task = VotingTask(rows.features[seen], positive, negative, voters_asked, shown, tried)
    seed = int(np.random.SeedSequence([random_state, 1]).generate_state(1, np.uint64)[0])
    votes, voters = kernels().vote(task, seed, is_over)
    shares = np.full(len(rows.features), np.nan)
    shares[seen] = np.divide(votes, voters, out=np.full(len(seen), np.nan), where=voters > 0)
    return shares


def _integers(*weights: Weights) -> list[NDArray[np.int64]]:
    """Return weights that count examples as they are, others scaled to integers, none positive that becomes 0."""
    if all(np.array_equal(each, np.floor(each)) and each.max() <= _LARGEST for each in weights):
        return [each.astype(np.int64) for each in weights]
    scale = _LARGEST / max(float(each.max()) for each in weights)
    return [np.where(each > 0, np.maximum(np.rint(each * scale), 1), 0).astype(np.int64) for each in weights]


def best_mixture(rows: DistinctRows, votes: Weights, chances: Weights) -> Weights:
    """Return the mixture of two guesses at the chance of class 1 whose squared distance to the labels is least.

    Where one of them is nan, the other is taken.

    >>> rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> best_mixture(rows, np.array([0.6, np.nan]), np.array([0.9, 0.2])).tolist()
    [0.9, 0.2]
    """
    first = np.where(np.isnan(votes), chances, votes)
    second = np.where(np.isnan(chances), first, chances)
    mixtures = [(1 - part) * first + part * second for part in _MIXTURES]

    def distance(guess: Weights) -> float:
        return float(np.nansum(rows.positive * (1 - guess) ** 2 + rows.negative * guess**2))

    return min(mixtures, key=distance)


def left_out_errors(rows: DistinctRows, votes: Weights) -> float:
    """Return the weighted share of the examples that have votes and that most of them get wrong."""
    asked = ~np.isnan(votes)
    wrong = np.where(votes > 0.5, rows.negative, rows.positive)
    weight = float((rows.positive + rows.negative)[asked].sum())
    return float(wrong[asked].sum()) / weight if weight else 0.0


def believed(rows: DistinctRows, votes: Weights, part: float | Weights = 0.5) -> DistinctRows:
    """Return the rows with a part of their weight, of all or of each, given to the classes that the trees vote for.

    Up to one half, a row whose examples agree keeps its class: it only weighs less the more trees are against it.

    >>> rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> believed(rows, np.array([0.2, np.nan])).positive.tolist()
    [0.6, 0.0]
    """
    weight = rows.positive + rows.negative
    own = np.divide(rows.positive, weight, out=np.zeros(len(weight)), where=weight > 0)
    positive = (1 - part) * rows.positive + part * weight * np.where(np.isnan(votes), own, votes)
    return DistinctRows.of_two(rows.features, positive, weight - positive, rows.complete)


def unseen_share(features: NDArray[np.bool_]) -> float:
    """Return the share of all points that are not among the distinct rows: where it is 0, nothing is left to guess.

    >>> unseen_share(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool))
    0.25
    """
    return 1.0 - len(features) / float(2 ** min(features.shape[1], 1000))
