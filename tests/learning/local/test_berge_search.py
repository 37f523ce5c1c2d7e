import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, majority, names, truth_table

from idnf.learning.evaluation import holds
from idnf.learning.local.berge import BergeState
from idnf.learning.local.berge_search import BergeSearch, BergeTask, to_double
from idnf.learning.local.masks import ExampleMasks


def searching(rows, k, *, complemented=False, price=0.01, seed=0):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    net = -examples.net if complemented else examples.net
    task = BergeTask(examples, net, frozenset(range(2 * examples.n_features)), k, price)
    return BergeSearch(task, BergeState.of(()), np.random.default_rng(seed))


@given(distinct_rows(), st.integers(1, 3), st.booleans(), st.integers(0, 9))
def test_every_state_reached_is_a_double_dnf_of_width_k(rows, k, complemented, seed):
    berge = searching(rows, k, complemented=complemented, seed=seed)
    berge.run(8)
    double = to_double(berge.best, names(rows), k, complemented=complemented)
    double.verify()
    predicted = holds(double, rows.features)
    net = (rows.positive - rows.negative)[predicted != complemented].sum() * (-1 if complemented else 1)
    assert np.isclose(berge.best_value, net - 0.01 * berge.best.length, atol=1e-4)


def test_majority_of_five_is_found_at_three():
    rows = truth_table(majority, 5)
    best = max((searching(rows, 3, seed=seed) for seed in range(4)), key=lambda b: (b.run(300), b.best_value)[1])
    assert len(best.best.terms) == 10
    assert best.best_value == pytest.approx(16 - 0.3)


def test_a_deadline_in_the_past_stops_after_one_move():
    assert searching(truth_table(majority, 5), 3).run(10_000, deadline=0.0)
