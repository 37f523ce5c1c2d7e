"""Trees grown from the top: CART's, and look-ahead trees, whose splits are worth what the best trees below them are.

The best tree of depth 2 on some examples follows from what each label gains on every pair of features alone, so what
each feature is worth as a split above two such trees follows from the gains on every triple
(:mod:`idnf.learning.local.specification.split_worths`). A tree of depth 3 found this way is optimal; a deeper one takes
its splits from the top down, and where `breadth` is more than 1 the most promising splits are tried with all that
follows below them. (Look-ahead in place of a full search for optimal trees: Babbar, McTavish, Rudin, Seltzer,
*Near-Optimal Decision Trees in a SPLIT Second*, ICML 2025; depth-2 trees from pair counts: Demirovic et al., *MurTree*,
JMLR, 2022.)

CART of depth k is scikit-learn's, or grown by counts alone, which stands in for it if a time limit is short for the
table: each split is the feature of most gain by Gini's measure among the examples that reach it, by one question for
counts, and it can be stopped at any node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import Counts, DistinctRows, Weights
from idnf.learning.local.kernels import kernels
from idnf.learning.local.split_task import Grown, Integers, Places, SplitTask
from idnf.learning.objective import TOLERANCE
from idnf.logic.deadlines import Deadline
from idnf.logic.literals import literal
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node, Split

CELLS_A_SECOND = 2_000_000
"""Examples times features for which there is time in each second of a time limit."""

# The fewest rows that a tree is grown on if time is short.
_LEAST_ROWS = 200


def cart(rows: DistinctRows, names: Sequence[str], k: int, *, random_state: int = 0) -> NestedTree:
    """Return scikit-learn's tree of depth at most k on weighted distinct rows.

    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]), True)
    >>> print(*map(cart(rows, ("a", "b"), 2).side, range(3)), sep=" / ")
    ~a & ~b / ~a & b / a
    """
    from sklearn.tree import DecisionTreeClassifier

    present = np.flatnonzero(rows.weights.any(axis=0)).tolist()
    if len(present) < 2 or k == 0 or not names:
        return NestedTree(tuple(names), Leaf.constant(names, int(rows.totals.argmax()), k), k, rows.n_classes)
    places = [np.flatnonzero(rows.weights[:, label]) for label in reversed(present)]
    labels = np.repeat(present[::-1], list(map(len, places)))
    examples = np.concatenate(places)
    tree = DecisionTreeClassifier(max_depth=k, random_state=random_state)
    tree.fit(rows.features[examples], labels, sample_weight=rows.weights[examples, labels])
    return NestedTree.from_sklearn(tree.tree_, names, k, labels=present, n_classes=rows.n_classes)


def cart_in_time(
    rows: DistinctRows, names: Sequence[str], k: int, *, deadline: Deadline, random_state: int = 0
) -> NestedTree:
    """Return scikit-learn's tree on as many of the rows as there is time for before a deadline.

    >>> rows = DistinctRows(np.array([[True], [False]]), np.eye(2, 3), True)
    >>> print(cart_in_time(rows, ("a",), 1, deadline=Deadline()).side(0))
    a
    """
    if rows.features.size > CELLS_A_SECOND * deadline.left:
        most = max(_LEAST_ROWS, int(CELLS_A_SECOND * deadline.left / rows.features.shape[1]))
        rows = rows.sampled(most, random_state)
    return cart(rows, names, k, random_state=random_state)


def counted_tree(
    counts: Counts, names: Sequence[str], k: int, *, is_over: Callable[[], bool] = lambda: False
) -> NestedTree:
    """Return a tree of depth at most k; nodes below the root that are reached once it is over become leaves.

    >>> from idnf.counting.packed import PackedTable
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], dtype=bool)
    >>> table = PackedTable.from_arrays(features, np.array([0, 0, 0, 1, 1], dtype=bool))
    >>> print(counted_tree(table, ("a", "b"), 2).side(True))
    a & b
    """
    names = tuple(names)

    def grown(path: tuple[int, ...], depth: int) -> Node:
        positive, negative = counts.literal_weights(path) if names else (np.zeros(2), np.zeros(2))
        here = (counts.positive, counts.negative) if not path else (positive[:2].sum(), negative[:2].sum())
        label = bool(here[0] > here[1])
        if depth < k and min(here) > 0 and names and not (path and is_over()):
            gains = _gains(positive, negative)
            feature = int(gains.argmax())
            if gains[feature] > (here[0] ** 2 + here[1] ** 2) / (here[0] + here[1]) + TOLERANCE * sum(here):
                low = grown((*path, literal(feature, negated=True)), depth + 1)
                high = grown((*path, literal(feature)), depth + 1)
                if low != high or low.literal_count:
                    return Split(feature, low, high)
        return Leaf(NestedDNF.constant(names, label, k - depth))

    return NestedTree(names, grown((), 0), k)


def _gains(positive: Weights, negative: Weights) -> Weights:
    """Return for each feature how pure both of its sides are together."""
    weight = positive + negative
    pure = np.divide(positive**2 + negative**2, weight, out=np.zeros(len(weight)), where=weight > 0)
    return np.asarray(pure[0::2] + pure[1::2])


# Examples times triples of features looked at for one split; above, a split is valued by the best splits below it.
MOST_TRIPLES = 500_000_000
# Of more features than this, those that go furthest with the classes have their pairs looked at.
_MOST_PAIRED = 256
# Of more features, only this many have their triples looked at: those worth most above the best splits.
_MOST_FEATURES = 60
# Examples times triples of features looked at in all, about, for a tree with as many splits tried as that allows.
_MOST_LOOKED_AT = 10**12
# Binary places of all weights together.
_WEIGHT_BITS = 29


def lookahead_tree(  # noqa: PLR0913 - how far to look is a word each
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    *,
    price: float = 0.0,
    breadth: int = 1,
    most_triples: int = MOST_TRIPLES,
    is_over: Callable[[], bool] = lambda: False,
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
        How many splits are tried at a node more than three levels above the leaves; if that is all of at most 60,
        and triples are looked at, no tree is better.
    most_triples : int
        If there are more examples times triples of features, splits are chosen by the best splits below them.
    is_over : callable
        Once it says so, no more splits are made.

    Examples
    --------
    >>> features = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    >>> parity = features.sum(axis=1) % 2
    >>> rows = DistinctRows.of_two(features, parity * 1.0, 1.0 - parity, True)
    >>> print(lookahead_tree(rows, "abc", 3).side(True))
    a & b & c | ~a & ~b & c | ~a & b & ~c | a & ~b & ~c
    """
    (tree,) = lookahead_trees(
        rows, names, (k,), price=price, breadth=breadth, most_triples=most_triples, is_over=is_over
    )
    return tree


