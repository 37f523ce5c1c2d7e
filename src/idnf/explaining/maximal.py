"""All maximal boxes of a class: what prime implicants are in the Boolean case.

Two ways: by dualising the terms of the other class (Berge's algorithm on boxes, as Nelson's theorem has it in the
Boolean case), or by consensus on the terms of the class itself (Quine; Tison, *Generalization of consensus theory*,
1967) where the other side is too large to be written down. Inside this module a box is one integer, the masks of its
columns side by side, so that "lies in" is one operation. Time and output can be exponential in the number of terms,
hence ``limit``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from idnf.logic.boxes import Box
from idnf.logic.deadlines import Budget
from idnf.logic.transversals import minimal_sets

# About so many boxes are compared in a step, a microsecond.
_PAIRS_A_STEP = 16


class TooManyBoxes(ValueError):
    """There are more maximal boxes than the caller is ready for."""

    def __init__(self, limit: int, message: str | None = None) -> None:
        super().__init__(message or f"limit must be at least the number of maximal boxes on the way; got {limit}.")
        self.limit = limit


def maximal_boxes_avoiding(
    terms: Iterable[Box], full: Box, *, k: int | None = None, limit: int = 5000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes that no term meets, only those of at most k columns if k is given.

    Dropping a box as soon as it constrains more than k columns loses nothing: later steps only add constraints.
    Comparing boxes takes steps of the budget.

    >>> maximal_boxes_avoiding([(0b10, 0b10)], (0b11, 0b11))     # not (a and b)
    [(1, 3), (3, 1)]
    """
    layout = _Layout.of(full)
    boxes = [layout.packed(full)]
    for term in sorted(set(terms)):
        parts = layout.parts(term)
        staying = [box for box in boxes if any(not box & part for _, part in parts)]
        stays = set(staying)
        cut = {
            box & ~part
            for box in boxes
            if box not in stays
            for field, part in parts
            if box & ~part & field and (k is None or layout.width(box & ~part) <= k)
        }
        if len(staying) + len(cut) > 2 * limit:
            raise TooManyBoxes(limit)
        if budget is not None:
            budget.spend(len(boxes) + len(cut) * (len(staying) + len(cut)) // _PAIRS_A_STEP)
        boxes = staying + [box for box in layout.outermost(cut) if not _is_within_one(box, staying)]
        if len(boxes) > limit:
            raise TooManyBoxes(limit)
    return sorted(map(layout.unpacked, boxes))


def maximal_boxes_within(
    terms: Iterable[Box], full: Box, *, limit: int = 5000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes inside a union of boxes; comparing boxes takes steps of the budget.

    >>> maximal_boxes_within([(0b10, 0b10, 0b11), (0b01, 0b11, 0b10)], (3, 3, 3))     # ab or (not a)c; consensus bc
    [(1, 3, 2), (2, 2, 3), (3, 2, 2)]
    """
    layout = _Layout.of(full)
    boxes = layout.outermost(layout.packed(term) for term in terms)
    changed = True
    while changed:
        before = set(boxes)
        for field in layout.fields:
            boxes = _closed(boxes, field, layout, limit, budget)
        changed = before != set(boxes)
    return sorted(map(layout.unpacked, boxes))


def _closed(boxes: list[int], field: int, layout: _Layout, limit: int, budget: Budget | None) -> list[int]:
    """Return the maximal boxes after all consensus steps on one column."""
    fresh = boxes
    while fresh:
        if budget is not None:
            budget.spend(len(fresh) * len(boxes) // 4)
        made = {
            both
            for a in fresh
            for b in boxes
            if a & ~b & field and b & ~a & field and layout.is_box(both := a & b | (a | b) & field)
        }
        if budget is not None:
            budget.spend(len(made) * (len(made) + len(boxes)) // _PAIRS_A_STEP)
        fresh = [box for box in layout.outermost(made) if not _is_within_one(box, boxes)]
        boxes = [box for box in boxes if not _is_within_one(box, fresh)] + fresh
        if len(boxes) > limit:
            raise TooManyBoxes(limit)
    return boxes


def _is_within_one(box: int, others: Iterable[int]) -> bool:
    for other in others:  # noqa: SIM110 (any() takes twice the time, and this is where the time goes)
        if not box & ~other:
            return True
    return False


@dataclass(frozen=True)
class _Layout:
    """Where each column's mask lies in the integer of a box."""

    offsets: tuple[int, ...]
    fields: tuple[int, ...]

    @classmethod
    def of(cls, full: Box) -> _Layout:
        offsets, end = [], 0
        for mask in full:
            offsets.append(end)
            end += mask.bit_length()
        return cls(tuple(offsets), tuple(mask << offset for mask, offset in zip(full, offsets, strict=True)))

    def packed(self, box: Box) -> int:
        return sum(mask << offset for mask, offset in zip(box, self.offsets, strict=True))

    def unpacked(self, box: int) -> Box:
        return tuple((box & field) >> offset for field, offset in zip(self.fields, self.offsets, strict=True))

    def parts(self, term: Box) -> Sequence[tuple[int, int]]:
        """Return, for each column the term constrains, the field of the column and the term's cells in it."""
        shifted = ((field, mask << offset) for field, mask, offset in zip(self.fields, term, self.offsets, strict=True))
        return [(field, part) for field, part in shifted if part != field]

    def width(self, box: int) -> int:
        return sum(box & field != field for field in self.fields)

    def outermost(self, boxes: Iterable[int]) -> list[int]:
        """Return the boxes that lie in no other one: those that leave out a minimal set of cells."""
        every = sum(self.fields)
        return [every & ~cells for cells in minimal_sets(every & ~box for box in boxes)]

    def is_box(self, box: int) -> bool:
        return all(box & field for field in self.fields)
