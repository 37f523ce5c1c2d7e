"""Checks that need no trust in the explainer: they look at the terms of the model and at nothing the explainer uses.

Up to 2**20 points a truth table over all cells of the columns concerned answers every question; above, a SAT solver
does (the extra ``sat``), with one variable for each cell of each column and exactly one true in a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from idnf.logic.boxes import Space

SMALL = 1 << 20
"""The most points for which a truth table is made."""

CellMasks = tuple[int, ...]
Terms = tuple[CellMasks, ...] | None


class CheckError(ValueError):
    """Something the explainer or the model claims does not hold."""


@dataclass(frozen=True)
class Check:
    """What was proved, how, and over how many points.

    Attributes
    ----------
    proved : tuple of str
    method : str
        "truth table" or "SAT".
    points : int
        The number of points of the space of the columns concerned.
    """

    proved: tuple[str, ...]
    method: str
    points: int

    def __str__(self) -> str:
        lines = "\n".join(f"- {line}" for line in self.proved)
        return f"Proved by {self.method} over {self.points} points:\n{lines}"

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.proved)
        return f"<p>Proved by {self.method} over {self.points} points:</p><ul>{lines}</ul>"


@dataclass(frozen=True)
class DecisionClaim:
    """What an explanation says of an example.

    Parameters
    ----------
    point : sequence of int
        The cells of the example.
    axp : sequence of int
        The columns of its reason.
    box : tuple of int
        The conditions of the reason, a mask of cells for each column.
    cxp : sequence of int
        The columns of its change; none where those that are not fixed cannot give another class.
    fixed : sequence of int
        Columns that no change touches.
    """

    point: Sequence[int]
    axp: Sequence[int]
    box: CellMasks
    cxp: Sequence[int]
    fixed: Sequence[int] = ()


def check_decision(terms: Sequence[Terms], space: Space, claim: DecisionClaim) -> Check:
    """Prove that an explanation holds: its reason suffices and is minimal, its change is one and is minimal.

    Parameters
    ----------
    terms : sequence
        The boxes of class 0, of class 1 and so on, None for one that is not written down.
    space : Space
    claim : DecisionClaim
    """
    axp, box, cxp = claim.axp, claim.box, claim.cxp
    label = _label(terms, claim.point)
    truth, points = _truth_of_class(terms, label, space)
    own = [1 << cell for cell in claim.point]
    full = [(1 << len(column.cells)) - 1 for column in space.columns]
    met = all(mask >> cell & 1 for mask, cell in zip(box, claim.point, strict=True))
    _require(met, "the example must meet its reason")
    _require([j for j in range(len(box)) if box[j] != full[j]] == list(axp), "the reason must be about its columns")
    _require(not truth.fails_in(box), "the conditions must be sufficient")
    for column in axp:
        rest = [own[j] if j in axp and j != column else full[j] for j in range(len(own))]
        _require(truth.fails_in(rest), f"the reason must need column {space.columns[column].name!r}")
    changed = [full[j] if j in cxp else own[j] for j in range(len(own))]
    _require(truth.fails_in(changed) == bool(cxp), "changing the columns of the CXp must change the class")
    _require(not set(cxp) & set(claim.fixed), "the change must spare the columns that are fixed")
    free = [own[j] if j in claim.fixed else full[j] for j in range(len(own))]
    _require(bool(cxp) or not truth.fails_in(free), "a model with two classes must have a CXp")
    for column in cxp:
        rest = [own[j] if j == column else changed[j] for j in range(len(own))]
        _require(not truth.fails_in(rest), f"the change must need column {space.columns[column].name!r}")
    proved = (
        f"the conditions on {_listed(space, axp)} give class {label} whatever the other columns are",
        "none of these columns can be left out",
        f"changing {_listed(space, cxp)} can change the class, and none of it can be left out",
    )
    return Check(proved, truth.method, points)


def check_sides(terms: Sequence[Sequence[CellMasks]], space: Space, k: int) -> Check:
    """Prove that the boxes of the classes share no point, leave none out and constrain at most k columns each."""
    for label, side in enumerate(terms):
        for term in side:
            width = sum(term[j] != (1 << len(column.cells)) - 1 for j, column in enumerate(space.columns))
            _require(width <= k, f"every term must have at most {k} columns; {term} of class {label} has {width}")
    pairs = 0
    for one, two in combinations(reversed(terms), 2):
        pairs += len(one) * len(two)
        for term, other in product(one, two):
            apart = any(a & b == 0 for a, b in zip(term, other, strict=True))
            _require(apart, f"opposite terms must exclude each other; {term} and {other} do not")
    truth, points = _truth([tuple(term) for side in terms for term in side], space, inside=True)
    full = [(1 << len(column.cells)) - 1 for column in space.columns]
    _require(not truth.fails_in(full), "every point must be in a class")
    proved = (
        f"all {pairs} pairs of opposite terms exclude each other",
        "every point is in one of the classes",
        f"no term has more than {k} columns",
    )
    return Check(proved, truth.method, points)


def _listed(space: Space, columns: Sequence[int]) -> str:
    return " and ".join(space.columns[j].name for j in columns) or "no column"


def _require(holds: bool, rule: str) -> None:
    if not holds:
        raise CheckError(f"{rule}.")


def _label(terms: Sequence[Terms], point: Sequence[int]) -> int:
    """Return the class of a point: one of its terms holds, or else it is the class that is not written down."""
    for label, side in enumerate(terms):
        if any(all(mask >> cell & 1 for mask, cell in zip(term, point, strict=True)) for term in side or ()):
            return label
    _require(None in terms, "every point must be in a class")
    return list(terms).index(None)


def _truth_of_class(terms: Sequence[Terms], label: int, space: Space) -> tuple[_Table | _Sat, int]:
    """Return what tells where a class is not given, and over how many points."""
    own = terms[label]
    if own is not None:
        return _truth(own, space, inside=True)
    return _truth(
        [term for other, side in enumerate(terms) if other != label for term in side or ()], space, inside=False
    )


def _truth(side: Sequence[CellMasks], space: Space, *, inside: bool) -> tuple[_Table | _Sat, int]:
    """Return what tells where a function fails, true in some boxes or only outside them, and over how many points."""
    used = [
        j for j, column in enumerate(space.columns) if any(term[j] != (1 << len(column.cells)) - 1 for term in side)
    ]
    sizes = [len(space.columns[j].cells) for j in used]
    points = prod(sizes)
    boxes = [tuple(term[j] for j in used) for term in side]
    return (_Table if points <= SMALL else _Sat)(used, sizes, boxes, inside), points


class _Table:
    method = "truth table"

    def __init__(self, used: list[int], sizes: list[int], boxes: list[CellMasks], inside: bool) -> None:
        self.used = used
        self.sizes = sizes
        held: NDArray[np.bool_] = np.zeros(sizes, dtype=bool)
        for box in boxes:
            held[np.ix_(*self._cells(box))] = True
        self.true = held if inside else ~held

    def _cells(self, masks: Sequence[int]) -> list[list[int]]:
        return [[c for c in range(size) if mask >> c & 1] for mask, size in zip(masks, self.sizes, strict=True)]

    def fails_in(self, region: Sequence[int]) -> bool:
        """Tell whether the function is false at some point of a region, given as a mask of cells per column."""
        return not self.true[np.ix_(*self._cells([region[j] for j in self.used]))].all()


class _Sat:
    method = "SAT"

    def __init__(self, used: list[int], sizes: list[int], boxes: list[CellMasks], inside: bool) -> None:
        try:
            from pysat.solvers import Solver
        except ImportError as error:
            raise ImportError("checking a model of this size needs python-sat: pip install 'idnf[sat]'") from error
        self.used = used
        self.boxes = boxes
        self.inside = inside
        starts = np.concatenate([[1], 1 + np.cumsum(sizes)]).tolist()
        self.variables = [list(range(starts[j], starts[j + 1])) for j in range(len(sizes))]
        clauses = list(self.variables)
        clauses += [[-a, -b] for column in self.variables for a, b in combinations(column, 2)]
        clauses += [
            [v for j, column in enumerate(self.variables) for c, v in enumerate(column) if not box[j] >> c & 1]
            for box in boxes
        ]
        self.solver = Solver(name="cadical153", bootstrap_with=clauses)

    def fails_in(self, region: Sequence[int]) -> bool:
        """Tell whether the function is false at some point of a region, given as a mask of cells per column."""
        masks = [region[j] for j in self.used]
        if not self.inside:
            return any(all(a & b for a, b in zip(masks, box, strict=True)) for box in self.boxes)
        excluded = [
            -variable
            for mask, column in zip(masks, self.variables, strict=True)
            for cell, variable in enumerate(column)
            if not mask >> cell & 1
        ]
        return bool(self.solver.solve(assumptions=excluded))
