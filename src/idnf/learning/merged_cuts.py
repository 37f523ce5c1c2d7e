"""Cuts of a column that the training examples hardly distinguish are merged.

A model may cut a column at 0.158 in one line and at 0.1587 in another, or ask for a value between the two. Where the
cuts part few examples, writing one of them for both costs nothing or next to nothing. Writing one feature for another
throughout a model keeps every reason within k: a reason of the old model, written so, is one of the new model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import Learned, Objective
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.model import Model
from idnf.logic.trees import over
from idnf.logic.verification import VerificationError

SLIVER = 0.01
"""Cuts that part less than this share of the examples stay apart only where that wins more than one example."""


# Cuts that part less than this share are merged where that costs nothing.
_NEAR = 0.05


def with_merged_cuts(
    learned: Learned,
    rows: DistinctRows,
    columns: Iterable[Sequence[int]],
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> Learned:
    """Return what was learned with cuts of one column merged if the examples hardly distinguish them.

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
    model = _merge(learned.model, objective, columns, is_over)
    return replace(learned, model=model, objective=learned.objective + objective(model) - objective(learned.model))


def _merge(model: Model, objective: Objective, columns: Iterable[Sequence[int]], is_over: Callable[[], bool]) -> Model:
    """Return a model with some cuts of each column merged; of two, the shorter to write is kept."""
    rows = objective.rows
    one_example = rows.example / rows.total
    cost = objective(model)
    for column in columns:
        used = model.features()
        pairs = permutations([j for j in column if j in used], 2)
        for old, new in sorted(pairs, key=lambda pair: (len(model.names[pair[1]]), pair)):
            if is_over():
                return model
            if old not in used or new not in used:
                continue
            parted = float(rows.masses[rows.features[:, old] != rows.features[:, new]].sum()) / rows.total
            if parted > _NEAR:
                continue
            other = written_with(model, old, new)
            if not _keeps_promise(other):
                continue
            if objective(other) <= cost + (one_example if parted < SLIVER else 0.0) + 1e-12:
                model, cost, used = other, objective(other), other.features()
    return model


def _keeps_promise(model: Model) -> bool:
    """Return whether a model whose k counts columns still gives each point one class: its features are not independent.

    In other models a feature may be written for any other.
    """
    if model.space is None:
        return True
    try:
        ClassDNFs.of(model).verify()
    except VerificationError:
        return False
    return True


def written_with(model: Model, old: int, new: int) -> Model:
    """Return a model with one feature written for another everywhere.

    >>> from idnf.logic.dnf import DNF
    >>> print(written_with(DNF.parse("a & b | c").double(), 1, 0).side(1))
    a | c
    """
    place = {feature: new if feature == old else feature for feature in model.features()}
    written = model.renumber(model.names, place)
    return written if model.space is None else over(written, model.space)
