import numpy as np
import pytest
from tests.counting.lazy_counts import lazy_counts
from tests.counting.naive_counts import NaiveCounts

from idnf.counting.packed import PackedTable
from idnf.learning.greedy import learn_greedy

ENGINES = ["polars", "duckdb"]


def random_table(examples, features, *, seed=0):
    generator = np.random.default_rng(seed)
    return generator.random((examples, features)) < 0.4, generator.random(examples) < 0.3


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_conjunction_is_asked_once(engine):
    table = lazy_counts(engine, *random_table(100, 4))
    first = table.literal_weights([2, 5])
    assert table.scans.done == 1
    assert table.literal_weights([5, 2]) is first
    assert table.scans.done == 1
    assert table.positive + table.negative == 100, "which the target was counted for"
    assert table.scans.done == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_greedy_learning_of_either_class_takes_the_scans_of_one(engine, k):
    features, positive = random_table(300, 8)
    for polarity in ("positive", "auto"):
        table = lazy_counts(engine, features, positive)
        learned = learn_greedy(table, list("abcdefgh"), k, polarity=polarity)
        assert table.scans.done <= 1 + k * (k - 1) + 1
        in_memory = PackedTable.from_arrays(features, positive)
        assert learned == learn_greedy(in_memory, list("abcdefgh"), k, polarity=polarity)


@pytest.mark.parametrize("engine", ENGINES)
def test_more_literals_than_an_engine_takes_in_one_query_are_counted_in_parts(engine, monkeypatch):
    monkeypatch.setattr("idnf.counting.lazy_table.MOST_COLUMNS", 3)
    features, positive = random_table(90, 7)
    table, naive = lazy_counts(engine, features, positive), NaiveCounts(features, positive)
    np.testing.assert_array_equal(table.literal_weights([1]), naive.literal_weights([1]))


@pytest.mark.parametrize("engine", ENGINES)
def test_more_literals_than_fit_a_word_are_packed_into_several(engine):
    features, positive = random_table(60, 130)
    rows = lazy_counts(engine, features, positive).distinct_rows()
    in_memory = PackedTable.from_arrays(features, positive).distinct_rows()
    np.testing.assert_array_equal(rows.features, in_memory.features)
    np.testing.assert_array_equal(rows.positive, in_memory.positive)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_large_table_is_sampled_unless_its_rows_recur(engine, monkeypatch):
    monkeypatch.setattr("idnf.counting.engine_rows.FEW_ROWS", 500)
    few = lazy_counts(engine, *random_table(3_000, 4)).distinct_rows(limit=400)
    assert few.complete
    assert len(few.features) == 16
    features, positive = random_table(3_000, 40)
    many = lazy_counts(engine, features, positive)
    assert len(many.distinct_rows().features) == len(np.unique(features, axis=0))
    sample, again = many.distinct_rows(limit=400), many.distinct_rows(limit=400)
    assert not sample.complete
    assert len(sample.features) == 400
    np.testing.assert_array_equal(sample.features, again.features)
    assert (sample.features != many.distinct_rows(limit=400, random_state=1).features).any()
    assert sample.positive.sum() == pytest.approx(positive.sum())
    assert sample.negative.sum() == pytest.approx((~positive).sum())
    # The classes keep their shares among the rows drawn.
    assert (sample.positive > 0).sum() == pytest.approx(400 * positive.mean(), abs=1)


def test_the_rows_drawn_are_spread_evenly(monkeypatch):
    monkeypatch.setattr("idnf.counting.engine_rows.FEW_ROWS", 100)
    rows = 40_000
    # The features number the rows in binary, so that the sample tells which were drawn.
    features = (np.arange(rows)[:, np.newaxis] >> np.arange(16) & 1).astype(bool)
    table = lazy_counts("polars", features, np.arange(rows) % 2 == 0)
    drawn = table.distinct_rows(limit=4_000).features @ (1 << np.arange(16))
    counts = np.histogram(drawn, bins=20, range=(0, rows))[0]
    # 200 are expected in each part, with a standard deviation below 14.
    assert np.abs(counts - 200).max() < 60
