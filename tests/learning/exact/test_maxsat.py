from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.learning.exact import maxsat
from idnf.learning.exact.maxsat import MaxSat

pytest.importorskip("pysat")

literals = st.integers(1, 5).flatmap(lambda v: st.sampled_from([v, -v]))
# Every clause has a positive literal, so that the clauses can be satisfied.
clauses = st.lists(
    st.tuples(st.integers(1, 5), st.lists(literals, max_size=2)).map(lambda c: [c[0], *c[1]]), max_size=6
)
preferences = st.dictionaries(literals, st.integers(1, 9), min_size=1, max_size=8)


def holds(literal: int, point: tuple[bool, ...]) -> bool:
    return point[abs(literal) - 1] == (literal > 0)


def never(_: int) -> bool:
    return False


def formula(hard: list[list[int]], soft: dict[int, int]) -> MaxSat:
    problem = MaxSat()
    for _ in range(5):
        problem.new()
    for clause in hard:
        problem.add(clause)
    for literal, weight in soft.items():
        problem.prefer(literal, weight)
    return problem


@given(clauses, preferences)
def test_the_cost_is_the_least_weight_that_fails(hard, soft):
    points = [p for p in product((False, True), repeat=5) if all(any(holds(l, p) for l in clause) for clause in hard)]
    least = min(sum(weight for literal, weight in soft.items() if not holds(literal, p)) for p in points)
    outcome = formula(hard, soft).solve(never)
    assert outcome.cost == least
    assert outcome.model is not None
    found = tuple(v in outcome.model for v in range(1, 6))
    assert found in points
    assert least == sum(weight for literal, weight in soft.items() if not holds(literal, found))


@given(clauses, preferences, st.integers(0, 4))
def test_a_stop_leaves_a_bound(hard, soft, rounds):
    calls = iter(range(100))
    stopped = formula(hard, soft).solve(lambda _: next(calls) >= rounds)
    assert stopped.cost <= formula(hard, soft).solve(never).cost


def test_without_the_solver_the_message_names_the_extra(monkeypatch):
    monkeypatch.setattr(maxsat, "find_spec", lambda _: None)
    with pytest.raises(ModuleNotFoundError, match=r"need python-sat: pip install 'idnf\[sat\]'"):
        MaxSat()
