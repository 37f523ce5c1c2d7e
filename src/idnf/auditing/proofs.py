"""Proofs made again from the boxes alone, by code that shares nothing with what gave the answers.

Every answer of an audit comes down to this: no two points exist, one in each of two lists of boxes, that agree on all
columns but some (none, where the two are one point), or of which the second is higher on one column. Up to 2**20 points
a truth table over all cells says so; above, a SAT solver does (the extra ``sat``), with one variable for each cell.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
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


def refuted(claim: Claim) -> tuple[bool, str]:
    """Tell whether a claim is false, and how that was found: by truth table or by SAT.

    >>> refuted(Claim((2, 2), [(1, 3)], [(2, 3)])), refuted(Claim((2, 2), [(1, 3)], [(2, 3)], free=[0]))
    ((False, 'truth table'), (True, 'truth table'))
    """
    if prod(claim.sizes) <= SMALL:
        return _by_table(claim), "truth table"
    return _by_sat(claim), "SAT"


def covers(sizes: Sequence[int], boxes: Sequence[Masks]) -> tuple[bool, str]:
    """Tell whether every point lies in one of some boxes, and how that was found.

    >>> covers((2, 2), [(1, 3), (2, 1)]), covers((2, 2), [(1, 3), (3, 2), (2, 1)])
    ((False, 'truth table'), (True, 'truth table'))
    """
    claim = Claim(sizes, (), ())
    if prod(sizes) <= SMALL:
        return bool(_held(claim, boxes).all()), "truth table"
    columns = _variables(claim, 0)
    clauses = [*columns, *([-a, -b] for column in columns for a, b in combinations(column, 2))]
    return not _is_satisfiable([*clauses, *_outside(columns, boxes)]), "SAT"


def _outside(columns: Sequence[Sequence[int]], boxes: Sequence[Masks]) -> list[list[int]]:
    """Return clauses that a point lies in none of some boxes."""
    return [
        [v for column, mask in zip(columns, box, strict=True) for c, v in enumerate(column) if not mask >> c & 1]
        for box in boxes
    ]


def _is_satisfiable(clauses: list[list[int]]) -> bool:
    try:
        from pysat.solvers import Solver
    except ImportError as error:
        raise ImportError("checking a model of this size needs python-sat: pip install 'idnf[sat]'") from error
    with Solver(name="cadical153", bootstrap_with=clauses) as solver:
        return bool(solver.solve())


def _by_table(claim: Claim) -> bool:
    first, second = _held(claim, claim.firsts) & ~_held(claim, claim.outside), _held(claim, claim.seconds)
    if claim.rising is not None:
        column, known = claim.rising
        first, second = (held.take(range(known), axis=column) for held in (first, second))
        lower = np.roll(np.logical_or.accumulate(first, axis=column), 1, axis=column)
        lower[(slice(None),) * column + (0,)] = False
        first = lower
    axes = tuple(j for j in claim.free if claim.rising is None or j != claim.rising[0])
    return bool((first.any(axis=axes, keepdims=True) & second.any(axis=axes, keepdims=True)).any())


def _held(claim: Claim, boxes: Sequence[Masks]) -> NDArray[np.bool_]:
    held: NDArray[np.bool_] = np.zeros(tuple(claim.sizes), dtype=bool)
    for box in boxes:
        cells = [[c for c in range(size) if mask >> c & 1] for mask, size in zip(box, claim.sizes, strict=True)]
        held[np.ix_(*cells)] = True
    return held


def _by_sat(claim: Claim) -> bool:
    clauses = _agreeing_points(claim) + _outside(_variables(claim, 0), claim.outside)
    selector = 2 * sum(claim.sizes)
    for point, boxes in enumerate((claim.firsts, claim.seconds)):
        chosen = range(selector + 1, selector + len(boxes) + 1)
        selector += len(boxes)
        clauses.append(list(chosen))
        for number, box in zip(chosen, boxes, strict=True):
            columns = zip(_variables(claim, point), box, strict=True)
            clauses += [[-number, -v] for column, mask in columns for c, v in enumerate(column) if not mask >> c & 1]
    return _is_satisfiable(clauses)


def _variables(claim: Claim, point: int) -> list[list[int]]:
    """Return the variables of the cells of each column, for the first point (0) or the second (1)."""
    start = 1 + point * sum(claim.sizes)
    ends = np.cumsum(claim.sizes).tolist()
    return [list(range(start + end - size, start + end)) for size, end in zip(claim.sizes, ends, strict=True)]


def _agreeing_points(claim: Claim) -> list[list[int]]:
    """Return clauses that two points have one cell each on every column, and the same on columns that are not free."""
    one, two = _variables(claim, 0), _variables(claim, 1)
    clauses = [*one, *two]
    clauses += [[-a, -b] for column in clauses[:] for a, b in combinations(column, 2)]
    for j, (first, second) in enumerate(zip(one, two, strict=True)):
        if j not in claim.free:
            clauses += [[-a, b] for a, b in zip(first, second, strict=True)]
    if claim.rising is not None:
        column, known = claim.rising
        clauses += [[-a, *two[column][cell + 1 : known]] for cell, a in enumerate(one[column])]
    return clauses
