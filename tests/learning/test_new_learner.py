"""A learner that the library does not have is one function of distinct rows: here, the best single literal."""

import re

import numpy as np
import pytest

from idnf.counting.packed import PackedTable
from idnf.learning import dispatch
from idnf.learning.constants import best_constant
from idnf.learning.dispatch import learn_model
from idnf.learning.objective import Learned, error_share, holds
from idnf.learning.task import LearningTask
from idnf.logic.literals import codes_of
from idnf.logic.nested import NestedDNF

NAMES = tuple(f"x{j}" for j in range(8))


def best_literal(rows, task):
    """The literal, or the constant, that errs least."""
    codes = range(2 * len(task.names)) if task.allowed is None else sorted(task.allowed)
    models = [NestedDNF(task.names, ((code,),), ((1,),), task.k) for code in codes]
    found = [
        Learned(model, error_share(rows, model)) for model in models if task.accepts is None or task.accepts(model)
    ]
    return min([best_constant(rows, task.k), *found], key=lambda learned: learned.objective)


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.setitem(dispatch.ROW_LEARNERS, "literal", best_literal)
    generator = np.random.default_rng(0)
    features = generator.random((2_000, len(NAMES))) < 0.5
    return features, ~features[:, 3] ^ (generator.random(len(features)) < 0.1)


def test_it_is_asked_by_its_name(examples):
    features, positive = examples
    found = learn_model(PackedTable.from_arrays(features, positive, None), LearningTask(NAMES, 2, learner="literal"))
    assert (found.training_data, found.learned.model.k) == ("distinct rows", 2)
    assert [*codes_of(found.learned.model.own_terms()[0][0])] == [7]
    assert found.learned.objective == pytest.approx(float(np.mean(features[:, 3] == positive)))


def test_of_many_rows_it_sees_a_sample_and_is_counted_on_all(examples, monkeypatch):
    monkeypatch.setattr(dispatch, "MOST_ROWS", 60)
    features, positive = examples
    found = learn_model(PackedTable.from_arrays(features, positive, None), LearningTask(NAMES, 2, learner="literal"))
    assert re.fullmatch("sample of (59|60) distinct rows, recounted on all", found.training_data)
    assert found.learned.objective == pytest.approx(float(np.mean(holds(found.learned.model, features) != positive)))


def test_it_keeps_to_the_literals_that_are_allowed(examples):
    features, positive = examples
    task = LearningTask(NAMES, 2, learner="literal", allowed=frozenset({0, 6}))
    found = learn_model(PackedTable.from_arrays(features, positive, None), task)
    assert {*found.learned.model.side(1).literals()} <= {0, 6}
