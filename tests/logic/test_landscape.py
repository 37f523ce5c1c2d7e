"""The classes of Figure 1, decided on functions, beside their definitions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF
from idnf.logic.example_functions import parity, sharp
from idnf.logic.small_matchings import with_small_matchings
from idnf.logic.tree_depth import is_tree
from idnf.logic.witnesses import NotFound


def has_small_matchings(values, n, k):
    """Try every set of implicants of at most k literals; more terms never make a largest matching smaller."""
    implicants = [term for term in naive.consistent_terms(n, min(k, n)) if naive.is_implicant(term, values)]
    for terms in naive.subsets(implicants):
        minimal = all(naive.table([t for t in terms if t != term], n) != list(values) for term in terms)
        if minimal and naive.table(terms, n) == list(values) and naive.largest_induced_matching(terms) <= k:
            return True
    return False


@pytest.mark.parametrize(("n", "k"), [(1, 0), (2, 1), (2, 2), (3, 1)])
def test_small_matchings_of_every_function_of_few_features(n, k):
    for values in product((0, 1), repeat=2**n):
        primes = list(DNF.from_truth_table(strategies.feature_names(n), values).prime_implicants().masks)
        assert (with_small_matchings(primes, k) is not None) == has_small_matchings(values, n, k)


@given(strategies.functions(3).filter(lambda values: sum(values) <= 4))
def test_small_matchings_of_functions_of_three_features(values):
    primes = list(DNF.from_truth_table("abc", values).prime_implicants().masks)
    assert (with_small_matchings(primes, 2) is not None) == has_small_matchings(values, 3, 2)


@given(strategies.functions(4), st.integers(1, 4))
def test_a_dnf_found_is_one_of_the_function_and_has_small_matchings(values, k):
    f = DNF.from_truth_table("abcd", values)
    terms = with_small_matchings(list(f.prime_implicants().masks), k)
    if terms is not None:
        assert naive.table([naive.codes(mask) for mask in terms], 4) == list(values)
        assert max((mask.bit_count() for mask in terms), default=0) <= k
        assert naive.largest_induced_matching([naive.codes(mask) for mask in terms]) <= k


def test_some_functions_need_terms_that_are_not_prime():
    f = DNF.parse("c & ~d | ~a & ~c & d | ~b & ~c & d | a & b & ~d")
    assert f.prime_implicants().simplified().masks == f.simplified().masks
    assert naive.largest_induced_matching([naive.codes(mask) for mask in f.masks]) == 4
    found = with_small_matchings(list(f.masks), 3)
    assert found is not None
    assert not set(found) <= set(f.masks)


@given(strategies.functions(4), st.integers(0, 4))
def test_trees_are_those_of_plain_recursion(values, depth):
    primes = list(DNF.from_truth_table("abcd", values).prime_implicants().masks)
    assert is_tree(primes, depth) == (naive.tree_depth(list(values)) <= depth)


@pytest.mark.parametrize(("text", "depth"), [("a & b | ~a & c", 2), ("~a & ~b | a & ~c", 2), ("a", 1)])
def test_a_tree_may_ask_as_many_features_as_it_has_splits(text, depth):
    primes = list(DNF.parse(text).prime_implicants().masks)
    assert is_tree(primes, depth)
    assert not is_tree(primes, depth - 1)


def test_a_complete_tree_of_depth_3_asks_seven_features():
    text = "x & (y & a | ~y & b) | ~x & (z & c | ~z & d)"
    primes = list(DNF.parse(text).prime_implicants().masks)
    assert is_tree(primes, 3)
    assert not is_tree(primes, 2)


def test_what_is_out_of_reach_is_said_to_be(monkeypatch):
    wide = list(sharp(5).to_dnf().masks)
    assert not is_tree(wide, 4)
    with pytest.raises(NotFound, match="trees are searched for functions of at most 16 features; got 25"):
        is_tree(wide, 5)
    with pytest.raises(NotFound, match="DNFs are searched for functions of at most 16 features; got 25"):
        with_small_matchings(wide, 5)
    monkeypatch.setattr("idnf.logic.small_matchings._MAX_STEPS", 3)
    with pytest.raises(NotFound, match="no DNF and no proof after trying 3 partial covers by implicants"):
        with_small_matchings(list(DNF.parse("d & ~(a & b | b & c | c & a) | ~d & (a & b | b & c | c & a)").masks), 4)
    monkeypatch.setattr("idnf.logic.small_matchings._MAX_IMPLICANTS", 3)
    with pytest.raises(NotFound, match="covers are searched among at most 3 implicants; there are more"):
        with_small_matchings(list(parity(3).masks), 3)
