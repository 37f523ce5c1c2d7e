"""Many points at once: boxes compiled to arrays.

Points with the same cells on the columns a model looks at, after merging cells it does not distinguish, get one
answer, so the work is done once for each distinct *pattern*. Models that use more than 63 columns, or distinguish more
than 63 cells of one, are answered by the plain functions of :mod:`idnf.logic.regions`, pattern by pattern.

A family of sets of columns is an array of shape (sets, points): column p holds the sets of point p, each an unsigned
integer in which the *first* of n columns is the *highest* of n bits. So among sets of equal size the largest integer
comes first in column order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.logic.boxes import Box, Space, cells_of
from idnf.logic.errors import InvalidArgument
from idnf.logic.regions import Region, own_cells, widen, widest
from idnf.logic.sides import ClassBoxes, ReducedSpace

Sets = NDArray[np.uint64]
"""Sets of columns; an array of Python integers above 63 columns, which has the same operations."""

ABSENT = np.uint64(2**64 - 1)
"""Stands for "no set here"; larger than any set of at most 63 columns."""

_ROUNDS = 3
"""How often columns are left out and forced before the search begins."""


def set_type(space: Space) -> np.dtype[np.uint64]:
    """Return the type that holds a set of columns of the space."""
    return np.dtype("uint64" if len(space.columns) <= 63 else "object")


def as_set(columns: int, like: Sets) -> np.uint64:
    """Return a set of columns, given as a mask, of the type of other sets."""
    return like.dtype.type(columns)


def outside_family(space: Space, boxes: Sequence[Box], cells: NDArray[np.intp], bits: Sequence[int]) -> Sets:
    """Return for each box and point the columns on which the point lies outside the box, as a set of their bits.

    >>> outside_family(Space.boolean("ab"), [(1, 3), (2, 1)], np.array([[0, 1], [1, 1]]), [1, 2]).tolist()
    [[0, 1], [3, 2]]
    """
    kind = set_type(space)
    flags: dict[tuple[int, int], Sets] = {}
    family: Sets = np.zeros((len(boxes), len(cells)), dtype=kind)
    for sets, box in zip(family, boxes, strict=True):
        for j in space.constrained(box):
            if (j, box[j]) not in flags:
                outside = [0 if box[j] >> cell & 1 else bits[j] for cell in range(space.columns[j].size)]
                flags[j, box[j]] = np.array(outside, dtype=kind)[cells[:, j]]
            sets |= flags[j, box[j]]
    return family


def smallest_members(family: Sets) -> Sets:
    """Return for each point the set with the fewest columns, ties by column order; ABSENT if there is none.

    >>> smallest_members(np.array([[0b110, 0b111], [0b011, ABSENT]], dtype=np.uint64)).tolist()
    [6, 7]
    """
    best = np.full(family.shape[1], ABSENT)
    least = np.full(family.shape[1], 64, dtype=np.uint8)
    for sets in family:
        size = np.bitwise_count(sets)
        better = (size < least) | ((size == least) & (sets > best))
        best[better] = sets[better]
        least[better] = size[better]
    return best


def smallest_transversals(family: Sets) -> Sets:
    """Return for each point the smallest transversal, ties by column order; ABSENT if a set is empty.

    Columns that cannot be in it are left out of the sets, and columns that are then alone in a set must be in it. What
    remains is searched: partial transversals of all points grow level by level by the columns of the smallest set they
    miss; the first level at which one of a point is complete has all its smallest ones.

    >>> smallest_transversals(np.array([[0b110, 0b100], [0b011, 0b010]], dtype=np.uint64)).tolist()
    [2, 6]
    """
    result = np.full(family.shape[1], ABSENT)
    points = np.flatnonzero((family != 0).all(axis=0))
    forced = np.zeros(family.shape[1], dtype=np.uint64)
    for _ in range(_ROUNDS):
        family = _without_dominated(family)
        alone = np.where(np.bitwise_count(family) == 1, family, np.uint64(0))
        forced |= np.bitwise_or.reduce(alone, axis=0, initial=np.uint64(0))
        family = np.where(family & forced, ABSENT, family)
    sizes = np.bitwise_count(family)
    partial = forced[points]
    while len(points):
        missed = _smallest_missed(family, sizes, points, partial)
        complete = missed == 0
        # Sorted so that the last write, the largest integer, is the one that stays.
        order = np.argsort(partial[complete])
        result[points[complete][order]] = partial[complete][order]
        open_ = ~complete & (result[points] == ABSENT)
        points, partial = extended(points[open_], partial[open_], missed[open_])
    return result


def _without_dominated(family: Sets) -> Sets:
    """Return the sets without columns for which an earlier one is in every set they are in.

    The earlier column could take their place in any transversal, so they are never in the first of the smallest.
    """
    present = np.bitwise_or.reduce(np.where(family == ABSENT, np.uint64(0), family), axis=None, initial=np.uint64(0))
    kept = np.full(family.shape[1], present)
    for position in range(int(present).bit_length()):
        bit = np.uint64(1 << position)
        if present & bit:
            common = np.bitwise_and.reduce(np.where(family & bit, family, ABSENT), axis=0, initial=ABSENT)
            earlier = present & ~((bit << np.uint64(1)) - np.uint64(1))
            kept[(common & earlier) != 0] &= ~bit
    return np.where(family == ABSENT, ABSENT, family & kept)


def _smallest_missed(family: Sets, sizes: NDArray[np.uint8], points: NDArray[np.intp], partial: Sets) -> Sets:
    """Return for each partial transversal the smallest set it misses, 0 if it misses none."""
    missed = np.zeros(len(points), dtype=np.uint64)
    step = max(1, 4_000_000 // max(1, len(family)))
    for begin in range(0, len(points), step):
        part = slice(begin, begin + step)
        sets = family[:, points[part]]
        size = np.where((sets & partial[part] != 0) | (sets == ABSENT), np.uint8(255), sizes[:, points[part]])
        if len(sets):
            first = size.argmin(axis=0)
            here = np.arange(sets.shape[1])
            missed[part] = np.where(size[first, here] == 255, np.uint64(0), sets[first, here])
    return missed


def extended(points: NDArray[np.intp], partial: Sets, missed: Sets) -> tuple[NDArray[np.intp], Sets]:
    """Return partial transversals, by the point they are of, with one more column of the set they missed, each once.

    >>> extended(np.array([0, 0]), np.array([1, 2], dtype=np.uint64), np.array([6, 5], dtype=np.uint64))
    (array([0, 0, 0]), array([3, 5, 6], dtype=uint64))
    """
    owners, longer = [points[:0]], [partial[:0]]
    while len(points):
        lowest = missed & (~missed + 1)
        owners.append(points)
        longer.append(partial | lowest)
        left = missed ^ lowest
        more = left != 0
        points, partial, missed = points[more], partial[more], left[more]
    owner, sets = np.concatenate(owners), np.concatenate(longer)
    order = np.lexsort((sets, owner))
    owner, sets = owner[order], sets[order]
    new: NDArray[np.bool_] = np.ones(len(owner), dtype=bool)
    new[1:] = (owner[1:] != owner[:-1]) | (sets[1:] != sets[:-1])
    return owner[new], sets[new]


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
    def of(cls, frame: ReducedSpace, cells: NDArray[np.integer]) -> Patterns:
        """Return the patterns of a table of cells of shape (rows, columns of the space)."""
        columns = len(frame.space.columns)
        if cells.ndim != 2 or cells.shape[1] != columns:
            raise InvalidArgument("cells", f"have shape (rows, {columns})", cells.shape)
        key = np.zeros(len(cells), dtype=np.int64)
        size = 1
        for j, merged in zip(frame.columns, frame.groups, strict=True):
            radix = max(merged) + 1
            if size > 2**62 // radix:
                values, key = np.unique(key, return_inverse=True)
                size = len(values)
            key *= radix
            key += np.array(merged, dtype=np.int64)[cells[:, j]]
            size *= radix
        first, index = _first_and_index(key, size)
        seen = [np.array(m, dtype=np.intp)[cells[first, j]] for j, m in zip(frame.columns, frame.groups, strict=True)]
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
        Columns of the frame; None in ``cxps`` if no column that can change gives another class.
    boxes : list of Box
        The conditions on the columns of the AXp, in the frame.
    """

    labels: NDArray[np.intp]
    axps: list[tuple[int, ...]]
    cxps: list[tuple[int, ...] | None]
    boxes: list[Box]


