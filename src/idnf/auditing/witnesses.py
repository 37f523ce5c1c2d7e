"""Two points, one in each of two lists of boxes, that agree on all columns but some: what refutes a claim."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.proofs import Claim
from idnf.logic.boxes import Box, Point

_PAIRS = 4_000_000
"""Pairs of boxes compared at a time."""


def refutation(claim: Claim) -> tuple[Point, Point] | None:
    """Return the two points that refute a claim, or None: every two boxes then conflict on a column that counts.

    >>> refutation(Claim((2, 2), [(1, 3)], [(2, 3)], free=[0])), refutation(Claim((2, 2), [(1, 3)], [(2, 3)]))
    (((0, 0), (1, 0)), None)
    """
    for i, j in touching(claim.firsts, claim.seconds, claim.free):
        pair = _points(claim, claim.firsts[i], claim.seconds[j])
        if pair is not None:
            return pair
    return None


def touching(firsts: Sequence[Box], seconds: Sequence[Box], free: Collection[int] = ()) -> Iterator[tuple[int, int]]:
    """Yield the pairs of boxes, by index, that share a cell on every column but the free ones.

    >>> list(touching([(1, 1)], [(2, 1), (2, 2)], {0}))
    [(0, 0)]
    """
    if not firsts or not seconds:
        return
    step = max(1, _PAIRS // len(seconds))
    for begin in range(0, len(firsts), step):
        meets = meeting(firsts[begin : begin + step], seconds, free)
        for i, j in zip(*(index.tolist() for index in np.nonzero(meets)), strict=True):
            yield begin + i, j


def meeting(firsts: Sequence[Box], seconds: Sequence[Box], free: Collection[int] = ()) -> NDArray[np.bool_]:
    """Return for each two boxes whether they share a cell on every column but the free ones.

    >>> meeting([(1, 1)], [(2, 1), (1, 3)]).tolist()
    [[False, True]]
    """
    meets: NDArray[np.bool_] = np.ones((len(firsts), len(seconds)), dtype=bool)
    for j in range(len(firsts[0])):
        if j in free:
            continue
        rows, row_of = _distinct([box[j] for box in firsts])
        others, other_of = _distinct([box[j] for box in seconds])
        apart = np.array([[not a & b for b in others] for a in rows], dtype=bool)
        if apart.any():
            meets &= ~apart[row_of][:, other_of]
    return meets


def _distinct(masks: list[int]) -> tuple[list[int], NDArray[np.intp]]:
    number: dict[int, int] = {}
    index = [number.setdefault(mask, len(number)) for mask in masks]
    return list(number), np.array(index, dtype=np.intp)


def _points(claim: Claim, first: Box, second: Box) -> tuple[Point, Point] | None:
    """Return a point of each box; they agree on all columns that are not free, and as far as can be on the others."""
    ones, others = [], []
    for j, (a, b) in enumerate(zip(first, second, strict=True)):
        low, high = _lowest(a & b or a), _lowest(a & b or b)
        if claim.rising is not None and j == claim.rising[0]:
            known = (1 << claim.rising[1]) - 1
            if not a & known or not b & known or _lowest(a & known) >= (b & known).bit_length() - 1:
                return None
            low = _lowest(a & known)
            high = _lowest(b & known & ~((2 << low) - 1))
        ones.append(low)
        others.append(high)
    return tuple(ones), tuple(others)


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
