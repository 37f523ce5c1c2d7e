"""Cuts of a column that the training examples hardly tell apart, made one.

A model may cut a column at 0.158 in one line and at 0.1587 in another, or ask for a value between the two. Where the
cuts part few examples, writing one of them for both costs nothing or next to nothing. Writing one feature for another
throughout a model keeps every reason within k: a reason of the old model, written so, is one of the new model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.counting.labelled_rows import LabelledRows
from idnf.learning.class_objective import ClassModel, ClassObjective, LearnedClasses
from idnf.learning.local.masks import unit_of
from idnf.learning.objective import Objective
from idnf.learning.result import Learned
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.class_trees import ClassNode, DNFLeaf
from idnf.logic.dnf import DNF
from idnf.logic.double import DoubleDNF
from idnf.logic.learned_models import Model
from idnf.logic.literals import codes_of, feature_of, is_consistent, mask_of
from idnf.logic.nested import NestedDNF
from idnf.logic.transversals import minimal_sets
from idnf.logic.trees import Leaf, Split

M = TypeVar("M", bound=Model | ClassModel)
AnyNode = Leaf | Split[Leaf] | ClassNode

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
    objective = Objective(rows, learned.price)
    model = _merged(
        learned.model, objective, rows.features, rows.positive + rows.negative, columns=columns, is_over=is_over
    )
    return replace(learned, model=model, objective=learned.objective + objective(model) - objective(learned.model))


def with_merged_class_cuts(
    learned: LearnedClasses,
    rows: LabelledRows,
    columns: Iterable[Sequence[int]],
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> LearnedClasses:
    """Return what was learned for several classes with cuts made one, as :func:`with_merged_cuts` does for two."""
    if learned.optimal is not None:
        return learned
    objective = ClassObjective(rows, learned.price)
    model = _merged(learned.model, objective, rows.features, rows.weights.sum(axis=1), columns=columns, is_over=is_over)
    return replace(learned, model=model, objective=learned.objective + objective(model) - objective(learned.model))


def _merged(
    model: M,
    objective: Callable[[M], float],
    features: NDArray[np.bool_],
    weights: Weights,
    *,
    columns: Iterable[Sequence[int]],
    is_over: Callable[[], bool],
) -> M:
    """Return a model with some cuts of each column made one; of two, the shorter to write is kept."""
    total = float(weights.sum())
    one_example = min(1.0, unit_of(weights)) / total
    cost = objective(model)
    for column in columns:
        used = used_features(model)
        pairs = permutations([j for j in column if j in used], 2)
        for old, new in sorted(pairs, key=lambda pair: (len(model.names[pair[1]]), pair)):
            if is_over():
                return model
            if old not in used or new not in used:
                continue
            parted = float(weights[features[:, old] != features[:, new]].sum()) / total
            if parted > _NEAR:
                continue
            other = written_with(model, old, new)
            if objective(other) <= cost + (one_example if parted < SLIVER else 0.0) + 1e-12:
                model, cost, used = other, objective(other), used_features(other)
    return model


def used_features(model: Model | ClassModel) -> set[int]:
    """Return the features that a model is written with.

    >>> sorted(used_features(DNF.parse("a & ~c", names=("a", "b", "c")).double()))
    [0, 2]
    """
    if isinstance(model, NestedDNF):
        return {feature_of(code) for row in model.matrix for code in row}
    if isinstance(model, DoubleDNF):
        return {feature_of(code) for side in (model.positive, model.negative) for code in side.literals()}
    if isinstance(model, ClassDNFs):
        return {feature_of(code) for side in model.dnfs for code in side.literals()}
    return _features_below(model.root)


def _features_below(node: AnyNode) -> set[int]:
    if isinstance(node, Split):
        return {node.feature} | _features_below(node.if_false) | _features_below(node.if_true)
    return used_features(node.dnfs if isinstance(node, DNFLeaf) else node.nested)


def written_with(model: M, old: int, new: int) -> M:
    """Return a model with one feature written for another everywhere.

    >>> print(written_with(DNF.parse("a & b | c").double(), 1, 0).positive)
    a | c
    """
    some: Any = model
    written: M
    if isinstance(model, NestedDNF):
        written = replace(some, matrix=tuple(tuple(_code_with(code, old, new) for code in row) for row in model.matrix))
    elif isinstance(model, DoubleDNF):
        some = DoubleDNF(_side_with(model.positive, old, new), _side_with(model.negative, old, new), model.k)
        written = some
    elif isinstance(model, ClassDNFs):
        written = replace(some, dnfs=tuple(_side_with(side, old, new) for side in model.dnfs))
    else:
        written = replace(some, root=_node_with(model.root, old, new))
    return written


def _side_with(side: DNF, old: int, new: int) -> DNF:
    masks = (mask_of(_code_with(code, old, new) for code in codes_of(mask)) for mask in side.masks)
    return DNF.from_masks(side.names, minimal_sets(mask for mask in masks if is_consistent(mask)))


def _node_with(node: AnyNode, old: int, new: int) -> Any:
    if isinstance(node, Split):
        below = (_node_with(child, old, new) for child in (node.if_false, node.if_true))
        return Split(new if node.feature == old else node.feature, *below)
    if isinstance(node, DNFLeaf):
        return DNFLeaf(written_with(node.dnfs, old, new))
    return replace(node, nested=written_with(node.nested, old, new))


def _code_with(code: int, old: int, new: int) -> int:
    return code + 2 * (new - old) if feature_of(code) == old else code
