"""Tables of very many features."""

import numpy as np
import pytest
from hypothesis import given
from tests.learning.example_rows import distinct_rows, names

from idnf.counting.contract import DistinctRows
from idnf.learning import narrowing
from idnf.learning.families import family_of
from idnf.learning.local.quick_search import models_by_size
from idnf.learning.local.search import search
from idnf.learning.narrowing import narrowed, split_gains
from idnf.learning.objective import Objective, holds
from idnf.learning.task import LearningTask


def wide_rows(width, seed=0):
    generator = np.random.default_rng(seed)
    features = generator.random((200, width)) < 0.5
    label = features[:, 7] & features[:, 11] | features[:, 3]
    return DistinctRows.of_two(features, label * 1.0, ~label * 1.0, True)


@given(distinct_rows())
def test_gains_are_those_of_a_split_written_out(rows):
    def impurity(inside):
        positive, negative = rows.positive[inside].sum(), rows.negative[inside].sum()
        return 2 * positive * negative / (positive + negative) if positive + negative else 0.0

    every = np.ones(len(rows.features), dtype=bool)
    for gain, feature in zip(split_gains(rows), rows.features.T, strict=True):
        assert gain == pytest.approx(impurity(every) - impurity(feature) - impurity(~feature), abs=1e-9)


def test_few_features_stay_as_they_are():
    rows = wide_rows(20)
    assert narrowed(rows, LearningTask(names(rows), 2)) is None


def test_features_that_are_the_same_in_all_examples_go_where_asked():
    rows = wide_rows(20)
    rows.features[:, 5], rows.features[:, 12] = True, False
    assert narrowed(rows, LearningTask(names(rows), 2)) is None
    narrow = narrowed(rows, LearningTask(names(rows), 2), only_varying=True)
    assert narrow.kept == tuple(j for j in range(20) if j not in (5, 12))
    alike = DistinctRows.of_two(np.ones((3, 2), dtype=bool), np.ones(3), np.ones(3), True)
    assert narrowed(alike, LearningTask(names(alike), 2), only_varying=True) is None


@pytest.mark.parametrize("family", ["nested", "tree", "any"])
def test_no_model_names_a_feature_that_is_the_same_in_all_examples(family):
    rows = wide_rows(12)
    rows.features[:, 5], rows.features[:, 10] = True, False
    task = LearningTask(
        names(rows), 2, family=family_of(family), price=0.0, effort=0.1, accepts=lambda model: len(model.names) == 12
    )
    model = search(rows, task).model
    assert model.names == names(rows)
    assert not model.features() & {5, 10}


@pytest.mark.parametrize("family", ["nested", "tree", "any"])
def test_a_model_over_the_features_kept_says_the_same_over_all(monkeypatch, family):
    monkeypatch.setattr(narrowing, "MOST_FEATURES", 15)
    rows = wide_rows(40)
    narrow = narrowed(
        rows, LearningTask(names(rows), 3, family=family_of(family), effort=0.1, allowed=frozenset(range(0, 80, 2)))
    )
    assert len(narrow.task.names) == 15
    assert narrow.task.allowed == frozenset(range(0, 30, 2))
    for model in models_by_size(
        Objective(narrow.rows, 0.0), LearningTask(narrow.task.names, 3, family=family_of(family), effort=0.1)
    ):
        wide = narrow.widened(model)
        assert wide.names == names(rows)
        assert wide.k == model.k
        assert np.array_equal(holds(wide, rows.features), holds(model, narrow.rows.features))


def test_searches_of_a_wide_table_find_what_decides(monkeypatch):
    monkeypatch.setattr(narrowing, "MOST_FEATURES", 15)
    rows = wide_rows(60)
    learned = search(rows, LearningTask(names(rows), 2, price=0.0, effort=0.2))
    assert learned.objective == 0
    assert learned.model.names == names(rows)
    quick = models_by_size(Objective(rows, 0.0), LearningTask(names(rows), 2, effort=0.2))
    assert Objective(rows, 0.0)(quick[-1]) == 0


def test_a_search_of_a_wide_table_is_never_worse_than_what_it_starts_from(monkeypatch):
    monkeypatch.setattr(narrowing, "MOST_FEATURES", 2)
    rows = wide_rows(30)
    learned = search(rows, LearningTask(names(rows), 3, price=0.0, effort=0.1))
    alone = search(rows, LearningTask(names(rows), 3, price=0.0, effort=0.1, references=False))
    assert learned.objective <= alone.objective


def test_an_interrupt_among_the_references_of_a_narrowed_table_leaves_a_model(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("idnf.learning.local.search.learn_greedy", interrupted)
    rows = wide_rows(12)
    rows.features[:, 5] = True
    learned = search(rows, LearningTask(names(rows), 2, price=0.0))
    assert learned.model.names == names(rows)
    assert learned.objective < 0.5
