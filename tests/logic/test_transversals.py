"""Minimal transversals, and the complement made from them."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf.logic.transversals import (
    berge_step,
    complement_terms,
    in_order,
    minimal_sets,
    minimal_transversals,
    transversals_in_order,
)

set_systems = st.lists(st.integers(0, 255), max_size=6)


def sets(masks):
    return {frozenset(naive.codes(mask)) for mask in masks}


@given(st.lists(st.integers(0, 255)))
@example([0, 3])
@example(list(range(1, 256)))
def test_minimal_sets_hold_no_other_set(masks):
    expected = {s for s in sets(masks) if not any(other < s for other in sets(masks))}
    assert sets(minimal_sets(masks)) == expected
    sizes = [mask.bit_count() for mask in minimal_sets(masks)]
    assert sizes == sorted(sizes)
    assert len(sizes) == len(expected)


@given(set_systems)
@example([])
@example([0])
@example([0b011, 0b101])
def test_minimal_transversals_meet_every_set(masks):
    found = minimal_transversals(masks)
    assert sets(found) == naive.minimal_transversals([naive.codes(mask) for mask in masks])
    assert len(set(found)) == len(found)
    assert list(transversals_in_order(masks)) == in_order(found)


@given(set_systems)
def test_the_dual_of_the_dual_of_an_antichain_is_itself(masks):
    assert sets(minimal_transversals(minimal_transversals(masks))) == sets(minimal_sets(masks))


@given(set_systems, st.integers(0, 255))
def test_a_berge_step_adds_one_set(masks, new):
    assert sets(berge_step(minimal_transversals(masks), new)) == sets(minimal_transversals([*masks, new]))


@given(strategies.dnfs())
def test_complement_terms_are_the_prime_implicants_of_the_complement(f):
    n = len(f.names)
    zeros = [1 - value for value in naive.values(f)]
    assert sets(complement_terms(f.masks)) == set(map(frozenset, naive.prime_implicants(zeros, n)))


def test_the_dual_keeps_contradictions_and_the_complement_drops_them():
    # a & b | ~a & c: the transversal {a, ~a} is minimal, the term ~a & a holds nowhere.
    terms = [0b000101, 0b010010]
    assert {0, 1} in sets(minimal_transversals(terms))
    assert sets(complement_terms(terms)) == {frozenset({1, 5}), frozenset({0, 3}), frozenset({3, 5})}
