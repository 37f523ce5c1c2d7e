"""What is proved under a price for literals and under monotone constraints, beside all models of the family."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.learning.exact.naive_optimum import Task, points
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.optimum import ExactOptions, _Encoding, exact
from idnf.learning.exact.problem import Problem, Watch
from idnf.learning.families import family_of
from idnf.learning.local.search import search
from idnf.learning.objective import Learned, Objective
from idnf.learning.proved_families import is_of
from idnf.learning.task import LearningTask
from idnf.logic.nested import NestedDNF

NAMES = ("a", "b", "c", "d", "e")
PRICES = (0.0, 0.003, 0.02, 0.1)


@st.composite
def tasks(draw: st.DrawFn, most: int = 4) -> tuple[DistinctRows, Task, float]:
    """Draw weights at every point of some features, a price, and the literals allowed, mostly all of them."""
    n = draw(st.integers(1, most))
    unit = draw(st.sampled_from([1.0, 0.37]))
    side = st.lists(st.integers(0, 3), min_size=1 << n, max_size=1 << n)
    positive, negative = (unit * np.array(draw(side), dtype=np.float64) for _ in range(2))
    everything = frozenset(range(2 * n))
    barred = draw(st.one_of(st.just(frozenset()), st.frozensets(st.sampled_from(sorted(everything)), max_size=4)))
    price = draw(st.sampled_from(PRICES))
    total = float((positive + negative).sum())
    seen = positive + negative > 0
    rows = DistinctRows.of_two(points(n)[seen], positive[seen], negative[seen], complete=True)
    return rows, Task(n, positive, negative, price * total, everything - barred), price


def learn(rows: DistinctRows, task: Task, k: int, price: float, **options: object) -> Learned:
    """Learn, and check what holds of every result."""
    found = exact(rows, NAMES[: task.n], k, options=ExactOptions(price=price, allowed=task.allowed, **options))
    double = found.model.double()
    assert max(double.verify().widths) <= k
    for dnf, flip in ((double.positive, 0), (double.negative, 1)):
        assert all(code ^ flip in task.allowed for term in dnf.terms for code in term.codes)
    if rows.positive.sum() + rows.negative.sum():
        assert found.objective == pytest.approx(Objective(rows, price)(found.model), abs=1e-9)
    assert found.optimal == found.bound_family
    assert found.optimal is not None
    assert found.bound == pytest.approx(found.objective, abs=1e-9)
    return found


def cost(rows: DistinctRows, found: Learned) -> float:
    return found.objective * rows.total


@given(tasks(), st.integers(1, 4))
@few(36)
def test_pair_trees(case, k):
    rows, task, price = case
    found = learn(rows, task, k, price)
    assert is_of("pair-tree", found.model)
    assert cost(rows, found) == pytest.approx(task.best_tree(k, leaf_order=2), abs=1e-9)


@given(tasks(most=5))
@few(8)
def test_pair_trees_of_five_features(case):
    rows, task, price = case
    found = learn(rows, task, 3, price)
    assert cost(rows, found) == pytest.approx(task.best_tree(3, leaf_order=2), abs=1e-9)


@given(tasks(), st.integers(1, 4))
@few(24)
def test_trees(case, k):
    rows, task, price = case
    found = learn(rows, task, k, price, family=family_of("tree"))
    assert cost(rows, found) == pytest.approx(task.best_tree(k, leaf_order=0), abs=1e-9)


@given(tasks(), st.sampled_from(["positive", "negative", "auto"]))
@few(24)
def test_nested_2_dnfs(case, polarity):
    rows, task, price = case
    found = learn(rows, task, 2, price, family=family_of("nested"), polarity=polarity)
    assert isinstance(found.model, NestedDNF) or found.model.depth == 0
    assert cost(rows, found) == pytest.approx(task.best_nested(polarity), abs=1e-9)


@given(tasks(), st.integers(1, 2))
@few(36)
def test_at_k_2_all_functions(case, k):
    rows, task, price = case
    found = learn(rows, task, k, price)
    assert found.optimal == "any"
    assert cost(rows, found) == pytest.approx(task.best_of_any(k), abs=1e-9)


@given(tasks(), st.booleans())
@few(9)
def test_maxsat_and_matrix_products_agree_at_k_2(case, complemented):
    pytest.importorskip("pysat")
    rows, task, price = case
    problem = Problem.from_rows(rows, price=price, allowed=task.allowed)
    if not problem.allowed.any():
        return
    options = ExactOptions(family=family_of("nested"), polarity="negative" if complemented else "positive")
    found = _Encoding(problem, 2, complemented=complemented).solve(np.inf, Watch(options, problem.share))
    constant = min(task.positive.sum(), task.negative.sum())
    expected = task.best_nested(options.polarity)
    # The formula leaves the constants out.
    assert min(constant, problem.base + found.bound) <= expected + 1e-9
    assert min(constant, problem.base + found.bound) == pytest.approx(expected, abs=1e-4 * max(problem.total, 1))


@given(tasks(most=5), st.integers(2, 4), st.sampled_from(["any", "tree", "nested"]))
@few(36)
def test_no_model_found_by_search_in_the_family_of_a_bound_is_below_it(case, k, family):
    rows, task, price = case
    assume(len(rows.features))
    k = min(k, 2) if family == "nested" else k
    names = NAMES[: task.n]
    found = exact(rows, names, k, options=ExactOptions(family=family_of(family), price=price, allowed=task.allowed))
    # A tree of depth k is a pair tree.
    inside = "tree" if found.bound_family == "pair-tree" else found.bound_family
    searching = LearningTask(names, k, family=family_of(inside), price=price, allowed=task.allowed, effort=0.1)
    searched = search(rows, searching)
    assert found.bound is not None
    assert searched.objective >= found.bound - 1e-9
    started = exact(
        rows, names, k, options=ExactOptions(family_of(family), price=price, allowed=task.allowed, start=searched)
    )
    assert started.objective == pytest.approx(found.objective, abs=1e-9)
    assert started.optimal == found.optimal


@pytest.mark.parametrize("family", ["any", "tree", "nested"])
@pytest.mark.parametrize("k", [1, 2])
def test_less_than_half_an_example_counts_where_there_is_a_price(family, k):
    # The literal costs 0.7 of an example and no error, a constant one error of two examples.
    rows = DistinctRows.of_two(
        np.array([[0], [1]], dtype=bool), np.array([0.0, 1.0]), np.array([1.0, 0.0]), complete=True
    )
    found = exact(rows, ("a",), k, options=ExactOptions(family=family_of(family), price=0.35))
    assert str(found.model.side(True)) == "a"
    assert found.objective == pytest.approx(0.35)


def test_a_price_out_of_range():
    with pytest.raises(ValueError, match="price must be 0 or more; got -1"):
        ExactOptions(price=-1)
