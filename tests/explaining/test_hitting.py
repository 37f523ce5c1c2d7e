"""Set systems of many points at once against one at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from idnf.explaining.hitting import ABSENT, smallest_members, smallest_transversals
from idnf.logic.transversals import in_order, transversals_in_order

N = 6
systems = st.lists(st.lists(st.integers(0, 2**N - 1) | st.none(), min_size=5, max_size=5), min_size=1, max_size=6)


def reversed_bits(mask: int) -> int:
    """Between the lowest column being the lowest bit, and its being the highest."""
    return int(f"{mask:0{N}b}"[::-1], 2)


def family_of(points: list[list[int | None]]) -> np.ndarray:
    return np.array([[ABSENT if s is None else reversed_bits(s) for s in sets] for sets in points], np.uint64).T


@given(systems)
def test_smallest_members_and_transversals_are_the_first_in_order(points):
    family = family_of(points)
    members, transversals = smallest_members(family).tolist(), smallest_transversals(family).tolist()
    for sets, member, transversal in zip(points, members, transversals, strict=True):
        present = [s for s in sets if s is not None]
        expected = in_order(present)
        assert member == (reversed_bits(expected[0]) if expected else int(ABSENT))
        first = next(transversals_in_order(present), None)
        assert transversal == (int(ABSENT) if first is None else reversed_bits(first))


def test_no_sets_are_met_by_the_empty_transversal():
    assert smallest_transversals(np.zeros((0, 2), dtype=np.uint64)).tolist() == [0, 0]
    assert smallest_members(np.zeros((0, 1), dtype=np.uint64)).tolist() == [int(ABSENT)]
