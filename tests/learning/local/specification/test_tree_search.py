import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, names, truth_table

from idnf.learning.local.annealing_task import AnnealTask, Pools, Shape, schedule, to_tree
from idnf.learning.local.kernels import is_compiled, named_kernels
from idnf.learning.local.masks import ExampleMasks, code_array
from idnf.learning.objective import holds

both = pytest.mark.parametrize("kernels", ["numpy", *(["compiled"] if is_compiled() else [])])


def task_of(rows, shape, *, price=0.1):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    pool = code_array(range(2 * examples.n_features))
    return AnnealTask(examples, shape, Pools(pool, pool, pool), examples.integer(price))


def annealed(kernels, task, sweeps, *, seed=0, is_over=lambda: False):
    return named_kernels(kernels).anneal(task, schedule(task.examples, sweeps), seed, is_over)


@st.composite
def shapes(draw):
    depth, order = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    return Shape(depth, order, tuple(draw(st.booleans()) for _ in range(1 << depth)))


@both
@given(distinct_rows(), shapes(), st.integers(0, 9))
def test_the_value_of_a_state_is_that_of_its_model(kernels, rows, shape, seed):
    task = task_of(rows, shape)
    found = annealed(kernels, task, 3, seed=seed)
    tree = to_tree(found, shape, names(rows), shape.depth + shape.order)
    net = (rows.positive - rows.negative)[holds(tree, rows.features)].sum()
    assert np.isclose(found.value / task.examples.scale, net - 0.1 * tree.literal_count, atol=1e-4)
    assert tree.depth <= shape.depth


@both
@given(distinct_rows(), shapes())
def test_no_state_is_worse_than_a_constant(kernels, rows, shape):
    task = task_of(rows, shape)
    value = annealed(kernels, task, 1).value / task.examples.scale
    assert value >= max(0.0, (rows.positive - rows.negative).sum()) - 1e-4


@both
def test_annealing_finds_functions_of_each_shape(kernels):
    parity = task_of(truth_table(lambda p: p[0] ^ p[1] ^ p[2], 4), Shape(3, 0, (False,) * 8), price=0.01)
    assert annealed(kernels, parity, 60).value / parity.examples.scale > 8 - 0.1
    rows = truth_table(lambda p: (p[0] and p[1]) or (p[2] and p[3]), 5)
    nested = task_of(rows, Shape(0, 2, (False,)), price=0.01)
    assert annealed(kernels, nested, 60).value / nested.examples.scale > 14 - 0.1


@both
def test_a_search_told_to_stop_leaves_a_valid_state(kernels):
    rows = truth_table(lambda p: p[0] ^ p[1] ^ p[2] ^ p[3], 12)
    shape = Shape(0, 4, (False,))
    task = task_of(rows, shape)
    found = annealed(kernels, task, 10_000, is_over=lambda: True)
    assert found.cut
    tree = to_tree(found, shape, names(rows), 4)
    net = (rows.positive - rows.negative)[holds(tree, rows.features)].sum()
    # The model is without absorbed terms.
    assert net - 0.1 * tree.literal_count >= found.value / task.examples.scale - 1e-3
