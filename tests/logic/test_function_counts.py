"""The functions that the paper's families can express, and how many there are."""

from __future__ import annotations

from itertools import product

import pytest
from tests import naive

from idnf.logic.function_counts import log2_nested_bound, log2_tree_bound, nested_functions, tree_functions


def packed(values):
    return sum(value << p for p, value in enumerate(values))


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
