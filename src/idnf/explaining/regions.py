"""One class of a model as a set of points, known either by the terms of the other classes or by its own maximal boxes.

An AXp of a point (Definition 1 of the paper) is a subset-minimal set of columns whose values alone, whatever the others
are, give the class; a CXp is a subset-minimal set of columns that can be changed so that the class changes. For each
term of another class, take the columns on which the point lies outside it: the subset-minimal ones among these are
exactly the CXps, and the AXps are their minimal transversals.

The terms of the other classes are at hand unless they are too many to be written down (k^k terms for a nested k-DNF);
then the maximal boxes of the class itself are used, to the same effect. They are to the explanations what the prime
implicants are in the Boolean case: a box lies inside the class iff it lies in a maximal box, the AXps of a point are
the minimal column sets of the maximal boxes that hold it, and the CXps are the minimal transversals of those.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idnf.logic.boxes import Box, Point, columns_outside, in_conflict, is_within
from idnf.logic.transversals import in_order, minimal_sets, transversals_in_order


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
        """Tell whether a box lies inside the class."""
        if self.by_maximal:
            return any(is_within(box, other) for other in self.boxes)
        return all(in_conflict(box, other) for other in self.boxes)

    def allowed(self, box: Box, column: int) -> int:
        """Return the cells of a column for which ``box``, with only that cell there, lies inside the class."""
        elsewhere = (*box[:column], 0, *box[column + 1 :])
        found = 0
        if self.by_maximal:
            for other in self.boxes:
                if is_within(elsewhere, other):
                    found |= other[column]
            return found
        for other in self.boxes:
            if not any(a & b == 0 for j, (a, b) in enumerate(zip(box, other, strict=True)) if j != column):
                found |= other[column]
        return self.full[column] & ~found

    def axps(self, point: Point) -> Iterator[int]:
        """Yield the AXps of a point of the class as masks of columns, smallest first."""
        if self.by_maximal:
            return iter(in_order(self._reasons(point)))
        return transversals_in_order(self._contrasts(point))

    def cxps(self, point: Point, fixed: int = 0) -> Iterator[int]:
        """Yield the CXps of a point of the class as masks of columns, smallest first, those that spare ``fixed``."""
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
