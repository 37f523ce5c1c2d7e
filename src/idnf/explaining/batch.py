"""Many points at once: boxes compiled to arrays.

Points with the same cells on the columns a model looks at, after merging cells it does not tell apart, get one
answer, so the work is done once for each distinct *pattern*. Models that use more than 63 columns, or tell apart more
than 63 cells of one, are answered by the plain functions of :mod:`idnf.explaining.regions`, pattern by pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.hitting import ABSENT, Sets, outside_family, smallest_members, smallest_transversals
from idnf.explaining.regions import Region, grown, own_cells, widest
from idnf.explaining.sides import Frame, Sides
from idnf.logic.boxes import Box, Space, cells_of

MOST = 63
"""Columns, and cells of one column, that fit into the arrays."""

_ENTRIES, _POINTS = 1_000_000, 8192
"""Sets and points held at a time; a point may have thousands of partial transversals."""

_MANY = 4096
"""From this many patterns on, listing the maximal boxes of a class first is worth the time it takes."""


@dataclass(frozen=True)
class Patterns:
    """The distinct rows of a table of cells as a model sees them.

    Parameters
    ----------
    cells : int array of shape (patterns, columns of the frame)
    index : int array of shape (rows,)
        The pattern of each row.
    """

    cells: NDArray[np.intp]
    index: NDArray[np.intp]

    @classmethod
    def of(cls, frame: Frame, cells: NDArray[np.integer]) -> Patterns:
        """Return the patterns of a table of cells of shape (rows, columns of the space)."""
        columns = len(frame.space.columns)
        if cells.ndim != 2 or cells.shape[1] != columns:
            raise ValueError(f"cells must have shape (rows, {columns}); got {cells.shape}.")
        key = np.zeros(len(cells), dtype=np.int64)
        size = 1
        for j, merged in zip(frame.columns, frame.merged, strict=True):
            radix = max(merged) + 1
            if size > 2**62 // radix:
                values, key = np.unique(key, return_inverse=True)
                size = len(values)
            key *= radix
            key += np.array(merged, dtype=np.int64)[cells[:, j]]
            size *= radix
        first, index = _first_and_index(key, size)
        seen = [np.array(m, dtype=np.intp)[cells[first, j]] for j, m in zip(frame.columns, frame.merged, strict=True)]
        distinct = np.stack(seen, axis=1) if seen else np.zeros((len(first), 0), dtype=np.intp)
        return cls(distinct, index)


def _first_and_index(key: NDArray[np.int64], size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a row for each distinct key, and the number of the key of each row."""
    if size > 1 << 22:
        _, first, index = np.unique(key, return_index=True, return_inverse=True)
        return first, index
    # Few possible keys: a table of them is much faster than sorting.
    row = np.full(size, -1, dtype=np.intp)
    row[key] = np.arange(len(key))
    present = np.flatnonzero(row >= 0)
    number = np.zeros(size, dtype=np.intp)
    number[present] = np.arange(len(present))
    return row[present], number[key]


@dataclass(frozen=True)
class Answers:
    """For each pattern the class, the smallest AXp and CXp, and the conditions of the AXp.

    Parameters
    ----------
    labels : int array
        The class, by its number.
    axps, cxps : lists of tuples of int
        Columns of the frame; None in ``cxps`` where no column that can change gives another class.
    boxes : list of Box
        The conditions on the columns of the AXp, in the frame.
    """

    labels: NDArray[np.intp]
    axps: list[tuple[int, ...]]
    cxps: list[tuple[int, ...] | None]
    boxes: list[Box]


def predicted(sides: Sides, patterns: Patterns) -> NDArray[np.intp]:
    """Return the class of each pattern, by its number."""
    labels = np.full(len(patterns.cells), sides.default, dtype=np.intp)
    for label in sides.others(sides.default):
        for part, holds in holding(sides.frame.inner, sides.inner[label] or (), patterns):
            labels[part][holds.any(axis=0)] = label
    return labels


def holding(space: Space, boxes: Sequence[Box], patterns: Patterns) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    """Yield parts of the patterns, and for each box and pattern of the part whether the box holds it."""
    for part in _parts(len(patterns.cells), len(boxes)):
        yield part, outside_family(space, boxes, patterns.cells[part], [1] * len(space.columns)) == 0


