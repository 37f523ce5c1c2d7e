"""The proof that functions are nested: each lies within the one before it, at every point that exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idnf.logic.boxes import Box, Point, cells_of
from idnf.logic.verification import Certificate


def common_point(firsts: Sequence[Box], seconds: Sequence[Box]) -> Point | None:
    """Return a point in a box of each list, or None, which is the proof that there is none: every pair is disjoint.

    >>> common_point([(0b011, 0b11)], [(0b100, 0b01), (0b111, 0b10)]), common_point([(0b011,)], [(0b100,)])
    ((0, 1), None)
    """
    for first in firsts:
        for second in seconds:
            both = [a & b for a, b in zip(first, second, strict=True)]
            if all(both):
                return tuple(next(iter(cells_of(mask))) for mask in both)
    return None


@dataclass(frozen=True)
class ChainCertificate:
    """What was proved of a chain of functions.

    Attributes
    ----------
    boundaries : tuple of Certificate
        The proof of each function.
    names : tuple of str
        What is below the first boundary, between two, and from the last one on.
    pairs : tuple of int
        For each function but the first, the pairs of a box of it and one outside the function before it, all disjoint.

    Examples
    --------
    >>> alone = Certificate(1, (1, 1), (1, 1), 1)
    >>> print(str(ChainCertificate((alone, alone), ("low", "middle", "high"), (1,))).splitlines()[-1])
    Proved over all rows of the table's columns: whatever is at least high is at least middle, in all 1 pairs.
    """

    boundaries: tuple[Certificate, ...]
    names: tuple[str, ...]
    pairs: tuple[int, ...]

    @property
    def k(self) -> int:
        """No reason at any boundary is larger."""
        return max(certificate.k for certificate in self.boundaries)

    def __str__(self) -> str:
        named = zip(self.names[1:], self.boundaries, strict=True)
        lines = [f"At least {name}. {certificate}" for name, certificate in named]
        lines += [
            f"Proved over all rows of the table's columns: whatever is at least {high} is at least {low}, "
            f"in all {count} pairs."
            for low, high, count in zip(self.names[1:], self.names[2:], self.pairs, strict=False)
        ]
        return "\n".join(lines)