def affordable_breadth(examples: int, features: int, k: int) -> int:
    """Return how many splits can be tried at a node for a tree of depth k to take seconds, not minutes; all at best.

    >>> affordable_breadth(600, 43, 6), affordable_breadth(600, 60, 6), affordable_breadth(600, 60, 8)
    (43, 36, 17)
    """
    levels = max(0, k - 3)
    triples = (examples >> levels) * min(features, _MOST_FEATURES) ** 3
    affordable = (
        breadth
        for breadth in range(features, 1, -1)
        if triples * 2**levels * math.comb(breadth, levels) <= _MOST_LOOKED_AT
    )
    return next(affordable, 1)


def lookahead_trees(  # noqa: PLR0913 - how far to look is a word each
    rows: DistinctRows,
    names: Sequence[str],
    depths: Sequence[int],
    *,
    price: float = 0.0,
    breadth: int = 1,
    most_triples: int = MOST_TRIPLES,
    is_over: Callable[[], bool] = lambda: False,
) -> list[NestedTree]:
    """Return a tree for each depth, as :func:`lookahead_tree` does; what splits are worth is computed once for all.

    >>> rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> [str(tree.side(True)) for tree in lookahead_trees(rows, "ab", (0, 1))]
    ['0', 'a']
    """
    growing = _Growing(split_task(rows, price), breadth, most_triples, is_over)
    everything = np.arange(len(growing.features))
    grown = [growing.best(everything, k) if len(names) else growing.task.constant(everything) for k in depths]
    leaf = cache(lambda label, k: Leaf.constant(names, label, k))
    trees = zip(grown, depths, strict=True)
    return [NestedTree(tuple(names), _node(each, k, leaf), k, rows.n_classes) for each, k in trees]


def split_task(rows: DistinctRows, price: float) -> SplitTask:
    """Return examples with their weights as integers: of two classes the difference, of more all but the least.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[1.0, 0, 0], [0, 3, 1]]), True)
    >>> (split_task(rows, 0.0).gains / 2**26).tolist()
    [[1.0, 0.0], [0.0, 3.0], [0.0, 1.0]]
    """
    weights = rows.weights.T
    gains = weights[1:] - weights[:1] if len(weights) == 2 else weights - weights.min(axis=0)
    kept = np.flatnonzero(gains.any(axis=0))
    scale = 2.0 ** min(1000, _WEIGHT_BITS - math.frexp(float(np.abs(gains).sum()) or 1.0)[1])
    integers = np.ascontiguousarray(np.rint(gains[:, kept] * scale), dtype=np.int32)
    charged = round(min(price * rows.total * scale, 2.0**40))
    return SplitTask(rows.features[kept], integers, charged, first_label=int(len(weights) == 2))


