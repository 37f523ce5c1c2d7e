from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from idnf.counting.contract import DistinctRows
from idnf.learning.exact import problem as exact_problem
from idnf.learning.exact.leaves import LeafSolver
from idnf.learning.exact.levels import Levels
from idnf.learning.exact.problem import Backend, Problem, _refuse_rounding
from idnf.learning.exact.unions import running_maximum


def leaf_problem(n_features: int = 7, n_rows: int = 60, *, unit: float = 1.0, price: float = 0.0) -> Problem:
    rng = np.random.default_rng(1)
    features = rng.random((n_features, n_rows)) < 0.5
    weights = unit * rng.integers(1, 4, n_rows) * rng.choice([-1, 1], n_rows)
    rows = DistinctRows.of_two(features.T, np.maximum(weights, 0.0), np.maximum(-weights, 0.0), complete=True)
    return Problem.from_rows(rows, price=price)


def solver(backend: Backend, unit: float = 1.0, price: float = 0.0) -> LeafSolver:
    return LeafSolver(backend, leaf_problem(unit=unit, price=price))


SETS = {depth: Levels(range(7), depth, limit=0.0).layers[0].sets for depth in (0, 1, 2, 3)}


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("price", [0.0, 0.003, 0.02])
def test_bounds_enclose_the_optimum(depth, price):
    leaves = solver(Backend(np, "cpu", single=False), price=price)
    sets = SETS[depth]
    lower, upper = leaves.bounds(sets)
    optimum = leaves.solve(sets, np.full(len(sets), np.inf)).error
    assert (lower <= optimum + 1e-9).all()
    assert (optimum <= upper + 1e-9).all()
    assert (upper == leaves.trees(sets)).all()


def test_the_bound_of_a_path_counts_six_literals():
    where = np.array([[p >> j & 1 for j in range(4)] for p in range(16)], dtype=bool)
    a, b, c, d = where.T
    path = a & b | b & c | c & d
    rows = DistinctRows.of_two(where, 10.0 * path, 10.0 * ~path, complete=True)
    problem = Problem.from_rows(rows, price=0.001)
    leaves = LeafSolver(Backend(np, "cpu", single=False), problem)
    lower, _ = leaves.bounds(SETS[0])
    optimum = leaves.solve(SETS[0], np.full(1, np.inf)).error
    assert optimum == pytest.approx(6 * problem.price)
    assert lower <= optimum + 1e-9
    assert leaves._path_bound(leaves._batch(SETS[0])) <= optimum + 1e-9


def test_a_threshold_hides_only_what_is_not_below_it():
    leaves, sets = solver(Backend(np, "cpu", single=True)), SETS[2]
    optimum = leaves.solve(sets, np.full(len(sets), np.inf)).error
    for threshold in (0.0, 2.0, 5.0, 9.0):
        found = leaves.solve(sets, np.full(len(sets), threshold)).error
        below = optimum < threshold
        assert (found[below] == optimum[below]).all()
        assert (found >= optimum).all()


@pytest.mark.parametrize(("elements", "block"), [(1, 3), (1 << 12, 17), (1 << 24, 1 << 12)])
def test_batches_and_blocks_change_nothing(elements, block):
    sets = SETS[2]
    expected = solver(Backend(np, "cpu", single=True)).solve(sets, np.full(len(sets), np.inf))
    found = solver(Backend(np, "cpu", True, elements, block)).solve(sets, np.full(len(sets), np.inf))
    assert (found.error == expected.error).all()


def test_weights_that_are_no_integers_are_counted_in_double_precision():
    backend = Backend.for_weights("cpu", leaf_problem(unit=0.37).weights)
    assert not backend.single
    sets = SETS[1]
    expected = solver(Backend(np, "cpu", single=True)).solve(sets, np.full(len(sets), np.inf)).error
    found = solver(backend, unit=0.37).solve(sets, np.full(len(sets), np.inf)).error
    assert found == pytest.approx(0.37 * expected)


@pytest.mark.parametrize("library", ["array_api_strict", "array_api_compat.torch"])
def test_other_array_libraries_give_the_same(library):
    pytest.importorskip(library.split(".")[-1])
    pytest.importorskip(library)
    sets = SETS[2]
    expected = solver(Backend(np, "cpu", single=True)).solve(sets, np.full(len(sets), np.inf))
    found = solver(Backend(import_module(library), "cpu", single=True)).solve(sets, np.full(len(sets), np.inf))
    assert (found.error == expected.error).all()


def test_cuda_without_a_library_says_what_to_install(monkeypatch):
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(exact_problem, "import_module", missing)
    with pytest.raises(
        ModuleNotFoundError, match=r"needs array-api-compat and torch or cupy: pip install 'idnf\[cuda\]'"
    ):
        Backend.for_weights("cuda", np.ones(1))


@pytest.mark.parametrize("length", [1, 2, 3, 8, 13])
def test_running_maximum_is_numpys(length):
    values = np.random.default_rng(0).integers(0, 9, (4, length)).astype(np.float64)
    found = running_maximum(Backend(np, "cpu", single=False), values)
    assert (found == np.maximum.accumulate(values, axis=1)).all()


def test_torch_that_rounds_factors_is_refused():
    rounding = SimpleNamespace(get_float32_matmul_precision=lambda: "high")
    with pytest.raises(ValueError, match="must be 'highest' to count exactly; got 'high'"):
        _refuse_rounding(rounding)
    _refuse_rounding(SimpleNamespace())
