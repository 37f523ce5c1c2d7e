"""Proofs made again from the boxes alone, by code that shares nothing with what gave the answers.

Every question comes down to this: no two points exist, one in each of two lists of boxes, that agree on all columns but
some (none, where the two are one point), or of which the second is higher on one column. Up to 2**20 points a truth
table over all cells of the columns concerned says so; above, a SAT solver does (the extra ``sat``), with one variable
for each cell and exactly one true in a column.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from math import prod

import numpy as np
from numpy.typing import NDArray

SMALL = 1 << 20
"""The most points for which a truth table is made."""

Masks = tuple[int, ...]


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


def refuted(claim: Claim) -> tuple[bool, str]:
    """Tell whether a claim is false, and how that was found: by truth table or by SAT.

    >>> refuted(Claim((2, 2), [(1, 3)], [(2, 3)])), refuted(Claim((2, 2), [(1, 3)], [(2, 3)], free=[0]))
    ((False, 'truth table'), (True, 'truth table'))
    """
    refuter = Refuter(claim)
    return refuter.finds(), refuter.method


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
        # A column that no box speaks of can have any cell.
        self.used = [j for j, full in enumerate(self.full) if j == rising or any(box[j] != full for box in boxes)]
        self.points = prod(claim.sizes[j] for j in self.used)
        engine = _Table if self.points <= SMALL else _Sat
        self.method = engine.method
        self._finds = engine(_projected(claim, self.used)).finds

    def finds(self, region: Sequence[int] | None = None) -> bool:
        """Tell whether there are two such points, the first of them in a region."""
        masks = self.full if region is None else region
        return self._finds([masks[j] for j in self.used])


def _projected(claim: Claim, used: Sequence[int]) -> Claim:
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
        second = self._held(claim.seconds)
        if claim.rising is not None:
            column, known = claim.rising
            cells = np.moveaxis(second, column, 0)
            higher = np.zeros_like(cells)
            higher[: known - 1] = np.logical_or.accumulate(cells[known - 1 : 0 : -1])[::-1]
            second = np.moveaxis(higher, 0, column)
        axes = tuple(j for j in claim.free if claim.rising is None or j != claim.rising[0])
        self.pairs = self._held(claim.firsts) & ~self._held(claim.outside) & second.any(axis=axes, keepdims=True)

    def _held(self, boxes: Sequence[Masks]) -> NDArray[np.bool_]:
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
