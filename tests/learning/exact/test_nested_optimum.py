import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.exact import leaf_trees
from idnf.learning.exact.optimum import ExactOptions, _Encoding, exact
from idnf.learning.exact.problem import Problem, Watch
from idnf.learning.families import family_of
from idnf.logic.deadlines import Deadline
from idnf.logic.nested import NestedDNF

pytest.importorskip("pysat")

NAMES = ("a", "b", "c", "d", "e")


def table(n: int, values: list[bool]) -> DistinctRows:
    points = np.array([[p >> j & 1 for j in range(n)] for p in range(1 << n)], dtype=np.bool_)
    positive = np.array(values, dtype=np.float64)
    return DistinctRows.of_two(points, positive, 1 - positive, complete=True)


@given(st.lists(st.integers(-3, 3), min_size=16, max_size=16), st.booleans(), st.sampled_from([1.0, 0.37]))
@few(9)
def test_maxsat_and_matrix_products_agree_at_k_2(weights, complemented, unit):
    net = unit * np.array(weights, dtype=np.float64)
    rows = DistinctRows.of_two(table(4, [False] * 16).features, np.maximum(net, 0), np.maximum(-net, 0), complete=True)
    options = ExactOptions(family=family_of("nested"), polarity="negative" if complemented else "positive")
    problem = Problem.from_rows(rows)
    assume(problem.n_features)
    expected = exact(rows, NAMES[:4], 2, options=options).objective * problem.total
    encoding = _Encoding(problem, 2, complemented=complemented)
    found = encoding.solve(np.inf, Watch(options, problem.share))
    assert found.matrix is not None
    assert found.bound == pytest.approx(expected, abs=1e-4 * max(problem.total, 1))


def test_every_literal_of_a_term_is_paid_for():
    # a & b is right everywhere and has two literals; a alone errs on one of four rows, as a constant does.
    problem = Problem.from_rows(table(2, [False, False, False, True]), price=0.075)
    found = _Encoding(problem, 2, complemented=False).solve(np.inf, Watch(ExactOptions(), problem.share))
    assert found.bound == pytest.approx(2 * 0.075 * 4, abs=1e-4)


# Three rows of the paper's staircase over five features, with terms that no tree of depth 3 or 2-DNF gives.
STAIRCASE = NestedDNF(NAMES, ((0, 2, 4), (6, 5, 9), (8, 1, 3)), ((3, 0, 0), (1, 2, 0), (0, 1, 2), (1, 1, 1)), 3)


@pytest.mark.parametrize("polarity", ["positive", "negative", "auto"])
def test_a_nested_3_dnf_is_found_and_proved(polarity):
    values = [STAIRCASE.evaluate({name: p >> j & 1 for j, name in enumerate(NAMES)}) for p in range(32)]
    rows = table(5, [value != (polarity == "negative") for value in values])
    found = exact(rows, NAMES, 3, options=ExactOptions(family=family_of("nested"), polarity=polarity))
    assert (found.objective, found.optimal) == (0.0, "nested")
    found.model.double().verify()


def test_majority_of_five_is_no_nested_3_dnf():
    rows = table(5, [p.bit_count() > 2 for p in range(32)])
    found = exact(rows, NAMES, 3, options=ExactOptions(family=family_of("nested"), deadline=Deadline.after(10.0)))
    assert found.bound is not None
    assert 0 < found.bound <= found.objective


def test_a_time_limit_leaves_a_bound():
    rng = np.random.default_rng(0)
    features = np.unique(rng.random((60, 8)) < 0.5, axis=0)
    positive, negative = rng.integers(0, 3, (2, len(features))).astype(np.float64)
    rows, names = DistinctRows.of_two(features, positive, negative, complete=True), tuple("abcdefgh")
    found = exact(rows, names, 3, options=ExactOptions(family=family_of("nested"), deadline=Deadline.after(0.5)))
    assert found.bound is not None
    assert (
        found.bound
        <= found.objective
        <= exact(rows, names, 2, options=ExactOptions(family=family_of("nested"))).objective
    )
    found.model.double().verify()


@pytest.mark.parametrize("family", ["nested", "any"])
def test_after_an_interrupt_nothing_more_is_solved(monkeypatch, family):
    asked = []

    def interrupted(*_):
        raise KeyboardInterrupt

    def best_leaf(self, path, *, thorough):
        asked.append(thorough)
        return original(self, path, thorough=thorough)

    original = leaf_trees.LeafModels.best_leaf
    monkeypatch.setattr(leaf_trees.TreeSearch, "_close_leaves", interrupted)
    monkeypatch.setattr(leaf_trees.LeafModels, "best_leaf", best_leaf)
    rows = table(4, [p.bit_count() in (1, 3) for p in range(16)])
    found = exact(rows, NAMES[:4], 3, options=ExactOptions(family))
    assert asked
    assert not any(asked)
    assert found.bound <= found.objective + 1e-9
