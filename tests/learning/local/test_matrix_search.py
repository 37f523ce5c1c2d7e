import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, names

from idnf.learning.evaluation import holds
from idnf.learning.local.heat_bath import HeatBath
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.matrix_search import NestedState, to_nested


@st.composite
def states(draw, *, max_order=3):
    rows = draw(distinct_rows())
    examples = ExampleMasks(rows, np.random.default_rng(0))
    bath = HeatBath(np.random.default_rng(draw(st.integers(0, 99))))
    state = NestedState(examples, draw(st.integers(1, max_order)), examples.pool(range(2 * examples.n_features)), bath)
    bath.temperature = 2.0
    for _ in range(2):
        state.sweep(examples.net, examples.everything, 0.0)
    return rows, examples, state


def value(examples, state, price):
    return examples.weight(state.covered()) - price * state.length


@given(states())
def test_the_nested_dnf_of_a_state_covers_its_examples(drawn):
    rows, examples, state = drawn
    nested = to_nested(state.snapshot(), names(rows), state.order)
    kept = rows.features[rows.positive != rows.negative]
    assert holds(nested, kept).tolist() == examples.bits(state.covered()).astype(bool).tolist()


@given(states(), st.data())
def test_a_cold_cell_takes_a_literal_that_no_other_literal_beats(drawn, data):
    _, examples, state = drawn
    i, j = data.draw(st.integers(0, state.order - 1)), data.draw(st.integers(0, state.order - 1))
    state.bath.temperature = 0.0
    state.resample_cell(i, j, examples.net, examples.everything)
    found = value(examples, state, 0.0)
    matrix, terms = state.snapshot()
    for code in range(2 * examples.n_features):
        changed = [list(row) for row in matrix]
        changed[i][j] = code
        state.restore((tuple(map(tuple, changed)), terms))
        assert value(examples, state, 0.0) <= found + 1e-4


@given(states(), st.sampled_from([0.0, 0.5]))
def test_cold_terms_are_never_worse(drawn, price):
    _, examples, state = drawn
    before = value(examples, state, price)
    state.bath.temperature = 0.0
    state.resample_terms(examples.net, examples.everything, price)
    between = value(examples, state, price)
    # A term that earns less than a thousandth of an example is given up.
    assert between >= before - 0.01 * examples.unit
    state.perfect_terms(examples.net, examples.everything, price)
    assert value(examples, state, price) >= between - 1e-4


@given(states())
def test_a_snapshot_brings_a_state_back(drawn):
    _, examples, state = drawn
    snapshot, covered = state.snapshot(), state.covered()
    state.sweep(examples.net, examples.everything, 0.0)
    state.restore(snapshot)
    assert state.snapshot() == snapshot
    assert state.covered() == covered


@pytest.mark.parametrize(("temperature", "least"), [(0.0, 1.0), (1.0, 0.6), (100.0, 0.3)])
def test_a_heat_bath_prefers_better_values_the_colder_it_is(temperature, least):
    bath = HeatBath(np.random.default_rng(0))
    bath.temperature = temperature
    drawn = [bath.choose(np.array([0.0, 2.0, 1.0], dtype=np.float32)) for _ in range(1000)]
    expected = np.exp(2 / temperature) / sum(np.exp(np.arange(3) / temperature)) if temperature else 1.0
    assert abs(drawn.count(1) / 1000 - expected) < 0.05
    assert drawn.count(1) / 1000 >= least
