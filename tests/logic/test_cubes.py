"""Terms as masks of excluded cells: which meet, and what escapes them, agree with all points."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf.logic import cubes
from idnf.logic.cubes import Layout, first_overlap, is_covered, uncovered_term
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.example_functions import sharp
from idnf.logic.literals import is_consistent


def values_of(masks, n):
    return naive.table([naive.codes(mask) for mask in masks], n)


@given(strategies.dnfs(max_terms=10))
def test_uncovered_gives_literals_that_falsify_every_term(f):
    values = naive.values(f)
    escape = uncovered_term(f.masks)
    assert (escape is None) == all(values)
    if escape is not None:
        assert is_consistent(escape)
        assert not any(value for p, value in enumerate(values) if naive.term_holds(naive.codes(escape), p))


@given(strategies.dnfs(max_terms=10), st.sampled_from([0, 2_000_000]))
def test_uncovered_by_case_splits_alone_is_no_different(f, held):
    values = naive.values(f)
    with patch.multiple(cubes, _TABLE_FEATURES=0, _MOST_REMEMBERED=held):
        escape = uncovered_term(f.masks)
    assert (escape is None) == all(values)
    if escape is not None:
        assert not any(value for p, value in enumerate(values) if naive.term_holds(naive.codes(escape), p))


@pytest.mark.parametrize("seed", range(20))
def test_uncovered_splits_on_many_features(seed):
    rng = Random(seed)
    masks = [sum(1 << 2 * j + rng.randint(0, 1) for j in rng.sample(range(13), 2)) for _ in range(rng.randint(10, 60))]
    escape = uncovered_term(masks)
    values = values_of(masks, 13)
    assert (escape is None) == all(values)
    assert escape is None or not any(v for p, v in enumerate(values) if naive.term_holds(naive.codes(escape), p))


def test_uncovered_looks_at_equal_cases_once_and_needs_no_deep_stack():
    double = sharp(5).double()
    terms = double.positive.masks + double.negative.masks
    assert uncovered_term(terms, budget=Budget(8 * len(terms))) is None
    with pytest.raises(TooManySteps, match="within 100 steps"):
        uncovered_term(terms, budget=Budget(100))
    # x_0 or not x_0 and x_1 or ... or no x at all, with as many features as there are frames on the stack.
    n = 1100
    staircase = [1 << 2 * j | sum(1 << 2 * i + 1 for i in range(j)) for j in range(n)]
    assert uncovered_term([*staircase, sum(1 << 2 * j + 1 for j in range(n))]) is None
    escape = uncovered_term(staircase)
    assert escape is not None
    assert not any(term & escape == term for term in staircase)


@given(strategies.dnfs(max_features=5), strategies.dnfs(max_features=5))
def test_terms_overlap_where_a_point_satisfies_both(f, g):
    pair = first_overlap(f.masks, g.masks)
    common = [
        (a, b)
        for a in f.masks
        for b in g.masks
        if any(naive.term_holds(naive.codes(a), p) and naive.term_holds(naive.codes(b), p) for p in range(2**5))
    ]
    assert pair in common if common else pair is None


SIZES = (3, 2, 1, 4, 2)
boxes = st.tuples(*(st.integers(1, 2**size - 1) for size in SIZES))
LAYOUT = Layout(SIZES)


@given(boxes)
def test_a_box_is_the_cells_that_it_excludes(box):
    mask = LAYOUT.mask(box)
    assert LAYOUT.box(mask) == box
    assert LAYOUT.is_possible(mask)
    assert LAYOUT.size(mask) == sum(cells != 2**size - 1 for cells, size in zip(box, SIZES))
    assert mask.bit_count() == sum(size - cells.bit_count() for cells, size in zip(box, SIZES))


@given(boxes, st.integers(0, len(SIZES) - 1))
def test_a_box_without_a_cell_of_a_column_is_impossible(box, j):
    assert not LAYOUT.is_possible(LAYOUT.mask((*box[:j], 0, *box[j + 1 :])))


@given(st.lists(boxes, max_size=12), st.sampled_from([0, 2_000_000]))
def test_what_escapes_boxes_is_a_box_outside_all_of_them(found, held):
    with patch.multiple(cubes, _MOST_REMEMBERED=held):
        escape = uncovered_term(map(LAYOUT.mask, found), layout=LAYOUT)
    held_points = naive.points_of_boxes(found, SIZES)
    assert (escape is None) == (held_points == naive.points_of_boxes([LAYOUT.box(0)], SIZES))
    if escape is not None:
        outside = naive.points_of_boxes([LAYOUT.box(escape)], SIZES)
        assert outside
        assert not outside & held_points


@given(boxes, st.lists(boxes, max_size=8))
def test_covered_means_every_point_lies_in_one_of_the_boxes(box, others):
    covered = naive.points_of_boxes([box], SIZES) <= naive.points_of_boxes(others, SIZES)
    assert is_covered(LAYOUT.mask(box), map(LAYOUT.mask, others), LAYOUT) == covered


@given(st.lists(boxes, max_size=6), st.lists(boxes, max_size=6))
def test_boxes_overlap_where_a_point_lies_in_both(ones, zeros):
    common = [
        (LAYOUT.mask(one), LAYOUT.mask(zero))
        for one in ones
        for zero in zeros
        if naive.points_of_boxes([one], SIZES) & naive.points_of_boxes([zero], SIZES)
    ]
    pair = first_overlap(list(map(LAYOUT.mask, ones)), list(map(LAYOUT.mask, zeros)), layout=LAYOUT)
    assert pair in common if common else pair is None
