"""Look-ahead trees for several classes: each split is the one under which trees of depth two do best.

At a node with three levels left this is the optimal tree; with more, the best root of one is taken and its branches are
grown anew, which comes close to the optimum in a small part of the time (Babbar and others, *Near-optimal decision
trees in a SPLIT second*, 2025). Where there are many features, the ones that tell most about the class stand for all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.depth_two import Best, ExampleSet, Tree, best_of_depth_one, best_of_depth_two, constant
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import Leaf, NestedTree, Node, joined


def class_lookahead_tree(
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    *,
    price: float = 0.0,
    most_features: int = 60,
    deadline: Deadline | None = None,
) -> NestedTree:
    """Return a tree of depth at most k whose splits look two levels ahead.

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    names : sequence of str
        The features.
    k : int
        The largest depth.
    price : float
        The price of a split, in units of weight.
    most_features : int
        The most features looked at in one node.
    deadline : Deadline, optional
        From this time of the monotonic clock on, nodes look ahead no more.

    Examples
    --------
    >>> features = np.array([[p >> j & 1 for j in range(3)] for p in range(8)], dtype=bool)
    >>> odd = features.sum(axis=1) % 2
    >>> rows = DistinctRows(features, np.eye(3)[odd + (features.sum(axis=1) == 3)], True)
    >>> class_lookahead_tree(rows, ("a", "b", "c"), 3).depth
    3
    """
    growing = _Growing(price, most_features, deadline or Deadline())
    best = growing.best(ExampleSet(rows.features.astype(np.float64), rows.weights), k)
    return to_class_tree(best.tree, names, k, rows.n_classes)


def to_class_tree(tree: Tree, names: Sequence[str], k: int, n_classes: int) -> NestedTree:
    """Return a tree of features and classes as a model.

    >>> to_class_tree((0, 1, 1), ("a",), 1, 2).depth
    0
    """

    def node(part: Tree) -> Node:
        if isinstance(part, tuple):
            return joined(part[0], node(part[1]), node(part[2]))
        assert isinstance(part, int), "look-ahead trees have constant leaves"
        return Leaf.constant(names, part)

    return NestedTree(tuple(names), node(tree), k, n_classes)


class _Growing:
    def __init__(self, price: float, most_features: int, deadline: Deadline) -> None:
        self.price = price
        self.most_features = most_features
        self.deadline = deadline

    def best(self, examples: ExampleSet, depth: int) -> Best:
        """Return a tree of at most this depth over all features."""
        if depth == 0 or not len(examples.weights) or np.count_nonzero(examples.totals) <= 1:
            return constant(examples)
        if depth == 1:
            return best_of_depth_one(examples, self.price)
        telling = telling_features(examples, self.most_features)
        shallow = self._shallow(examples, telling)
        if depth == 2 or shallow.value >= examples.at_most():
            return shallow
        root = self._root(ExampleSet(examples.features[:, telling], examples.weights))
        if root is None:
            return shallow
        feature = int(telling[root])
        low, high = (self.best(part, depth - 1) for part in examples.split(feature))
        value = low.value + high.value - self.price
        return Best(value, (feature, low.tree, high.tree)) if value > shallow.value else shallow

    def _shallow(self, examples: ExampleSet, features: NDArray[np.intp]) -> Best:
        found = best_of_depth_two(ExampleSet(examples.features[:, features], examples.weights), self.price)
        return Best(found.value, renamed(found.tree, features))

    def _root(self, examples: ExampleSet) -> int | None:
        """Return the feature whose branches trees of depth two serve best, None where time is up."""
        best, chosen = -np.inf, None
        for feature in range(examples.features.shape[1]):
            if self.deadline.is_over():
                return chosen
            low, high = examples.split(feature)
            if not len(low.weights) or not len(high.weights):
                continue
            most = low.at_most() + high.at_most()
            if most <= best:
                continue
            value = best_of_depth_two(low, self.price).value
            if value + high.at_most() > best:
                value += best_of_depth_two(high, self.price).value
                if value > best:
                    best, chosen = value, feature
        return chosen


def telling_features(examples: ExampleSet, most: int) -> NDArray[np.intp]:
    """Return the features that tell most about the class, by the fall of the Gini index, most telling first."""
    held = examples.features.T @ examples.weights
    failed = examples.totals - held
    with np.errstate(divide="ignore", invalid="ignore"):
        purity = sum(np.nan_to_num((part**2).sum(axis=1) / part.sum(axis=1)) for part in (held, failed))
    order: NDArray[np.intp] = np.argsort(-np.asarray(purity), kind="stable")[:most]
    return order


def renamed(tree: Tree, features: NDArray[np.intp]) -> Tree:
    """Return a tree over some features as one over all of them.

    >>> renamed((1, 0, 2), np.array([5, 7]))
    (7, 0, 2)
    """
    if isinstance(tree, tuple):
        return int(features[tree[0]]), renamed(tree[1], features), renamed(tree[2], features)
    return tree
