"""Minimal transversals one by one, smallest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from idnf.logic.boxes import cells_of
from idnf.logic.transversals import minimal_sets


def in_order(sets: Iterable[int]) -> list[int]:
    """Return sets of columns with the fewest columns first, ties by column order.

    >>> [bin(s) for s in in_order([0b1100, 0b0110, 0b1000])]
    ['0b1000', '0b110', '0b1100']
    """
    return sorted(sets, key=lambda s: (s.bit_count(), tuple(cells_of(s))))


def transversals_in_order(sets: Iterable[int]) -> Iterator[int]:
    """Yield the minimal transversals of a set system, fewest elements first, ties by element order.

    Level by level: a partial transversal is extended by every element of the first set it misses, so after level s all
    minimal transversals of s elements are known, and no larger one has been looked at.

    >>> [bin(t) for t in transversals_in_order([0b011, 0b101])]
    ['0b1', '0b110']
    >>> list(transversals_in_order([])), list(transversals_in_order([0]))
    ([0], [])
    """
    family = minimal_sets(sets)
    level = {0}
    while level:
        found: list[int] = []
        longer: set[int] = set()
        for partial in level:
            missed = next((s for s in family if not s & partial), None)
            if missed is None:
                found.append(partial)
            else:
                longer.update(partial | 1 << element for element in cells_of(missed))
        yield from in_order(t for t in found if _is_minimal(t, family))
        level = longer


def _is_minimal(transversal: int, family: Sequence[int]) -> bool:
    """Tell whether every element is the only one that meets some set."""
    needed = 0
    for s in family:
        met = s & transversal
        if met.bit_count() == 1:
            needed |= met
    return needed == transversal
