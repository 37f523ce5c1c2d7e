"""CART of depth k as a nested tree with constant leaves: scikit-learn's, or one grown from the top by counts alone.

The second stands in for the first where a time limit is short for the table: each split is the feature of most gain by
Gini's measure among the examples that reach it, by one question for counts, and it can be stopped at any node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from idnf.counting.contract import Counts, DistinctRows, Weights
from idnf.logic.deadlines import Deadline
from idnf.logic.literals import literal
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node, Split

CELLS_A_SECOND = 2_000_000
"""Examples times features for which there is time in each second of a time limit."""

# The fewest rows that a tree is grown on for want of time.
_LEAST_ROWS = 200
# A split by counts must gain more than this share of all weight.
_ROUNDING = 1e-12


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
            if gains[feature] > (here[0] ** 2 + here[1] ** 2) / (here[0] + here[1]) + _ROUNDING * sum(here):
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
