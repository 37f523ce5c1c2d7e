"""Smallest members and smallest transversals of many set systems at once, in numpy.

A family is an array of shape (sets, points): column p holds the sets of point p, each an unsigned integer in which
the *first* of n columns is the *highest* of n bits. So among sets of equal size the largest integer comes first in
column order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.logic.boxes import Box, Space

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
