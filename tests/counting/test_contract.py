"""One contract for every way of counting; a new way is one line in WAYS."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.counting.lazy_counts import lazy_counts
from tests.counting.naive_counts import NaiveCounts
from tests.strategies import few

from idnf.counting.packed import PackedTable

# name -> maker from (features: bool (m, n), positive: bool (m,), weight: float (m,) or None)
WAYS = {
    "packed": PackedTable.from_arrays,
    "polars": lambda *table: lazy_counts("polars", *table),
    "DuckDB": lambda *table: lazy_counts("duckdb", *table),
}

way_of_counting = pytest.mark.parametrize("make", WAYS.values(), ids=WAYS)


@st.composite
def tables(draw, max_examples=150, max_features=5):
    """A small table: features, classes, and no weights, integer weights or arbitrary ones."""
    n = draw(st.integers(1, max_features))
    m = draw(st.integers(1, max_examples))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    features = generator.random((m, n)) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    positive = generator.random(m) < draw(st.sampled_from([0.0, 0.5, 1.0]))
    kind = draw(st.sampled_from(["none", "integers", "reals"]))
    if kind == "none":
        return features, positive, None
    weight = generator.integers(0, 4, m).astype(float) if kind == "integers" else generator.random(m)
    weight[0] = 1.0
    return features, positive, weight


def matrices(n_features, max_rows=3):
    row = st.lists(st.integers(0, 2 * n_features - 1), max_size=3)
    return st.lists(row, min_size=1, max_size=max_rows)


@way_of_counting
@few(6)
@given(table=tables())
def test_totals_are_the_weights_of_the_classes(make, table):
    counts, naive = make(*table), NaiveCounts(*table)
    assert counts.n_features == naive.n_features
    assert counts.positive == pytest.approx(naive.positive)
    assert counts.negative == pytest.approx(naive.negative)


@way_of_counting
@few(6)
@given(table=tables(), data=st.data())
def test_literal_weights_agree_with_naive(make, table, data):
    conjunction = data.draw(st.lists(st.integers(0, 2 * table[0].shape[1] - 1), max_size=3))
    answers = make(*table).literal_weights(conjunction), NaiveCounts(*table).literal_weights(conjunction)
    for ours, naive in zip(*answers, strict=True):
        np.testing.assert_allclose(ours, naive, rtol=1e-9)
        np.testing.assert_array_equal(ours == 0, naive == 0)


@way_of_counting
@few(6)
@given(table=tables(), data=st.data())
def test_grid_histogram_agrees_with_naive(make, table, data):
    matrix = data.draw(matrices(table[0].shape[1]))
    ours, naive = make(*table).grid_histogram(matrix), NaiveCounts(*table).grid_histogram(matrix)
    np.testing.assert_array_equal(ours.points, naive.points)
    np.testing.assert_allclose(ours.positive, naive.positive)
    np.testing.assert_allclose(ours.negative, naive.negative)


@way_of_counting
@few(6)
@given(table=tables(), data=st.data())
def test_questions_told_beforehand_have_the_same_answers(make, table, data):
    literals = st.lists(st.integers(0, 2 * table[0].shape[1] - 1), max_size=3)
    conjunctions = data.draw(st.lists(literals, min_size=1, max_size=3))
    asked = data.draw(st.lists(matrices(table[0].shape[1]), min_size=1, max_size=2))
    counts, naive = make(*table), NaiveCounts(*table)
    counts.prepare(conjunctions, asked)
    for conjunction in conjunctions:
        ours, expected = counts.literal_weights(conjunction), naive.literal_weights(conjunction)
        np.testing.assert_allclose(ours, expected, rtol=1e-9)
        np.testing.assert_array_equal(np.equal(ours, 0), np.equal(expected, 0))
    for matrix in asked:
        ours, expected = counts.grid_histogram(matrix), naive.grid_histogram(matrix)
        np.testing.assert_array_equal(ours.points, expected.points)
        np.testing.assert_allclose(ours.positive, expected.positive)
        np.testing.assert_allclose(ours.negative, expected.negative)


@way_of_counting
@few(6)
@given(table=tables(), data=st.data())
def test_covered_weights_agree_with_naive(make, table, data):
    terms = st.lists(st.lists(st.integers(0, 2 * table[0].shape[1] - 1), max_size=3), max_size=3)
    models = data.draw(st.lists(terms, min_size=1, max_size=2))
    ours, naive = make(*table).covered_weights(models), NaiveCounts(*table).covered_weights(models)
    np.testing.assert_allclose(ours, naive, rtol=1e-9, atol=1e-12)


@way_of_counting
@few(6)
@given(table=tables())
def test_distinct_rows_agree_with_naive(make, table):
    ours, naive = make(*table).distinct_rows(), NaiveCounts(*table).distinct_rows()
    order = np.lexsort(ours.features.T[::-1])
    assert ours.complete
    np.testing.assert_array_equal(ours.features[order], naive.features)
    np.testing.assert_allclose(ours.positive[order], naive.positive)
    np.testing.assert_allclose(ours.negative[order], naive.negative)


@way_of_counting
@few(6)
@given(table=tables(), data=st.data())
def test_integer_weights_count_exactly_as_repeated_examples(make, table, data):
    features, positive, _ = table
    repeats = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(positive), max_size=len(positive))))
    repeats[0] = 1
    weighted = make(features, positive, repeats.astype(float))
    repeated = make(np.repeat(features, repeats, axis=0), np.repeat(positive, repeats), None)
    for conjunction in ([], [0], [1]):
        np.testing.assert_array_equal(weighted.literal_weights(conjunction), repeated.literal_weights(conjunction))
    matrix = data.draw(matrices(features.shape[1]))
    ours, theirs = weighted.grid_histogram(matrix), repeated.grid_histogram(matrix)
    np.testing.assert_array_equal(ours.points, theirs.points)
    np.testing.assert_array_equal(ours.positive, theirs.positive)
    np.testing.assert_array_equal(ours.negative, theirs.negative)


@way_of_counting
@pytest.mark.parametrize("limit", [2, 5, 20])
def test_a_sample_is_within_its_limit_seeded_and_keeps_the_weight_of_each_class(make, limit):
    generator = np.random.default_rng(3)
    table = generator.random((400, 8)) < 0.5, generator.random(400) < 0.2, generator.random(400)
    counts = make(*table)
    sample, again = counts.distinct_rows(limit, random_state=7), counts.distinct_rows(limit, random_state=7)
    assert not sample.complete
    assert 0 < len(sample.features) <= limit
    np.testing.assert_array_equal(sample.features, again.features)
    assert sample.positive.sum() == pytest.approx(counts.positive)
    assert sample.negative.sum() == pytest.approx(counts.negative)
    other = counts.distinct_rows(limit, random_state=8)
    assert sample.features.shape != other.features.shape or (sample.features != other.features).any()


@way_of_counting
def test_few_distinct_rows_are_not_sampled(make):
    counts = make(np.array([[True], [True], [False]]), np.array([True, False, False]), None)
    assert counts.distinct_rows(limit=2).complete


@way_of_counting
def test_a_sample_needs_room_for_both_classes(make):
    counts = make(np.array([[True], [True], [False]]), np.array([True, False, False]), None)
    with pytest.raises(ValueError, match="limit must be at least 2, one row for each class; got 1"):
        counts.distinct_rows(limit=1)
