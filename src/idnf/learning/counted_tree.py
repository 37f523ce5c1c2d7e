"""A tree grown from the top by counts alone: what CART grows, in a time that does not depend on the rows at hand.

Each split is the feature of most gain by Gini's measure among the examples that reach it, by one question for counts.
It stands in for scikit-learn's CART where a time limit is short for the table: it can be stopped at any node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from idnf.counting.contract import Counts, Weights
from idnf.logic.literals import literal
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node, Split

# A split must gain more than this share of all weight.
_ROUNDING = 1e-12


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
