"""CART of depth k for several classes, from scikit-learn, as a tree with constant leaves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.cart import CELLS_A_SECOND
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import Leaf, NestedTree

# The fewest rows that a tree is grown on for want of time.
_LEAST_ROWS = 200


def class_cart(rows: DistinctRows, names: Sequence[str], k: int, *, random_state: int = 0) -> NestedTree:
    """Return scikit-learn's tree of depth at most k on weighted distinct rows.

    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]), True)
    >>> print(*(class_cart(rows, ("a", "b"), 2).side(label) for label in range(3)), sep=" / ")
    ~a & ~b / ~a & b / a
    """
    from sklearn.tree import DecisionTreeClassifier

    places, labels = np.nonzero(rows.weights > 0)
    present = np.unique(labels).tolist()
    if len(present) == 1 or not names:
        label = int(rows.weights.sum(axis=0).argmax())
        return NestedTree(tuple(names), Leaf.constant(names, label), k, rows.n_classes)
    tree = DecisionTreeClassifier(max_depth=k, random_state=random_state)
    tree.fit(rows.features[places], labels, sample_weight=rows.weights[places, labels])
    return NestedTree.from_sklearn(tree.tree_, names, k, labels=present, n_classes=rows.n_classes)


def class_cart_in_time(
    rows: DistinctRows, names: Sequence[str], k: int, *, deadline: Deadline, random_state: int = 0
) -> NestedTree:
    """Return scikit-learn's tree on as many of the rows as there is time for before a deadline.

    >>> rows = DistinctRows(np.array([[True], [False]]), np.eye(2, 3), True)
    >>> print(class_cart_in_time(rows, ("a",), 1, deadline=Deadline()).side(0))
    a
    """
    if rows.features.size > CELLS_A_SECOND * deadline.left:
        most = max(_LEAST_ROWS, int(CELLS_A_SECOND * deadline.left / rows.features.shape[1]))
        rows = rows.sampled(most, random_state)
    return class_cart(rows, names, k, random_state=random_state)
