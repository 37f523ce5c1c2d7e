"""Two points, one in each of two lists of boxes, that agree on all columns but some: what refutes a claim."""

from __future__ import annotations

from idnf.explaining.checking import Claim
from idnf.logic.boxes import Box, Point
from idnf.logic.cubes import Layout, Meeting


def refutation(claim: Claim) -> tuple[Point, Point] | None:
    """Return the two points that refute a claim, or None: every two boxes then conflict on a column that counts.

    >>> refutation(Claim((2, 2), [(1, 3)], [(2, 3)], free=[0])), refutation(Claim((2, 2), [(1, 3)], [(2, 3)]))
    (((0, 0), (1, 0)), None)
    """
    layout = Layout(tuple(claim.sizes))
    bound = ~sum(layout.columns[j] for j in claim.free)
    firsts, seconds = ([layout.mask(box) & bound for box in boxes] for boxes in (claim.firsts, claim.seconds))
    for i, j in Meeting(seconds, layout).pairs(firsts):
        pair = _points(claim, claim.firsts[i], claim.seconds[j])
        if pair is not None:
            return pair
    return None


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
