"""Boxes of a class as a formula over the literals of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from idnf.auditing.covering import left_over
from idnf.auditing.table_models import TableModel
from idnf.columns.column import TableColumn, literal_names, space_of
from idnf.explaining.maximal import maximal_boxes_avoiding
from idnf.logic.boxes import Box
from idnf.logic.dnf import DNF
from idnf.logic.literals import literal


def class_formula(model: TableModel, label: int) -> DNF:
    """Return a class as a DNF over the literals of the columns: maximal boxes, as few as a greedy choice needs.

    >>> from idnf.columns.intervals import NumberColumn
    >>> age = NumberColumn("age", "refused", cuts=(30.0, 45.0))
    >>> print(class_formula(TableModel((age,), ("no", "yes"), (((0b101,),), ((0b010,),)), 1), 1))
    ~'age <= 30' & 'age <= 45'
    """
    space = space_of(model.columns)
    others = model.class_boxes.opposite(label)
    boxes = _fewest(model.boxes[label], maximal_boxes_avoiding(others, space.full, limit=20_000))
    starts = _first_features(model.columns)
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
    total = 0
    for box in boxes:
        points = 1
        for mask in box:
            points *= mask.bit_count()
        total += points
    return total


def _first_features(columns: Sequence[TableColumn]) -> list[int]:
    starts, start = [], 0
    for column in columns:
        starts.append(start)
        start += len(column.literals)
    return starts


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
