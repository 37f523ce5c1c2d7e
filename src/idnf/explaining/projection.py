"""The part of a space that a model looks at: its columns, with cells it does not tell apart merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import accumulate
from operator import or_

from idnf.logic.boxes import Box, Column, Point, Space, cells_of
from idnf.logic.literals import feature_of, is_negated


@dataclass(frozen=True)
class Frame:
    """The columns a list of boxes constrains, with merged cells, and the way between them and the whole space.

    Neighbouring cells of an ordered column are merged when every box holds both or neither, any cells of an unordered
    one likewise; a missing cell stays apart. So intervals stay intervals, and a box of the frame is a box of the
    space.

    Parameters
    ----------
    space : Space
    columns : tuple of int
        The indices of the columns kept, ascending.
    merged : tuple of tuple of int
        For each column kept, the merged cell each of its cells belongs to.

    Examples
    --------
    >>> space = Space((Column("age", ("0", "1", "2", "3"), ordered=True), Column("job", ("x", "y"))), ())
    >>> frame = Frame.of(space, [(0b0011, 0b11)])
    >>> frame.columns, frame.merged, frame.point((3, 1)), frame.expanded((0b10,))
    ((0,), ((0, 0, 1, 1),), (1,), (12, 3))
    """

    space: Space
    columns: tuple[int, ...]
    merged: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, space: Space, boxes: Iterable[Box]) -> Frame:
        """Return the frame of the given boxes."""
        masks: list[dict[int, None]] = [{} for _ in space.columns]
        for box in boxes:
            for seen, mask in zip(masks, box, strict=True):
                seen[mask] = None
        return cls._of_masks(space, dict(enumerate(map(list, masks))))

    @classmethod
    def of_literals(cls, space: Space, codes: Iterable[int]) -> Frame:
        """Return the frame of some literals, each about one column; in time linear in their number.

        >>> Frame.of_literals(Space.boolean("abc"), [0, 5]).columns
        (0, 2)
        """
        masks: dict[int, list[int]] = {}
        for code in sorted(codes):
            column, mask = space.literals[feature_of(code)]
            held = space.full[column] & ~mask if is_negated(code) else mask
            if held:
                masks.setdefault(column, []).append(held)
        return cls._of_masks(space, masks)

    @classmethod
    def _of_masks(cls, space: Space, masks: Mapping[int, Sequence[int]]) -> Frame:
        used = [j for j in sorted(masks) if any(mask != space.full[j] for mask in masks[j])]
        return cls(space, tuple(used), tuple(_merged(space.columns[j], masks[j]) for j in used))

    @cached_property
    def inner(self) -> Space:
        """The frame as a space of its own."""
        columns = []
        for j, merged in zip(self.columns, self.merged, strict=True):
            column = self.space.columns[j]
            labels = tuple(str(cell) for cell in range(max(merged) + 1))
            columns.append(Column(column.name, labels, ordered=column.ordered, missing=column.missing))
        return Space(tuple(columns), ())

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """For each column kept and each merged cell, the mask of the cells in it."""
        members = []
        for merged in self.merged:
            masks = [0] * (max(merged) + 1)
            for cell, group in enumerate(merged):
                masks[group] |= 1 << cell
            members.append(tuple(masks))
        return tuple(members)

    def point(self, point: Sequence[int]) -> Point:
        """Return a point of the space as a point of the frame."""
        return tuple(merged[point[j]] for j, merged in zip(self.columns, self.merged, strict=True))

    def box(self, box: Box) -> Box:
        """Return a box of the space, one of those the frame was made of or a union of its cells, in the frame."""
        return tuple(
            sum(1 << group for group, cells in enumerate(members) if cells & box[j])
            for j, members in zip(self.columns, self.members, strict=True)
        )

    def expanded(self, box: Box) -> Box:
        """Return a box of the frame as a box of the space."""
        masks = list(self.space.full)
        for j, members, mask in zip(self.columns, self.members, box, strict=True):
            if mask != (1 << len(members)) - 1:
                masks[j] = sum(members[group] for group in cells_of(mask))
        return tuple(masks)

    def outer(self, columns: Iterable[int]) -> tuple[int, ...]:
        """Return the indices, in the space, of columns of the frame."""
        return tuple(self.columns[j] for j in columns)


def _merged(column: Column, masks: Sequence[int]) -> tuple[int, ...]:
    """Return the merged cell of each cell."""
    missing = -1 if column.missing_cell is None else column.missing_cell
    if column.ordered:
        # Where a mask changes from a cell to the next, a merged cell ends.
        ends = reduce(or_, (mask ^ mask >> 1 for mask in masks), 0) | (1 << missing >> 1 if missing > 0 else 0)
        return tuple(accumulate((ends >> cell & 1 for cell in range(column.size - 1)), initial=0))
    signatures = _signatures(column, masks)
    groups: dict[object, int] = {}
    return tuple(
        len(groups) if cell == missing else groups.setdefault(signature, len(groups))
        for cell, signature in enumerate(signatures)
    )


def _signatures(column: Column, masks: Sequence[int]) -> list[tuple[int, ...]]:
    """Return for each cell what tells it from those in other masks: a mask says as much as the cells it leaves out."""
    every = (1 << column.size) - 1
    found: list[list[int]] = [[] for _ in range(column.size)]
    for number, mask in enumerate(masks):
        for cell in cells_of(min(mask, every & ~mask, key=int.bit_count)):
            found[cell].append(number)
    return list(map(tuple, found))
