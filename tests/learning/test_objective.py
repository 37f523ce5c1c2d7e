import numpy as np
import pytest
from tests.learning.example_rows import majority, names, truth_table

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import (
    Objective,
    error_share,
    noise_price,
)
from idnf.learning.path import CAUTIONS, objectives
from idnf.learning.task import LearningTask
from idnf.logic.dnf import DNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Split

NAMES = ("a", "b", "c")
ROWS = DistinctRows.of_two(
    np.array([[0, 0, 0], [1, 1, 0]], dtype=bool), np.array([1.0, 6.0]), np.array([2.0, 1.0]), True
)


def test_literals_are_counted_as_written():
    nested = NestedDNF(NAMES, ((0, 2), (4,)), ((2, 0), (1, 1)), 2)
    assert nested.literal_count == 4
    zero = Leaf(NestedDNF.constant(NAMES, False, 1))
    one_literal = Leaf(NestedDNF(NAMES, ((2,),), ((1,),), 1), 0, 1)
    assert NestedTree(NAMES, Split(0, zero, one_literal), 2).literal_count == 2
    assert DNF.parse("a & b | a & c", NAMES).double().literal_count == 3  # class 0 is ~a | ~b & ~c


def test_errors_are_a_share_of_all_weight():
    assert error_share(ROWS, NestedDNF(NAMES, ((0,),), ((1,),), 1)) == pytest.approx(0.2)


def test_the_price_grows_with_the_noise_up_to_a_limit():
    prices = [noise_price(ROWS, errors) for errors in (0.0, 0.1, 0.3, 0.45)]
    assert prices == sorted(prices)
    assert noise_price(ROWS, 0.5) == prices[-1]


def test_weights_count_examples_unless_they_are_small():
    small, smaller = (
        DistinctRows.of_two(ROWS.features, s * ROWS.positive, s * ROWS.negative, True) for s in (0.1, 0.01)
    )
    assert noise_price(small, 0.2) == pytest.approx(noise_price(smaller, 0.2))
    repeated = DistinctRows.of_two(ROWS.features, 7 * ROWS.positive, 7 * ROWS.negative, True)
    assert noise_price(repeated, 0.2) == pytest.approx(noise_price(ROWS, 0.2) / 7)


def test_a_model_costs_its_errors_and_its_literals():
    assert Objective(ROWS, 0.03)(NestedDNF(NAMES, ((0,),), ((1,),), 1)) == pytest.approx(0.23)


def test_a_whole_truth_table_is_believed_and_priced_as_if_it_had_no_noise():
    rows = truth_table(majority, 5)
    plain, cautious = objectives(rows, CAUTIONS, LearningTask(names(rows), 2))
    assert cautious.price == plain.price
    assert cautious.rows.positive.tolist() == rows.positive.tolist()


def test_caution_gives_a_part_of_a_label_to_other_models_and_keeps_all_weight():
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((400, 12)) < 0.5, axis=0)
    target = features[:, 0] ^ (generator.random(len(features)) < 0.2)
    rows = DistinctRows.of_two(features, 3.0 * target, 3.0 * ~target, True)
    plain, cautious = objectives(rows, CAUTIONS, LearningTask(names(rows), 2))
    assert cautious.price > plain.price
    assert (cautious.rows.positive + cautious.rows.negative).tolist() == pytest.approx([3.0] * len(rows.features))
    assert ((cautious.rows.positive >= cautious.rows.negative) == target).mean() > 0.95
    doubted = target != features[:, 0]
    net = np.abs(cautious.rows.positive - cautious.rows.negative)
    assert net[doubted].mean() < net[~doubted].mean() / 2
