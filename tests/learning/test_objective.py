import numpy as np
import pytest
from tests.learning.example_rows import majority, truth_table

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import error_share, least_price, left_out_errors, literal_count, noise_price, noisy_price
from idnf.logic.dnf import DNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Split

NAMES = ("a", "b", "c")
ROWS = DistinctRows(np.array([[0, 0, 0], [1, 1, 0]], dtype=bool), np.array([1.0, 6.0]), np.array([2.0, 1.0]), True)


def test_literals_are_counted_as_written():
    nested = NestedDNF(NAMES, ((0, 2), (4,)), ((2, 0), (1, 1)), 2)
    assert literal_count(nested) == 4
    zero = Leaf(NestedDNF.constant(NAMES, False, 1))
    one_literal = Leaf(NestedDNF(NAMES, ((2,),), ((1,),), 1), complemented=True)
    assert literal_count(NestedTree(NAMES, Split(0, zero, one_literal), 2)) == 2
    assert literal_count(DNF.parse("a & b | a & c", NAMES).double()) == 3  # class 0 is ~a | ~b & ~c


def test_errors_are_a_share_of_all_weight():
    assert error_share(ROWS, NestedDNF(NAMES, ((0,),), ((1,),), 1)) == pytest.approx(0.2)


def test_the_price_grows_with_the_noise_up_to_a_limit():
    prices = [noise_price(ROWS, errors) for errors in (0.0, 0.1, 0.3, 0.45)]
    assert prices == sorted(prices)
    assert noise_price(ROWS, 0.5) == prices[-1]


def test_weights_count_examples_unless_they_are_small():
    small, smaller = (DistinctRows(ROWS.features, s * ROWS.positive, s * ROWS.negative, True) for s in (0.1, 0.01))
    assert noise_price(small, 0.2) == pytest.approx(noise_price(smaller, 0.2))
    repeated = DistinctRows(ROWS.features, 7 * ROWS.positive, 7 * ROWS.negative, True)
    assert noise_price(repeated, 0.2) == pytest.approx(noise_price(ROWS, 0.2) / 7)


def examples(noise, *, count=400):
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((count, 12)) < 0.5, axis=0)
    target = (features[:, 0] ^ (generator.random(len(features)) < noise)).astype(float)
    return DistinctRows(features, target, 1 - target, True)


def test_a_forest_tells_noise_from_a_rule():
    assert left_out_errors(examples(0.0)) < 0.02
    assert 0.1 < left_out_errors(examples(0.2)) < 0.35


def test_one_class_has_no_errors():
    assert left_out_errors(DistinctRows(np.eye(3, dtype=bool), np.ones(3), np.zeros(3), True)) == 0.0


def test_a_whole_truth_table_is_priced_as_if_it_had_no_noise():
    rows = truth_table(majority, 5)
    assert left_out_errors(rows) > 0
    assert noisy_price(rows) == least_price(rows)
