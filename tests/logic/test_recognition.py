"""Recognising nested DNFs: a matrix is checked, and None agrees with trying all matrices."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF, NestedDNF
from idnf.logic import recognition
from idnf.logic.example_functions import majority, parity, sharp
from idnf.logic.function_counts import nested_functions
from idnf.logic.recognition import Undecided, least_order


def is_recognised(f, k):
    nested = NestedDNF.recognise(f, k)
    if nested is None:
        return False
    assert nested.k == k
    assert naive.nested_table(nested.matrix, nested.prefixes, len(f.names)) == naive.values(f)
    return True


@pytest.mark.parametrize(("k", "n"), [(0, 2), (1, 2), (1, 3), (2, 2), pytest.param(2, 3, marks=pytest.mark.slow)])
def test_every_function_of_few_features_is_judged_as_by_trying_all_matrices(k, n):
    names = strategies.feature_names(n)
    for values in product((0, 1), repeat=2**n):
        assert is_recognised(DNF.from_truth_table(names, values), k) == naive.is_nested(values, n, k)


@given(strategies.functions(4))
def test_functions_of_four_features_at_k_2(values):
    f = DNF.from_truth_table("abcd", values)
    assert is_recognised(f, 2) == (sum(value << p for p, value in enumerate(values)) in nested_functions_2_4())


@cache
def nested_functions_2_4():
    return nested_functions(2, 4)


def is_nested_3_dnf(function):
    """Try all matrices of three rows without a feature twice in a row, for a truth table of four features."""
    literals = np.array([sum(1 << p for p in range(16) if naive.holds(code, p)) for code in range(8)], np.uint16)
    rows = np.array([row for row in product(range(8), repeat=3) if len({code // 2 for code in row}) == 3])
    prefixes = np.full((len(rows), 4), (1 << 16) - 1, np.uint16)
    for j in range(3):
        prefixes[:, j + 1] = prefixes[:, j] & literals[rows[:, j]]
    vectors = [r for r in product(range(4), repeat=3) if sum(r) <= 3]
    others = np.uint16((1 << 16) - 1 - function)
    for first in prefixes:
        covered = np.zeros((len(rows), len(rows)), np.uint16)
        for r, s, t in vectors:
            term = first[r] & prefixes[:, None, s] & prefixes[:, t]
            covered |= np.where(term & others, 0, term)
        if (covered == function).any():
            return True
    return False


# Of the 402 functions of four features, up to exchanging and negating these, the seven that would be judged otherwise
# if prefix vectors summed to 4.
@pytest.mark.parametrize("function", [0x117, 0x7E0, 0x3C6, 0x676, 0x7E1, 0x7E3, 0x17AC])
def test_prefix_vectors_sum_to_k_at_most(function):
    f = DNF.from_truth_table("abcd", [function >> p & 1 for p in range(16)])
    assert is_recognised(f, 3) == is_nested_3_dnf(function)


@given(strategies.dnfs(max_features=4, max_terms=4))
def test_the_least_order_is_that_of_trying_one_after_the_other(f):
    order = least_order(f)
    assert order.lower == order.upper
    assert [is_recognised(f, k) for k in range(order.upper + 2)] == [k >= order.upper for k in range(order.upper + 2)]
    assert order.nested.k == order.upper
    assert naive.nested_table(order.nested.matrix, order.nested.prefixes, len(f.names)) == naive.values(f)


def test_the_least_order_of_majority_and_of_a_form_of_example_2():
    assert (least_order(majority(3)).lower, least_order(majority(3)).upper) == (4, 4)
    assert (least_order(sharp(2).side(False)).lower, least_order(sharp(2).side(False)).upper) == (3, 3)


def test_where_the_least_order_is_undecided_there_are_bounds(monkeypatch):
    monkeypatch.setattr(recognition, "_MAX_STEPS", 100)
    order = least_order(majority(3))
    assert (order.lower, order.upper) == (3, 5)
    assert order.nested.to_dnf().is_equivalent(majority(3))


@given(strategies.nested_dnfs(k=3))
def test_what_is_nested_is_recognised_whatever_it_is_written_as(f):
    assert is_recognised(f.to_dnf(), 3)
    assert is_recognised(f.to_dnf().prime_implicants(), 3)


@given(st.integers(3, 6), st.data())
def test_a_written_nested_dnf_without_repeated_literals_is_recognised_at_any_k(k, data):
    order = data.draw(st.permutations(range(k * k)))
    matrix = tuple(tuple(2 * j for j in order[k * i : k * i + k]) for i in range(k))
    chosen_rows = st.lists(st.integers(0, k - 1), max_size=k)
    vectors = chosen_rows.map(lambda rows: tuple(rows.count(i) for i in range(k)))
    prefixes = tuple(data.draw(st.lists(vectors, min_size=1, max_size=12)))
    f = NestedDNF(tuple(f"x{j}" for j in range(k * k)), matrix, prefixes, k).to_dnf()
    assert NestedDNF.recognise(f, k).to_dnf().masks == f.masks


@given(strategies.dnfs(max_features=6, max_terms=5, size=3))
def test_a_matrix_found_is_a_matrix_of_the_function(f):
    for k in range(4):
        is_recognised(f, k)


def test_features_that_do_not_matter_are_not_needed():
    f = DNF.parse("a & b | a & ~b", list("zayb"))
    assert is_recognised(f, 1)
    assert is_recognised(DNF.parse("a | ~a"), 0)
    assert not is_recognised(DNF.parse("a & b"), 1)


@pytest.mark.parametrize("k", [4, 5, 9])
def test_functions_of_at_most_k_features_need_no_search(k):
    assert is_recognised(parity(4), k)


def test_k_must_be_natural():
    with pytest.raises(ValueError, match="k must be 0 or more; got -1"):
        NestedDNF.recognise(DNF.parse("a"), -1)


def test_where_the_search_is_out_of_reach_it_says_so():
    wide = DNF.from_masks([f"x{j}" for j in range(17)], [1 << 2 * j | 1 << 2 * j + 2 for j in range(16)])
    with pytest.raises(
        Undecided, match="functions of at most 12 features and k of at most 8; got 17 features and k = 12"
    ):
        NestedDNF.recognise(wide, 12)


def test_induced_matchings_prove_that_a_function_is_not_nested():
    assert NestedDNF.recognise(sharp(4).side(False), 4) is None


def test_the_search_stops_after_its_fixed_number_of_steps(monkeypatch):
    monkeypatch.setattr(recognition, "_MAX_STEPS", 100)
    with pytest.raises(Undecided, match="no matrix and no proof within 100 steps"):
        NestedDNF.recognise(majority(3), 3)


def test_majority_of_five_is_not_nested():
    assert NestedDNF.recognise(majority(3), 3) is None
    assert is_recognised(majority(2), 2)
