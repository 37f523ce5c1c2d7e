"""The part of a space that a model looks at: its columns, with cells it does not tell apart merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from idnf.logic.boxes import Box, Column, Point, Space, cells_of


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
        used = [j for j, seen in enumerate(masks) if any(mask != space.full[j] for mask in seen)]
        return cls(space, tuple(used), tuple(_merged(space.columns[j], list(masks[j])) for j in used))

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
    groups: dict[tuple[int, ...], int] = {}
    merged: list[int] = []
    previous: tuple[int, ...] | None = None
    last = -1
    for cell in range(column.size):
        signature = tuple(mask >> cell & 1 for mask in masks)
        apart = cell == column.missing_cell
        if column.ordered or apart:
            last += apart or signature != previous
            merged.append(last)
        else:
            merged.append(groups.setdefault(signature, len(groups)))
            last = len(groups) - 1
        previous = signature
    return tuple(merged)
