"""Trees for several classes agree with their own definition, point by point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from tests import naive, strategies

from idnf import DNF, ClassDNFs
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Split


def expression(values, classes):
    """The DNFs of a function of four features, one for every class there may be."""
    found = ClassDNFs.from_truth_table(strategies.feature_names(4), values)
    empty = DNF(found.names, ())
    return ClassDNFs((*found.dnfs, *[empty] * (classes - found.n_classes)), found.k)


@st.composite
def class_trees(draw, *, n=4, classes=3):
    k = draw(st.integers(0, 3))
    labels = st.integers(0, classes - 1)

    def node(bound):
        if bound == 0 or draw(st.booleans()):
            if bound == 3 and draw(st.booleans()):
                values = draw(st.lists(labels, min_size=8, max_size=8))
                return expression([*values, *values], classes)
            return Leaf(draw(strategies.nested_dnfs(k=bound, n=n)), draw(labels), draw(labels))
        return Split(draw(st.integers(0, n - 1)), node(bound - 1), node(bound - 1))

    return NestedTree(strategies.feature_names(n), node(k), k, classes)


def classes_of(tree):
    names = tree.names
    points = range(2 ** len(names))
    return [tree.evaluate({name: p >> j & 1 for j, name in enumerate(names)}) for p in points]


@given(class_trees())
def test_the_dnfs_of_a_tree_are_its_classes_and_verify(tree):
    values = classes_of(tree)
    for label in range(tree.n_classes):
        assert naive.values(tree.side(label)) == naive.one_against_rest(values, label)
    dnfs = tree.class_dnfs()
    dnfs.verify()
    assert naive.least_k(values, len(tree.names)) <= tree.k
    assert tree.depth <= tree.k


@given(st.lists(st.integers(0, 2), min_size=8, max_size=8), st.integers(1, 3))
def test_scikit_learns_trees_come_over_as_they_are(values, k):
    points = [[p >> j & 1 for j in range(3)] for p in range(8)]
    labels = sorted(set(values))
    fitted = DecisionTreeClassifier(max_depth=k, random_state=0).fit(points, values)
    tree = NestedTree.from_sklearn(fitted.tree_, ("a", "b", "c"), k, labels=labels, n_classes=3)
    assert classes_of(tree) == fitted.predict(points).tolist()
    assert tree.is_plain


def test_bad_input():
    names = ("a", "b")
    wide = Leaf(NestedDNF(names, ((0,), (2,)), ((1, 0), (0, 1)), 2), 0, 1)
    with pytest.raises(ValueError, match="a leaf at depth 1 must have reasons of at most 1 literals; got 2"):
        NestedTree(names, Split(0, wide, wide), 2, 2)
    with pytest.raises(ValueError, match="leaves must give labels 0 to 1; got 0"):
        NestedTree(names, ClassDNFs.from_truth_table(names, [0] * 4), 2, 2)
    with pytest.raises(ValueError, match="leaves must give labels 0 to 1; got 2"):
        NestedTree(names, Leaf.constant(names, 2), 1, 2)
    fitted = DecisionTreeClassifier(max_depth=1).fit([[0], [3]], [0, 1])
    with pytest.raises(ValueError, match=r"tree must split 0/1 features; got the threshold 1.5"):
        NestedTree.from_sklearn(fitted.tree_, ("a",), 1)


def test_a_leaf_that_gives_one_class_has_the_empty_term():
    never = NestedDNF(("a", "b"), ((0, 1),), ((2,),), 2)
    for leaf, given_class in ((Leaf(never, 0, 0), 0), (Leaf(never, 0, 1), 1)):
        assert leaf.only_label == given_class
        assert [list(leaf.masks(label)) for label in (0, 1)] == [[0] * (label == given_class) for label in (0, 1)]
