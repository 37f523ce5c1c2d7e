"""Leaves of pair trees for several classes: the best function of order two that gives two classes only.

For each pair of classes that is the optimum over all 2-AXp-interpretable functions of two classes
(:mod:`idnf.learning.exact.optimum`); examples of other classes are errors whatever it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.depth_two import ExampleSet, Pair, PairLeaf, Tree
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.logic.deadlines import Deadline
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


def best_of_pair(examples: ExampleSet, pair: Pair, deadline: Deadline) -> tuple[float, PairLeaf] | None:
    """Return the best function of order two of a pair and the weight it gets right; None where it was not proved.

    A proof ends early when the deadline comes or the user interrupts; what was found until then is no optimum.

    >>> points = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    >>> examples = ExampleSet(points, np.array([[1.0, 0, 0], [0, 2, 0], [0, 2, 0], [1, 0, 9]]))
    >>> best_of_pair(examples, Pair(0, 1), Deadline())[0]
    6.0
    """
    if deadline.is_over():
        return None
    rows = DistinctRows(examples.features > 0, examples.weights, True).of_pair(pair.label, pair.otherwise)
    names = tuple(f"x{j}" for j in range(rows.features.shape[1]))
    learned = exact(rows, names, 2, options=ExactOptions(deadline=deadline))
    if learned.optimal is None:
        return None
    right = float(examples.totals[[pair.label, pair.otherwise]].sum()) * (1.0 - learned.objective)
    return right, PairLeaf(pair, learned.model)


def built(tree: Tree, names: Sequence[str], columns: NDArray[np.intp], n_classes: int) -> Node:
    """Return a tree as nodes; the functions at its leaves are written over some columns of the table."""
    if isinstance(tree, tuple):
        return joined(tree[0], *(built(child, names, columns, n_classes) for child in tree[1:]))
    if isinstance(tree, PairLeaf):
        model = tree.model.renumbered(tuple(names), dict(enumerate(columns.tolist())))
        return model.node().relabelled((tree.pair.otherwise, tree.pair.label), n_classes)
    return Leaf.constant(names, tree)
