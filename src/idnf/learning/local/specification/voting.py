"""Random trees that vote on the examples they were not shown.

Each tree is shown examples drawn with replacement and grown until its leaves are pure, every split by the best of a
random part of the features (Breiman, *Random forests*, Machine Learning, 2001). Weights are integers and every node
draws its features by a number of its own, so it does not matter in which order nodes are grown: here all nodes of a
level at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import weighted_bincount
from idnf.learning.local.voting_task import VotingTask

Integers = NDArray[np.int64]

GOLDEN = 0x9E3779B97F4A7C15
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_MASK = (1 << 64) - 1
# The bits in which the random number of a feature has its place instead, so that no two are equal.
_NUMBERED = 0xFFFFF


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers mixed so that near ones have nothing to do with each other (the last step of splitmix64).

    >>> mixed(np.array([GOLDEN, 0], dtype=np.uint64)).tolist()
    [16294208416658607535, 0]
    """
    for shift, factor in zip((30, 27), FACTORS, strict=True):
        values = (values ^ values >> np.uint64(shift)) * np.uint64(factor)
    return values ^ values >> np.uint64(31)


def vote(task: VotingTask, seed: int, is_over: Callable[[], bool]) -> Integers:
    """Return, for each example and label, how many of the trees that were not shown the example vote for the label."""
    count = len(task.features)
    votes = np.zeros((count, len(task.weights)), dtype=np.int64)
    for tree in range(task.trees):
        key = mixed(np.array([seed + (tree + 1) * GOLDEN & _MASK], dtype=np.uint64))
        draws = mixed(key + np.arange(1, task.shown + 1, dtype=np.uint64) * np.uint64(GOLDEN))
        places = ((draws >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)).astype(np.int64)
        times = np.bincount(places, minlength=count)
        outside = np.flatnonzero(times == 0)
        votes[outside, _grown(task, times, mixed(key))[outside]] += 1
        if is_over():
            break
    return votes


def _grown(task: VotingTask, times: Integers, key: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Grow a tree on the examples as often as they are shown, and return what it says about every example."""
    said = np.zeros(len(times), dtype=np.intp)
    weights = task.weights * times
    rows, nodes, keys = np.arange(len(times)), np.zeros(len(times), dtype=np.int64), key
    while len(rows):
        sums = _Sums(len(keys), nodes, weights[:, rows], times[rows] > 0)
        best = _splits(task, sums, task.features[rows], keys)
        is_leaf = best < 0
        ending = is_leaf[nodes]
        said[rows[ending]] = sums.totals.argmax(axis=0)[nodes[ending]]
        rows, nodes = rows[~ending], nodes[~ending]
        goes_right = task.features[rows, best[nodes]]
        # Two nodes in place of each that was split.
        place = np.cumsum(~is_leaf) - 1
        nodes = 2 * place[nodes] + goes_right
        left = keys[~is_leaf]
        keys = mixed(np.stack([left + np.uint64(step & _MASK) for step in (GOLDEN, 2 * GOLDEN)], axis=1).ravel())
    return said


@dataclass(frozen=True)
class _Sums:
    """The weights of the examples in each node, and which are shown."""

    count: int
    nodes: Integers
    weights: Integers
    shown: NDArray[np.bool_]

    @cached_property
    def totals(self) -> NDArray[np.float64]:
        return np.array([weighted_bincount(self.nodes, each.astype(np.float64), self.count) for each in self.weights])


def _splits(task: VotingTask, sums: _Sums, features: NDArray[np.bool_], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the feature each node is split by, -1 for a leaf."""
    n_features, size = features.shape[1], sums.count * features.shape[1]
    row, feature = np.nonzero(features & sums.shown[:, np.newaxis])
    cell = sums.nodes[row] * n_features + feature
    having = np.bincount(cell, minlength=size).reshape(sums.count, n_features)
    right = np.array([np.bincount(cell, own[row], size).reshape(sums.count, n_features) for own in sums.weights])
    inside = np.bincount(sums.nodes[sums.shown], minlength=sums.count)[:, np.newaxis]
    left = sums.totals[:, :, np.newaxis] - right
    mixes = (sums.totals > 0).sum(axis=0) > 1
    useful = (having > 0) & (having < inside) & mixes[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = (right * right).sum(axis=0) / right.sum(axis=0) + (left * left).sum(axis=0) / left.sum(axis=0)
    # Features in random order; of the first few, or else the first that is useful, the best.
    places = np.arange(n_features, dtype=np.uint64)
    drawn = mixed(keys[:, np.newaxis] + places * np.uint64(FACTORS[0])) & ~np.uint64(_NUMBERED) | places
    order = np.argsort(drawn, axis=1)
    useful = np.take_along_axis(useful, order, axis=1)
    candidates = useful & (np.arange(n_features) < task.tried)
    late = useful.any(axis=1) & ~candidates.any(axis=1)
    candidates[late, useful.argmax(axis=1)[late]] = True
    ordered = np.where(candidates, np.take_along_axis(gains, order, axis=1), -1.0)
    best = np.take_along_axis(order, ordered.argmax(axis=1)[:, np.newaxis], axis=1)[:, 0]
    return np.where(candidates.any(axis=1), best, -1)
