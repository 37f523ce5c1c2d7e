"""Models of every size by quick searches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.learning.example_rows import distinct_rows, majority, names, truth_table
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.families import family_of
from idnf.learning.local.kernels import is_compiled
from idnf.learning.local.quick_search import models_by_size
from idnf.learning.objective import Objective, error_share, holds
from idnf.learning.task import LearningTask
from idnf.logic.deadlines import Deadline

PRICES = st.sampled_from([0.0, 0.01, 0.2])


@given(distinct_rows(), PRICES, st.sampled_from(["nested", "tree", "any"]))
def test_each_model_has_its_size_and_costs_no_more_than_a_smaller_one(rows, price, family):
    objective, n = Objective(rows, price), rows.features.shape[1]
    models = models_by_size(objective, LearningTask(names(rows), 3, family=family_of(family), effort=0.05))
    assert [model.k for model in models] == [1, 2, 3]
    points = np.array([[p >> j & 1 for j in range(n)] for p in range(2**n)], dtype=bool)
    for size, model in enumerate(models, 1):
        assert naive.certificate_complexity(holds(model, points).astype(int).tolist(), n) <= size
    costs = [objective(model) for model in models]
    assert costs == sorted(costs, reverse=True)


@given(distinct_rows(), PRICES)
def test_the_model_of_size_one_is_the_best_literal_or_constant(rows, price):
    objective = Objective(rows, price)
    (model,) = models_by_size(objective, LearningTask(names(rows), 1, effort=0.05))
    total = rows.positive.sum() + rows.negative.sum()
    costs = [rows.positive.sum() / total, rows.negative.sum() / total]
    for feature in rows.features.T:
        costs += [
            price + (rows.negative[said].sum() + rows.positive[~said].sum()) / total for said in (feature, ~feature)
        ]
    assert objective(model) == pytest.approx(min(costs))


@pytest.mark.skipif(not is_compiled(), reason="there is no C compiler: `make build` would compile")
@few(5)
@given(distinct_rows(max_features=6), PRICES, st.integers(0, 1000))
def test_compiled_or_not_the_models_are_the_same(rows, price, seed):
    objective, task = Objective(rows, price), LearningTask(names(rows), 3, effort=0.03, random_state=seed)
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for name in ("compiled", "numpy"):
            patch.setenv("IDNF_KERNELS", name)
            found.append(models_by_size(objective, task))
    assert found[0] == found[1]


def test_a_concept_is_learned_where_there_is_room():
    rows = truth_table(majority, 5)
    errors = [error_share(rows, model) for model in models_by_size(Objective(rows, 0.0), LearningTask(names(rows), 3))]
    assert errors[0] > errors[1] > errors[2] == 0


def test_of_three_classes_the_trees_of_three_levels_are_the_best():
    # What three features say together, no two of them say; of twenty, others seem to.
    features = np.random.default_rng(0).random((600, 20)) < 0.5
    labels = features[:, :3].sum(axis=1) % 2
    labels[0] = 2
    rows = DistinctRows(features, np.eye(3)[labels], True)
    *_, model = models_by_size(Objective(rows, 0.0), LearningTask(names(rows), 3, effort=0.02))
    assert error_share(rows, model) == pytest.approx(1 / 600)


@given(distinct_rows(), st.data())
def test_literals_that_are_not_allowed_stay_out(rows, data):
    n = rows.features.shape[1]
    allowed = data.draw(st.frozensets(st.sampled_from(range(2 * n))))
    for model in models_by_size(Objective(rows, 0.0), LearningTask(names(rows), 2, effort=0.05, allowed=allowed)):
        assert set(model.side(True).literals()) <= allowed


def test_fewer_models_when_time_runs_out():
    rows = truth_table(majority, 5)
    assert models_by_size(Objective(rows, 0.0), LearningTask(names(rows), 3, deadline=Deadline.after(1e-9))) == []
