from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import subsets

from idnf.counting.contract import GridHistogram
from idnf.learning.local.specification.staircase import best_up_set, prefix_vectors


@pytest.mark.parametrize("k", range(7))
def test_prefix_vectors_are_those_of_rank_at_most_k_after_their_parents(k):
    known = prefix_vectors(k)
    assert set(known.vectors) == {r for r in product(range(k + 1), repeat=k) if sum(r) <= k}
    assert len(known.vectors) == comb(2 * k, k)
    for v in range(1, len(known.vectors)):
        parent = list(known.vectors[known.parents[v]])
        parent[known.rows[v]] = known.lengths[v]
        assert known.parents[v] < v
        assert tuple(parent) == known.vectors[v]


@st.composite
def grids(draw, k):
    points = draw(st.lists(st.tuples(*[st.integers(0, k)] * k), min_size=1, max_size=8, unique=True))
    weights = st.lists(st.integers(0, 4), min_size=len(points), max_size=len(points))
    return GridHistogram(np.array(points), np.array(draw(weights), float), np.array(draw(weights), float))


def naive_value(grid, chosen, price):
    covered = [any(all(a <= b for a, b in zip(r, c, strict=True)) for r in chosen) for c in grid.points.tolist()]
    return ((grid.positive - grid.negative) * covered).sum() - price * sum(map(sum, chosen))


@given(grids(2), st.sampled_from([0.0, 0.25, 1.0]))
def test_the_best_up_set_equals_exhaustive_search(grid, price):
    vectors = prefix_vectors(2).vectors
    best = max(naive_value(grid, chosen, price) for chosen in subsets(vectors))
    found = best_up_set(grid, vectors, price)
    assert found.proved
    assert np.isclose(found.value, best)
    assert np.isclose(naive_value(grid, found.prefixes, price), best)


@given(grids(3), st.data())
def test_the_best_up_set_is_never_worse_than_its_start(grid, data):
    vectors = prefix_vectors(3).vectors
    start = data.draw(st.lists(st.sampled_from(vectors), max_size=4, unique=True))
    found = best_up_set(grid, vectors, 0.25, start=start, node_limit=1)
    assert found.value >= naive_value(grid, start, 0.25) - 1e-9
    assert np.isclose(naive_value(grid, found.prefixes, 0.25), found.value)


def test_branching_stops_when_the_time_is_over():
    rng = np.random.default_rng(0)
    points = np.array(list(product(range(5), repeat=4)))
    grid = GridHistogram(points, *rng.random((2, len(points))))
    vectors = prefix_vectors(4).vectors
    looks = iter([False, False, True])
    found = best_up_set(grid, vectors, is_over=lambda: next(looks))
    assert not found.proved
    assert np.isclose(naive_value(grid, found.prefixes, 0.0), found.value)
