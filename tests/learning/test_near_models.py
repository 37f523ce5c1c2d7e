"""Models as good as the best: all of them where that is claimed, each within the loss and distinct on the rows."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.near_models import WantedModels, near_models
from idnf.learning.objective import labels_of

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
