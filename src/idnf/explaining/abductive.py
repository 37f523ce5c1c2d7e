"""Abductive explanations (Definition 1 of the paper) at a point, read off the terms of the other class.

An AXp is a subset-minimal set of columns whose values alone, whatever the others are, give the class. The AXps are the
minimal transversals of the CXps. Every function takes ``opposite``, boxes that together are the other class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from idnf.explaining.contrastive import Columns, contrasts
from idnf.explaining.ordered_transversals import transversals_in_order
from idnf.logic.boxes import Box, Point, cells_of, columns_outside


def is_weak_axp(opposite: Iterable[Box], point: Point, columns: Iterable[int]) -> bool:
    """Tell whether the values of ``point`` on these columns suffice for its class.

    >>> not_both = [(0b01, 0b11), (0b11, 0b01)]       # not a, or not b
    >>> is_weak_axp(not_both, (1, 1), [0, 1]), is_weak_axp(not_both, (1, 1), [0])
    (True, False)
    """
    fixed = sum(1 << column for column in set(columns))
    return all(columns_outside(box, point) & fixed for box in opposite)


def one_axp(opposite: Sequence[Box], point: Point) -> Columns:
    """Return an AXp by deletion: start from all columns and drop, last first, those that are not needed.

    >>> one_axp([(0b01, 0b01)], (1, 1))     # a or b
    (0,)
    """
    sets = contrasts(opposite, point)
    columns = (1 << len(point)) - 1
    for column in reversed(range(len(point))):
        fewer = columns & ~(1 << column)
        if all(s & fewer for s in sets):
            columns = fewer
    return tuple(cells_of(columns))


def axps(opposite: Iterable[Box], point: Point) -> Iterator[Columns]:
    """Yield all AXps, smallest first, ties by column order; lazily, since there may be very many.

    >>> list(axps([(0b01, 0b01)], (1, 1)))
    [(0,), (1,)]
    """
    return (tuple(cells_of(columns)) for columns in transversals_in_order(contrasts(opposite, point)))


def smallest_axp(opposite: Iterable[Box], point: Point) -> Columns:
    """Return the first of the AXps: fewest columns, then column order.

    >>> smallest_axp([(0b01, 0b11, 0b01), (0b11, 0b01, 0b01)], (1, 1, 1))     # a and b, or c
    (2,)
    """
    return next(axps(opposite, point))
