"""Models found, made better or small enough: branches of a tree, and the best that a reader accepts, or one cut down.

A branch at depth d is a function of the examples that reach it, with reasons of at most k - d literals left. From the
lowest branches up, the best of what is found for these examples takes its place if that is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import Learned, Objective, term_count
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.primes import is_implicant, maximal_runs_avoiding
from idnf.logic.transversals import minimal_sets
from idnf.logic.trees import AnyLeaf, NestedTree, Node, fold, joined

Accepts = Callable[[Model], bool]

# Models that are cut down, the best first.
_MOST_CUT = 3
# Objectives that differ by less are equal.
_ROUNDING = 1e-12


def best_model(models: Sequence[Model], objective: Objective, accepts: Accepts | None = None) -> Model:
    """Return the model of the least objective; of equals the one of the fewest reasons, then of the fewest literals.

    Parameters
    ----------
    models : sequence of Model
        At least one; where `accepts` is given, constants are accepted.
    objective : Objective
        What a model costs.
    accepts : callable, optional
        Tells whether a model may be returned. The best models are then cut down term by term until they may.

    Examples
    --------
    >>> import numpy as np
    >>> from idnf.counting.contract import DistinctRows
    >>> features = np.array([[0, 0], [0, 1], [1, 0]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([[1.0, 0], [1, 1], [1, 3]]), True)
    >>> either = DNF.parse("a | b").double()
    >>> print(best_model([either], Objective(rows, 0.0), lambda model: model.positive.size < 2).positive)
    a
    """
    found = sorted(((objective(model), place, model) for place, model in enumerate(models)), key=lambda one: one[:2])
    if accepts is not None:
        cut = [cut_down(model, objective, accepts) for _, _, model in found[:_MOST_CUT]]
        found = [one for one in found if accepts(one[2])]
        found += [(objective(model), len(models), model) for model in cut]
    least = min(value for value, _, _ in found)
    tied = [model for value, _, model in found if value <= least + _ROUNDING]
    return min(tied, key=lambda model: (term_count(model), model.literal_count))


def cut_down(model: Model, objective: Objective, accepts: Accepts) -> Model:
    """Return a model without the terms whose loss costs least, one after another, until it is accepted.

    The terms are those of the class that the model is written for, without those that the others cover, so that every
    step takes points from that class; all gone, the other class is always given.
    """
    terms, label = model.own_terms()
    while not accepts(model):
        terms = _needed(terms)
        shorter = [_written(model, terms[:i] + terms[i + 1 :], label) for i in range(len(terms))]
        legal = [smaller for smaller in shorter if smaller is not None]
        constants: list[Model] = [NestedDNF.constant(model.names, value, model.k) for value in (False, True)]
        model = min(legal or constants, key=objective)
        terms = list(model.side(label).masks)
    return model


def _needed(terms: Sequence[int]) -> list[int]:
    """Return terms that say the same as all together, of which none is covered by the others; long ones go first.

    >>> _needed([0b000101, 0b010010, 0b010100])
    [5, 18]
    """
    kept = minimal_sets(terms)
    for term in sorted(kept, key=lambda mask: (-mask.bit_count(), mask)):
        others = [other for other in kept if other != term]
        kept = others if is_implicant(others, term) else kept
    return kept


def cut_to_size(learned: Learned, rows: DistinctRows, accepts: Accepts) -> Learned:
    """Return what was learned with its model cut down until it is accepted; nothing is proved of that model."""
    objective = Objective(rows, learned.price)
    model = cut_down(learned.model, objective, accepts)
    return replace(learned, model=model, objective=objective(model), optimal=None)


def _written(model: Model, terms: Sequence[int], label: int) -> DoubleDNF | None:
    """Return some terms of a class as a model of the same bound, or None if the other class needs longer ones."""
    if model.space is None:
        double = DNF.from_masks(model.names, terms).double()
        sides = (double.positive, double.negative) if label else (double.negative, double.positive)
        return DoubleDNF(*sides, model.k) if double.k <= model.k else None
    own = model.space.boxes(DNF.from_masks(model.names, terms))
    rest = maximal_runs_avoiding(own, model.space)
    written = DoubleDNF.from_boxes(model.names, [rest, own] if label else [own, rest], model.space)
    return written.within(model.k) if written.k <= model.k else None


# Examples that a branch must have for a search to be worth its time.
_LEAST_ROWS = 4

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
