"""Look-ahead trees: decision trees whose every split is chosen by what the best depth-2 trees below it are worth.

The best tree of depth 2 on some examples follows from the net weight (class 1 minus class 0) of every pair of features
alone, so what each feature is worth as a split above two such trees follows from the weight of every triple: one matrix
product. A tree of depth 3 found this way is optimal; a deeper one takes its splits from the top down, and where
`breadth` is more than 1 the most promising splits are tried with all that follows below them. (Look-ahead in place of
a full search for optimal trees: Babbar, McTavish, Rudin, Seltzer, *Near-Optimal Decision Trees in a SPLIT Second*,
ICML 2025; depth-2 trees from pair counts: Demirovic et al., *MurTree*, JMLR, 2022.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node, Split

Numbers = NDArray[np.floating]

# Examples times triples of features looked at for one split; above, a split is valued by the best splits below it.
MOST_TRIPLES = 500_000_000
# Of more features than this, those that go furthest with the classes have their pairs looked at.
_MOST_PAIRED = 256
# Of more features, only so many have their triples looked at: those worth most above the best splits.
_MOST_FEATURES = 60
# Where splits are chosen anew, this many other ones have those below them chosen anew too; of more features, one.
_REFINED, _FEW_FEATURES = 6, 32
# Entries of the table of pairs held at a time.
_BLOCK = 8_000_000


def lookahead_tree(  # noqa: PLR0913 - how far to look is a word each
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    *,
    price: float = 0.0,
    breadth: int = 1,
    most_triples: int = MOST_TRIPLES,
    is_over: Callable[[], bool] = lambda: False,
    rounds: int = 0,
) -> NestedTree:
    """Return a tree of depth at most k; for k up to 3, one of the least training errors plus price of its splits.

    Parameters
    ----------
    rows : DistinctRows
        The training examples with their weights.
    names : sequence of str
        The features.
    k : int
        The largest depth.
    price : float
        The price of a split, as a share of all weight.
    breadth : int
        How many splits are tried at a node more than three levels above the leaves.
    most_triples : int
        Where there are more examples times triples of features, splits are chosen by the best splits below them.
    is_over : callable
        Once it says so, no more splits are made.
    rounds : int
        How many times every other feature is tried in place of each split more than three levels above the leaves.

    Examples
    --------
    >>> features = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    >>> parity = features.sum(axis=1) % 2
    >>> rows = DistinctRows(features, parity * 1.0, 1.0 - parity, True)
    >>> print(lookahead_tree(rows, "abc", 3).side(True))
    a & b & c | ~a & ~b & c | ~a & b & ~c | a & ~b & ~c
    """
    found = lookahead_trees(
        rows, names, (k,), price=price, breadth=breadth, most_triples=most_triples, is_over=is_over, rounds=rounds
    )
    return found[0]


def lookahead_trees(  # noqa: PLR0913 - how far to look is a word each
    rows: DistinctRows,
    names: Sequence[str],
    depths: Sequence[int],
    *,
    price: float = 0.0,
    breadth: int = 1,
    most_triples: int = MOST_TRIPLES,
    is_over: Callable[[], bool] = lambda: False,
    rounds: int = 0,
) -> list[NestedTree]:
    """Return a tree for each depth, as :func:`lookahead_tree` does; what splits are worth is found out once for all.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> [str(tree.side(True)) for tree in lookahead_trees(rows, "ab", (0, 1))]
    ['0', 'a']
    """
    net = rows.positive - rows.negative
    kept = np.flatnonzero(net)
    total = float(rows.positive.sum() + rows.negative.sum())
    features, weights = rows.features[kept].astype(np.float32), net[kept].astype(np.float32)
    growing = _Growing(features, weights, np.float32(price * total), breadth, most_triples, is_over)
    everything = np.arange(len(kept))
    grown = [growing.best(everything, k) if len(names) else growing.constant(everything) for k in depths]
    for _ in range(rounds):
        grown = [growing.improved(everything, k, each) for each, k in zip(grown, depths, strict=True)]
    return [NestedTree(tuple(names), _node(each, tuple(names), k), k) for each, k in zip(grown, depths, strict=True)]


@dataclass(frozen=True)
class Grown:
    """A tree and its value: the net weight of the examples it gives class 1, less the price of its splits."""

    value: float
    feature: int | None
    label: bool = False
    below: tuple[Grown, ...] = ()


class _Growing:
    """The examples trees are grown on."""

    def __init__(
        self,
        features: Numbers,
        net: Numbers,
        price: np.float32,
        breadth: int,
        most: int,
        is_over: Callable[[], bool],
    ) -> None:
        self.features = features
        self.net = net
        self.price = price
        self.breadth = breadth
        self.most = most
        self.is_over = is_over
        # A split must be worth more than rounding.
        self.least = float(1e-5 * np.abs(net).max(initial=0.0))
        self.known: dict[tuple[bytes, int], Grown] = {}
        self.worths: dict[tuple[bytes, int], Numbers] = {}

    def constant(self, inside: NDArray[np.intp]) -> Grown:
        """Return the better of the two constants."""
        value = float(self.net[inside].sum())
        return Grown(max(value, 0.0), None, value > 0)

    def best(self, inside: NDArray[np.intp], depth: int) -> Grown:
        """Return the best tree found on some examples."""
        best = self.constant(inside)
        net = self.net[inside]
        most = float(np.maximum(net, 0.0).sum()) - float(self.price)
        if depth == 0 or most <= best.value + self.least or self.is_over():
            return best
        key = (inside.tobytes(), depth)
        if key in self.known:
            return self.known[key]
        # No more than three levels are looked at, so trees of other depths may have asked before.
        seen = (key[0], min(depth, 3))
        if seen not in self.worths:
            self.worths[seen] = self._worth(self.features[inside], net, depth)
        worth = self.worths[seen]
        tried = self.breadth if depth > 3 else 1
        for feature in np.argsort(-worth, kind="stable")[:tried].tolist():
            if worth[feature] <= best.value + self.least and depth <= 3 or best.value + self.least >= most:
                break
            split = self._split(inside, feature, depth)
            if split.value > best.value + self.least:
                best = split
        self.known[key] = best
        return best

    def improved(self, inside: NDArray[np.intp], depth: int, tree: Grown) -> Grown:
        """Return the tree with the best splits found when each of its splits is chosen anew, from below."""
        if tree.feature is None or depth <= 3:
            return tree
        best = tree
        for candidate in self._candidates(inside, depth, tree):
            goes = self.features[inside, candidate.feature] > 0
            parts = (inside[~goes], inside[goes])
            halves = zip(parts, candidate.below, strict=True)
            below = tuple(self.improved(part, depth - 1, child) for part, child in halves)
            value = sum(child.value for child in below) - float(self.price)
            if value > best.value + self.least:
                best = Grown(value, candidate.feature, below=below)
        return best

    def _candidates(self, inside: NDArray[np.intp], depth: int, tree: Grown) -> list[Grown]:
        """Return the tree itself and the best others that begin with another split."""
        others: list[Grown] = []
        for feature in range(self.features.shape[1]):
            if self.is_over():
                break
            if feature != tree.feature:
                others.append(self._split(inside, feature, depth))
        others = sorted((each for each in others if each.feature is not None), key=lambda each: -each.value)
        return [tree, *others[: _REFINED if self.features.shape[1] <= _FEW_FEATURES else 1]]

    def _split(self, inside: NDArray[np.intp], feature: int, depth: int) -> Grown:
        goes = self.features[inside, feature] > 0
        low, high = self.best(inside[~goes], depth - 1), self.best(inside[goes], depth - 1)
        if low.feature is None and high.feature is None and low.label == high.label:
            return low
        return Grown(low.value + high.value - float(self.price), feature, below=(low, high))

    def _worth(self, features: Numbers, net: Numbers, depth: int) -> Numbers:
        """Return what each feature is worth as a split above the best trees of depth two, or as far as that is seen."""
        if depth == 1:
            return self._alone(features, net)
        count = features.shape[1]
        if count > _MOST_PAIRED:
            seen = np.sort(np.argsort(-_likeness(features, net), kind="stable")[:_MOST_PAIRED])
            return _spread(self._worth(features[:, seen], net, depth), seen, count)
        weighted = features * net[:, np.newaxis]
        pairs = weighted.T @ features
        worth: Numbers = self._above_splits(pairs[np.newaxis], net.sum()[np.newaxis])[0]
        if depth == 2 or len(features) * min(count, _MOST_FEATURES) ** 3 > self.most:
            return worth
        seen = np.sort(np.argsort(-worth, kind="stable")[:_MOST_FEATURES])
        further = self._above_pairs(features[:, seen], weighted[:, seen], pairs[np.ix_(seen, seen)], net.sum())
        return _spread(further, seen, count)

    def _alone(self, features: Numbers, net: Numbers) -> Numbers:
        """Return what each feature is worth as the only split."""
        high: Numbers = net @ features
        worth: Numbers = np.maximum(high, 0) + np.maximum(net.sum() - high, 0) - self.price
        return worth

    def _above_pairs(self, features: Numbers, weighted: Numbers, pairs: Numbers, total: np.floating) -> Numbers:
        """Return what each feature is worth above the best trees of depth two."""
        triples = _triples(features, weighted)
        singles = np.diagonal(pairs)
        with_it = self._best_of_two(triples, singles)
        without = self._best_of_two(pairs - triples, total - singles)
        return with_it + without - self.price

    def _best_of_two(self, pairs: Numbers, totals: Numbers) -> Numbers:
        """Return the value of the best tree of depth at most two, for each table of pairs."""
        value: Numbers = np.maximum(self._above_splits(pairs, totals).max(axis=1), np.maximum(totals, 0))
        return value

    def _above_splits(self, pairs: Numbers, totals: Numbers) -> Numbers:
        """Return what each feature is worth above the best trees of depth one, for each table of pairs."""
        singles = np.diagonal(pairs, axis1=1, axis2=2)
        # The two parts of an example set have a fixed sum, so their positive parts are greatest where the absolute are.
        rest = totals[:, np.newaxis] - singles
        high = _parted(pairs, singles)
        low = _parted(singles[:, np.newaxis, :] - pairs, rest)
        value = self._one_split(high, singles) + self._one_split(low, rest)
        worth: Numbers = value - self.price
        return worth

    def _one_split(self, absolute: Numbers, totals: Numbers) -> Numbers:
        value: Numbers = np.maximum((absolute + totals) / 2 - self.price, np.maximum(totals, 0))
        return value


def _parted(part: Numbers, whole: Numbers) -> Numbers:
    """Return the greatest sum of absolute weights that a further feature parts some examples into."""
    sums = np.subtract(whole[:, :, np.newaxis], part)
    np.abs(sums, out=sums)
    sums += np.abs(part)
    found: Numbers = sums.max(axis=2)
    return found


def _likeness(features: Numbers, net: Numbers) -> Numbers:
    """Return how far each feature goes with the weight of the classes: the square of their correlation, times some."""
    share = features.mean(axis=0)
    together = net @ features - net.sum() * share
    squares: Numbers = together * together / np.maximum(share * (1 - share), np.float32(1e-6))
    return squares


def _spread(worth: Numbers, seen: NDArray[np.intp], count: int) -> Numbers:
    """Return what some of all features are worth, the others nothing."""
    spread: Numbers = np.full(count, -np.inf, dtype=worth.dtype)
    spread[seen] = worth
    return spread


def _triples(features: Numbers, weighted: Numbers) -> Numbers:
    """Return the net weight of the examples that have three features, for all of them: shape (n, n, n)."""
    count = features.shape[1]
    rows, columns = np.triu_indices(count)
    sums = np.empty((count, len(rows)), dtype=np.float32)
    step = max(1, _BLOCK // max(1, len(features)))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        sums[:, part] = weighted.T @ (features[:, rows[part]] * features[:, columns[part]])
    found = np.empty((count, count, count), dtype=np.float32)
    found[:, rows, columns] = sums
    found[:, columns, rows] = sums
    return found


def _node(grown: Grown, names: tuple[str, ...], k: int) -> Node:
    if grown.feature is None:
        return Leaf(NestedDNF.constant(names, grown.label, k))
    low, high = (_node(part, names, k - 1) for part in grown.below)
    return Split(grown.feature, low, high)
