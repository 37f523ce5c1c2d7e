"""Leaves of pair trees for several classes: the best function of order two that gives two classes only.

For each pair of classes that is the optimum over all 2-AXp-interpretable functions of two classes
(:mod:`idnf.learning.exact.optimum`); examples of other classes are errors whatever it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.depth_two import ExampleSet, Pair, Tree
from idnf.learning.exact.optimum import exact
from idnf.learning.result import Learned
from idnf.logic.trees import Leaf, Node, joined


def promising_pairs(examples: ExampleSet) -> list[tuple[float, Pair]]:
    """Return pairs of classes with the most weight that any function giving these two could get right, most first.

    >>> promising_pairs(ExampleSet(np.eye(2), np.array([[3.0, 0, 1], [1.0, 2, 0]])))
    [(5.0, Pair(label=0, otherwise=1)), (4.0, Pair(label=0, otherwise=2)), (3.0, Pair(label=1, otherwise=2))]
    """
    present = np.flatnonzero(examples.totals > 0).tolist()
    bounds = [
        (float(examples.weights[:, list(pair)].max(axis=1).sum()), Pair(*pair)) for pair in combinations(present, 2)
    ]
    return sorted(bounds, key=lambda one: -one[0])


def pair_value(examples: ExampleSet, pair: Pair) -> float:
    """Return the weight that the best function of order two of a pair gets right.

    >>> points = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    >>> pair_value(ExampleSet(points, np.array([[1.0, 0, 0], [0, 2, 0], [0, 2, 0], [1, 0, 9]])), Pair(0, 1))
    6.0
    """
    rows = DistinctRows(examples.features > 0, examples.weights, True)
    learned = _best(rows, tuple(f"x{j}" for j in range(rows.features.shape[1])), pair)
    return float(examples.totals[[pair.label, pair.otherwise]].sum()) * (1.0 - learned.objective)


def built(tree: Tree, rows: DistinctRows, names: Sequence[str]) -> Node:
    """Return a tree as nodes, its leaves of two classes made from the examples that come to them."""
    if isinstance(tree, tuple):
        held = rows.features[:, tree[0]]
        return joined(tree[0], built(tree[1], rows.part(~held), names), built(tree[2], rows.part(held), names))
    if isinstance(tree, Pair):
        best = _best(rows, tuple(names), tree).model
        return best.node().relabelled((tree.otherwise, tree.label), rows.n_classes)
    return Leaf.constant(names, tree)


def _best(rows: DistinctRows, names: tuple[str, ...], pair: Pair) -> Learned:
    return exact(rows.of_pair(pair.label, pair.otherwise), names, 2)
