"""What every model answers, whichever kind it is, against its value at every point."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests import naive, strategies
from tests.logic.test_class_trees import class_trees

from idnf import DNF, ClassDNFs, DoubleDNF, NestedTree
from idnf.logic.literals import codes_of, feature_of
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, Split

N = 4
NAMES = strategies.feature_names(N)
POINTS = [{name: p >> j & 1 for j, name in enumerate(NAMES)} for p in range(1 << N)]

models = st.one_of(
    strategies.nested_dnfs(n=N),
    strategies.nested_trees(),
    strategies.dnfs(names=NAMES).map(DNF.double),
    class_trees(),
    class_trees().map(NestedTree.class_dnfs),
)


A_AND_B = NestedDNF(NAMES, ((0, 2),), ((2,),), 2)


class Everything:
    """All points as examples: point p is bit p."""

    everything = (1 << (1 << N)) - 1

    def __getitem__(self, code):
        return sum(1 << p for p in range(1 << N) if naive.holds(code, p))

    def any_of(self, masks):
        terms = [list(codes_of(mask)) for mask in masks]
        return sum(1 << p for p in range(1 << N) if any(naive.term_holds(term, p) for term in terms))


def labels(model):
    return [int(model.evaluate(point)) for point in POINTS]


@example(NestedTree.from_nested(A_AND_B, complemented=True))
@example(NestedTree(NAMES, Split(2, Leaf(A_AND_B, 2, 0), Leaf(A_AND_B, 0, 1)), 3, 3))
@given(models)
def test_sides_terms_and_members_are_the_points_of_each_label(model):
    values = labels(model)
    for label in range(model.n_classes):
        expected = naive.one_against_rest(values, label)
        assert naive.values(model.side(label)) == expected
        assert naive.values(DNF.from_masks(NAMES, model.terms(label))) == expected
        assert [model.members(Everything(), label) >> p & 1 for p in range(1 << N)] == expected


@given(models)
def test_a_function_does_not_change_with_the_form_it_is_written_in(model):
    values = labels(model)
    assert labels(NestedTree.of(model)) == values
    assert labels(ClassDNFs.of(model)) == values
    assert labels(model.within(model.k + 1)) == values
    assert model.within(model.k + 1).k == model.k + 1
    if model.n_classes == 2:
        assert labels(DoubleDNF.of(model)) == values
        own, label = model.own_terms()
        assert naive.values(DNF.from_masks(NAMES, own)) == naive.one_against_rest(values, label)
    if model.nested_form is not None:
        assert labels(model.nested_form) == values


@given(models)
def test_literals_decide_and_are_among_the_features(model):
    decisive = {feature_of(code) for code in model.literals()}
    assert decisive <= model.features()
    for j in set(range(N)) - decisive:
        assert all(labels(model)[p] == labels(model)[p ^ 1 << j] for p in range(1 << N))


@given(models, st.data())
def test_renumbered_models_read_other_features(model, data):
    place = {j: data.draw(st.integers(0, N - 1)) for j in range(N)}
    moved = model.renumber(NAMES, {j: place[j] for j in model.features()})
    there = [sum((p >> place[j] & 1) << j for j in range(N)) for p in range(1 << N)]
    assert labels(moved) == [labels(model)[p] for p in there]
    assert (type(moved), moved.k, moved.literal_count <= model.literal_count) == (type(model), model.k, True)


@given(strategies.nested_trees(), st.permutations(range(3)))
def test_relabelled_nodes_give_the_other_labels(tree, order):
    other = NestedTree(NAMES, tree.root.relabel(order[:2], 3), tree.k, 3)
    assert labels(other) == [order[label] for label in labels(tree)]


@given(class_trees(), st.permutations(range(4)))
def test_relabelled_nodes_of_several_labels_give_the_other_labels(tree, order):
    other = NestedTree(NAMES, tree.root.relabel(order[:3], 4), tree.k, 4)
    assert labels(other) == [order[label] for label in labels(tree)]


@given(strategies.nested_trees(), st.booleans())
def test_only_a_single_leaf_is_a_nested_dnf(tree, complemented):
    nested = tree.as_nested()
    assert (nested is None) == (tree.depth > 0 or tree.root.label == 0)
    if nested is not None:
        assert NestedTree.from_nested(nested, complemented=complemented).as_nested() == (
            None if complemented else nested
        )


@pytest.mark.parametrize("of", [DoubleDNF.of, ClassDNFs.of])
def test_a_double_dnf_stays_what_it_is(of):
    double = DNF.parse("a & b | c").double()
    assert of(double) is double
