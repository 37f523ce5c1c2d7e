"""What each feature is worth as a split above the best splits below it, and the trees of depth two that follow.

The value of a tree is the net weight (class 1 minus class 0) of the examples it gives class 1, less the price of its
splits. The best tree of depth 1 on some examples follows from the weight of every feature among them, the best one of
depth 2 from that of every pair, and what a feature is worth above two such trees from that of every triple. Weights are
integers, so every sum is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Places = NDArray[np.intp]

# Cells of a line come in multiples of this.
_LINE = 16
# Entries of the table of pairs held at a time.
_BLOCK = 8_000_000


class SplitTask:
    """The examples that splits are valued on.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool
    net : ndarray of shape (n_examples,), dtype=int32
        The net weight of each example; all of them together are below 2**29.
    price : int
        Of a split, in the same units.

    Examples
    --------
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> task = SplitTask(features, np.array([1, -1, -1, 1], dtype=np.int32), 0)
    >>> [split_worths(task, np.arange(4), levels).tolist() for levels in (1, 2)]
    [[0, 0], [2, 2]]
    """

    def __init__(self, features: NDArray[np.bool_], net: NDArray[np.int32], price: int) -> None:
        self.features = features
        self.net = net
        self.price = price

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The features as 0 and 1; products with integer weights are exact."""
        return self.features.astype(np.float64)

    @cached_property
    def cells(self) -> NDArray[np.int8]:
        """-1 where an example has a feature, 0 elsewhere; lines are a little longer."""
        count, width = self.features.shape
        cells = np.zeros((count, -(-width // _LINE) * _LINE), dtype=np.int8)
        np.negative(self.features.view(np.int8), out=cells[:, :width])
        return cells

    @cached_property
    def bits(self) -> NDArray[np.uint64]:
        """The features of each example as bits, 64 in a word."""
        packed = np.packbits(self.features, axis=1, bitorder="little")
        lines = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
        lines[:, : packed.shape[1]] = packed
        return lines.view("<u8")

    def part(self, columns: Places) -> SplitTask:
        """Return the examples with some of their features."""
        return SplitTask(np.ascontiguousarray(self.features[:, columns]), self.net, self.price)


@dataclass(frozen=True)
class Grown:
    """A tree and its value: the net weight of the examples it gives class 1, less the price of its splits."""

    value: int
    feature: int | None
    label: bool = False
    below: tuple[Grown, ...] = ()


def constant_tree(total: int) -> Grown:
    """Return the better constant on examples of some net weight."""
    return Grown(max(total, 0), None, total > 0)


def most_gained(net: NDArray[np.int32], price: int) -> int:
    """Return more than what any tree with a split is worth on examples of these weights, or just as much."""
    # The positive weights are half of what all weights and their absolute values add up to.
    return (int(net.sum()) + int(np.abs(net).sum())) // 2 - price


def short_tree(task: SplitTask, inside: Places, depth: int, least: int) -> Grown:
    """Return the best tree of depth at most two on some examples; a split must be worth more than `least`.

    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> task = SplitTask(features, np.array([1, -1, -1, 1], dtype=np.int32), 0)
    >>> found = short_tree(task, np.arange(4), 2, 0)
    >>> found.value, found.feature, [tree.feature for tree in found.below]
    (2, 0, [1, 1])
    """
    net = task.net[inside]
    best = constant_tree(int(net.sum()))
    if depth == 0 or most_gained(net, task.price) <= best.value + least:
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
    features, net = task.numbers[inside], task.net[inside].astype(np.float64)
    total = net.sum()
    if levels == 1:
        high = net @ features
        return _integers(np.maximum(high, 0) + np.maximum(total - high, 0) - task.price)
    weighted = features * net[:, np.newaxis]
    pairs = weighted.T @ features
    if levels == 2:
        return _integers(_above_splits(pairs[np.newaxis], total[np.newaxis], task.price)[0])
    triples, singles = _triples(features, weighted), np.diagonal(pairs)
    with_it = _best_of_two(triples, singles, task.price)
    without = _best_of_two(pairs - triples, total - singles, task.price)
    return _integers(with_it + without - task.price)


def _integers(worth: NDArray[np.float64]) -> Integers:
    return worth.astype(np.int64)


def _best_of_two(pairs: NDArray[np.float64], totals: NDArray[np.float64], price: int) -> NDArray[np.float64]:
    """Return the value of the best tree of depth at most two, for each table of pairs."""
    best = _above_splits(pairs, totals, price).max(axis=1)
    value: NDArray[np.float64] = np.maximum(best, np.maximum(totals, 0))
    return value


def _above_splits(pairs: NDArray[np.float64], totals: NDArray[np.float64], price: int) -> NDArray[np.float64]:
    """Return what each feature is worth above the best trees of depth one, for each table of pairs."""
    singles = np.diagonal(pairs, axis1=1, axis2=2)
    # The two parts of an example set have a fixed sum, so their positive parts are greatest where the absolute are.
    rest = totals[:, np.newaxis] - singles
    high = _parted(pairs, singles)
    low = _parted(singles[:, np.newaxis, :] - pairs, rest)
    return _one_split(high, singles, price) + _one_split(low, rest, price) - price


def _one_split(absolute: NDArray[np.float64], totals: NDArray[np.float64], price: int) -> NDArray[np.float64]:
    value: NDArray[np.float64] = np.maximum((absolute + totals) / 2 - price, np.maximum(totals, 0))
    return value


def _parted(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the greatest sum of absolute weights that a further feature parts some examples into."""
    sums = np.subtract(whole[:, :, np.newaxis], part)
    np.abs(sums, out=sums)
    sums += np.abs(part)
    found: NDArray[np.float64] = sums.max(axis=2)
    return found


def _triples(features: NDArray[np.float64], weighted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the net weight of the examples that have three features, for all of them: shape (n, n, n)."""
    count = features.shape[1]
    rows, columns = np.triu_indices(count)
    sums = np.empty((count, len(rows)))
    step = max(1, _BLOCK // max(1, len(features)))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        sums[:, part] = weighted.T @ (features[:, rows[part]] * features[:, columns[part]])
    found = np.empty((count, count, count))
    found[:, rows, columns] = sums
    found[:, columns, rows] = sums
    return found
