"""CART of depth k, from scikit-learn, as a nested tree with constant leaves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

CELLS_A_SECOND = 2_000_000
"""Examples times features for which there is time in each second of a time limit."""


def cart(rows: DistinctRows, names: Sequence[str], k: int, *, random_state: int = 0) -> NestedTree:
    """Return scikit-learn's tree of depth at most k on weighted distinct rows.

    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> rows = DistinctRows.of_two(features, np.array([0.0, 0, 0, 2]), np.array([1.0, 1, 1, 0]), True)
    >>> print(cart(rows, ("a", "b"), 2).side(True))
    a & b
    """
    from sklearn.tree import DecisionTreeClassifier

    ones, zeros = rows.positive > 0, rows.negative > 0
    features = np.concatenate([rows.features[ones], rows.features[zeros]])
    classes = np.repeat([1, 0], [ones.sum(), zeros.sum()])
    weights = np.concatenate([rows.positive[ones], rows.negative[zeros]])
    if not ones.any() or not zeros.any() or k == 0 or not names:
        majority = bool(rows.positive.sum() > rows.negative.sum())
        return NestedTree.from_nested(NestedDNF.constant(names, majority, k))
    tree = DecisionTreeClassifier(max_depth=k, random_state=random_state)
    tree.fit(features, classes, sample_weight=weights)
    return NestedTree.from_sklearn(tree.tree_, names, k)
