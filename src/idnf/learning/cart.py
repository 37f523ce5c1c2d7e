"""CART of depth k, from scikit-learn, as a nested tree with constant leaves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import Leaf, NestedTree

CELLS_A_SECOND = 2_000_000
"""Examples times features for which there is time in each second of a time limit."""

# The fewest rows that a tree is grown on for want of time.
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
