import tracemalloc

import numpy as np
import pytest
from tests.counting.naive_counts import NaiveCounts

from idnf.counting.packed import Blocks, PackedTable


def random_table(examples, features, *, seed=0):
    generator = np.random.default_rng(seed)
    return generator.random((examples, features)) < 0.4, generator.random(examples) < 0.3


@pytest.mark.parametrize("examples", [1, 63, 64, 65, 127, 129])
def test_padding_bits_are_zero(examples):
    table = PackedTable.from_arrays(np.ones((examples, 2), dtype=bool), np.arange(examples) % 3 == 0)
    assert np.bitwise_count(table.valid).sum() == examples
    np.testing.assert_array_equal(table.words, np.stack([table.valid, table.valid]))


def test_examples_of_one_class_and_weight_share_a_segment():
    features, positive = random_table(200, 3)
    weight = np.where(np.arange(200) % 2, 1.0, 2.5)
    table = PackedTable.from_arrays(features, positive, weight)
    expected = [(c, w, int(((positive == c) & (weight == w)).sum())) for c in (False, True) for w in (1.0, 2.5)]
    assert [(s.label, s.weight, s.examples) for s in table.segments] == expected


def test_examples_longer_than_a_block_are_counted_whole():
    features, positive = random_table(20_001, 3)
    table, naive = PackedTable.from_arrays(features, positive), NaiveCounts(features, positive)
    for ours, theirs in zip(table.literal_weights([3]), naive.literal_weights([3]), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    ours, theirs = table.grid_histogram([[0, 2], [5]]), naive.grid_histogram([[0, 2], [5]])
    np.testing.assert_array_equal(ours.points, theirs.points)
    np.testing.assert_array_equal(ours.positive, theirs.positive)


def test_a_grid_with_more_cells_than_memory_is_tallied_by_observed_points():
    features, positive = random_table(300, 12)
    matrix = [list(range(i, 24, 2))[:11] for i in (0, 1) for _ in range(6)]
    table, naive = PackedTable.from_arrays(features, positive), NaiveCounts(features, positive)
    ours, theirs = table.grid_histogram(matrix), naive.grid_histogram(matrix)
    np.testing.assert_array_equal(ours.points, theirs.points)
    np.testing.assert_array_equal(ours.positive, theirs.positive)
    np.testing.assert_array_equal(ours.negative, theirs.negative)


def test_distinct_rows_of_more_than_64_features():
    features, positive = random_table(40, 70)
    features[20:] = features[:20]
    rows = PackedTable.from_arrays(features, positive).distinct_rows()
    naive = NaiveCounts(features, positive).distinct_rows()
    order = np.lexsort(rows.features.T[::-1])
    assert len(order) == 20
    np.testing.assert_array_equal(rows.features[order], naive.features)
    np.testing.assert_array_equal(rows.positive[order], naive.positive)


def test_a_sample_follows_the_weights():
    # One row carries half the weight of its class, so half of the draws fall on it wherever they start.
    features = np.array([[i >> j & 1 for j in range(6)] for i in range(64)], dtype=bool)
    weight = np.ones(64)
    weight[5] = 63.0
    rows = PackedTable.from_arrays(features, np.ones(64, dtype=bool), weight).distinct_rows(limit=12)
    heavy = (rows.features == features[5]).all(axis=1)
    assert rows.positive[heavy].item() == pytest.approx(63, abs=126 / 12)


def test_no_example_at_all_counts_nothing():
    table = PackedTable.from_arrays(np.zeros((0, 2), dtype=bool), np.zeros(0, dtype=bool))
    assert (table.positive, table.negative) == (0, 0)
    np.testing.assert_array_equal(table.literal_weights([]), np.zeros((2, 4)))
    assert table.grid_histogram([[0]]).points.shape == (0, 1)
    assert table.distinct_rows().features.shape == (0, 2)


def test_packing_needs_little_memory_beside_the_table():
    features, positive = random_table(200_000, 50)
    tracemalloc.start()
    table = PackedTable.from_arrays(features, positive)
    table.literal_weights([0, 3])
    table.grid_histogram([[0, 2, 4, 6]] * 4)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * table.words.nbytes


@pytest.mark.parametrize("weighted", [False, True])
def test_features_made_in_blocks_and_threads_are_packed_as_those_of_an_array(weighted):
    features, positive = random_table(40_000, 9)
    weight = np.random.default_rng(1).random(40_000) if weighted else None
    whole = PackedTable.from_arrays(features, positive, weight)
    for threads in (1, 3):
        made = PackedTable.from_blocks(Blocks(lambda rows: features[rows], 9, threads), positive, weight)
        np.testing.assert_array_equal(made.words, whole.words)
        np.testing.assert_array_equal(made.totals, whole.totals)


@pytest.mark.parametrize("weights", ["none", "few", "many"])
def test_a_sample_of_a_large_table_has_its_rows_and_its_totals(weights, monkeypatch):
    monkeypatch.setattr("idnf.counting.packed.FEW_ROWS", 1_000)
    features, positive = random_table(5_000, 20)
    generator = np.random.default_rng(2)
    given = {"none": None, "few": generator.integers(0, 4, 5_000) * 1.0, "many": generator.random(5_000)}[weights]
    table = PackedTable.from_arrays(features, positive, given)
    rows = table.distinct_rows(limit=300)
    assert not rows.complete
    assert len(rows.features) <= 300
    np.testing.assert_allclose(rows.totals, table.totals)
    weight = np.ones(5_000) if given is None else given
    for side, label in ((positive, 1), (~positive, 0)):
        there = {tuple(row) for row in features[side & (weight > 0)].tolist()}
        assert {tuple(row) for row in rows.features[rows.weights[:, label] > 0].tolist()} <= there
    again = table.distinct_rows(limit=300)
    np.testing.assert_array_equal(again.features, rows.features)
    other = table.distinct_rows(limit=300, random_state=1)
    assert not np.array_equal(other.features, rows.features)


def test_rows_of_a_large_table_that_recur_are_all_found(monkeypatch):
    monkeypatch.setattr("idnf.counting.packed.FEW_ROWS", 1_000)
    features, positive = random_table(5_000, 6)
    table = PackedTable.from_arrays(features, positive)
    rows, naive = table.distinct_rows(limit=100), NaiveCounts(features, positive).distinct_rows()
    assert rows.complete
    found = sorted(zip(rows.features.tolist(), rows.weights.tolist(), strict=True))
    assert found == sorted(zip(naive.features.tolist(), naive.weights.tolist(), strict=True))


def test_a_heavy_example_of_a_large_table_is_drawn_by_its_weight(monkeypatch):
    monkeypatch.setattr("idnf.counting.packed.FEW_ROWS", 1_000)
    features, weight = np.zeros((5_000, 13), dtype=bool), np.ones(5_000)
    features[:, :] = np.arange(5_000)[:, np.newaxis] >> np.arange(13) & 1
    weight[77] = 4_999.0
    rows = PackedTable.from_arrays(features, np.ones(5_000, dtype=bool), weight).distinct_rows(limit=500)
    heavy = (rows.features == features[77]).all(axis=1)
    assert rows.positive[heavy].item() == pytest.approx(4_999, abs=2 * 9_998 / 500)
