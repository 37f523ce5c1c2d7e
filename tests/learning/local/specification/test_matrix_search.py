import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, names

from idnf.learning.local.annealing_task import to_nested
from idnf.learning.local.masks import ExampleMasks, code_array
from idnf.learning.local.specification.heat_bath import HeatBath, RandomStream
from idnf.learning.local.specification.matrix_search import NestedState
from idnf.learning.objective import holds


@st.composite
def states(draw, *, max_order=3):
    rows = draw(distinct_rows())
    examples = ExampleMasks(rows, np.random.default_rng(0))
    bath = HeatBath(RandomStream(draw(st.integers(0, 99))))
    pool = code_array(range(2 * examples.n_features))
    state = NestedState(examples, draw(st.integers(1, max_order)), pool, bath)
    bath.temperature = 2 * examples.unit
    for _ in range(2):
        state.sweep(net(examples), examples.everything, 0)
    return rows, examples, state


def net(examples):
    return examples.net.astype(np.int64)


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
    state.bath.temperature = 0
    state.resample_cell(i, j, net(examples), examples.everything)
    found = value(examples, state, 0)
    matrix, terms = state.snapshot()
    for code in range(2 * examples.n_features):
        changed = [list(row) for row in matrix]
        changed[i][j] = code
        state.restore((tuple(map(tuple, changed)), terms))
        assert value(examples, state, 0) <= found


@given(states(), st.sampled_from([0.0, 0.5]))
def test_cold_terms_are_never_worse(drawn, share):
    _, examples, state = drawn
    price = round(share * examples.unit)
    before = value(examples, state, price)
    state.bath.temperature = 0
    state.resample_terms(net(examples), examples.everything, price)
    between = value(examples, state, price)
    # A term that earns less than a thousandth of an example is given up.
    assert between >= before - 0.01 * examples.unit
    state.perfect_terms(net(examples), examples.everything, price)
    assert value(examples, state, price) >= between


@given(states())
def test_a_snapshot_brings_a_state_back(drawn):
    _, examples, state = drawn
    snapshot, covered = state.snapshot(), state.covered()
    state.sweep(net(examples), examples.everything, 0)
    state.restore(snapshot)
    assert state.snapshot() == snapshot
    assert state.covered() == covered
