"""Boxes agree with sets of points."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.logic.boxes import (
    Box,
    Column,
    Space,
    cells_of,
    columns_outside,
    contains,
    in_conflict,
    intersection,
    is_within,
    runs,
)
from idnf.logic.cubes import outermost
from idnf.logic.literals import Term, feature_of, is_negated

AGE = Column("age", ("at most 30", "31 to 45", "over 45", "missing"), ordered=True, missing=True)
JOB = Column("job", ("clerk", "nurse", "other"))
SPACE = Space((AGE, JOB), ((0, 0b0001), (0, 0b0011), (0, 0b1000), (1, 0b001), (1, 0b010)))
POINTS = list(product(range(4), range(3)))

boxes = st.tuples(st.integers(1, 15), st.integers(1, 7))


def points(box: Box) -> set[tuple[int, ...]]:
    return {point for point in POINTS if contains(box, point)}


@given(boxes, boxes)
def test_boxes_are_sets_of_points(first, second):
    assert in_conflict(first, second) == (not points(first) & points(second))
    assert is_within(first, second) == (points(first) <= points(second))
    shared = intersection(first, second)
    assert (points(shared) if shared else set()) == points(first) & points(second)


@given(st.integers(0, 1 << 80))
def test_runs_are_the_ones_between_zeros(mask):
    found = [run.span() for run in re.finditer("1+", bin(mask)[:1:-1])]
    assert list(runs(mask)) == [(start, end - 1) for start, end in found]


@given(st.lists(boxes))
def test_outermost_boxes_lie_in_no_other(given_boxes):
    expected = [box for box in given_boxes if not any(points(box) < points(other) for other in given_boxes)]
    assert outermost(given_boxes) == expected


@given(boxes, st.sampled_from(POINTS))
def test_columns_outside_are_those_that_exclude_the_point(box, point):
    expected = [j for j, (mask, cell) in enumerate(zip(box, point, strict=True)) if cell not in set(cells_of(mask))]
    assert list(cells_of(columns_outside(box, point))) == expected


@given(st.frozensets(st.integers(0, 2 * len(SPACE.literals) - 1)))
def test_the_box_of_a_term_holds_the_points_that_satisfy_it(codes):
    def holds(point: tuple[int, ...]) -> bool:
        features = SPACE.features(point)
        return all(features[feature_of(code)] != is_negated(code) for code in codes)

    box = SPACE.box(Term.of(codes))
    assert (points(box) if box else set()) == {point for point in POINTS if holds(point)}


def test_negation_of_a_numeric_literal_holds_on_a_missing_value():
    assert SPACE.box(Term.of([1])) == (0b1110, 0b111)


def test_boolean_space_has_two_cells_a_column():
    space = Space.boolean("ab")
    assert space.full == (3, 3)
    assert space.box(Term.of([0, 3])) == (0b10, 0b01)
    assert space.box(Term.of([0, 1])) is None
    assert space.features((1, 0)) == (1, 0)


def test_constrained_columns():
    assert SPACE.constrained((0b1111, 0b001)) == (1,)
    assert SPACE.constrained(SPACE.full) == ()


def test_a_column_needs_a_cell():
    with pytest.raises(ValueError, match="column 'age' must have a cell"):
        Column("age", ("missing",), missing=True)


def test_features_name_cells_of_a_column():
    with pytest.raises(ValueError, match="feature 0 must name cells of a column"):
        Space((JOB,), ((0, 0b1000),))
