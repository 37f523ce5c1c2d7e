import numpy as np
import pytest
from tests.learning.example_rows import class_table, names

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.learning import class_path
from idnf.learning.class_path import CLASS_CAUTIONS, class_learning_path, class_objectives
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.objective import Objective
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import Leaf, NestedTree, Split


def rows_of(concept, noise, *, count=300, width=8, classes=3):
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((count, width)) < 0.5, axis=0)
    target = np.array([concept(row) for row in features.astype(int)])
    wrong = generator.random(len(features)) < noise
    target = np.where(wrong, generator.integers(classes, size=len(features)), target)
    return DistinctRows(features, np.eye(classes)[target], True)


def test_every_size_is_shown_and_all_of_k_is_chosen():
    rows = rows_of(lambda row: row[0] + row[1], 0.2)
    path = class_learning_path(rows, names(rows), 3, SearchOptions())
    assert [point.size for point in path.points] == [size for size in (1, 2, 3) for _ in CLASS_CAUTIONS]
    assert path.chosen.size == 3
    assert sum(point.chosen for point in path.points) == 1
    assert path.points[0].accuracy < path.chosen.accuracy <= 1
    assert isinstance(path.objective, Objective)
    assert path.objective.price == path.chosen.price


def test_noise_is_met_with_caution_and_a_price():
    rows = rows_of(lambda row: row[0] + row[1], 0.3)
    plain, *cautious = class_objectives(rows)
    assert plain.rows.weights == pytest.approx(rows.weights)
    assert all(one.price > plain.price for one in cautious)
    assert class_learning_path(rows, names(rows), 2, SearchOptions()).chosen.caution.belief > 0


def held_out(*right):
    """Settings that give the right one of two classes to these of a hundred examples."""
    features = np.array([[row not in some for some in right] for row in range(100)])
    test = DistinctRows(features, np.eye(2)[np.zeros(100, dtype=int)], True)
    leaves = [Leaf.constant(names(test), label) for label in (0, 1)]
    trees = [NestedTree(names(test), Split(place, *leaves), 1, 2) for place in range(len(right))]
    return class_path._HeldOut([trees], [test], 100.0)


def test_labels_are_taken_as_they_are_only_where_that_is_clearly_better():
    assert held_out(range(90), range(80), range(70)).chosen([0, 1, 2]) == 0
    assert held_out(range(81), range(5, 85), range(70)).chosen([0, 1, 2]) == 1
    assert held_out(range(70), range(80), range(90)).chosen([0, 1, 2]) == 2


def test_errors_are_counted_on_the_examples_held_out():
    assert held_out(range(90), range(80), range(70)).errors == pytest.approx([0.1, 0.2, 0.3])
    accuracy, spread, conditions, reasons = held_out(range(90), range(80)).figures(0)
    assert (accuracy, spread, conditions, reasons) == pytest.approx((0.9, 0.03, 1.0, 2.0))


def test_the_noisier_the_data_the_more_labels_are_changed():
    changed = []
    for noise in (0.0, 0.2, 0.6):
        rows = rows_of(lambda row: row[0] + row[1], noise)
        cautious = class_objectives(rows)[1].rows
        changed.append(1 - (cautious.weights * rows.weights).sum() / rows.total)
    assert changed == sorted(changed)


def test_objectives_share_out_the_weight_of_every_row():
    rows = rows_of(lambda row: row[0] + row[1], 0.3)
    for objective in class_objectives(rows):
        assert objective.rows.weights.sum(axis=1) == pytest.approx(rows.weights.sum(axis=1))


def test_no_path_without_examples_time_or_anything_to_guess():
    rows = rows_of(lambda row: row[0] + row[1], 0.0)
    few, every = rows.part(np.arange(8)), class_table(lambda p: p[0] + p[1], 4, 3)
    assert class_learning_path(few, names(few), 3, SearchOptions()) is None
    assert class_learning_path(every, names(every), 3, SearchOptions()) is None
    assert class_learning_path(rows, names(rows), 0, SearchOptions()) is None
    assert class_learning_path(rows, names(rows), 3, SearchOptions(deadline=Deadline.after(1e-6))) is None


def test_progress_rises_fold_by_fold():
    shares = []
    rows = rows_of(lambda row: row[0] + row[1], 0.0)
    path = class_learning_path(rows, names(rows), 2, SearchOptions(progress=shares.append))
    assert shares == sorted(shares)
    assert len(shares) == path.folds


def test_the_classifier_keeps_its_path_of_several_classes():
    rows = rows_of(lambda row: row[0] + row[1], 0.1)
    clf = DNFClassifier(k=2, effort=0.2).fit(rows.features, rows.weights.argmax(axis=1))
    assert clf.path_.chosen.size == 2
    assert {"plain", "cautious"} == set(clf.path_.to_dict()["objective"])
    assert DNFClassifier(k=2, effort=0.2, tune=False).fit(rows.features, rows.weights.argmax(axis=1)).path_ is None
