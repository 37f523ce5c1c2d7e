from itertools import permutations, product

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from tests.logic.test_class_trees import class_trees
from tests.strategies import dnfs, nested_dnfs, nested_trees

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.learning.merged_cuts import SLIVER, with_merged_cuts, written_with
from idnf.learning.objective import Learned, holds, labels_of
from idnf.logic.dnf import DNF

MODELS = st.one_of(dnfs(max_features=4).map(lambda f: f.double()), nested_dnfs(), nested_trees())


def check_substitution(model, classes, data):
    """Write one feature for another and compare; return the model written so."""
    n = len(model.names)
    old, new = data.draw(st.permutations(range(n)))[:2]
    points = np.array(list(product((0, 1), repeat=n)), dtype=bool)
    same = points.copy()
    same[:, old] = points[:, new]
    other = written_with(model, old, new)
    assert np.array_equal(classes(other, points), classes(model, same))
    assert old not in other.features()
    return other


@given(MODELS.filter(lambda model: len(model.names) > 1), st.data())
def test_writing_one_feature_for_another_is_substitution_and_keeps_the_bound(model, data):
    other = check_substitution(model, holds, data)
    double = other if hasattr(other, "verify") else other.double()
    assert double.k == model.k
    double.verify()


@given(class_trees(), st.booleans(), st.data())
def test_the_same_for_several_classes(tree, compiled, data):
    model = tree.class_dnfs() if compiled else tree
    other = check_substitution(model, labels_of, data)
    written = other if compiled else other.class_dnfs()
    assert written.k == model.k
    written.verify()


def test_a_sliver_that_wins_one_example_goes_and_one_that_wins_many_stays():
    value = np.arange(400)
    features = np.column_stack([value <= 100, value <= 102])
    model = DNF.from_masks(("x <= 100", "x <= 102"), [0b110]).double()
    for inside, stays in (([101], False), ([101, 102] * 3, True)):
        positive = np.zeros(400)
        np.add.at(positive, inside, 1.0)
        rows = DistinctRows.of_two(features, positive, np.where(positive > 0, 0.0, 1.0), True)
        found = with_merged_cuts(Learned(model, 0.0), rows, [(0, 1)])
        assert (len(found.model.features()) == 2) == stays


def test_a_proved_optimum_is_left_as_it_is():
    rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.ones(2), np.zeros(2), True)
    learned = Learned(DNF.parse("a & b").double(), 0.0, "any")
    assert with_merged_cuts(learned, rows, [(0, 1)]) is learned


def test_cuts_of_a_fitted_model_that_part_few_rows_are_worth_more_than_one_example():
    generator = np.random.default_rng(3)
    table = pd.DataFrame(generator.normal(size=(300, 4)), columns=list("abcd"))
    target = (table["a"] > 0.2) & (table["b"] < 0.5) ^ (generator.random(300) < 0.1)
    clf = DNFClassifier(3, effort=0.3, price=0.0).fit(table, target)
    features, model = clf.binariser_.transform(table), clf.fitted_.model
    wrong = np.sum(holds(model, features) != target)
    columns = [column for column, _ in clf.binariser_.space_.literals]
    close = [
        pair
        for pair in permutations(model.features(), 2)
        if columns[pair[0]] == columns[pair[1]] and np.mean(features[:, pair[0]] != features[:, pair[1]]) < SLIVER
    ]
    for old, new in close:
        assert np.sum(holds(written_with(model, old, new), features) != target) > wrong + 1


def test_cuts_of_a_model_of_several_classes_that_part_few_rows_are_worth_more_than_one_example():
    generator = np.random.default_rng(5)
    table = pd.DataFrame(generator.normal(size=(300, 3)), columns=list("abc"))
    target = (table["a"] > 0.2).astype(int) + (table["b"] > 0.5)
    target = target.where(generator.random(300) > 0.1, 2)
    clf = DNFClassifier(3, price=0.0).fit(table, target)
    features, model = clf.binariser_.transform(table), clf.fitted_.model
    wrong = np.sum(labels_of(model, features) != target)
    columns = [column for column, _ in clf.binariser_.space_.literals]
    pairs = [pair for pair in permutations(model.features(), 2) if columns[pair[0]] == columns[pair[1]]]
    close = [pair for pair in pairs if np.mean(features[:, pair[0]] != features[:, pair[1]]) < SLIVER]
    for old, new in close:
        assert np.sum(labels_of(written_with(model, old, new), features) != target) > wrong + 1
