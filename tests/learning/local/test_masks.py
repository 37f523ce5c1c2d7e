import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows

from idnf.counting.contract import DistinctRows
from idnf.learning.local import masks
from idnf.learning.local.masks import ExampleMasks, code_array


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
        assert np.isclose(examples.weight(examples.literals[2 * feature]) / examples.scale, net)


def test_a_large_table_is_sampled_and_keeps_its_weight(monkeypatch):
    monkeypatch.setattr(masks, "_MOST_CELLS", 200)
    features = np.random.default_rng(1).random((500, 4)) < 0.5
    examples = ExampleMasks(DistinctRows.of_two(features, np.ones(500), np.zeros(500), True), np.random.default_rng(0))
    assert examples.size == 50
    assert np.isclose(examples.weight(examples.everything) / examples.scale, 500)


@given(distinct_rows(), st.data())
def test_literals_are_valued_on_some_examples(rows, data):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    literals = range(2 * rows.features.shape[1])
    codes = code_array(data.draw(st.sets(st.sampled_from(literals), min_size=1)))
    mask = data.draw(st.integers(0, examples.everything))
    expected = [examples.weight(examples.literals[code] & mask) for code in codes]
    found = examples.literal_values(codes, examples.net.astype(np.int64), examples.places(mask))
    assert found.tolist() == expected


@given(st.floats(1e-250, 1e250), st.integers(1, 50))
def test_weights_of_any_size_become_integers_that_add_up(weight, count):
    rows = DistinctRows.of_two(np.ones((count, 1), dtype=bool), np.full(count, weight), np.zeros(count), True)
    examples = ExampleMasks(rows, np.random.default_rng(0))
    assert 2**27 < examples.weight(examples.everything) <= 2**29
    assert np.isclose(examples.unit * count, examples.weight(examples.everything))


def test_the_unit_follows_the_scale_of_the_weights():
    rows = DistinctRows.of_two(np.eye(3, dtype=bool), np.array([10.0, 10.0, 40.0]), np.array([0.0, 10.0, 0.0]), True)
    assert rows.unit == 15.0
