import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from tests.learning.example_rows import distinct_rows, majority, names, truth_table
from tests.strategies import seeds

from idnf.counting.contract import DistinctRows
from idnf.learning import lookahead
from idnf.learning.lookahead import affordable_breadth, cart, lookahead_tree, lookahead_trees
from idnf.learning.objective import Objective, error_share


def least_cost(features, positive, negative, depth, price):
    """The least error plus price of splits, in weight, of any tree of some depth: every split tried."""
    least = min(positive.sum(), negative.sum())
    if depth == 0:
        return least
    for column in features.T:
        parts = (column, ~column)
        below = sum(least_cost(features[p], positive[p], negative[p], depth - 1, price) for p in parts)
        least = min(least, price + below)
    return least


@given(distinct_rows(), st.integers(0, 3), st.sampled_from([0.0, 0.01, 0.1]))
def test_up_to_depth_three_no_tree_is_better(rows, k, price):
    total = rows.positive.sum() + rows.negative.sum()
    expected = least_cost(rows.features, rows.positive, rows.negative, k, price * total) / total
    found = lookahead_tree(rows, names(rows), k, price=price)
    assert found.is_plain
    assert found.depth <= k
    assert Objective(rows, price)(found) == pytest.approx(expected, abs=1e-5)


@given(distinct_rows(), st.integers(4, 5), st.sampled_from([0.0, 0.01, 0.05]))
def test_with_every_split_tried_no_deeper_tree_is_better(rows, k, price):
    total = rows.positive.sum() + rows.negative.sum()
    expected = least_cost(rows.features, rows.positive, rows.negative, k, price * total) / total
    found = lookahead_tree(rows, names(rows), k, price=price, breadth=len(names(rows)))
    assert found.depth <= k
    assert Objective(rows, price)(found) == pytest.approx(expected, abs=1e-5)


# With a bound that is too small on one side or the other, 9 and 155 among them end in a worse tree.
@pytest.mark.parametrize("seed", [*seeds(1, 40), 9, 155])
def test_every_split_tried_finds_what_looking_ahead_does_not_see(seed):
    generator = np.random.default_rng(seed)
    features = np.unique(generator.random((90, 7)) < 0.5, axis=0)
    # Features that part nearly the same examples bound each other.
    features[:, 5] = features[:, 0] ^ (generator.random(len(features)) < 0.1)
    features[:, 6] = features[:, 1] ^ (generator.random(len(features)) < 0.1)
    labels = generator.random(len(features)) < 0.5
    rows = DistinctRows.of_two(features, labels * 1.0, ~labels * 1.0, True)
    one, all_of_them = (error_share(rows, lookahead_tree(rows, names(rows), 4, breadth=breadth)) for breadth in (1, 7))
    assert one >= all_of_them == pytest.approx(least_cost(features, labels, ~labels, 4, 0.0) / len(features))


def test_of_all_splits_no_more_are_tried_once_time_is_over():
    rows = truth_table(lambda point: sum(point) % 2, 6)
    calls = iter(range(10**6))
    found = lookahead_tree(rows, names(rows), 6, breadth=6, is_over=lambda: next(calls) > 20)
    assert error_share(rows, found) <= 0.5


@pytest.mark.parametrize(("examples", "features", "k"), [(600, 43, 6), (10, 3, 2), (3000, 13, 9), (10**6, 300, 6)])
def test_all_splits_are_tried_where_that_is_affordable(examples, features, k):
    breadth = affordable_breadth(examples, features, k)
    assert 1 <= breadth <= features
    assert breadth <= affordable_breadth(examples // 2, features, k)


def test_depth_five_learns_what_cart_does_not_see():
    rows = truth_table(lambda point: sum(point[:4]) % 2, 6)
    assert error_share(rows, lookahead_tree(rows, names(rows), 4, breadth=6)) == 0.0
    assert error_share(rows, cart(rows, names(rows), 4)) > 0.2


def test_a_split_that_does_not_pay_is_not_made():
    rows = truth_table(majority, 3)
    assert lookahead_tree(rows, names(rows), 3, price=0.3).depth == 0
    assert lookahead_tree(rows, names(rows), 3, price=0.05).depth == 3


def test_without_features_there_is_a_constant():
    rows = DistinctRows.of_two(np.zeros((1, 0), dtype=bool), np.array([2.0]), np.array([1.0]), True)
    assert error_share(rows, lookahead_tree(rows, (), 3)) == pytest.approx(1 / 3)


def test_where_triples_are_too_many_splits_are_valued_by_pairs():
    rows = truth_table(lambda point: point[0] != point[1], 4)
    assert error_share(rows, lookahead_tree(rows, names(rows), 3, most_triples=0)) == 0.0


def test_of_many_features_the_most_promising_are_looked_at(monkeypatch):
    monkeypatch.setattr(lookahead, "_MOST_FEATURES", 3)
    rows = truth_table(lambda point: point[1] and point[2], 6)
    assert error_share(rows, lookahead_tree(rows, names(rows), 3)) == 0.0


def test_no_split_is_made_once_time_is_over():
    rows = truth_table(majority, 5)
    assert lookahead_tree(rows, names(rows), 4, is_over=lambda: True).depth == 0


def test_trees_of_several_depths_are_those_grown_alone():
    rows = truth_table(lambda point: sum(point) % 3 == 1, 5)
    alone = [lookahead_tree(rows, names(rows), k, price=0.001) for k in range(5)]
    assert lookahead_trees(rows, names(rows), range(5), price=0.001) == alone


def test_of_very_many_features_those_most_like_the_classes_are_paired(monkeypatch):
    monkeypatch.setattr(lookahead, "_MOST_PAIRED", 3)
    rows = truth_table(lambda point: point[1] and point[4] or point[1] and point[2], 6)
    assert error_share(rows, lookahead_tree(rows, names(rows), 3)) == 0


@given(distinct_rows(), st.integers(1, 3))
def test_the_tree_errs_as_scikit_learn_does_on_weighted_examples(rows, k):
    features = np.concatenate([rows.features, rows.features])
    classes = np.repeat([1, 0], len(rows.features))
    weights = np.concatenate([rows.positive, rows.negative])
    used = weights > 0
    tree = DecisionTreeClassifier(max_depth=k, random_state=0).fit(features[used], classes[used], weights[used])
    expected = 1 - tree.score(features[used], classes[used], weights[used])
    found = cart(rows, names(rows), k)
    assert found.is_plain
    assert found.depth <= k
    assert error_share(rows, found) == pytest.approx(expected)


@pytest.mark.parametrize("positive", [0.0, 1.0])
def test_one_class_gives_a_constant(positive):
    rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.full(2, positive), np.full(2, 1 - positive), True)
    assert cart(rows, ("a", "b"), 2).depth == 0
    assert error_share(rows, cart(rows, ("a", "b"), 2)) == 0.0
