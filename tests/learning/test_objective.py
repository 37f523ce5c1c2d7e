import numpy as np
import pytest

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import error_share, least_price, literal_count, noise_price
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


def test_the_price_grows_with_the_errors_that_remain_up_to_a_limit():
    prices = [noise_price(ROWS, errors) for errors in (0.0, 0.1, 0.3, 0.45)]
    assert prices == sorted(prices)
    assert prices[0] == least_price(ROWS)
    assert noise_price(ROWS, 0.5) == prices[-1]


def test_the_price_does_not_depend_on_the_scale_of_the_weights():
    scaled = DistinctRows(ROWS.features, 7 * ROWS.positive, 7 * ROWS.negative, True)
    assert noise_price(scaled, 0.2) == pytest.approx(noise_price(ROWS, 0.2))
