"""Trees of several labels with something better in place of their branches.

A branch at depth d is a function of the examples that reach it, with reasons of at most k - d literals left. From the
lowest branches up, the best of what is found for these examples takes its place if that is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import Objective
from idnf.logic.model import Model
from idnf.logic.trees import AnyLeaf, NestedTree, Node, fold, joined

# Examples that a branch must have for a search to be worth its time.
_LEAST_ROWS = 4
# Objectives that differ by less are equal.
_ROUNDING = 1e-12

_Grown = Callable[[DistinctRows, int], Node]


def with_better_branches(
    model: Model, objective: Objective, others: Callable[[NestedTree, Objective], Iterable[Model]]
) -> NestedTree:
    """Return a model as a tree in which no branch is worse than others that were found for its examples.

    Parameters
    ----------
    model : Model
        Of any number of labels.
    objective : Objective
        The examples, and the price of a literal.
    others : callable
        Finds models in place of a branch, for the examples that reach it; they keep to its bound.
    """

    def better(node: Node, rows: DistinctRows, bound: int) -> Node:
        if bound < 2 or len(rows.features) < _LEAST_ROWS or len(set(rows.weights.argmax(axis=1).tolist())) == 1:
            return node
        branch = NestedTree(model.names, node, bound, model.n_classes)
        cost = Objective(rows, objective.price * objective.rows.total / rows.total)
        best = min(others(branch, cost), key=cost, default=branch)
        return best.node() if cost(best) < cost(branch) - _ROUNDING else node

    def leaf(part: AnyLeaf) -> _Grown:
        return lambda rows, bound: better(part, rows, bound)

    def split(feature: int, if_false: _Grown, if_true: _Grown) -> _Grown:
        def grown(rows: DistinctRows, bound: int) -> Node:
            right = rows.features[:, feature]
            low, high = if_false(rows.part(~right), bound - 1), if_true(rows.part(right), bound - 1)
            return better(joined(feature, low, high), rows, bound)

        return grown

    node = fold(model.node(), leaf, split)(objective.rows, model.k)
    return NestedTree(model.names, node, model.k, model.n_classes)
