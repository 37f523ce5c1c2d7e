"""Cuts of a column that the training examples hardly tell apart, made one.

A model may cut a column at 0.158 in one line and at 0.1587 in another, or ask for a value between the two. Where the
cuts part few examples, writing one of them for both costs nothing or next to nothing. Writing one feature for another
throughout a model keeps every reason within k: a reason of the old model, written so, is one of the new model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations

from idnf.counting.contract import DistinctRows
from idnf.learning.local.masks import weight_unit
from idnf.learning.objective import Objective
from idnf.learning.result import Learned
from idnf.logic.dnf import DNF
from idnf.logic.double import DoubleDNF
from idnf.logic.learned_models import Model
from idnf.logic.literals import codes_of, feature_of, is_consistent, mask_of
from idnf.logic.nested import NestedDNF
from idnf.logic.transversals import minimal_sets
from idnf.logic.trees import Leaf, NestedTree, Node, Split

SLIVER = 0.01
"""Cuts that part less than this share of the examples stay apart only where that wins more than one example."""

# Cuts that part less than this share are made one where that costs nothing.
_NEAR = 0.05


def with_merged_cuts(
    learned: Learned,
    rows: DistinctRows,
    columns: Iterable[Sequence[int]],
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> Learned:
    """Return what was learned with cuts of one column made one where the examples hardly tell them apart.

    Parameters
    ----------
    learned : Learned
        The model; one that is proved optimal is left as it is.
    rows : DistinctRows
        The training examples.
    columns : iterable of sequences of int
        The features of each ordered column.
    is_over : callable
        Tells that there is no time left; further columns stay as they are.
    """
    if learned.optimal is not None:
        return learned
    objective, model = Objective(rows, learned.price), learned.model
    total = float(rows.positive.sum() + rows.negative.sum())
    one_example = min(1.0, weight_unit(rows)) / total
    for features in columns:
        if is_over():
            break
        model = _merged(model, objective, [j for j in features if j in used_features(model)], one_example)
    if model is learned.model:
        return learned
    return replace(learned, model=model, objective=learned.objective + objective(model) - objective(learned.model))


def _merged(model: Model, objective: Objective, cuts: Sequence[int], one_example: float) -> Model:
    """Return a model with some cuts of one column made one; of two, the shorter to write is kept."""
    rows = objective.rows
    weights = (rows.positive + rows.negative) / float((rows.positive + rows.negative).sum())
    cost = objective(model)
    pairs = sorted(permutations(cuts, 2), key=lambda pair: (len(model.names[pair[1]]), pair))
    for old, new in pairs:
        if old not in used_features(model) or new not in used_features(model):
            continue
        parted = float(weights[rows.features[:, old] != rows.features[:, new]].sum())
        if parted > _NEAR:
            continue
        other = written_with(model, old, new)
        if objective(other) <= cost + (one_example if parted < SLIVER else 0.0) + 1e-12:
            model, cost = other, objective(other)
    return model


def used_features(model: Model) -> set[int]:
    """Return the features that a model is written with.

    >>> sorted(used_features(DNF.parse("a & ~c", names=("a", "b", "c")).double()))
    [0, 2]
    """
    if isinstance(model, NestedDNF):
        return {feature_of(code) for row in model.matrix for code in row}
    if isinstance(model, DoubleDNF):
        return {feature_of(code) for side in (model.positive, model.negative) for code in side.literals()}
    return _features_below(model.root)


def _features_below(node: Node) -> set[int]:
    if isinstance(node, Leaf):
        return used_features(node.nested)
    return {node.feature} | _features_below(node.if_false) | _features_below(node.if_true)


def written_with(model: Model, old: int, new: int) -> Model:
    """Return a model with one feature written for another everywhere.

    >>> print(written_with(DNF.parse("a & b | c").double(), 1, 0).positive)
    a | c
    """
    if isinstance(model, NestedDNF):
        return _nested_with(model, old, new)
    if isinstance(model, NestedTree):
        return replace(model, root=_node_with(model.root, old, new))
    return DoubleDNF(_side_with(model.positive, old, new), _side_with(model.negative, old, new), model.k)


def _side_with(side: DNF, old: int, new: int) -> DNF:
    masks = (mask_of(_code_with(code, old, new) for code in codes_of(mask)) for mask in side.masks)
    return DNF.from_masks(side.names, minimal_sets(mask for mask in masks if is_consistent(mask)))


def _nested_with(nested: NestedDNF, old: int, new: int) -> NestedDNF:
    return replace(nested, matrix=tuple(tuple(_code_with(code, old, new) for code in row) for row in nested.matrix))


def _node_with(node: Node, old: int, new: int) -> Node:
    if isinstance(node, Leaf):
        return replace(node, nested=_nested_with(node.nested, old, new))
    below = (_node_with(child, old, new) for child in (node.if_false, node.if_true))
    return Split(new if node.feature == old else node.feature, *below)


def _code_with(code: int, old: int, new: int) -> int:
    return code + 2 * (new - old) if feature_of(code) == old else code
