"""The paper's example functions, and the families it counts."""

from __future__ import annotations

from itertools import product

import pytest
from tests import naive

from idnf.logic.constructions import (
    log2_nested_bound,
    log2_tree_bound,
    majority,
    nested_functions,
    parity,
    sharp,
    tree_functions,
)


def packed(values):
    return sum(value << p for p, value in enumerate(values))


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


@pytest.mark.parametrize(("k", "n"), [(0, 2), (1, 2), (1, 3), (2, 3), (3, 3)])
def test_tree_functions_are_those_of_least_depth_at_most_k(k, n):
    expected = {packed(v) for v in product((0, 1), repeat=2**n) if naive.tree_depth(list(v)) <= k}
    assert tree_functions(k, n) == expected


@pytest.mark.parametrize(("k", "n"), [(0, 2), (1, 3), (2, 2)])
def test_nested_functions_are_those_with_a_matrix(k, n):
    expected = {packed(v) for v in product((0, 1), repeat=2**n) if naive.is_nested(v, n, k)}
    assert nested_functions(k, n) == expected


def test_the_logarithms_of_the_paper_s_bounds():
    assert log2_tree_bound(2, 8) == 3 * 3 + 4
    assert log2_nested_bound(3) == 10


@pytest.mark.parametrize("make", [majority, sharp])
def test_k_starts_at_1(make):
    with pytest.raises(ValueError, match="k must be 1 or more; got 0"):
        make(0)
