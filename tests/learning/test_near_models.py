"""Models as good as the best: all of them where that is claimed, each within the loss and distinct on the rows."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.families import family_of
from idnf.learning.near_models import WantedModels, near_models
from idnf.learning.objective import labels_of
from idnf.learning.task import LearningTask
from idnf.logic.boxes import Column, Space

NAMES = tuple("abc")
POINTS = np.array(list(product((False, True), repeat=3)))
SPACE = Space((Column("x", ("1", "2", "3", "4"), ordered=True),), ((0, 0b0001), (0, 0b0011), (0, 0b0111)))


def tables(seed):
    generator = np.random.default_rng(seed)
    return DistinctRows(POINTS, generator.integers(0, 4, (8, 2)).astype(float), True)


def trees(depth, free=frozenset(range(3)), part=None):
    """All labellings of the points by trees of at most some depth."""
    part = frozenset(range(8)) if part is None else part
    found = {frozenset(), part}
    for j in free if depth else ():
        high = frozenset(p for p in part if POINTS[p, j])
        below = [trees(depth - 1, free - {j}, side) for side in (part - high, high)]
        found |= {one | other for one, other in product(*below)}
    return found


def functions_of_two_literals():
    """All labellings of the points by functions of which every decision has a reason of at most two literals."""
    tables = [[table >> p & 1 for p in range(8)] for table in range(256)]
    # Numbers of points read features from the other end here, which changes no complexity.
    return {frozenset(np.flatnonzero(one).tolist()) for one in tables if naive.certificate_complexity(one, 3) <= 2}


PAIRS = functions_of_two_literals()


def error_of(ones, rows):
    inside = np.isin(np.arange(8), list(ones))
    return (rows.weights[inside, 0].sum() + rows.weights[~inside, 1].sum()) / rows.total


def near(labellings, rows, within):
    costs = {one: error_of(one, rows) for one in labellings}
    return {one for one in labellings if costs[one] <= min(costs.values()) + within + 1e-9}


@few(5)
@pytest.mark.parametrize("family", ["tree", "any"])
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.1, 0.3]))
def test_the_list_is_complete_and_nothing_else(family, seed, within):
    rows = tables(seed)
    if not rows.total:
        return
    every = trees(2) if family == "tree" else trees(2) | PAIRS
    found = near_models(rows, LearningTask(NAMES, 2, family=family_of(family), price=0.0), WantedModels(within, 1000))
    assert found.complete
    given_ones = [frozenset(np.flatnonzero(labels_of(model, POINTS)).tolist()) for model in found.models]
    assert len(given_ones) == len(set(given_ones))
    assert set(given_ones) == near(every, rows, within)
    assert list(found.objectives) == sorted(found.objectives)


def fewest_splits(depth, part=frozenset(range(8))):
    """The fewest splits of a tree for each labelling of some points by trees of at most some depth."""
    found = {frozenset(): 0, part: 0}
    for j in range(3) if depth else ():
        high = frozenset(p for p in part if POINTS[p, j])
        below = [fewest_splits(depth - 1, side).items() for side in (part - high, high)]
        for (one, splits), (other, more) in product(*below):
            found[one | other] = min(found.get(one | other, 9), splits + more + 1)
    return found


def fewest_terms(ones):
    """The fewest literals in terms of at most two that hold at some points and at no others."""
    terms = {}
    for chosen in naive.consistent_terms(3, 2):
        held = frozenset(p for p in range(8) if all(POINTS[p, code // 2] != code % 2 for code in chosen))
        terms[held] = len(chosen)
    inside = [held for held in terms if held and held <= ones]
    return min(sum(map(terms.get, some)) for some in naive.subsets(inside, 4) if frozenset().union(*some) == ones)


def fewest_literals():
    """The fewest literals of each function with reasons of two: terms of either label, a tree, or two of three."""
    splits, majorities = fewest_splits(2), set()
    for signs in product((False, True), repeat=3):
        majorities.add(frozenset(np.flatnonzero((signs != POINTS).sum(axis=1) >= 2).tolist()))
    everything = frozenset(range(8))
    return {
        one: min(fewest_terms(one), fewest_terms(everything - one), splits.get(one, 9), 4 if one in majorities else 9)
        for one in trees(2) | PAIRS
    }


LITERALS = {"tree": fewest_splits(2), "any": fewest_literals()}


@few(6)
@pytest.mark.parametrize("family", ["tree", "any"])
@given(st.integers(0, 10_000), st.sampled_from([0.02, 0.1]), st.sampled_from([0.0, 0.1]))
def test_under_a_price_none_is_left_out(family, seed, price, within):
    rows = tables(seed)
    if not rows.total:
        return
    errors = {one: error_of(one, rows) for one in LITERALS[family]}
    costs = sorted(errors[one] + price * literals for one, literals in LITERALS[family].items())
    found = near_models(rows, LearningTask(NAMES, 2, family=family_of(family), price=price), WantedModels(within, 1000))
    assert found.complete
    assert found.objectives == pytest.approx([cost for cost in costs if cost <= costs[0] + within + 1e-9])


@pytest.mark.parametrize(("function", "literals"), [("a ^ b", 3), ("a + b + c > 1", 4)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_function_is_charged_as_it_is_written_shortest(function, literals, turned):
    """Exclusive or is a tree of three splits and has four literals in terms; two of three has six in terms."""
    yes = np.array([eval(function, dict(zip(NAMES, point))) != turned for point in POINTS.astype(int).tolist()])  # noqa: S307
    rows = DistinctRows.of_two(POINTS, yes * 1.0, 1.0 - yes, True)
    found = near_models(rows, LearningTask(NAMES, 2, price=0.01), WantedModels(0.0, 9))
    assert (found.complete, found.objectives) == (True, pytest.approx([0.01 * literals]))


@pytest.mark.parametrize("options", [{"accepts": lambda _: True}, {"space": SPACE}, {}])
def test_caps_columns_and_samples_leave_no_list_complete(options):
    rows = replace(tables(1), complete=bool(options))
    task = LearningTask(NAMES, 2, price=0.0, effort=0.1, **options)
    assert not near_models(rows, task, WantedModels(0.1, 1000)).complete


@pytest.mark.parametrize("family", ["tree", "any"])
def test_a_shorter_model_may_err_by_the_price_and_the_loss_together(family):
    # a errs nowhere and costs its price, 0.1; "always" errs on 15 of 100 and costs nothing else; "never" errs on 85.
    rows = DistinctRows.of_two(np.array([[True], [False]]), np.array([85.0, 0]), np.array([0.0, 15]), True)
    found = near_models(rows, LearningTask(("a",), 1, family=family_of(family), price=0.1), WantedModels(0.06, 10))
    assert found.complete
    assert found.objectives == pytest.approx([0.1, 0.15])


@few(4)
@given(st.integers(0, 10_000))
def test_on_six_features_the_list_is_what_enumeration_gives(seed):
    generator = np.random.default_rng(seed)
    points = np.array(list(product((False, True), repeat=6)))
    rows = DistinctRows(points, generator.integers(0, 4, (64, 2)).astype(float), True)
    found = near_models(rows, LearningTask(tuple("abcdef"), 2, price=0.0), WantedModels(0.02, 5000))
    assert found.complete
    labellings = {labels_of(model, points).astype(bool).tobytes() for model in found.models}
    assert labellings == near_on_six(rows, points, 0.02)


def near_on_six(rows, points, within):
    """The labellings near the best: every function with reasons of two literals depends on at most four features."""
    costs = {}
    for four in combinations(range(6), 4):
        places = points[:, four] @ (1 << np.arange(4))
        for table in FOUR:
            labels = table[places]
            key = labels.tobytes()
            if key not in costs:
                wrong = rows.weights[labels, 0].sum() + rows.weights[~labels, 1].sum()
                costs[key] = wrong / rows.total
    least = min(costs.values())
    return {key for key, cost in costs.items() if cost <= least + within + 1e-9}


FOUR = naive.two_literal_functions()


def test_search_finds_models_without_each_column_and_claims_nothing():
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((300, 9)) < 0.5, axis=0)
    features[:, 1] = features[:, 0]
    yes = (features[:, 0] & features[:, 2]).astype(float)
    rows = DistinctRows.of_two(features, yes, 1 - yes, True)
    columns = [[j] for j in range(9)]
    found = near_models(
        rows, LearningTask(range(9), 3, price=0.001, effort=0.2), WantedModels(0.3, 50), columns=columns
    )
    assert not found.complete
    assert any(2 not in model.features() for model in found.models)
    assert found.objectives[0] == pytest.approx(0.002)
