"""The reasons of many points at once, as sets of columns.

The subset-minimal sets of a family are the CXps of a point and their minimal transversals its AXps. Every box of the
other side constrains at most k columns, so there are at most k**k transversals of at most k columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.outside_sets import Sets, as_set

_ENTRIES = 4_000_000
"""Sets compared at a time."""

_MANY = 256
"""Families of more sets than this are gone through point by point, where equal sets count once."""


def minimal_members(family: Sets) -> NDArray[np.bool_]:
    """Return where in a family the sets stand that hold no other set of the same point.

    >>> minimal_members(np.array([[0b11, 0b01], [0b01, 0b10]], dtype=np.uint64)).tolist()
    [[False, True], [True, True]]
    """
    minimal: NDArray[np.bool_] = np.ones(family.shape, dtype=bool)
    if len(family) > _MANY:
        for point, sets in enumerate(family.T):
            minimal[:, point] = np.isin(sets, _minimal(np.unique(sets)))
        return minimal
    for i, sets in enumerate(family):
        inside = ((family & ~sets) == 0) & (family != sets)
        minimal[i] = ~inside.any(axis=0)
    return minimal


def _minimal(sets: Sets) -> Sets:
    """Return those of some different sets that hold no other: only smaller ones that were kept can lie in one."""
    sizes = np.array([int(one).bit_count() for one in sets])
    kept = sets[:0]
    for size in np.unique(sizes):
        level = sets[sizes == size]
        free: NDArray[np.bool_] = np.ones(len(level), dtype=bool)
        for one in kept:
            free &= (one & ~level) != 0
        kept = np.concatenate([kept, level[free]])
    return kept


def union_where(family: Sets, chosen: NDArray[np.bool_]) -> Sets:
    """Return for each point the union of the chosen sets."""
    union: Sets = np.bitwise_or.reduce(np.where(chosen, family, as_set(0, family)), axis=0)
    return union


@dataclass(frozen=True)
class Transversals:
    """Minimal transversals of many families: the point each belongs to, and its columns."""

    points: NDArray[np.intp]
    sets: Sets


def small_transversals(family: Sets, k: int) -> Transversals:
    """Return all minimal transversals of at most k columns.

    Level by level: a partial transversal grows by every column of the first set it misses.

    >>> found = small_transversals(np.array([[0b011], [0b101]], dtype=np.uint64), 2)
    >>> found.points.tolist(), found.sets.tolist()
    ([0, 0], [1, 6])
    """
    points: NDArray[np.intp] = np.arange(family.shape[1])
    partial: Sets = np.zeros(family.shape[1], dtype=family.dtype)
    done: list[tuple[NDArray[np.intp], Sets]] = []
    for size in range(k + 1):
        missed = _first_missed(family, points, partial)
        complete = missed == 0
        done.append((points[complete], partial[complete]))
        if size < k:
            points, partial = _grown(points[~complete], partial[~complete], missed[~complete])
    owner = np.concatenate([owners for owners, _ in done])
    found = np.concatenate([sets for _, sets in done])
    minimal = _are_minimal(family, owner, found)
    return Transversals(owner[minimal], found[minimal])


def _blocks(family: Sets, count: int) -> list[slice]:
    step = max(1, _ENTRIES // max(1, len(family)))
    return [slice(begin, begin + step) for begin in range(0, count, step)]


def _first_missed(family: Sets, points: NDArray[np.intp], partial: Sets) -> Sets:
    """Return for each partial transversal the first set it misses, 0 where it misses none."""
    missed: Sets = np.zeros(len(points), dtype=family.dtype)
    if len(family):
        for part in _blocks(family, len(points)):
            sets = family[:, points[part]]
            misses = (sets & partial[part]) == 0
            first = misses.argmax(axis=0)
            here = np.arange(sets.shape[1])
            missed[part] = np.where(misses[first, here], sets[first, here], as_set(0, family))
    return missed


def _grown(points: NDArray[np.intp], partial: Sets, missed: Sets) -> tuple[NDArray[np.intp], Sets]:
    """Return the partial transversals with one more column of the set they missed, each once."""
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


def _are_minimal(family: Sets, points: NDArray[np.intp], sets: Sets) -> NDArray[np.bool_]:
    """Tell for each transversal whether every column is the only one that meets some set."""
    minimal: NDArray[np.bool_] = np.ones(len(points), dtype=bool)
    for part in _blocks(family, len(points)):
        met = family[:, points[part]] & sets[part]
        alone = np.where((met & (met - (met != 0))) == 0, met, as_set(0, family))
        needed = np.bitwise_or.reduce(alone, axis=0) if len(family) else np.zeros_like(sets[part])
        minimal[part] = needed == sets[part]
    return minimal
