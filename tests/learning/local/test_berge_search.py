import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, majority, names, truth_table

from idnf.learning.evaluation import holds
from idnf.learning.local.berge_models import starting_terms, to_double
from idnf.learning.local.berge_search import BergeTask, schedule
from idnf.learning.local.kernels import is_compiled, named_kernels
from idnf.learning.local.masks import ExampleMasks, code_array

both = pytest.mark.parametrize("kernels", ["numpy", *(["compiled"] if is_compiled() else [])])


def task_of(rows, k, *, complemented=False, price=0.01):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    return BergeTask(examples, complemented, code_array(range(2 * examples.n_features)), k, examples.integer(price))


def repaired(kernels, task, moves, *, start=(), seed=0, is_over=lambda: False):
    return named_kernels(kernels).repair(task, start, schedule(task.examples, moves), seed, is_over)


@both
@given(distinct_rows(), st.integers(1, 3), st.booleans(), st.integers(0, 9))
def test_every_state_reached_is_a_double_dnf_of_width_k(kernels, rows, k, complemented, seed):
    task = task_of(rows, k, complemented=complemented)
    found = repaired(kernels, task, 8, seed=seed)
    double = to_double(found.terms, names(rows), k, complemented=complemented)
    double.verify()
    predicted = holds(double, rows.features)
    net = (rows.positive - rows.negative)[predicted != complemented].sum() * (-1 if complemented else 1)
    literals = sum(term.bit_count() for term in found.terms)
    assert np.isclose(found.value / task.examples.scale, net - 0.01 * literals, atol=1e-4)


@both
def test_majority_of_five_is_found_at_three(kernels):
    task = task_of(truth_table(majority, 5), 3)
    best = max((repaired(kernels, task, 300, seed=seed) for seed in range(4)), key=lambda found: found.value)
    assert len(best.terms) == 10
    assert best.value / task.examples.scale == pytest.approx(16 - 0.3, abs=1e-4)


@both
def test_a_search_is_never_worse_than_where_it_starts(kernels):
    rows = truth_table(majority, 5)
    task = task_of(rows, 3)
    whole = repaired(kernels, task, 1, start=starting_terms([sum(1 << 2 * j for j in pair) for pair in TRIPLES]))
    assert whole.value / task.examples.scale == pytest.approx(16 - 0.3, abs=1e-4)


TRIPLES = [(a, b, c) for a in range(5) for b in range(a) for c in range(b)]


@both
def test_a_search_told_to_stop_stops(kernels):
    task = task_of(truth_table(majority, 9), 5)
    assert repaired(kernels, task, 10_000, is_over=lambda: True).cut


def test_too_many_terms_are_no_start():
    assert starting_terms([0b101 << 4 * i for i in range(12)]) is None
