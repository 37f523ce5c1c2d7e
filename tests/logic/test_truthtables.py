"""Tables held in one integer agree with lists of values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf.logic.truthtables import cofactors, dnf_table, full_table, literal_table, term_table


def packed(values):
    return sum(value << p for p, value in enumerate(values))


def test_constant_and_literal_tables():
    for n in range(5):
        assert full_table(n) == packed([1] * 2**n)
        for code in range(2 * n):
            assert literal_table(code, n) == packed(naive.table([[code]], n))


@given(strategies.dnfs())
def test_dnf_tables(f):
    n = len(f.names)
    assert dnf_table(f.masks, n) == packed(naive.values(f))
    assert [term_table(mask, n) for mask in f.masks] == [packed(naive.table([naive.codes(m)], n)) for m in f.masks]


@given(st.lists(strategies.terms(10, consistent=False), min_size=9, max_size=14))
def test_wide_tables_are_put_together_from_halves(masks):
    assert dnf_table(masks, 10) == packed(naive.table([naive.codes(mask) for mask in masks], 10))


@given(strategies.functions(4), st.integers(0, 3))
def test_cofactors_fix_one_feature(values, feature):
    low = [values[p & ~(1 << feature)] for p in range(16)]
    high = [values[p | 1 << feature] for p in range(16)]
    assert cofactors(packed(values), feature, 4) == (packed(low), packed(high))
