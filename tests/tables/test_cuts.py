"""Cuts: where they lie, and which value is written for them."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from idnf.columns.phrases import DAY, microseconds_since_epoch, number_words, time_words
from idnf.tables.cuts import (
    FINE_BINS,
    SMALLEST_SHARE,
    SMOOTHED,
    CountedValues,
    best_runs,
    best_sets,
    quantile_positions,
    readable_number,
    readable_time,
    tree_positions,
)

WEIGHTS = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=6)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))


@given(NUMBERS, NUMBERS)
@example(-1.7e308, 1.7e308)
@example(0.0, 5e-324)
@example(1.0, math.nextafter(1.0, 2.0))
@example(1e-310, 3e-310)
def test_a_readable_number_separates_the_same_values(low, high):
    assume(low < high)
    assert low <= readable_number(low, high) < high


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**9))
def test_a_readable_whole_number_separates_the_same_values(low, gap):
    cut = readable_number(low, low + gap, whole=True)
    assert low <= cut < low + gap
    assert cut == int(cut)


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        (16.79, 16.82, "16.8"),
        (0.1001, 0.1005, "0.1003"),
        (1234.0, 5678.0, "3000"),
        (-4.0, 6.0, "0"),
        (30.0, 45.0, "40"),
    ],
)
def test_the_shortest_number_near_the_middle_is_chosen(low, high, cut):
    assert number_words(readable_number(low, high)) == cut


@given(st.integers(-(10**6), 10**6), st.integers(1, 5))
def test_of_neighbours_with_a_few_digits_after_the_point_the_lower_is_the_cut(low, digits):
    one, other = (float(f"{number}e-{digits}") for number in (low, low + 1))
    # Of 0.10 and 0.11 as of 0.09 and 0.10.
    assert readable_number(one, other) == one


@given(MOMENTS, MOMENTS, st.sampled_from(["datetime", "datetime-utc", "duration"]))
def test_a_readable_time_separates_the_same_values(first, second, kind):
    low, high = sorted((microseconds_since_epoch(first), microseconds_since_epoch(second)))
    assume(low < high)
    assert low <= readable_time(low, high, kind) < high


@given(st.dates(), st.dates())
def test_a_readable_date_is_a_day_that_separates_the_same_values(first, second):
    assume(first < second)
    low, high = (microseconds_since_epoch(datetime(d.year, d.month, d.day)) for d in (first, second))
    cut = readable_time(low, high, "date")
    assert low <= cut < high
    assert cut % DAY == 0


@pytest.mark.parametrize(
    ("low", "high", "kind", "cut"),
    [
        ("2018-04-01", "2021-03-01", "date", "2019-12-31"),
        ("2020-03-20", "2020-04-10", "date", "2020-03-31"),
        ("2020-03-05", "2020-03-09", "date", "2020-03-07"),
        ("2020-03-05 13:20", "2020-03-05 14:50", "datetime", "2020-03-05 14:00"),
        ("2019-10-05 13:20", "2020-03-05 14:50", "datetime", "2020-01-01 00:00"),
    ],
)
def test_round_times_are_preferred(low, high, kind, cut):
    bounds = (microseconds_since_epoch(datetime.fromisoformat(text)) for text in (low, high))
    assert time_words(readable_time(*bounds, kind), kind) == cut


def test_round_durations_are_preferred():
    low, high = (timedelta(days=d) / timedelta(microseconds=1) for d in (17.3, 23.1))
    assert time_words(readable_time(low, high, "duration"), "duration") == "20 days"


@given(st.integers(-1000, 1000), st.integers(1, 1000), st.sampled_from([DAY, 3_600_000_000, 1_000_000]))
def test_durations_in_whole_units_are_cut_at_whole_units(low, gap, unit):
    cut = readable_time(low * unit, (low + gap) * unit, "duration", unit=unit)
    assert low * unit <= cut < (low + gap) * unit
    assert cut % unit == 0


def counted(values, classes, weights=None) -> CountedValues:
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=float)
    return CountedValues.from_examples(np.asarray(values, dtype=float), np.asarray(classes), weights, n_classes=2)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1), st.integers(1, 3)), min_size=1))
def test_weights_are_counted_by_value_and_class(examples):
    values, classes, weights = zip(*examples, strict=True)
    found = counted(values, classes, weights)
    expected = {
        v: [sum(w for u, c, w in examples if (u, c) == (v, side)) for side in (0, 1)] for v in sorted(set(values))
    }
    assert dict(zip(found.values.tolist(), found.weights.tolist(), strict=True)) == expected


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 1)), min_size=1), st.integers(0, 8))
def test_there_are_never_more_cuts_than_asked_for(examples, most):
    values, classes = zip(*examples, strict=True)
    found = counted(values, classes)
    for positions in (tree_positions(found, most), quantile_positions(found, most)):
        assert len(positions) <= most
        assert positions == sorted(set(positions))
        assert all(0 <= position < found.n_cuts for position in positions)


def test_a_tree_cuts_where_the_class_changes():
    values = np.arange(3 * FINE_BINS)
    classes = (values >= 1200).astype(int) ^ (values >= 2400).astype(int)
    first, second = tree_positions(counted(values, classes), 2)
    assert abs(first - 1199) <= 3
    assert abs(second - 2399) <= 3


def test_weights_move_the_cuts():
    values, classes = np.arange(6.0), np.array([0, 1, 1, 0, 1, 1])
    assert tree_positions(counted(values, classes, [9, 9, 9, 1, 1, 1]), 1) == [0]
    assert quantile_positions(counted(values, classes, [9, 1, 1, 1, 1, 1]), 1) == [0]


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 12), st.booleans())
def test_cuts_are_those_of_scikit_learns_tree(seed, n_classes, max_cuts, whole):
    generator = np.random.default_rng(seed)
    count = int(generator.integers(3, 2500))
    values = generator.integers(0, 60, count).astype(float) if whole else generator.normal(size=count)
    classes = np.where(generator.random(count) < 0.3, generator.integers(0, n_classes, count), values > 0.3)
    weights = generator.integers(1, 4, count).astype(float)
    counted = CountedValues.from_examples(values, classes.astype(np.intp), weights, n_classes=n_classes)
    if counted.n_cuts <= max_cuts:
        assert tree_positions(counted, max_cuts) == list(range(counted.n_cuts))
        return
    borders = np.array(quantile_positions(counted, FINE_BINS))
    binned = np.add.reduceat(counted.weights, np.concatenate([[0], borders + 1]), axis=0)
    bins, labels = np.nonzero(binned)
    tree = DecisionTreeClassifier(
        max_leaf_nodes=max_cuts + 1, min_weight_fraction_leaf=SMALLEST_SHARE, random_state=0
    ).fit(bins[:, None].astype(np.float32), labels, sample_weight=binned[bins, labels])
    splits = tree.tree_.threshold[tree.tree_.children_left >= 0]
    assert tree_positions(counted, max_cuts) == sorted(borders[splits.astype(int)].tolist())


def purity(weights, mask):
    """The weight that is of one class with itself inside and outside a set of cells, as Gini has it."""
    sides = [[row for cell, row in enumerate(weights) if bool(mask >> cell & 1) == inside] for inside in (True, False)]
    totals = [[sum(column) for column in zip(*side)] for side in sides if side]
    return sum(sum(one * one for one in total) / sum(total) for total in totals if sum(total))


def as_mask(cells):
    return sum(1 << cell for cell in cells)


@given(WEIGHTS, st.integers(0, 4))
def test_the_best_intervals_are_those_that_purify_most(weights, most):
    cells = len(weights)
    single = max(purity(weights, as_mask(range(cut))) for cut in range(1, cells))
    inner = [(low, high) for low in range(1, cells - 1) for high in range(low, cells - 1)]
    inner = [run for run in inner if purity(weights, as_mask(range(run[0], run[1] + 1))) > single + 1e-9]
    found = best_runs(np.array(weights, dtype=float), most)
    assert list(found) == sorted(set(found))
    assert set(found) <= set(inner)
    assert len(found) == min(most, len(inner))
    worth = {run: purity(weights, as_mask(range(run[0], run[1] + 1))) for run in inner}
    left = [worth[run] for run in inner if run not in found]
    assert not found or not left or min(worth[run] for run in found) >= max(left) - 1e-9


@given(WEIGHTS, st.integers(1, 4))
def test_the_best_sets_are_first_pieces_of_an_order_by_share(weights, most):
    assume(all(map(sum, weights)))
    whole = [sum(column) for column in zip(*weights)]
    smoothed = [[w + SMOOTHED * all_of for w, all_of in zip(row, whole)] for row in weights]
    pieces = set()
    for label in range(3):
        order = sorted(range(len(weights)), key=lambda cell: -(smoothed[cell][label] / sum(smoothed[cell])))
        pieces |= {frozenset(order[:size]) for size in range(2, len(weights) - 1)}
    single = max(purity(weights, 1 << cell) for cell in range(len(weights)))
    pieces = {piece for piece in pieces if purity(weights, as_mask(piece)) > single + 1e-9}
    found = best_sets(np.array(weights, dtype=float), most)
    assert {frozenset(cell for cell in range(len(weights)) if mask >> cell & 1) for mask in found} <= pieces
    full = 2 ** len(weights) - 1
    assert not {full - mask for mask in found} & set(found)
    offered = {mask for piece in pieces for mask in (as_mask(piece), full - as_mask(piece))} - {
        each for mask in found for each in (mask, full - mask)
    }
    assert not offered or len(found) == most
    assert (
        not offered or min(purity(weights, mask) for mask in found) >= max(purity(weights, m) for m in offered) - 1e-9
    )
