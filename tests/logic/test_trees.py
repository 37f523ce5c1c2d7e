"""Nested trees: both sides, conversion from scikit-learn, and the least depth of a tree."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from tests import naive, strategies

from idnf import NestedDNF, NestedTree
from idnf.logic.trees import Leaf, Split, least_depth

NAMES = strategies.feature_names(4)
POINTS = [{name: p >> j & 1 for j, name in enumerate(NAMES)} for p in range(16)]


def value(node, p):
    """The value by walking down, with nested leaves by their definition."""
    while isinstance(node, Split):
        node = node.if_true if p >> node.feature & 1 else node.if_false
    return naive.nested_table(node.nested.matrix, node.nested.prefixes, 4)[p] ^ (node.label == 0)


@given(strategies.nested_trees())
def test_both_sides_and_evaluation(tree):
    values = [value(tree.root, p) for p in range(16)]
    assert [tree.evaluate(point) for point in POINTS] == values
    assert naive.values(tree.side(True)) == values
    assert naive.values(tree.side(False)) == [1 - v for v in values]
    assert tree.depth <= tree.k
    tree.double().verify()


@given(strategies.nested_dnfs(n=4), st.booleans())
def test_a_nested_dnf_or_its_complement_is_a_tree_of_depth_0(nested, complemented):
    tree = NestedTree.from_nested(nested, complemented=complemented)
    assert tree.depth == 0
    assert [tree.side(True), tree.side(False)] == [nested.side(not complemented), nested.side(complemented)]


@given(strategies.functions(4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_from_sklearn_predicts_as_scikit_learn_does(values, depth, rng):
    features = np.array([[p >> j & 1 for j in range(4)] for p in range(16)])
    values = [*values[:-2], 0, 1]
    weights = [rng.randint(1, 3) for _ in range(16)]
    fitted = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(features, values, sample_weight=weights)
    tree = NestedTree.from_sklearn(fitted.tree_, NAMES, depth)
    assert [tree.evaluate(point) for point in POINTS] == list(fitted.predict(features))
    assert tree.is_plain
    assert tree.double().verify().k == depth


def test_leaves_that_agree_are_one_leaf():
    fitted = DecisionTreeClassifier().fit([[0], [0], [0], [1], [1]], [0, 0, 1, 0, 0])
    assert NestedTree.from_sklearn(fitted.tree_, ["a"], 1).depth == 0


def test_a_nested_leaf_is_not_plain():
    leaf = Leaf(NestedDNF(NAMES, ((0,),), ((1,),), 1))
    assert not NestedTree(NAMES, leaf, 1).is_plain


@pytest.mark.parametrize("n", [1, 2, 3])
def test_least_depth_of_every_function(n):
    for values in product((0, 1), repeat=2**n):
        assert least_depth(sum(v << p for p, v in enumerate(values)), n) == naive.tree_depth(list(values))


@given(strategies.functions(4))
def test_least_depth_of_functions_of_four_features(values):
    assert least_depth(sum(v << p for p, v in enumerate(values)), 4) == naive.tree_depth(values)


def or_of(count):
    return Leaf(NestedDNF.from_terms(NAMES, [[2 * j] for j in range(count)], 3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: NestedTree(NAMES, Split(3, or_of(3), or_of(1)), 3),
            "a leaf at depth 1 must have reasons of at most 2 literals; got 3",
        ),
        (lambda: NestedTree(("z",), or_of(1), 3), r"leaves must have the names \('z',\) of the tree; got \('a', 'b'"),
        (
            lambda: NestedTree.from_sklearn(
                DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).tree_, ["a", "b"], 1
            ),
            "tree must have depth at most k = 1",
        ),
        (
            lambda: NestedTree.from_sklearn(DecisionTreeClassifier().fit([[3], [8]], [0, 1]).tree_, ["a"], 1),
            "tree must split 0/1 features; got the threshold 5.5",
        ),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_leaf_that_uses_less_than_its_bound_may_stand_deeper():
    assert NestedTree(NAMES, Split(3, or_of(2), or_of(1)), 3).double().verify().widths == (2, 3)
