"""One class of a model as a set of points, known either by the terms of the other classes or by its own maximal boxes.

An AXp of a point (Definition 1 of the paper) is a subset-minimal set of columns whose values alone, whatever the others
are, give the class; a CXp is a subset-minimal set of columns that can be changed so that the class changes. For each
term of another class, take the columns on which the point lies outside it: the subset-minimal ones among these are
exactly the CXps, and the AXps are their minimal transversals.

The terms of the other classes are available unless there are too many to write down (k^k terms for a nested k-DNF).
Then the maximal boxes of the class itself are used, to the same effect. They are to the explanations what the prime
implicants are in the Boolean case: a box lies inside the class iff it lies in a maximal box, the AXps of a point are
the minimal column sets of the maximal boxes that hold it, and the CXps are the minimal transversals of those.

The widest conditions around a point follow one rule in every explanation, page and export. Given the columns of an
explanation, start from the box that allows on them the point's own cells and on all others every cell. Take the columns
in order. On each, a cell is *allowed* when the box with only that cell there lies inside the class; the condition
becomes

- on an unordered column: all allowed cells;
- on an ordered column: the longest run of allowed cells around the point's cell, and "missing" if that is allowed;
- on an ordered column, if the point's value is missing: "missing", and the run of allowed cells that holds the lowest.

Later columns are widened with the conditions of the earlier ones already widened. The result is a box inside the class
of which no single condition can be widened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from idnf.logic.boxes import Box, Column, Point, Space, columns_outside, in_conflict, is_within
from idnf.logic.transversals import in_order, minimal_sets, transversals_in_order

AllowedCells = Callable[[Box, int], int]
"""Returns the cells allowed on a column: those for which the box, with only that cell there, lies inside the class."""


@dataclass(frozen=True)
class Region:
    """The points of one class.

    Parameters
    ----------
    full : Box
        The box of all points.
    boxes : tuple of Box
        The terms of all other classes, or all maximal boxes of this one.
    by_maximal : bool
        Whether ``boxes`` are the maximal boxes of this class.

    Examples
    --------
    >>> both = Region((3, 3), ((0b01, 0b11), (0b11, 0b01)))       # a and b: neither "not a" nor "not b"
    >>> both.has((0b10, 0b10)), both.has((0b10, 0b11))
    (True, False)
    >>> [bin(s) for s in both.axps((1, 1))], [bin(s) for s in both.cxps((1, 1))]
    (['0b11'], ['0b1', '0b10'])
    """

    full: Box
    boxes: tuple[Box, ...]
    by_maximal: bool = False

    def has(self, box: Box) -> bool:
        """Return whether a box lies inside the class."""
        if self.by_maximal:
            return any(is_within(box, other) for other in self.boxes)
        return all(in_conflict(box, other) for other in self.boxes)

    def allowed_cells(self, box: Box, column: int) -> int:
        """Return the cells of a column for which ``box``, with only that cell there, lies inside the class."""
        elsewhere = (*box[:column], 0, *box[column + 1 :])
        if self.by_maximal:
            allowed = 0
            for other in self.boxes:
                if is_within(elsewhere, other):
                    allowed |= other[column]
            return allowed
        barred = 0
        for other in self.boxes:
            if not any(a & b == 0 for j, (a, b) in enumerate(zip(box, other, strict=True)) if j != column):
                barred |= other[column]
        return self.full[column] & ~barred

    def axps(self, point: Point) -> Iterator[int]:
        """Yield the AXps of a point of the class as masks of columns, smallest first."""
        if self.by_maximal:
            return iter(in_order(self._reasons(point)))
        return transversals_in_order(self._contrasts(point))

    def cxps(self, point: Point, fixed: int = 0) -> Iterator[int]:
        """Yield the CXps of a point of the class that avoid ``fixed``, as masks of columns, smallest first."""
        if self.by_maximal:
            return transversals_in_order(reason & ~fixed for reason in self._reasons(point))
        return iter(in_order([contrast for contrast in self._contrasts(point) if not contrast & fixed]))

    def _reasons(self, point: Point) -> list[int]:
        holding = (box for box in self.boxes if not columns_outside(box, point))
        return minimal_sets(
            sum(1 << j for j, (mask, full) in enumerate(zip(box, self.full, strict=True)) if mask != full)
            for box in holding
        )

    def _contrasts(self, point: Point) -> list[int]:
        sets = {columns_outside(box, point) for box in self.boxes}
        if 0 in sets:
            raise ValueError(f"point must lie in the class; got {point}, which a term of another class holds.")
        return minimal_sets(sets)


def widest(column: Column, allowed: int, cell: int) -> int:
    """Return the condition on one column: the widest one of its kind among the allowed cells that holds ``cell``.

    >>> age = Column("age", ("0", "1", "2", "3", "missing"), ordered=True, missing=True)
    >>> bin(widest(age, 0b11101, 2)), bin(widest(age, 0b11101, 4))
    ('0b11100', '0b10001')
    >>> bin(widest(Column("job", ("x", "y", "z")), 0b101, 0))
    '0b101'
    """
    if not column.ordered:
        return allowed
    missing = 1 << column.size - 1 if column.missing else 0
    present = allowed & ~missing
    if cell == column.missing_cell:
        if not present:
            return allowed & missing
        cell = (present & -present).bit_length() - 1
    low = high = cell
    while low > 0 and present >> low - 1 & 1:
        low -= 1
    while present >> high + 1 & 1:
        high += 1
    return (1 << high + 1) - (1 << low) | allowed & missing


def widen(space: Space, allowed_cells: AllowedCells, box: Box, columns: Iterable[int], point: Point) -> Box:
    """Return a box widened on some columns, in column order, around the cells of ``point``."""
    masks = list(box)
    for column in sorted(columns):
        masks[column] = widest(space.columns[column], allowed_cells(tuple(masks), column), point[column])
    return tuple(masks)


def own_cells(space: Space, point: Point, columns: Iterable[int]) -> Box:
    """Return the box that allows the point's own cells on some columns and every cell on the others.

    >>> own_cells(Space.boolean("abc"), (1, 0, 1), [0, 1])
    (2, 1, 3)
    """
    fixed = set(columns)
    return tuple(1 << point[j] if j in fixed else full for j, full in enumerate(space.full))


@dataclass(frozen=True)
class Contrast:
    """Conditions on the columns of a CXp, and the class that they lead to, by its place among the others."""

    box: Box
    other: int


def contrast(space: Space, own: Region, others: Sequence[Region], point: Point, columns: Iterable[int]) -> Contrast:
    """Return conditions on the columns of a CXp under which the example, otherwise the same, is in another class.

    The columns are taken in order. Each gets the first cell with which changes of the later columns can still change
    the class: on an ordered column the nearest cell below, then the nearest above, "missing" last; on an unordered one
    the first. Around that target the conditions are widened inside its class by the same rule as those of an AXp.
    """
    box = [1 << cell for cell in point]
    target = list(point)
    changed = sorted(columns)
    for column in changed:
        box[column] = space.full[column]
    for column in changed:
        for cell in _from_near_to_far(space.columns[column], point[column]):
            box[column] = 1 << cell
            if not own.has(tuple(box)):
                target[column] = cell
                break
    here = tuple(box)
    other = 0 if len(others) == 1 else next((i for i, region in enumerate(others) if region.has(here)), 0)
    return Contrast(widen(space, others[other].allowed_cells, here, changed, tuple(target)), other)


def _from_near_to_far(column: Column, cell: int) -> list[int]:
    known = [c for c in range(column.size) if c not in (cell, column.missing_cell)]
    if column.ordered and cell != column.missing_cell:
        known = [c for c in reversed(known) if c < cell] + [c for c in known if c > cell]
    missing = column.missing_cell
    return known if missing is None or missing == cell else [*known, missing]
