"""Trees for several classes against trying every tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from tests.learning import naive_classes
from tests.learning.example_rows import labelled_rows, names
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.class_optimum import (
    ClassTreeOptions,
    ExampleSet,
    best_of_depth_one,
    best_of_depth_two,
    built,
    constant,
    optimal_class_tree,
)
from idnf.learning.lookahead import cart, lookahead_tree
from idnf.learning.objective import Objective, labels_of
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import NestedTree


def arrays(rows):
    return ExampleSet(rows.features.astype(float), rows.weights)


@given(labelled_rows())
def test_shallow_trees_are_the_best_there_are(rows):
    for depth, solve in enumerate((constant, best_of_depth_one, best_of_depth_two)):
        found = solve(arrays(rows))
        assert found.value == pytest.approx(naive_classes.best_tree(naive_classes.examples(rows), depth))
        node = built(found.tree, names(rows), np.arange(len(names(rows))), rows.n_classes)
        assert (
            naive_classes.model_right(rows, NestedTree(names(rows), node, depth, rows.n_classes)) >= found.value - 1e-9
        )


@given(labelled_rows(), st.integers(0, 4))
def test_the_optimal_tree_is_the_best_there_is(rows, k):
    found = optimal_class_tree(rows, names(rows), k)
    most = naive_classes.best_tree(naive_classes.examples(rows), k)
    assert found.objective == pytest.approx(1 - most / rows.total)
    assert found.bound == pytest.approx(found.objective)
    assert found.optimal == "tree"
    assert found.model.depth <= k
    assert naive_classes.model_right(rows, found.model) == pytest.approx(most)


@few(7)
@given(labelled_rows(max_features=3), st.integers(1, 3))
def test_the_optimal_pair_tree_is_the_best_there_is(rows, k):
    found = optimal_class_tree(rows, names(rows), k, options=ClassTreeOptions(pairs=True))
    most = naive_classes.best_pair_tree(naive_classes.examples(rows), k)
    assert found.objective == pytest.approx(1 - most / rows.total)
    assert found.bound == pytest.approx(found.objective)
    assert found.optimal == found.bound_family == "pair-tree"
    assert naive_classes.model_right(rows, found.model) == pytest.approx(most)
    found.model.class_dnfs().verify()


def test_a_pair_tree_is_better_than_any_tree_of_its_order():
    features = np.array([[p >> j & 1 for j in range(5)] for p in range(32)], dtype=bool)
    a, b, c, d, e = features.T
    rows = DistinctRows(features, np.eye(3)[np.where(e, 2, np.where(a & b | c & d, 1, 0))], True)
    found = optimal_class_tree(rows, names(rows), 3, options=ClassTreeOptions(pairs=True))
    assert (found.objective, found.optimal) == (0.0, "pair-tree")
    assert optimal_class_tree(rows, names(rows), 3).objective > 0
    late = optimal_class_tree(rows, names(rows), 3, options=ClassTreeOptions(pairs=True, deadline=Deadline.after(1e-9)))
    assert late.bound == 0.0 < late.objective
    assert late.optimal is None


@given(labelled_rows(), st.integers(1, 4))
def test_a_start_is_kept_unless_another_tree_is_better(rows, k):
    start = lookahead_tree(rows, names(rows), k)
    found = optimal_class_tree(rows, names(rows), k, options=ClassTreeOptions(start=start))
    most = naive_classes.best_tree(naive_classes.examples(rows), k)
    assert found.objective == pytest.approx(1 - most / rows.total)
    if Objective(rows, 0.0).errors(start) <= rows.total - most:
        assert found.model == start


def test_without_time_the_bound_holds_all_the_same():
    generator = np.random.default_rng(0)
    features = generator.random((60, 12)) < 0.5
    rows = DistinctRows(features, np.eye(3)[generator.integers(3, size=60)], True)
    shares = []
    found = optimal_class_tree(
        rows, names(rows), 4, options=ClassTreeOptions(deadline=Deadline.after(1e-9), progress=shares.append)
    )
    best = optimal_class_tree(rows, names(rows), 4, options=ClassTreeOptions(progress=shares.append))
    assert found.optimal is None
    assert found.bound <= best.objective <= found.objective
    assert shares[-1] == 1.0


def test_nothing_is_proved_on_a_sample():
    rows = DistinctRows(np.eye(3, dtype=bool), np.eye(3), False)
    assert optimal_class_tree(rows, ("a", "b", "c"), 2).optimal is None


@given(labelled_rows(), st.integers(0, 3), st.sampled_from([0.0, 0.4]))
def test_look_ahead_is_optimal_to_depth_three(rows, k, price):
    tree = lookahead_tree(rows, names(rows), k, price=price / rows.total)
    value = naive_classes.model_right(rows, tree) - price * tree.literal_count
    assert value == pytest.approx(naive_classes.best_tree(naive_classes.examples(rows), k, price), rel=1e-5)


@few(6)
@given(labelled_rows(max_features=3), st.integers(4, 5))
def test_with_every_split_tried_no_deeper_tree_is_better(rows, k):
    tree = lookahead_tree(rows, names(rows), k, breadth=len(names(rows)))
    most = naive_classes.best_tree(naive_classes.examples(rows), k)
    assert naive_classes.model_right(rows, tree) == pytest.approx(most, rel=1e-5)


@given(labelled_rows(), st.integers(0, 4))
def test_look_ahead_keeps_to_its_depth_with_pairs_alone_and_with_no_time(rows, k):
    for tree in (lookahead_tree(rows, names(rows), k, **how) for how in ({"most_triples": 0}, {"is_over": bool})):
        assert tree.depth <= k
        assert tree.is_plain
    assert lookahead_tree(rows, names(rows), k, is_over=lambda: True).depth == 0


@given(labelled_rows(), st.integers(1, 3))
def test_cart_errs_as_scikit_learn_does_on_weighted_examples(rows, k):
    places, labels = np.nonzero(rows.weights)
    weights = rows.weights[places, labels]
    fitted = DecisionTreeClassifier(max_depth=k, random_state=0).fit(rows.features[places], labels, weights)
    found = cart(rows, names(rows), k)
    assert labels_of(found, rows.features).tolist() == fitted.predict(rows.features).tolist()
    assert found.depth <= k


@given(labelled_rows(), st.integers(1, 3))
def test_trees_and_their_dnfs_give_the_same_classes(rows, k):
    tree = cart(rows, names(rows), k)
    dnfs = tree.class_dnfs()
    dnfs.verify()
    given_by_tree = labels_of(tree, rows.features)
    assert labels_of(dnfs, rows.features).tolist() == given_by_tree.tolist()
    right = naive_classes.model_right(rows, dnfs)
    assert Objective(rows, 0.0).errors(tree) == pytest.approx(rows.total - right)
    assert Objective(rows, 0.5)(tree) == pytest.approx(1 - right / rows.total + 0.5 * tree.literal_count)


def test_one_class_or_no_feature_gives_a_constant():
    one = DistinctRows(np.eye(2, dtype=bool), np.array([[0.0, 1, 0], [0, 1, 0]]), True)
    assert cart(one, ("a", "b"), 2).depth == 0
    none = DistinctRows(np.zeros((1, 0), dtype=bool), np.array([[1.0, 2, 0]]), True)
    for tree in (cart(none, (), 2), lookahead_tree(none, (), 3), optimal_class_tree(none, (), 3).model):
        assert tree.evaluate({}) == 1
