from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.learning import naive_classes
from tests.learning.example_rows import class_table, labelled_rows, majority, names, truth_table

from idnf.learning.local.berge_task import BergeTask, schedule
from idnf.learning.local.kernels import is_compiled, named_kernels
from idnf.learning.local.labelled_terms import starting_terms, to_model
from idnf.learning.local.masks import Cells, ExampleMasks, code_array
from idnf.logic.boxes import Column, Space

both = pytest.mark.parametrize("kernels", ["numpy", *(["compiled"] if is_compiled() else [])])


def task_of(rows, k, *, default=0, price=0.01):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    return BergeTask(examples, default, code_array(range(2 * examples.n_features)), k, examples.integer(price))


def repaired(kernels, task, moves, *, start=(), seed=0, is_over=lambda: False):
    return named_kernels(kernels).repair(task, start, schedule(task.examples, moves), seed, is_over)


@both
@given(labelled_rows(), st.integers(1, 3), st.integers(0, 9), st.data())
def test_every_state_reached_is_a_function_with_reasons_of_k(kernels, rows, k, seed, data):
    default = data.draw(st.integers(0, rows.n_classes - 1))
    task = task_of(rows, k, default=default)
    found = repaired(kernels, task, 8, seed=seed)
    model = to_model(found.terms, default, rows.n_classes, names(rows), k)
    model.verify()
    gained = naive_classes.model_right(rows, model) - rows.weights[:, default].sum()
    literals = sum(term.bit_count() for term, _ in found.terms)
    assert np.isclose(found.value / task.examples.scale, gained - 0.01 * literals, atol=1e-4)


@both
def test_majority_of_five_is_found_at_three(kernels):
    task = task_of(truth_table(majority, 5), 3)
    best = max((repaired(kernels, task, 300, seed=seed) for seed in range(4)), key=lambda found: found.value)
    assert len(best.terms) == 10
    assert best.value / task.examples.scale == pytest.approx(16 - 0.3, abs=1e-4)


@both
@pytest.mark.parametrize("default", [0, 1])
def test_three_classes_that_no_tree_of_depth_two_computes_are_learned_exactly(kernels, default):
    """Class 1 is a & b | a & c, class 2 is not a & c, class 0 the rest: reasons of two, trees need three."""
    rows = class_table(lambda p: 1 if p[0] and (p[1] or p[2]) else 2 if p[2] else 0, 3, 3)
    values = rows.weights.argmax(axis=1)[[int(f"{p:03b}"[::-1], 2) for p in range(8)]].tolist()
    assert naive.tree_depth(values) == 3
    assert naive.least_k(values, 3) == 2
    task = task_of(rows, 2, default=default)
    best = max((repaired(kernels, task, 200, seed=seed) for seed in range(3)), key=lambda found: found.value)
    model = to_model(best.terms, default, 3, names(rows), 2)
    assert model.verify().k == 2
    assert naive_classes.model_right(rows, model) == 8


@both
def test_a_search_is_never_worse_than_where_it_starts(kernels):
    rows = truth_table(majority, 5)
    task = task_of(rows, 3)
    start = starting_terms([(sum(1 << 2 * j for j in triple), 1) for triple in TRIPLES])
    whole = repaired(kernels, task, 1, start=start)
    assert whole.value / task.examples.scale == pytest.approx(16 - 0.3, abs=1e-4)


@both
def test_terms_that_steps_cannot_take_are_refused(kernels):
    task = task_of(truth_table(majority, 5), 2)
    with pytest.raises(ValueError, match="terms must be of at most k = 2 literals; got 3"):
        repaired(kernels, task, 1, start=[(0b010101, 1)])
    with pytest.raises(ValueError, match="forced must be terms of at most 52 literals; got 60"):
        repaired(kernels, replace(task, forced=((), ((1 << 60) - 1,))), 1)
    space = Space((Column("x", ("0", "1", "2"), ordered=True), Column("t", ("0", "1"))), ((0, 1), (0, 3), (1, 2)))
    by_columns = replace(task_of(truth_table(majority, 3), 1), cells=Cells.of(space))
    with pytest.raises(ValueError, match="terms must be of at most k = 1 columns; got 2"):
        repaired(kernels, by_columns, 1, start=[(0b010001, 1)])


TRIPLES = [(a, b, c) for a in range(5) for b in range(a) for c in range(b)]


@both
def test_a_search_told_to_stop_stops(kernels):
    task = task_of(truth_table(majority, 9), 5)
    assert repaired(kernels, task, 10_000, is_over=lambda: True).cut


def test_too_many_terms_are_no_start():
    assert starting_terms([(0b101 << 4 * i, 1) for i in range(12)]) is None