def predicted(sides: ClassBoxes, patterns: Patterns) -> NDArray[np.intp]:
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


def answers(sides: ClassBoxes, patterns: Patterns, fixed: Sequence[int] | None = None) -> Answers:
    """Return class, smallest AXp, smallest CXp and conditions for each pattern.

    The CXps of each class spare its columns ``fixed``, a mask for each class.
    """
    fixed = [0] * len(sides.labels) if fixed is None else fixed
    labels = predicted(sides, patterns)
    space = sides.frame.inner
    fits = len(space.columns) <= MOST and all(column.size <= MOST for column in space.columns)
    explained: list[tuple[tuple[int, ...], tuple[int, ...] | None, Box]] = [((), None, ())] * len(labels)
    for label in sides.labels:
        chosen = np.flatnonzero(labels == label)
        cells, region = patterns.cells[chosen], sides.regions[label]
        if not fits:
            found = _explain_one_by_one(space, region, cells, fixed[label])
        else:
            maximal = sides.maximal[label] if len(chosen) >= _MANY and not region.by_maximal else None
            found = _explain_in_arrays(space, region, maximal, cells, fixed[label])
        for p, answer in zip(chosen.tolist(), found, strict=True):
            explained[p] = answer
    return Answers(labels, [e[0] for e in explained], [e[1] for e in explained], [e[2] for e in explained])


def _explain_one_by_one(
    space: Space, region: Region, cells: NDArray[np.intp], fixed: int
) -> list[tuple[tuple[int, ...], tuple[int, ...] | None, Box]]:
    explained = []
    for pattern in cells.tolist():
        point = tuple(pattern)
        axp = tuple(cells_of(next(region.axps(point))))
        cxp = next(region.cxps(point, fixed), None)
        box = widen(space, region.allowed_cells, own_cells(space, point, axp), axp, point)
        explained.append((axp, None if cxp is None else tuple(cells_of(cxp)), box))
    return explained


def _explain_in_arrays(
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
        """Return for each box and point the columns the box constrains, if it contains the point."""
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
                allowed = self._safe_cells(region, boxes[:, chosen], j)
                boxes[j, chosen] = _widest(self.space, j, allowed, cells[chosen, j])
        return boxes

    def _safe_cells(self, region: Region, boxes: Sets, column: int) -> Sets:
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
