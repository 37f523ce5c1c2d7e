"""The paper's example functions."""

from __future__ import annotations

import pytest
from tests import naive

from idnf.logic.example_functions import majority, parity, sharp


@pytest.mark.parametrize("k", [1, 2, 3])
def test_majority_counts_ones(k):
    assert naive.values(majority(k)) == [int(p.bit_count() >= k) for p in range(2 ** (2 * k - 1))]


@pytest.mark.parametrize("n", range(5))
def test_parity_is_1_where_the_ones_are_even_in_number(n):
    assert naive.values(parity(n)) == [int(p.bit_count() % 2 == 0) for p in range(2**n)]


def test_sharp_has_k_terms_of_k_negative_literals_each_once():
    f = sharp(3).to_dnf()
    assert [len(term) for term in f.terms] == [3, 3, 3]
    assert f.literals() == tuple(range(1, 18, 2))


@pytest.mark.parametrize("make", [majority, sharp])
def test_k_starts_at_1(make):
    with pytest.raises(ValueError, match="k must be 1 or more; got 0"):
        make(0)
