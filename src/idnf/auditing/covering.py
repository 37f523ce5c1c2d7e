"""What is left of boxes when others are taken away, and how many columns a class really needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from idnf.explaining.sides import Sides
from idnf.logic.boxes import Box, Point, in_conflict
from idnf.logic.maximal import maximal_runs_avoiding

MOST = 20_000
"""Pieces held at a time."""


class TooManyPieces(ValueError):
    """The rules cut the space into more pieces than can be held."""


def subtracted(box: Box, other: Box) -> Iterator[Box]:
    """Yield disjoint boxes that together are a box without another.

    >>> list(subtracted((3, 3), (1, 1)))
    [(2, 3), (1, 2)]
    """
    if in_conflict(box, other):
        yield box
        return
    inside = list(box)
    for j, (own, taken) in enumerate(zip(box, other, strict=True)):
        if own & ~taken:
            yield (*inside[:j], own & ~taken, *inside[j + 1 :])
        inside[j] = own & taken


def left_over(boxes: Iterable[Box], taken: Sequence[Box]) -> list[Box]:
    """Return disjoint pieces of some boxes that none of the taken ones holds.

    >>> left_over([(3, 3)], [(1, 3), (3, 1)])
    [(2, 2)]
    """
    pieces = list(boxes)
    for other in taken:
        pieces = [piece for box in pieces for piece in subtracted(box, other)]
        if len(pieces) > MOST:
            raise TooManyPieces(f"the rules must cut the space into at most {MOST} pieces; got more.")
    return pieces


def columns_needed_by(model: Sides, label: int) -> tuple[int, Point | None]:
    """Return the number of columns that the reasons of a class need, and a point that needs that many.

    It is the least k for which the boxes of at most k columns inside the class cover it. None for an empty class.

    >>> from idnf.logic.boxes import Space
    >>> both = Sides(Space.boolean("ab"), 2, (((1, 3), (3, 1)), ((2, 2),)))
    >>> columns_needed_by(both, 0), columns_needed_by(both, 1)
    ((1, (0, 0)), (2, (1, 1)))
    """
    space = model.frame.inner
    left: list[Box] = list(model.inner[label] or ())
    if not left:
        return 0, None
    for k in range(len(space.columns) + 1):
        rest = left_over(left, maximal_runs_avoiding(model.regions[label].boxes, space, k=k))
        if not rest:
            return k, _outer_point(model, left[0])
        left = rest
    raise AssertionError("the boxes of all columns cover the class")


def _outer_point(model: Sides, box: Box) -> Point:
    cells = [0] * len(model.space.columns)
    for j, members, mask in zip(model.frame.columns, model.frame.members, box, strict=True):
        group = members[(mask & -mask).bit_length() - 1]
        cells[j] = (group & -group).bit_length() - 1
    return tuple(cells)
