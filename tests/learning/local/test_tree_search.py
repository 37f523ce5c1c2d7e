import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, names, truth_table

from idnf.learning.evaluation import holds
from idnf.learning.local.heat_bath import HeatBath
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.tree_search import Pools, Shape, TreeState, anneal
from idnf.learning.objective import literal_count


def state_of(rows, shape, *, price=0.1, seed=0):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    pool = examples.pool(range(2 * examples.n_features))
    return TreeState(examples, shape, Pools(pool, pool, pool), price, HeatBath(np.random.default_rng(seed)))


@st.composite
def shapes(draw):
    depth, order = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    return Shape(depth, order, tuple(draw(st.booleans()) for _ in range(1 << depth)))


@given(distinct_rows(), shapes(), st.integers(0, 9))
def test_the_value_of_a_state_is_that_of_its_model(rows, shape, seed):
    state = state_of(rows, shape, seed=seed)
    best, _ = anneal(state, 3)
    tree = state.to_tree(names(rows), shape.depth + shape.order)
    net = (rows.positive - rows.negative)[holds(tree, rows.features)].sum()
    assert np.isclose(best.value, net - 0.1 * literal_count(tree), atol=1e-4)
    assert tree.depth <= shape.depth


@given(distinct_rows(), shapes())
def test_no_state_is_worse_than_a_constant(rows, shape):
    best, _ = anneal(state_of(rows, shape), 1)
    assert best.value >= max(0.0, (rows.positive - rows.negative).sum()) - 1e-4


def test_annealing_finds_functions_of_each_shape():
    parity = truth_table(lambda p: p[0] ^ p[1] ^ p[2], 4)
    best, _ = anneal(state_of(parity, Shape(3, 0, (False,) * 8), price=0.01), 60)
    assert best.value > 8 - 0.1
    nested = truth_table(lambda p: (p[0] and p[1]) or (p[2] and p[3]), 5)
    best, _ = anneal(state_of(nested, Shape(0, 2, (False,)), price=0.01), 60)
    assert best.value > 14 - 0.1


def test_a_deadline_in_the_past_leaves_a_valid_state():
    rows = truth_table(lambda p: p[0], 3)
    state = state_of(rows, Shape(0, 2, (False,)))
    best, cut = anneal(state, 1000, deadline=0.0)
    assert cut
    assert state.now().value == best.value
