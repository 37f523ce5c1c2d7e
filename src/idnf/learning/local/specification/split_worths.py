"""What each feature is worth as a split above the best splits below it, and the trees of depth two that follow.

The value of a tree is what the labels it gives gain over one that is given for nothing, less the price of its splits.
The best tree of depth 1 on some examples follows from the gains of every feature among them, the best one of depth 2
from those of every pair, and what a feature is worth above two such trees from those of every triple. Gains are
integers, so every sum is exact.
"""

from __future__ import annotations

import numpy as np

from idnf.learning.local.split_task import Grown, Integers, Numbers, Places, SplitTask

# Entries of the table of pairs held at a time.
_BLOCK = 8_000_000


def short_tree(task: SplitTask, inside: Places, depth: int, least: int) -> Grown:
    """Return the best tree of depth at most two on some examples; a split must be worth more than `least`.

    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> task = SplitTask(features, np.array([[1, -1, -1, 1]], dtype=np.int32), 0)
    >>> found = short_tree(task, np.arange(4), 2, 0)
    >>> found.value, found.feature, [tree.feature for tree in found.below]
    (2, 0, [1, 1])
    """
    best = task.constant(inside)
    if depth == 0 or task.most(inside) <= best.value + least:
        return best
    worth = split_worths(task, inside, depth)
    feature = int(worth.argmax())
    if worth[feature] <= best.value + least:
        return best
    goes = task.features[inside, feature]
    below = tuple(short_tree(task, inside[part], depth - 1, least) for part in (~goes, goes))
    split = Grown(sum(tree.value for tree in below) - task.price, feature, below=below)
    return split if split.value > best.value + least else best


def split_worths(task: SplitTask, inside: Places, levels: int) -> Integers:
    """Return what each feature is worth on some examples: as the only split, above others, above trees of depth 2."""
    features, gains = task.numbers[inside], task.gains[:, inside].astype(np.float64)
    return split_values(features, gains, task.price, levels).astype(np.int64)


def split_values(features: Numbers, gains: Numbers, price: float, levels: int) -> Numbers:
    """Return what each feature is worth on examples of any gains, a line of them for each label.

    >>> split_values(np.eye(2), np.array([[-1.0, 0.5], [0.5, -1.0]]), 0.25, 1).tolist()
    [0.75, 0.75]
    """
    totals = gains.sum(axis=1)
    if levels == 1:
        high = gains @ features
        return np.asarray(_most(high) + _most(totals[:, np.newaxis] - high) - price)
    pairs = np.array([_pairs(features, each) for each in gains])
    if levels == 2:
        return np.asarray(_above_splits(pairs[:, np.newaxis], totals[:, np.newaxis], price)[0])
    triples = np.array([_triples(features, each) for each in gains])
    singles = np.diagonal(pairs, axis1=1, axis2=2)
    with_it = _best_of_two(triples, singles, price)
    return with_it + _best_of_two(pairs[:, np.newaxis] - triples, totals[:, np.newaxis] - singles, price) - price


def _most(gains: Numbers) -> Numbers:
    """Return what the best label gains, a line for each but the one given for nothing."""
    most: Numbers = np.maximum(gains.max(axis=0), 0)
    return most


def _best_of_two(pairs: Numbers, totals: Numbers, price: float) -> Numbers:
    """Return the value of the best tree of depth at most two, for each table of pairs."""
    value: Numbers = np.maximum(_above_splits(pairs, totals, price).max(axis=1), _most(totals))
    return value


def _above_splits(pairs: Numbers, totals: Numbers, price: float) -> Numbers:
    """Return what each feature is worth above the best trees of depth one, for each label's tables of pairs."""
    singles = np.diagonal(pairs, axis1=2, axis2=3)
    rest = totals[:, :, np.newaxis] - singles
    second = singles[:, :, np.newaxis, :] - pairs
    high = (_most(pairs) + _most(singles[:, :, :, np.newaxis] - pairs)).max(axis=2) - price
    low = (_most(second) + _most(rest[:, :, :, np.newaxis] - second)).max(axis=2) - price
    return np.asarray(np.maximum(high, _most(singles)) + np.maximum(low, _most(rest)) - price)


def _pairs(features: Numbers, gain: Numbers) -> Numbers:
    """Return what a label gains on the examples that have two features, for all of them: shape (n, n)."""
    seen = np.flatnonzero(gain)
    some = features[seen]
    pairs: Numbers = (some * gain[seen, np.newaxis]).T @ some
    return pairs


def _triples(features: Numbers, gain: Numbers) -> Numbers:
    """Return what a label gains on the examples that have three features, for all of them: shape (n, n, n)."""
    count = features.shape[1]
    rows, columns = np.triu_indices(count)
    sums = np.empty((count, len(rows)))
    step = max(1, _BLOCK // max(1, len(features)))
    weighted = features * gain[:, np.newaxis]
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        sums[:, part] = weighted.T @ (features[:, rows[part]] * features[:, columns[part]])
    found = np.empty((count, count, count))
    found[:, rows, columns] = sums
    found[:, columns, rows] = sums
    return found
