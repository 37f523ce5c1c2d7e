"""Learners for several classes: what they guarantee, what they refuse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning import naive_classes
from tests.learning.example_rows import class_table, labelled_rows, names
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.counting.packed import PackedTable
from idnf.learning.dispatch import learn_model
from idnf.learning.families import family_of
from idnf.learning.greedy import one_against_rest
from idnf.learning.local import search as search_module
from idnf.learning.local.search import search
from idnf.learning.lookahead import cart, lookahead_tree
from idnf.learning.objective import Objective
from idnf.learning.task import LearningTask
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import NestedTree


def table_of(rows):
    """The rows as examples again, one per row and class."""
    places, labels = np.nonzero(rows.weights)
    return PackedTable.from_arrays(rows.features[places], labels, rows.weights[places, labels], rows.n_classes)


def task(rows, k, **settings):
    return LearningTask(names(rows), k, **{"effort": 0.05, "price": 0.001, **settings})


def verified(model):
    dnfs = ClassDNFs.of(model)
    dnfs.verify()
    return dnfs


@few(4)
@given(labelled_rows(max_features=3), st.integers(1, 3), st.sampled_from(["tree", "any"]))
def test_search_is_never_worse_than_what_it_starts_from(rows, k, family):
    learned = search(rows, task(rows, k, family=family_of(family)))
    objective = Objective(rows, 0.001)
    assert learned.objective == pytest.approx(objective(learned.model))
    starts = [cart(rows, names(rows), k), lookahead_tree(rows, names(rows), k, price=0.001)]
    rest = one_against_rest(rows, names(rows), k) if family == "any" else None
    for start in [*starts, *([] if rest is None else [rest])]:
        assert learned.objective <= objective(start) + 1e-9
    verified(learned.model)
    if family == "tree":
        assert NestedTree.of(learned.model).is_plain


@few(4)
@given(labelled_rows(max_features=3), st.integers(1, 3))
def test_at_price_0_no_tree_of_the_same_depth_errs_less(rows, k):
    most = naive_classes.best_tree(naive_classes.examples(rows), k)
    for family in ("tree", "any"):
        learned = search(rows, task(rows, k, family=family_of(family), price=0.0))
        assert rows.total - Objective(rows, 0.0).errors(learned.model) >= most - 1e-9


@few(4)
@given(labelled_rows(), st.integers(1, 3))
def test_one_against_rest_is_a_function_with_reasons_of_k(rows, k):
    verified(one_against_rest(rows, names(rows), k))


def test_one_against_rest_stands_back_where_k_is_large_or_nothing_is_known():
    rows = class_table(lambda p: sum(p) % 3, 3, 3)
    assert one_against_rest(rows, names(rows), 7) is None
    assert one_against_rest(DistinctRows(np.zeros((1, 0), bool), np.ones((1, 3)), True), (), 2) is None


@pytest.mark.parametrize("learner", ["greedy", "search", "exact"])
@pytest.mark.parametrize("family", ["tree", "any"])
def test_every_learner_keeps_the_bound_for_every_family(family, learner):
    rows = class_table(lambda p: (2 * p[0] + p[1]) if p[2] else 3 * (p[0] & p[3]), 4, 4)
    price = None if learner == "exact" else 0.001
    found = learn_model(table_of(rows), task(rows, 3, family=family_of(family), price=price, learner=learner))
    dnfs = verified(found.learned.model)
    assert dnfs.verify().k == 3
    assert found.training_data == "distinct rows"
    if learner == "exact" and family == "tree":
        assert found.learned.optimal == "tree"
        assert found.learned.objective == found.learned.bound


def test_three_classes_that_no_tree_of_depth_two_computes_are_learned_exactly():
    rows = class_table(lambda p: 1 if p[0] and (p[1] or p[2]) else 2 if p[2] else 0, 3, 3)
    for family, errors in (("tree", 1), ("any", 0)):
        learned = search(rows, LearningTask(names(rows), 2, family=family_of(family), price=0.0))
        assert Objective(rows, 0.0).errors(learned.model) == errors
    exact = learn_model(table_of(rows), LearningTask(names(rows), 2, learner="exact")).learned
    assert (exact.objective, exact.bound, exact.optimal) == (0.0, 1 / 8, None)


def test_the_result_depends_on_the_seed_only():
    generator = np.random.default_rng(3)
    rows = DistinctRows(generator.random((40, 6)) < 0.5, np.eye(3)[generator.integers(3, size=40)], True)
    first, second = (search(rows, task(rows, 3, random_state=5)) for _ in range(2))
    assert first == second


def test_time_that_is_up_gives_a_model_all_the_same():
    rows = class_table(lambda p: sum(p) % 3, 5, 3)
    for price in (None, 0.0):
        learned = search(rows, LearningTask(names(rows), 3, price=price, deadline=Deadline.after(1e-6)))
        verified(learned.model)


def test_progress_ends_at_one():
    shares = []
    rows = class_table(lambda p: sum(p) % 3, 4, 3)
    search(rows, LearningTask(names(rows), 2, effort=0.05, progress=shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_very_many_rows_are_sampled_and_recounted(monkeypatch):
    monkeypatch.setattr("idnf.learning.dispatch.MOST_ROWS", 20)
    rows = class_table(lambda p: p[0] + p[1], 6, 3)
    found = learn_model(table_of(rows), task(rows, 2, price=0.0, learner="search"))
    assert found.training_data == "sample of 20 distinct rows, recounted on all"
    assert found.learned.objective == pytest.approx(Objective(rows, 0.0)(found.learned.model))


@pytest.mark.parametrize(
    ("given_options", "message"),
    [
        ({"family": family_of("nested")}, "family must be .* for more than two classes; got 'nested', which separates"),
        ({"polarity": "positive"}, "polarity must be \"auto\" for more than two classes; got 'positive'"),
        ({"allowed": frozenset([0])}, "allowed must be None for more than two classes; got literals"),
    ],
)
def test_what_is_for_two_classes_is_refused_in_words(given_options, message):
    rows = class_table(lambda p: p[0] + p[1], 2, 3)
    with pytest.raises(ValueError, match=message):
        learn_model(table_of(rows), LearningTask(names(rows), 2, learner="search", **given_options))


def test_a_function_beyond_trees_asks_for_the_wider_family():
    generator = np.random.default_rng(1)
    features = np.unique(generator.random((300, 7)) < 0.5, axis=0)[:110]
    a, b, c, d = features.T[:4]
    rows = DistinctRows(features, np.eye(3)[np.where(a & b | c & d, 1, np.where(a & ~b & c & ~d, 2, 0))], True)
    tuned = LearningTask(names(rows), 2, tune=True, effort=0.5)
    found = learn_model(table_of(rows), tuned).learned
    assert Objective(rows, 0.0).errors(found.model) <= 0.1 * rows.total
    assert found.path.chosen.size == 2
    tree = learn_model(table_of(rows), replace(tuned, family=family_of("tree"))).learned.model
    assert Objective(rows, 0.0).errors(tree) > 0.1 * rows.total


@pytest.mark.parametrize("place", ["_nested_models", "_label_jobs"])
def test_an_interrupt_leaves_the_best_model_so_far(monkeypatch, place):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(search_module._Search, place, interrupted)
    rows = class_table(lambda point: sum(point) % 3, 5, 3)
    found = search(rows, LearningTask(names(rows), 3, price=0.001))
    start = lookahead_tree(rows, names(rows), 3, price=0.001)
    assert found.objective <= Objective(rows, 0.001)(start) + 1e-9
