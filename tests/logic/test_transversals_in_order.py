"""Lazy transversals against Berge's algorithm, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from idnf.logic.transversals import in_order, minimal_transversals, transversals_in_order


@given(st.lists(st.integers(0, 63), max_size=7))
def test_all_minimal_transversals_in_order(sets):
    assert list(transversals_in_order(sets)) == in_order(minimal_transversals(sets))


def test_the_first_is_found_without_the_others():
    sets = [0b11 << 2 * i for i in range(9)]
    assert next(transversals_in_order(sets)) == sum(1 << 2 * i for i in range(9))
