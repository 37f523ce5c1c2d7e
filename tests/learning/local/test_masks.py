import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows

from idnf.counting.contract import DistinctRows
from idnf.learning.local import masks
from idnf.learning.local.masks import ExampleMasks, weight_unit


@given(distinct_rows(), st.data())
def test_a_term_selects_the_examples_whose_features_satisfy_it(rows, data):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    kept = rows.features[rows.positive != rows.negative]
    codes = data.draw(st.sets(st.integers(0, 2 * rows.features.shape[1] - 1)))
    expected = [all(row[code // 2] != code % 2 for code in codes) for row in kept]
    term = sum(1 << code for code in codes)
    assert examples.bits(examples.satisfying(term)).astype(bool).tolist() == expected


@given(distinct_rows())
def test_the_weight_of_a_literal_is_net_of_the_other_class(rows):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    for feature in range(rows.features.shape[1]):
        net = (rows.positive - rows.negative)[rows.features[:, feature]].sum()
        assert np.isclose(examples.weight(examples.literals[2 * feature]), net)


def test_a_large_table_is_sampled_and_keeps_its_weight(monkeypatch):
    monkeypatch.setattr(masks, "_MOST_CELLS", 400)
    features = np.random.default_rng(1).random((500, 4)) < 0.5
    examples = ExampleMasks(DistinctRows(features, np.ones(500), np.zeros(500), True), np.random.default_rng(0))
    assert examples.size == 50
    assert np.isclose(examples.weight(examples.everything), 500)


def test_a_large_pool_shows_a_part_that_holds_the_present_literal(monkeypatch):
    monkeypatch.setattr(masks, "_MOST_ENTRIES", 0)
    rows = DistinctRows(np.eye(60, dtype=bool), np.ones(60), np.zeros(60), True)
    examples = ExampleMasks(rows, np.random.default_rng(0))
    codes, values = examples.pool(range(120)).values(examples.net, 77, np.random.default_rng(0))
    assert 77 in codes
    assert len(codes) == 32
    assert values.tolist() == [1.0 if code % 2 == 0 else 59.0 for code in codes]


def test_the_unit_follows_the_scale_of_the_weights():
    rows = DistinctRows(np.eye(3, dtype=bool), np.array([10.0, 10.0, 40.0]), np.array([0.0, 10.0, 0.0]), True)
    assert weight_unit(rows) == 15.0
