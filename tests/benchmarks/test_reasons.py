"""Sizes of reasons against their definition: all sets of columns, all points."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from benchmarks.board.reasons import Rules, reason_sizes, smallest_hitting_set
from hypothesis import given
from hypothesis import strategies as st

CONDITIONS = 6
INTERVALS = ((0, 0), (0, 1), (1, 1))
ONE_OF = ((1, 0), (0, 1), (0, 0))
SPACES = [
    [([j], [(0,), (1,)]) for j in range(CONDITIONS)],
    [([0, 1], INTERVALS), ([2, 3], ONE_OF), ([4], [(0,), (1,)]), ([5], [(0,), (1,)])],
    [([0, 3, 4], [(0, 0, 0), (0, 0, 1), (1, 1, 1)]), ([1, 5], INTERVALS), ([2], [(1,), (0,)])],
]
"""Conditions by column, and how those of a column can come out together."""


def codes():
    """Literals of different conditions, in any order."""
    conditions = st.lists(st.integers(0, CONDITIONS - 1), max_size=4, unique=True)
    return conditions.flatmap(lambda js: st.tuples(*(st.sampled_from((2 * j, 2 * j + 1)) for j in js)))


def trees(conditions=frozenset(range(CONDITIONS)), depth=3):
    leaf = st.builds(lambda label: [(label, ())], st.integers(0, 2))
    if not depth:
        return leaf

    def split(condition):
        below = trees(conditions - {condition}, depth - 1)
        return st.builds(
            lambda false, true: [
                (label, (2 * condition + (side == 0), *path))
                for side, leaves in enumerate((false, true))
                for label, path in leaves
            ],
            below,
            below,
        )

    return leaf | st.sampled_from(sorted(conditions)).flatmap(split)


def points_of(space):
    """Every point: a cell of each column, as the values of all conditions."""
    found = []
    for cells in product(*(cells for _, cells in space)):
        point = [0] * CONDITIONS
        for (conditions, _), cell in zip(space, cells):
            for condition, value in zip(conditions, cell):
                point[condition] = value
        found.append(tuple(point))
    return found


def naive_size(decide, points, space, point):
    for size in range(len(space) + 1):
        for kept in combinations(space, size):
            fixed = [j for conditions, _ in kept for j in conditions]
            same = (other for other in points if all(other[j] == point[j] for j in fixed))
            if len({decide(other) for other in same}) == 1:
                return size
    raise AssertionError("all columns together are a reason")


def assert_sizes_by_definition(rules, space):
    def decide(point):
        return next(label for label, codes in rules if all(point[code >> 1] != code & 1 for code in codes))

    points = points_of(space)
    labels, sizes = reason_sizes(Rules.of(rules, space), np.array(points))
    assert [decide(point) for point in points] == labels.tolist()
    assert [naive_size(decide, points, space, point) for point in points] == sizes.tolist()


@given(st.integers(0, 1), st.lists(codes(), min_size=1, max_size=6), st.sampled_from(SPACES))
def test_terms_of_one_class(label, found, space):
    assert_sizes_by_definition([*((label, term) for term in found), (1 - label, ())], space)


@given(trees(), st.sampled_from(SPACES))
def test_trees(leaves, space):
    assert_sizes_by_definition(leaves, space)


@given(st.lists(st.tuples(st.integers(0, 2), codes()), max_size=6), st.integers(0, 2), st.sampled_from(SPACES))
def test_lists_of_rules_in_order(rules, otherwise, space):
    assert_sizes_by_definition([*rules, (otherwise, ())], space)


def test_terms_that_hold_nowhere_do_not_count():
    _, sizes = reason_sizes(Rules.of([(1, (0, 1)), (1, (2, 4)), (0, ())]), np.array(list(product((0, 1), repeat=3))))
    assert sizes.max() == 2


def test_two_cuts_of_a_column_are_one_reason():
    # x > 1 but not x > 2, and y: two columns, three conditions.
    rules = [(1, (0, 3, 4)), (0, ())]
    rows = np.array([[1, 0, 1], [1, 1, 1]])
    assert reason_sizes(Rules.of(rules), rows)[1].tolist() == [3, 1]
    by_column = Rules.of(rules, [([0, 1], [(0, 0), (1, 0), (1, 1)]), ([2], [(0,), (1,)])])
    assert reason_sizes(by_column, rows)[1].tolist() == [2, 1]


def test_a_negative_decision_may_need_more_than_any_term():
    rules = Rules.of([(1, (0, 2)), (1, (4, 6)), (1, (8,)), (0, ())])
    labels, sizes = reason_sizes(rules, np.zeros((1, 5), dtype=int))
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