def _parts(points: int, boxes: int) -> list[slice]:
    """Return slices of the points small enough for one array of sets."""
    step = min(_POINTS, max(256, _ENTRIES // max(1, boxes)))
    return [slice(begin, begin + step) for begin in range(0, points, step)]


def answers(sides: Sides, patterns: Patterns, fixed: int = 0) -> Answers:
    """Return class, smallest AXp, smallest CXp that spares the columns ``fixed``, and conditions for each pattern."""
    labels = predicted(sides, patterns)
    space = sides.frame.inner
    fits = len(space.columns) <= MOST and all(column.size <= MOST for column in space.columns)
    explained: list[tuple[tuple[int, ...], tuple[int, ...] | None, Box]] = [((), None, ())] * len(labels)
    for label in sides.labels:
        chosen = np.flatnonzero(labels == label)
        cells, region = patterns.cells[chosen], sides.regions[label]
        if not fits:
            found = _explained_one_by_one(space, region, cells, fixed)
        else:
            maximal = sides.maximal[label] if len(chosen) >= _MANY and not region.by_maximal else None
            found = _explained_in_arrays(space, region, maximal, cells, fixed)
        for p, answer in zip(chosen.tolist(), found, strict=True):
            explained[p] = answer
    return Answers(labels, [e[0] for e in explained], [e[1] for e in explained], [e[2] for e in explained])


def _explained_one_by_one(
    space: Space, region: Region, cells: NDArray[np.intp], fixed: int
) -> list[tuple[tuple[int, ...], tuple[int, ...] | None, Box]]:
    explained = []
    for pattern in cells.tolist():
        point = tuple(pattern)
        axp = tuple(cells_of(next(region.axps(point))))
        cxp = next(region.cxps(point, fixed), None)
        box = grown(space, region.allowed, own_cells(space, point, axp), axp, point)
        explained.append((axp, None if cxp is None else tuple(cells_of(cxp)), box))
    return explained


def _explained_in_arrays(
    space: Space, region: Region, maximal: tuple[Box, ...] | None, cells: NDArray[np.intp], fixed: int
) -> list[tuple[tuple[int, ...], tuple[int, ...] | None, Box]]:
    side = _Compiled(space, region.boxes)
    kept = np.uint64(sum(int(bit) for j, bit in enumerate(side.bits) if fixed >> j & 1))
    table = None if maximal is None else _Compiled(space, maximal)
    axps, cxps = np.empty(len(cells), np.uint64), np.empty(len(cells), np.uint64)
    boxes = np.empty((len(space.columns), len(cells)), np.uint64)
    for part in _parts(len(cells), len(side.boxes)):
        if region.by_maximal:
            family = side.reasons(cells[part])
            axps[part] = smallest_members(family)
            cxps[part] = smallest_transversals(np.where(family == ABSENT, ABSENT, family & ~kept) if kept else family)
        else:
            family = side.outside(cells[part])
            cxps[part] = smallest_members(np.where(family & kept == 0, family, ABSENT) if kept else family)
            axps[part] = smallest_members(table.reasons(cells[part])) if table else smallest_transversals(family)
        boxes[:, part] = side.grown(region, cells[part], axps[part])
    columns = {mask: _columns(mask, len(space.columns)) for mask in set(axps.tolist()) | set(cxps.tolist())}
    none = int(ABSENT)
    return [
        (columns[axp], None if cxp == none else columns[cxp], tuple(box))
        for axp, cxp, box in zip(axps.tolist(), cxps.tolist(), boxes.T.tolist(), strict=True)
    ]


def _columns(mask: int, n: int) -> tuple[int, ...]:
    return tuple(j for j in range(n) if mask >> (n - 1 - j) & 1)


class _Compiled:
    """Boxes as lists of literals: distinct pairs of a column and a mask of its cells."""

    def __init__(self, space: Space, boxes: tuple[Box, ...]) -> None:
        self.space = space
        self.boxes = boxes
        n = len(space.columns)
        self.bits = [np.uint64(1 << (n - 1 - j)) for j in range(n)]
        number: dict[tuple[int, int], int] = {}
        self.rows = [
            [number.setdefault((j, box[j]), len(number)) for j in range(n) if box[j] != space.full[j]] for box in boxes
        ]
        self.literals = list(number)
        self.constrained = np.array(
            [sum(1 << (n - 1 - self.literals[l][0]) for l in row) for row in self.rows], dtype=np.uint64
        )

    def outside(self, cells: NDArray[np.intp]) -> Sets:
        """Return for each box and point the set of columns on which the point lies outside the box."""
        return outside_family(self.space, self.boxes, cells, [int(bit) for bit in self.bits])

    def reasons(self, cells: NDArray[np.intp]) -> Sets:
        """Return for each box and point the columns the box constrains, where it holds the point."""
        return np.where(self.outside(cells) == 0, self.constrained[:, None], ABSENT)

    def grown(self, region: Region, cells: NDArray[np.intp], axps: Sets) -> Sets:
        """Return the widest conditions on the columns of the AXps, one row of masks a column."""
        one = np.uint64(1)
        boxes = (
            np.array([[full] for full in self.space.full], dtype=np.uint64).reshape(-1, 1).repeat(len(cells), axis=1)
        )
        for j, bit in enumerate(self.bits):
            fixed = (axps & bit) != 0
            boxes[j, fixed] = one << cells[fixed, j].astype(np.uint64)
        for j, bit in enumerate(self.bits):
            chosen = np.flatnonzero(axps & bit)
            if len(chosen):
                allowed = self._allowed(region, boxes[:, chosen], j)
                boxes[j, chosen] = _widest(self.space, j, allowed, cells[chosen, j])
        return boxes

    def _allowed(self, region: Region, boxes: Sets, column: int) -> Sets:
        """Return the cells of a column for which each box, with only that cell there, lies inside the class."""
        found = np.zeros(boxes.shape[1], dtype=np.uint64)
        blocking: dict[int, NDArray[np.bool_]] = {}
        for l, (j, mask) in enumerate(self.literals):
            cells = np.uint64(mask)
            blocking[l] = (boxes[j] & ~cells != 0) if region.by_maximal else (boxes[j] & cells == 0)
        for row in self.rows:
            here = [l for l in row if self.literals[l][0] == column]
            if here:
                blocked = np.zeros(boxes.shape[1], dtype=bool)
                for l in row:
                    if l != here[0]:
                        blocked |= blocking[l]
                found[~blocked] |= np.uint64(self.literals[here[0]][1])
        return found if region.by_maximal else np.uint64(self.space.full[column]) & ~found


def _widest(space: Space, column: int, allowed: Sets, cells: NDArray[np.intp]) -> Sets:
    pairs = list(zip(allowed.tolist(), cells.tolist(), strict=True))
    known = {pair: widest(space.columns[column], *pair) for pair in set(pairs)}
    return np.array([known[pair] for pair in pairs], dtype=np.uint64)
