"""Sizes of reasons against their definition: all sets of features, all points."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from benchmarks.board.reasons import Rules, reason_sizes, smallest_hitting_set
from hypothesis import given
from hypothesis import strategies as st

FEATURES = 5
POINTS = list(product((0, 1), repeat=FEATURES))


def codes():
    """Literals of different features, in any order."""
    features = st.lists(st.integers(0, FEATURES - 1), max_size=4, unique=True)
    return features.flatmap(lambda js: st.tuples(*(st.sampled_from((2 * j, 2 * j + 1)) for j in js)))


def trees(features=frozenset(range(FEATURES)), depth=3):
    leaf = st.builds(lambda label: [(label, ())], st.integers(0, 2))
    if not depth:
        return leaf

    def split(feature):
        below = trees(features - {feature}, depth - 1)
        return st.builds(
            lambda false, true: [
                (label, (2 * feature + (side == 0), *path))
                for side, leaves in enumerate((false, true))
                for label, path in leaves
            ],
            below,
            below,
        )

    return leaf | st.sampled_from(sorted(features)).flatmap(split)


def holds(codes, point):
    return all(point[code >> 1] != code & 1 for code in codes)


def naive_size(decide, point):
    for size in range(FEATURES + 1):
        for kept in combinations(range(FEATURES), size):
            same = (other for other in POINTS if all(other[j] == point[j] for j in kept))
            if len({decide(other) for other in same}) == 1:
                return size
    raise AssertionError("all features together are a reason")


def assert_sizes_by_definition(rules):
    def decide(point):
        return next(label for label, codes in rules if holds(codes, point))

    labels, sizes = reason_sizes(Rules.of(rules), np.array(POINTS))
    assert [decide(point) for point in POINTS] == labels.tolist()
    assert [naive_size(decide, point) for point in POINTS] == sizes.tolist()


@given(st.integers(0, 1), st.lists(codes(), min_size=1, max_size=6))
def test_terms_of_one_class(label, found):
    assert_sizes_by_definition([*((label, term) for term in found), (1 - label, ())])


@given(trees())
def test_trees(leaves):
    assert_sizes_by_definition(leaves)


@given(st.lists(st.tuples(st.integers(0, 2), codes()), max_size=6), st.integers(0, 2))
def test_lists_of_rules_in_order(rules, otherwise):
    assert_sizes_by_definition([*rules, (otherwise, ())])


def test_terms_that_contradict_themselves_do_not_count():
    _, sizes = reason_sizes(Rules.of([(1, (0, 1)), (1, (2, 4)), (0, ())]), np.array(POINTS))
    assert sizes.max() == 2


def test_a_negative_decision_may_need_more_than_any_term():
    rules = Rules.of([(1, (0, 2)), (1, (4, 6)), (1, (8,)), (0, ())])
    labels, sizes = reason_sizes(rules, np.zeros((1, FEATURES), dtype=int))
    assert (labels.tolist(), sizes.tolist()) == ([0], [3])


def test_a_positive_decision_may_need_less_than_its_term():
    # x0 x1 | not-x0 x1: x1 alone is enough.
    rules = Rules.of([(1, (0, 2)), (1, (1, 2)), (0, ())])
    _, sizes = reason_sizes(rules, np.array([[1, 1], [0, 1], [0, 0]]))
    assert sizes.tolist() == [1, 1, 1]


@given(st.lists(st.integers(1, 255), max_size=8))
def test_smallest_hitting_sets(sets):
    least = min(mask.bit_count() for mask in range(256) if all(mask & s for s in sets))
    found = smallest_hitting_set(sets)
    assert all(found & s for s in sets)
    assert least == found.bit_count()


@pytest.mark.parametrize("label", [0, 1, 2])
def test_constants_need_no_reason(label):
    labels, sizes = reason_sizes(Rules.of([(label, ())]), np.array([[0, 1], [1, 1]]))
    assert labels.tolist() == [label] * 2
    assert sizes.tolist() == [0, 0]
