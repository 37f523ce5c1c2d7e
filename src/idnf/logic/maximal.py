"""All maximal boxes of a class: what prime implicants are in the Boolean case.

Two ways: by dualising the terms of the other class (Berge's algorithm on boxes, as Nelson's theorem has it in the
Boolean case), or by consensus on the terms of the class itself (Quine; Tison, *Generalization of consensus theory*,
1967) where the other side is too large to be written down. Inside this module a box is the mask of the cells that it
excludes, so that "lies in" is one operation. Time and output can be exponential in the number of terms, hence
``limit``.

On an ordered column the boxes that people write are *runs* of neighbouring cells, with or without the missing cell.
They cover as much as arbitrary sets of cells, as what holds around a point holds on the run around it, and there are
far fewer of them: the outside of n boxes on a diagonal has 2^n - 2 maximal boxes of arbitrary sets.
"""

from __future__ import annotations

from collections.abc import Iterable

from idnf.logic.boxes import Box, Space
from idnf.logic.cubes import Layout
from idnf.logic.deadlines import Budget
from idnf.logic.transversals import holds_one_of, minimal_sets

# About this many boxes are compared in a step, a microsecond.
_PAIRS_A_STEP = 16


class TooManyBoxes(ValueError):
    """There are more maximal boxes than the caller is ready for."""

    def __init__(self, limit: int, message: str | None = None) -> None:
        super().__init__(message or f"gave up: more than {limit:,} boxes would be held at once.")
        self.limit = limit


def maximal_boxes_avoiding(
    terms: Iterable[Box], full: Box, *, k: int | None = None, limit: int = 5000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes that no term meets, only those of at most k columns if k is given.

    Comparing boxes takes steps of the budget.

    >>> maximal_boxes_avoiding([(0b10, 0b10)], (0b11, 0b11))     # not (a and b)
    [(1, 3), (3, 1)]
    """
    layout = Layout.around([full])
    cuts = [[(column, column & ~term) for column in layout.restricted(term)] for term in _masks(terms, layout)]
    return _avoiding(cuts, cuts, layout, k, limit, budget)


def maximal_runs_avoiding(
    terms: Iterable[Box], space: Space, *, k: int | None = None, limit: int = 20_000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes, runs of cells on every ordered column, that no term meets.

    >>> from idnf.logic.boxes import Column
    >>> age = Column("age", ("young", "middle", "old"), ordered=True)
    >>> maximal_runs_avoiding([(0b010,)], Space((age,), ())), maximal_boxes_avoiding([(0b010,)], (0b111,))
    ([(1,), (4,)], [(5,)])
    """
    layout = Layout.of(space)
    masks = _masks(terms, layout)
    apart = [[(column, column & ~term) for column in layout.restricted(term)] for term in masks]
    cuts = [[cut for j in range(len(space.columns)) for cut in _runs_outside(space, layout, j, term)] for term in masks]
    return _avoiding(apart, cuts, layout, k, limit, budget)


def _masks(terms: Iterable[Box], layout: Layout) -> list[int]:
    return list(map(layout.mask, sorted(set(terms))))


def _runs_outside(space: Space, layout: Layout, j: int, term: int) -> list[tuple[int, int]]:
    """Return the column, and all its cells but those of a run outside a term, for each such run."""
    column, start = layout.columns[j], layout.starts[j]
    outside = (term & column) >> start
    return [(column, column & ~(run << start)) for run in space.conditions(j, outside)] if outside else []


Cuts = list[tuple[int, int]]
"""For some columns, all their cells, and those that a box excludes which is to avoid a term there."""


def _avoiding(
    apart: list[Cuts], cuts: list[Cuts], layout: Layout, k: int | None, limit: int, budget: Budget | None
) -> list[Box]:
    """Return the maximal boxes that avoid terms: those apart from a term stay, the others are cut.

    Dropping a box as soon as it constrains more than k columns loses nothing: later steps only add constraints.
    """
    boxes = [0]
    for excluded, parts in zip(apart, cuts, strict=True):
        staying = [box for box in boxes if any(box & part == part for _, part in excluded)]
        stays = set(staying)
        cut = {
            box | part
            for box in boxes
            if box not in stays
            for column, part in parts
            if column & ~(box | part) and (k is None or layout.size(box | part) <= k)
        }
        if len(staying) + len(cut) > 2 * limit:
            raise TooManyBoxes(limit)
        if budget is not None:
            budget.spend(len(boxes) + len(cut) * (len(staying) + len(cut)) // _PAIRS_A_STEP)
        boxes = staying + [box for box in minimal_sets(cut) if not holds_one_of(box, staying)]
        if len(boxes) > limit:
            raise TooManyBoxes(limit)
    return sorted(map(layout.box, boxes))


def maximal_boxes_within(
    terms: Iterable[Box], full: Box, *, limit: int = 5000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes inside a union of boxes; comparing boxes takes steps of the budget.

    >>> maximal_boxes_within([(0b10, 0b10, 0b11), (0b01, 0b11, 0b10)], (3, 3, 3))     # ab or (not a)c; consensus bc
    [(1, 3, 2), (2, 2, 3), (3, 2, 2)]
    """
    layout = Layout.around([full])
    boxes = minimal_sets(map(layout.mask, terms))
    changed = True
    while changed:
        before = set(boxes)
        for column in layout.columns:
            boxes = _closed(boxes, column, layout, limit, budget)
        changed = before != set(boxes)
    return sorted(map(layout.box, boxes))


def _closed(boxes: list[int], column: int, layout: Layout, limit: int, budget: Budget | None) -> list[int]:
    """Return the maximal boxes after all consensus steps on one column."""
    fresh = boxes
    while fresh:
        if budget is not None:
            budget.spend(len(fresh) * len(boxes) // 4)
        made = {
            both
            for a in fresh
            for b in boxes
            if a & ~b & column and b & ~a & column and layout.is_possible(both := (a | b) & ~column | a & b)
        }
        if budget is not None:
            budget.spend(len(made) * (len(made) + len(boxes)) // _PAIRS_A_STEP)
        fresh = [box for box in minimal_sets(made) if not holds_one_of(box, boxes)]
        boxes = [box for box in boxes if not holds_one_of(box, fresh)] + fresh
        if len(boxes) > limit:
            raise TooManyBoxes(limit)
    return boxes
