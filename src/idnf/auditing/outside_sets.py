"""For many points at once: the columns on which a point lies outside each of some boxes.

A family is an array of shape (boxes, points) of sets of columns; column j is bit j. Up to 63 columns the sets are
machine words, above they are Python integers in the same arrays, slower and otherwise alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.logic.boxes import Box, Space

Sets = NDArray[np.uint64]
"""Sets of columns; an array of Python integers above 63 columns, which has the same operations."""

_ENTRIES = 2_000_000
"""Sets held at a time."""


def set_type(space: Space) -> np.dtype[np.uint64]:
    """Return the type that holds a set of columns of the space."""
    return np.dtype(np.uint64) if len(space.columns) <= 63 else np.dtype(object)  # type: ignore[return-value]


def as_set(columns: int, like: Sets) -> np.uint64:
    """Return a set of columns, given as a mask, of the type of other sets."""
    return like.dtype.type(columns) if like.dtype != object else columns  # type: ignore[return-value]


def outside_sets(space: Space, boxes: Sequence[Box], cells: NDArray[np.intp]) -> Iterator[tuple[slice, Sets]]:
    """Yield parts of the points, and for each box and point of the part the columns on which it lies outside.

    >>> family = next(outside_sets(Space.boolean("ab"), [(1, 3), (2, 1)], np.array([[0, 1], [1, 1]])))[1]
    >>> family.tolist()
    [[0, 1], [3, 2]]
    """
    step = max(256, _ENTRIES // max(1, len(boxes)))
    for begin in range(0, len(cells), step):
        part = slice(begin, begin + step)
        yield part, _family(space, boxes, cells[part])


def _family(space: Space, boxes: Sequence[Box], cells: NDArray[np.intp]) -> Sets:
    kind = set_type(space)
    flags: dict[tuple[int, int], Sets] = {}
    family: Sets = np.zeros((len(boxes), len(cells)), dtype=kind)
    for i, box in enumerate(boxes):
        for j, (mask, column) in enumerate(zip(box, space.columns, strict=True)):
            if mask == column.full:
                continue
            if (j, mask) not in flags:
                outside = [0 if mask >> cell & 1 else 1 << j for cell in range(column.size)]
                flags[j, mask] = np.array(outside, dtype=kind)[cells[:, j]]
            family[i] |= flags[j, mask]
    return family


def columns_of(sets: Sets, count: int) -> NDArray[np.bool_]:
    """Return an array with a row for each set and a column for each of ``count`` columns.

    >>> columns_of(np.array([0b01, 0b11], dtype=np.uint64), 2).tolist()
    [[True, False], [True, True]]
    """
    held = [(sets & as_set(1 << j, sets)) != 0 for j in range(count)]
    return np.stack(held, axis=1).astype(bool) if held else np.zeros((len(sets), 0), dtype=bool)
