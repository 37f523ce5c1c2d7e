import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.problem import Problem


def problem(features: list[list[int]], allowed: set[int]) -> Problem:
    table = np.array(features, dtype=np.bool_)
    ones = np.arange(1, len(table) + 1, dtype=np.float64)
    return Problem.from_rows(DistinctRows.of_two(table, ones, 0 * ones, complete=True), allowed=frozenset(allowed))


def test_of_opposite_features_one_is_left_out_only_where_the_same_literals_are_allowed():
    # The second feature is the negation of the first: its literal 3 is the first one's literal 0.
    opposite = [[1, 0], [0, 1]]
    assert problem(opposite, {0, 1, 2, 3}).features.tolist() == [0]
    assert problem(opposite, {0, 3}).features.tolist() == [0]
    assert problem(opposite, {0, 2}).features.tolist() == [0, 1]
    assert problem([[1, 1], [0, 0]], {0, 2}).features.tolist() == [0]
    assert problem([[1, 1], [0, 0]], {0, 3}).features.tolist() == [0, 1]


def test_a_feature_without_a_literal_that_is_allowed_is_left_out():
    found = problem([[1, 0], [0, 0], [0, 1]], {2, 3})
    assert found.features.tolist() == [1]
    assert found.free.tolist() == [True]


def test_the_literals_allowed_are_numbered_like_the_features_kept():
    found = problem([[0, 1, 0], [0, 0, 0], [0, 1, 1]], {2, 5})
    assert found.features.tolist() == [1, 2]
    assert found.allowed.tolist() == [True, False, False, True]
    assert found.free.tolist() == [False, False]
    assert found.with_classes_exchanged().allowed.tolist() == [False, True, True, False]