class _Growing:
    """The examples trees are grown on."""

    def __init__(self, task: SplitTask, breadth: int, most: int, is_over: Callable[[], bool]) -> None:
        self.task = task
        self.features = task.features
        self.price = task.price
        self.breadth = breadth
        self.most = most
        self.is_over = is_over
        self.split_worths = kernels().split_worths
        # A split must be worth more than the rounding of weights.
        self.least = int(1e-5 * np.abs(task.gains).max(initial=0))
        # What the label of an example matters at most.
        self.matters = (task.hopes - np.minimum(task.gains.min(axis=0, initial=0), 0)).astype(np.float64)
        self.known: dict[tuple[bytes, int], Grown] = {}
        self.worths: dict[tuple[bytes, int], Integers] = {}

    def best(self, inside: Places, depth: int) -> Grown:
        """Return the best tree found on some examples."""
        best, most = self.task.constant(inside), self.task.most(inside)
        if depth == 0 or most <= best.value + self.least or self.is_over():
            return best
        key = (inside.tobytes(), depth)
        if key in self.known:
            return self.known[key]
        if depth <= 2 and self.features.shape[1] <= _MOST_PAIRED:
            short = self.known[key] = kernels().short_tree(self.task, inside, depth, self.least)
            return short
        # No more than three levels are looked at, so trees of other depths may have asked before.
        seen = (key[0], min(depth, 3))
        if seen not in self.worths:
            self.worths[seen] = self._worth(inside, min(depth, 3))
        worth = self.worths[seen]
        tried = self.breadth if depth > 3 else 1
        order = [int(worth.argmax())] if tried == 1 else np.argsort(-worth, kind="stable")[:tried].tolist()
        if len(worth) > 1 and len(order) == len(worth):
            best = self._best_split(inside, depth, order, best)
        else:
            for feature in order:
                if worth[feature] <= best.value + self.least and depth <= 3 or best.value + self.least >= most:
                    break
                split = self._split(inside, feature, depth)
                if split.value > best.value + self.least:
                    best = split
        self.known[key] = best
        return best

    def _best_split(self, inside: Places, depth: int, order: Sequence[int], best: Grown) -> Grown:
        """Return the best tree with any split at its root, leaving out those that cannot be better.

        Two splits give each side the same examples but for those on which their features differ. The best tree for a
        side of one of them is worth, on that side of the other, at least as much less the weight of these. So no side
        is worth more than that of another split and this weight. (The similarity bound of Demirovic et al.)
        """
        features = self.features[inside].astype(np.float64)
        weight = self.matters[inside]
        both = features.T * weight @ features
        heavy = both.diagonal()
        apart = heavy[:, np.newaxis] + heavy - 2 * both
        # At first, each side is worth at most all of its weight.
        most = np.array([weight.sum() - heavy, heavy])
        for feature in order:
            least = best.value + self.least + self.price
            if most[:, feature].sum() <= least:
                continue
            goes = self.features[inside, feature]
            low = self.best(inside[~goes], depth - 1)
            np.minimum(most[0], low.value + apart[feature], out=most[0])
            if most[:, feature].sum() <= least:
                continue
            high = self.best(inside[goes], depth - 1)
            np.minimum(most[1], high.value + apart[feature], out=most[1])
            if low.value + high.value > least:
                best = Grown(low.value + high.value - self.price, feature, below=(low, high))
        return best

    def _split(self, inside: Places, feature: int, depth: int) -> Grown:
        goes = self.features[inside, feature]
        low, high = self.best(inside[~goes], depth - 1), self.best(inside[goes], depth - 1)
        if low.feature is None and high.feature is None and low.label == high.label:
            return low
        return Grown(low.value + high.value - self.price, feature, below=(low, high))

    def _worth(self, inside: Places, levels: int) -> Integers:
        """Return what each feature is worth as a split above the best trees of depth two, or as far as that is seen."""
        task, count = self.task, self.features.shape[1]
        if levels == 1:
            return self.split_worths(task, inside, 1)
        seen = np.arange(count)
        if count > _MOST_PAIRED:
            seen = np.sort(np.argsort(-self._likeness(inside), kind="stable")[:_MOST_PAIRED])
            task = task.part(seen)
        sees_triples = levels == 3 and len(inside) * min(count, _MOST_FEATURES) ** 3 <= self.most
        if sees_triples and len(seen) <= _MOST_FEATURES:
            return _spread(self.split_worths(task, inside, 3), seen, count)
        worth = self.split_worths(task, inside, 2)
        if not sees_triples:
            return _spread(worth, seen, count)
        further = np.sort(np.argsort(-worth, kind="stable")[:_MOST_FEATURES])
        return _spread(self.split_worths(task.part(further), inside, 3), seen[further], count)

    def _likeness(self, inside: Places) -> NDArray[np.float64]:
        """Return how far each feature goes with the gains of labels: their squared correlation, times some."""
        features, gains = self.features[inside].astype(np.float64), self.task.gains[:, inside].astype(np.float64)
        share = features.mean(axis=0)
        together = gains @ features - gains.sum(axis=1, keepdims=True) * share
        squares: NDArray[np.float64] = (together * together).sum(axis=0) / np.maximum(share * (1 - share), 1e-6)
        return squares


def _spread(worth: Integers, seen: Places, count: int) -> Integers:
    """Return what some of all features are worth, the others nothing."""
    spread: Integers = np.full(count, np.iinfo(np.int64).min // 2, dtype=np.int64)
    spread[seen] = worth
    return spread


def _node(grown: Grown, k: int, leaf: Callable[[int, int], Leaf]) -> Node:
    if grown.feature is None:
        return leaf(grown.label, k)
    low, high = (_node(part, k - 1, leaf) for part in grown.below)
    return Split(grown.feature, low, high)
