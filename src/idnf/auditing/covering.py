"""What is left of boxes when others are taken away, how many columns a class really needs, and boxes as a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, product
from math import prod

from idnf.auditing.table_models import TableModel
from idnf.columns.column import TableColumn, literal_names, space_of
from idnf.explaining.sides import Sides
from idnf.logic.boxes import Box, Point, in_conflict
from idnf.logic.dnf import DNF
from idnf.logic.literals import literal
from idnf.logic.maximal import maximal_boxes_avoiding

MOST = 20_000
"""Pieces and maximal boxes held at a time."""


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
    """Return the number of columns that the reasons of a class need, and a point that needs so many.

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
        found = maximal_boxes_avoiding(model.regions[label].boxes, space.full, k=k, limit=MOST)
        rest = left_over(left, found)
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


def class_formula(model: TableModel, label: int) -> DNF:
    """Return a class as a DNF over the literals of the columns: maximal boxes, as few as a greedy choice needs.

    >>> from idnf.columns.intervals import NumberColumn
    >>> age = NumberColumn("age", "refused", cuts=(30.0, 45.0))
    >>> print(class_formula(TableModel((age,), ("no", "yes"), (((0b101,),), ((0b010,),)), 1), 1))
    ~'age <= 30' & 'age <= 45'
    """
    space = space_of(model.columns)
    others = model.sides.opposite(label)
    boxes = _fewest(model.boxes[label], maximal_boxes_avoiding(others, space.full, limit=20_000))
    starts = list(accumulate((len(column.literals) for column in model.columns[:-1]), initial=0))
    masks = dict.fromkeys(
        sum(1 << code for code in {code for part in parts for code in part})
        for box in boxes
        for parts in product(
            *(
                _alternatives(column, mask, start)
                for column, mask, start in zip(model.columns, box, starts, strict=True)
                if mask != column.full
            )
        )
    )
    return DNF.from_masks(literal_names(model.columns), list(masks))


def _fewest(parts: Sequence[Box], maximal: Sequence[Box]) -> list[Box]:
    """Return maximal boxes that cover all parts: at each step the one that takes most of what is left."""
    left, chosen = list(parts), []
    while left:
        best = min(maximal, key=lambda box: (_size(left_over(left, [box])), box))
        chosen.append(best)
        left = left_over(left, [best])
    return chosen


def _size(boxes: Sequence[Box]) -> int:
    return sum(prod(mask.bit_count() for mask in box) for box in boxes)


def _alternatives(column: TableColumn, mask: int, start: int) -> list[tuple[int, ...]]:
    """Return sets of literals, by code, each a part of a condition and together all of it; short ones are preferred."""
    masks = [offered.mask for offered in column.literals]
    single = {
        **{column.full & ~m: literal(start + i, negated=True) for i, m in enumerate(masks)},
        **{m: literal(start + i, negated=False) for i, m in enumerate(masks)},
    }
    if mask in single:
        return [(single[mask],)]
    pairs = {a & b: (single[a], single[b]) for a in single for b in single if a & b}
    if mask in pairs:
        return [pairs[mask]]
    known = {**pairs, **{m: (code,) for m, code in single.items()}}
    inside = sorted((m for m in known if not m & ~mask), key=lambda m: (-m.bit_count(), len(known[m]), m))
    left, chosen = mask, []
    for part in inside:
        if part & left:
            chosen.append(known[part])
            left &= ~part
    assert not left, "every cell is a literal or between two"
    return chosen
