"""Contrastive explanations (Definition 1 of the paper) at a point, read off the terms of the other class.

A CXp is a subset-minimal set of columns that can be changed so that the class changes. For each term of the other
class, take the columns on which the point lies outside it; the subset-minimal ones among these are exactly the CXps.
Every function takes ``opposite``, boxes that together are the other class, prime or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idnf.explaining.ordered_transversals import in_order
from idnf.logic.boxes import Box, Point, cells_of, columns_outside
from idnf.logic.transversals import minimal_sets

Columns = tuple[int, ...]
"""Column indices, ascending."""


def is_weak_cxp(opposite: Iterable[Box], point: Point, columns: Iterable[int]) -> bool:
    """Tell whether the class of ``point`` can be changed by changing only these columns.

    >>> not_both = [(0b01, 0b11), (0b11, 0b01)]       # not a, or not b
    >>> is_weak_cxp(not_both, (1, 1), [0]), is_weak_cxp(not_both, (1, 1), [])
    (True, False)
    """
    free = sum(1 << column for column in set(columns))
    return any(columns_outside(box, point) & ~free == 0 for box in opposite)


def cxps(opposite: Iterable[Box], point: Point) -> list[Columns]:
    """Return all CXps, smallest first, ties by column order; none when the other class is empty.

    >>> cxps([(0b01, 0b11), (0b11, 0b01)], (1, 1))
    [(0,), (1,)]
    """
    return [tuple(cells_of(columns)) for columns in in_order(contrasts(opposite, point))]


def smallest_cxp(opposite: Sequence[Box], point: Point) -> Columns | None:
    """Return the first of the CXps: fewest columns, then column order; None when the other class is empty.

    >>> smallest_cxp([(0b01, 0b11), (0b11, 0b01)], (1, 1))
    (0,)
    """
    return next(iter(cxps(opposite, point)), None)


def contrasts(opposite: Iterable[Box], point: Point) -> list[int]:
    """Return the CXps as masks of columns, in no particular order."""
    sets = {columns_outside(box, point) for box in opposite}
    if 0 in sets:
        raise ValueError(f"opposite must be the terms of the other class; got one that holds at {point}.")
    return minimal_sets(sets)
