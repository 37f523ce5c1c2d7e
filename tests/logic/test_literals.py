"""Masks of literals agree with sets of (feature, negated) pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf.logic.literals import (
    codes_of,
    cofactors,
    dnf_table,
    feature_of,
    full_table,
    is_consistent,
    is_negated,
    literal,
    literal_table,
    mask_of,
    negated_mask,
    negation,
    point_mask,
    positive_bits,
    renumber,
    term_table,
)

literal_sets = st.sets(st.tuples(st.integers(0, 70), st.booleans()))


def mask(pairs):
    return mask_of(literal(feature, negated=negated) for feature, negated in pairs)


def pairs(mask):
    return {(feature_of(code), is_negated(code)) for code in codes_of(mask)}


@given(literal_sets)
def test_masks_and_sets_of_literals_are_two_writings(chosen):
    assert pairs(mask(chosen)) == chosen
    assert list(codes_of(mask(chosen))) == sorted(2 * feature + negated for feature, negated in chosen)


@given(literal_sets)
def test_negated_mask_negates_every_literal(chosen):
    assert pairs(negated_mask(mask(chosen))) == {(feature, not negated) for feature, negated in chosen}
    assert negated_mask(mask(chosen)) == mask_of(negation(code) for code in codes_of(mask(chosen)))


@given(literal_sets)
def test_a_set_is_consistent_unless_it_holds_a_feature_both_ways(chosen):
    assert is_consistent(mask(chosen)) == (len({feature for feature, _ in chosen}) == len(chosen))


@given(st.integers(0, 40))
def test_positive_bits_are_the_even_codes_up_to_a_whole_feature(width):
    assert list(codes_of(positive_bits(width))) == list(range(0, width + width % 2, 2))


@given(literal_sets, st.permutations(range(71)))
def test_renumbered_renames_features_and_keeps_signs(chosen, place):
    assert pairs(renumber(mask(chosen), dict(enumerate(place)))) == {(place[f], negated) for f, negated in chosen}


@given(st.lists(st.booleans(), max_size=5))
def test_point_mask_holds_one_literal_a_feature(values):
    names = [f"x{j}" for j in range(len(values))]
    assert pairs(point_mask(names, dict(zip(names, values)))) == {(j, not value) for j, value in enumerate(values)}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"a": 1, "b": 0, "z": 1}, r"point must name only 'a', 'b'; got 'z'\."),
        ({"a": 1}, r"point must hold a value for 'a', 'b'; got none for 'b'\."),
        ({"a": 1, "b": 2}, r"'b' must be 0 or 1; got 2\."),
        ({"a": 1, "b": None}, r"'b' must be 0 or 1; got None\."),
    ],
)
def test_a_point_that_does_not_fit_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        point_mask(["a", "b"], values)


def test_a_point_over_no_features_names_nothing():
    assert point_mask([], {}) == 0
    with pytest.raises(ValueError, match="point must name only nothing; got 'a'"):
        point_mask([], {"a": 1})


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
