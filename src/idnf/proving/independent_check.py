"""Checks that need no trust in what they check: they look at boxes and share nothing with what gave the answers.

Every question comes down to this: no two points exist, one in each of two lists of boxes, that agree on all columns but
some (none if the two are one point), or of which the second is higher on one column. Up to 2**20 points a truth
table over all cells of the columns concerned says so; above, a SAT solver does (the extra ``sat``), with one variable
for each cell and exactly one true in a column.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations, count
from math import prod

import numpy as np
from numpy.typing import NDArray

from idnf.logic.boxes import Space

SMALL = 1 << 20
"""The most points for which a truth table is made."""

Masks = tuple[int, ...]
Terms = tuple[Masks, ...] | None


@dataclass(frozen=True)
class Claim:
    """That no two points exist, one in each list of boxes, that agree on all columns but the free ones.

    Parameters
    ----------
    sizes : sequence of int
        The number of cells of each column.
    firsts, seconds : sequences of Box
    free : collection of int
        Columns on which the two points may differ.
    rising : tuple of int, optional
        A free column on which the second point must be higher than the first, and how many of its cells follow an
        order, those of known values.
    outside : sequence of Box
        The first point lies in none of these.
    """

    sizes: Sequence[int]
    firsts: Sequence[Masks]
    seconds: Sequence[Masks]
    free: Collection[int] = ()
    rising: tuple[int, int] | None = None
    outside: Sequence[Masks] = ()


def full_box(sizes: Sequence[int]) -> Masks:
    """Return the box that holds every point."""
    return tuple((1 << size) - 1 for size in sizes)


def covered_by(sizes: Sequence[int], boxes: Sequence[Masks]) -> Claim:
    """Return the claim that no point lies outside some boxes."""
    return Claim(sizes, [full_box(sizes)], [full_box(sizes)], outside=boxes)


def refuted(*claims: Claim) -> tuple[bool, str]:
    """Return whether one of some claims is false, and how that was found: by truth table or by SAT.

    >>> refuted(Claim((2, 2), [(1, 3)], [(2, 3)])), refuted(Claim((2, 2), [(1, 3)], [(2, 3)], free=[0]))
    ((False, 'truth table'), (True, 'truth table'))
    """
    method = _Table.method
    for claim in claims:
        refuter = Refuter(_merge_like_cells(claim))
        method = refuter.method
        if refuter.finds():
            return True, method
    return False, method


class Refuter:
    """A claim made ready to be refuted, as a whole or for first points of one region after another.

    >>> left = Refuter(covered_by((2, 2), [(1, 3), (2, 1)]))
    >>> left.finds(), left.finds((1, 3)), left.method, left.points
    (True, False, 'truth table', 4)
    """

    def __init__(self, claim: Claim) -> None:
        boxes = [*claim.firsts, *claim.seconds, *claim.outside]
        self.full = full_box(claim.sizes)
        rising = None if claim.rising is None else claim.rising[0]
        # A column that no box restricts can have any cell.
        self.used = [j for j, full in enumerate(self.full) if j == rising or any(box[j] != full for box in boxes)]
        self.points = prod(claim.sizes[j] for j in self.used)
        engine = _Table if self.points <= SMALL else _Sat
        self.method = engine.method
        self._finds = engine(_project(claim, self.used)).finds

    def finds(self, region: Sequence[int] | None = None) -> bool:
        """Return whether there are two such points, the first of them in a region."""
        masks = self.full if region is None else region
        return self._finds([masks[j] for j in self.used])


def _merge_like_cells(claim: Claim) -> Claim:
    """Return a claim with the cells of a column that every box takes alike merged; those of a rising column stay.

    >>> _merge_like_cells(Claim((4, 2), [(0b0011, 3)], [(0b1100, 3)])).sizes
    [2, 1]
    """
    lists = (claim.firsts, claim.seconds, claim.outside)
    boxes = [box for part in lists for box in part]
    kept: list[list[int]] = []
    for j, size in enumerate(claim.sizes):
        alike = {tuple(box[j] >> c & 1 for box in boxes): c for c in reversed(range(size))}
        rising = claim.rising is not None and claim.rising[0] == j
        kept.append(list(range(size)) if rising else sorted(alike.values()))
    firsts, seconds, outside = (
        [tuple(sum((m >> c & 1) << i for i, c in enumerate(cells)) for m, cells in zip(box, kept)) for box in part]
        for part in lists
    )
    return Claim([len(cells) for cells in kept], firsts, seconds, claim.free, claim.rising, outside)


def _project(claim: Claim, used: Sequence[int]) -> Claim:
    """Return a claim over some of its columns."""
    lists = (claim.firsts, claim.seconds, claim.outside)
    firsts, seconds, outside = ([tuple(box[j] for j in used) for box in boxes] for boxes in lists)
    free = [i for i, j in enumerate(used) if j in claim.free]
    rising = None if claim.rising is None else (used.index(claim.rising[0]), claim.rising[1])
    return Claim([claim.sizes[j] for j in used], firsts, seconds, free, rising, outside)


def _cells(masks: Sequence[int], sizes: Sequence[int]) -> tuple[NDArray[np.intp], ...]:
    """Return what picks the points of a box from a table."""
    return np.ix_(*([c for c in range(size) if mask >> c & 1] for mask, size in zip(masks, sizes, strict=True)))


class _Table:
    """For every first point, whether there is a second one."""

    method = "truth table"

    def __init__(self, claim: Claim) -> None:
        self.sizes = claim.sizes
        second = self._inside(claim.seconds)
        if claim.rising is not None:
            column, known = claim.rising
            cells = np.moveaxis(second, column, 0)
            higher = np.zeros_like(cells)
            higher[: known - 1] = np.logical_or.accumulate(cells[known - 1 : 0 : -1])[::-1]
            second = np.moveaxis(higher, 0, column)
        axes = tuple(j for j in claim.free if claim.rising is None or j != claim.rising[0])
        self.pairs = self._inside(claim.firsts) & ~self._inside(claim.outside) & second.any(axis=axes, keepdims=True)

    def _inside(self, boxes: Sequence[Masks]) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = np.zeros(tuple(self.sizes), dtype=bool)
        for box in boxes:
            held[_cells(box, self.sizes)] = True
        return held

    def finds(self, region: Sequence[int]) -> bool:
        return bool(self.pairs[_cells(region, self.sizes)].any())


class _Sat:
    """A variable for each cell of the first point, and of the second on the columns on which they may differ."""

    method = "SAT"

    def __init__(self, claim: Claim) -> None:
        try:
            from pysat.solvers import Solver
        except ImportError as error:
            raise ImportError("checking a model of this size needs python-sat: pip install 'idnf[sat]'") from error
        fresh = count(1)
        self.first = [[next(fresh) for _ in range(size)] for size in claim.sizes]
        second = [[next(fresh) for _ in column] if j in claim.free else column for j, column in enumerate(self.first)]
        clauses = [*self.first, *(second[j] for j in claim.free)]
        clauses += [[-a, -b] for column in clauses[:] for a, b in combinations(column, 2)]
        clauses += [self._excluded(self.first, box) for box in claim.outside]
        for point, boxes in ((self.first, claim.firsts), (second, claim.seconds)):
            chosen = [next(fresh) for _ in boxes]
            clauses.append(chosen)
            for number, box in zip(chosen, boxes, strict=True):
                clauses += [[-number, -cell] for cell in self._excluded(point, box)]
        if claim.rising is not None:
            column, known = claim.rising
            clauses += [[-cell, *second[column][c + 1 : known]] for c, cell in enumerate(self.first[column])]
        self.solver = Solver(name="cadical153", bootstrap_with=clauses)

    @staticmethod
    def _excluded(point: Sequence[Sequence[int]], box: Sequence[int]) -> list[int]:
        """Return the variables of the cells that a box excludes."""
        return [v for column, mask in zip(point, box, strict=True) for c, v in enumerate(column) if not mask >> c & 1]

    def finds(self, region: Sequence[int]) -> bool:
        return bool(self.solver.solve(assumptions=[-cell for cell in self._excluded(self.first, region)]))


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
    """What an explanation says about an example.

    Parameters
    ----------
    point : sequence of int
        The cells of the example.
    axp : sequence of int
        The columns of its reason.
    box : tuple of int
        The conditions of the reason, a mask of cells for each column.
    cxp : sequence of int
        The columns of its change; none if those that are not fixed cannot give another class.
    fixed : sequence of int
        Columns that no change touches.
    """

    point: Sequence[int]
    axp: Sequence[int]
    box: Masks
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
    truth = Refuter(_class_claim(terms, label, space))
    own = [1 << cell for cell in claim.point]
    full = truth.full
    met = all(mask >> cell & 1 for mask, cell in zip(box, claim.point, strict=True))
    _require(met, "the example must meet its reason")
    _require([j for j in range(len(box)) if box[j] != full[j]] == list(axp), "the reason must be about its columns")
    _require(not truth.finds(box), "the conditions must be sufficient")
    for column in axp:
        rest = [own[j] if j in axp and j != column else full[j] for j in range(len(own))]
        _require(truth.finds(rest), f"the reason must need column {space.columns[column].name!r}")
    changed = [full[j] if j in cxp else own[j] for j in range(len(own))]
    _require(truth.finds(changed) == bool(cxp), "changing the columns of the CXp must change the class")
    _require(not set(cxp) & set(claim.fixed), "the change must spare the columns that are fixed")
    free = [own[j] if j in claim.fixed else full[j] for j in range(len(own))]
    _require(bool(cxp) or not truth.finds(free), "a model with two classes must have a CXp")
    for column in cxp:
        rest = [own[j] if j == column else changed[j] for j in range(len(own))]
        _require(not truth.finds(rest), f"the change must need column {space.columns[column].name!r}")
    proved = (
        f"the conditions on {_column_names(space, axp)} give class {label} whatever the other columns are",
        "none of these columns can be left out",
        f"changing {_column_names(space, cxp)} can change the class, and none of it can be left out",
    )
    return Check(proved, truth.method, truth.points)


def check_classes(sizes: Sequence[int], terms: Sequence[Sequence[Masks]]) -> Refuter:
    """Prove that every point lies in boxes of exactly one class; return by what means."""
    for one, other in combinations(range(len(terms)), 2):
        found, _ = refuted(Claim(sizes, terms[one], terms[other]))
        _require(not found, f"classes must exclude each other; {one} and {other} do not")
    refuter = Refuter(covered_by(sizes, [term for side in terms for term in side]))
    _require(not refuter.finds(), "every point must be in a class")
    return refuter


def _column_names(space: Space, columns: Sequence[int]) -> str:
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


def _class_claim(terms: Sequence[Terms], label: int, space: Space) -> Claim:
    """Return the claim that a class is given everywhere."""
    own, sizes = terms[label], [len(column.cells) for column in space.columns]
    if own is not None:
        return covered_by(sizes, own)
    return Claim(sizes, [full_box(sizes)], [term for side in terms for term in side or ()])
