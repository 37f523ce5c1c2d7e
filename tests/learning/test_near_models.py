"""Models as good as the best: all of them where that is claimed, each within the loss and distinct on the rows."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.near_models import WantedModels, near_models
from idnf.learning.objective import Objective, labels_of

NAMES = tuple("abc")
POINTS = np.array(list(product((False, True), repeat=3)))


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


def near(labellings, rows, within):
    def cost(ones):
        inside = np.isin(np.arange(8), list(ones))
        return (rows.weights[inside, 0].sum() + rows.weights[~inside, 1].sum()) / rows.total

    least = min(map(cost, labellings))
    return {one for one in labellings if cost(one) <= least + within + 1e-9}


@few(5)
@pytest.mark.parametrize("family", ["tree", "any"])
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.1, 0.3]))
def test_the_list_is_complete_and_nothing_else(family, seed, within):
    rows = tables(seed)
    if not rows.total:
        return
    every = trees(2) if family == "tree" else trees(2) | PAIRS
    found = near_models(rows, NAMES, 2, SearchOptions(family=family, price=0.0), WantedModels(within, 1000))
    assert found.complete
    given_ones = [frozenset(np.flatnonzero(labels_of(model, POINTS)).tolist()) for model in found.models]
    assert len(given_ones) == len(set(given_ones))
    assert set(given_ones) == near(every, rows, within)
    assert list(found.objectives) == sorted(found.objectives)


PAIRS = functions_of_two_literals()


@few(6)
@pytest.mark.parametrize("family", ["tree", "any"])
@given(st.integers(0, 10_000), st.sampled_from([0.02, 0.1]), st.sampled_from([0.0, 0.1]))
def test_under_a_price_none_is_left_out(family, seed, price, within):
    rows = tables(seed)
    if not rows.total:
        return
    objective = Objective(rows, price)
    # At no price and any loss all are listed, as above; then each is charged.
    every = near_models(rows, NAMES, 2, SearchOptions(family=family, price=0.0), WantedModels(1.0, 1000))
    found = near_models(rows, NAMES, 2, SearchOptions(family=family, price=price), WantedModels(within, 1000))
    costs = sorted(map(objective, every.models))
    assert every.complete
    assert found.complete
    assert found.objectives == pytest.approx([cost for cost in costs if cost <= costs[0] + within + 1e-9])


@pytest.mark.parametrize("family", ["tree", "any"])
def test_a_shorter_model_may_err_by_the_price_and_the_loss_together(family):
    # a errs nowhere and costs its price, 0.1; "always" errs on 15 of 100 and costs nothing else; "never" errs on 85.
    rows = DistinctRows.of_two(np.array([[True], [False]]), np.array([85.0, 0]), np.array([0.0, 15]), True)
    found = near_models(rows, ("a",), 1, SearchOptions(family=family, price=0.1), WantedModels(0.06, 10))
    assert found.complete
    assert found.objectives == pytest.approx([0.1, 0.15])


@few(4)
@given(st.integers(0, 10_000))
def test_on_six_features_the_list_is_what_enumeration_gives(seed):
    generator = np.random.default_rng(seed)
    points = np.array(list(product((False, True), repeat=6)))
    rows = DistinctRows(points, generator.integers(0, 4, (64, 2)).astype(float), True)
    found = near_models(rows, tuple("abcdef"), 2, SearchOptions(price=0.0), WantedModels(0.02, 5000))
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


def functions_on_four():
    """All truth tables on four features in which every point lies in a constant part given by two features."""
    tables = (np.arange(1 << 16)[:, None] >> np.arange(16) & 1).astype(bool)
    covered = np.zeros_like(tables)
    places = np.arange(16)
    for pair in combinations(range(4), 2):
        for values in product((0, 1), repeat=2):
            part = np.logical_and.reduce([(places >> j & 1) == value for j, value in zip(pair, values)])
            inside = tables[:, part]
            covered[:, part] |= (inside.all(axis=1) | ~inside.any(axis=1))[:, None]
    return tables[covered.all(axis=1)]


FOUR = functions_on_four()


def test_search_finds_models_without_each_column_and_claims_nothing():
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((300, 9)) < 0.5, axis=0)
    features[:, 1] = features[:, 0]
    yes = (features[:, 0] & features[:, 2]).astype(float)
    rows = DistinctRows.of_two(features, yes, 1 - yes, True)
    columns = [[j] for j in range(9)]
    found = near_models(
        rows, range(9), 3, SearchOptions(price=0.001, effort=0.2), WantedModels(0.3, 50), columns=columns
    )
    assert not found.complete
    assert any(2 not in model.features() for model in found.models)
    assert found.objectives[0] == pytest.approx(0.002)
