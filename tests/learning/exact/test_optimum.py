from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.strategies import few

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.exact.problem import training_error
from idnf.learning.families import family_of
from idnf.learning.objective import Learned
from idnf.learning.proved_families import is_of
from idnf.logic.deadlines import Deadline
from idnf.logic.dnf import DNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

Weights = NDArray[np.float64]
TOLERANCE = 1e-6


def points(n: int) -> NDArray[np.bool_]:
    return np.array([[p >> j & 1 for j in range(n)] for p in range(1 << n)], dtype=np.bool_).reshape(1 << n, n)


@cache
def interpretable(n: int, k: int) -> NDArray[np.bool_]:
    """Return every k-AXp-interpretable function as a row of values: each point has k features that fix its value."""
    functions = np.array(list(product((False, True), repeat=1 << n)))
    fixed = np.zeros(functions.shape, dtype=np.bool_)
    where = points(n)
    for features in combinations(range(n), min(n, k)):
        for p in range(1 << n):
            alike = (where[:, features] == where[p, features]).all(axis=1)
            fixed[:, p] |= (functions[:, alike] == functions[:, [p]]).all(axis=1)
    return functions[fixed.all(axis=1)]


@cache
def two_interpretable(n: int) -> NDArray[np.bool_]:
    """The same for k = 2, where a function depends on four features at most, so that five can be searched."""
    if n <= 4:
        return interpretable(n, 2)
    where, lifted = points(n), []
    for features in combinations(range(n), 4):
        lifted.append(interpretable(4, 2)[:, where[:, features] @ (1 << np.arange(4))])
    return np.unique(np.concatenate(lifted), axis=0)


@cache
def nested_two_dnfs(n: int) -> NDArray[np.bool_]:
    """Return every nested 2-DNF as a row of values: all sets of prefix vectors over all 2 x 2 matrices."""
    where = points(n)
    literals = np.stack([where[:, j] != sign for j in range(n) for sign in (False, True)])
    functions = {(True,) * (1 << n), (False,) * (1 << n)}
    for b, a, c, d in product(range(2 * n), repeat=4):
        terms = [
            literals[b],
            literals[c],
            literals[b] & literals[a],
            literals[c] & literals[d],
            literals[b] & literals[c],
        ]
        for chosen in product((False, True), repeat=5):
            holds = np.zeros(1 << n, dtype=np.bool_)
            for term, taken in zip(terms, chosen, strict=True):
                holds |= term & taken
            functions.add(tuple(holds.tolist()))
    return np.array(sorted(functions))


def least_error(functions: NDArray[np.bool_], positive: Weights, negative: Weights) -> float:
    return float((functions @ negative + ~functions @ positive).min())


def best_pair_tree(n: int, depth: int, positive: Weights, negative: Weights) -> float:
    if depth == 0:
        return least_error(two_interpretable(n), positive, negative)
    where = points(n)
    return min(
        sum(best_pair_tree(n, depth - 1, positive * side, negative * side) for side in (where[:, j], ~where[:, j]))
        for j in range(n)
    )


def best_tree(n: int, depth: int, positive: Weights, negative: Weights) -> float:
    best = float(min(positive.sum(), negative.sum()))
    if depth == 0:
        return best
    where = points(n)
    sides = ((where[:, j], ~where[:, j]) for j in range(n))
    return min([best, *(sum(best_tree(n, depth - 1, positive * s, negative * s) for s in pair) for pair in sides)])


def table(n: int, positive: Weights, negative: Weights) -> DistinctRows:
    seen = positive + negative > 0
    return DistinctRows.of_two(points(n)[seen], positive[seen], negative[seen], complete=True)


def names(n: int) -> tuple[str, ...]:
    return tuple("abcdefghijkl"[:n])


def learn(n: int, k: int, weights: tuple[Weights, Weights], options: ExactOptions) -> float:
    """Learn, check what holds of every result, and return the weight in error."""
    rows = table(n, *weights)
    found = exact(rows, names(n), k, options=options)
    double = found.model.double()
    double.verify()
    assert max(double.positive.width, double.negative.width) <= k
    error = training_error(rows, double.positive)
    total = sum(side.sum() for side in weights)
    assert found.objective == pytest.approx(error / total if total else 0.0, abs=TOLERANCE)
    assert found.optimal is not None
    assert found.bound == pytest.approx(found.objective, abs=TOLERANCE)
    return error


@st.composite
def weighings(draw: st.DrawFn, least: int = 1, most: int = 5) -> tuple[int, tuple[Weights, Weights]]:
    """Draw a number of features and the weight of each class at every point, integers or not."""
    n = draw(st.integers(least, most))
    unit = draw(st.sampled_from([1.0, 0.37]))
    side = st.lists(st.integers(0, 3), min_size=1 << n, max_size=1 << n)
    return n, (unit * np.array(draw(side), dtype=np.float64), unit * np.array(draw(side), dtype=np.float64))


@given(weighings())
@few(90)
def test_k_2_is_the_optimum_over_all_2_interpretable_functions(case):
    n, weights = case
    expected = least_error(two_interpretable(n), *weights)
    assert learn(n, 2, weights, ExactOptions()) == pytest.approx(expected, abs=TOLERANCE)


@given(weighings(least=2), st.sampled_from([3, 4]))
@few(18)
def test_larger_k_is_the_optimum_over_trees_of_such_leaves(case, k):
    n, weights = case
    expected = best_pair_tree(n, min(k - 2, n), *weights)
    assert learn(n, k, weights, ExactOptions()) == pytest.approx(expected, abs=TOLERANCE)


@given(weighings(), st.integers(1, 4))
@few(24)
def test_family_tree_is_the_optimal_decision_tree(case, k):
    n, weights = case
    rows = table(n, *weights)
    expected = best_tree(n, min(k, n), *weights)
    assert learn(n, k, weights, ExactOptions(family=family_of("tree"))) == pytest.approx(expected, abs=TOLERANCE)
    model = exact(rows, names(n), k, options=ExactOptions(family=family_of("tree"))).model
    assert isinstance(model, NestedTree)
    assert model.is_plain
    assert model.depth <= k


@given(weighings(most=3), st.sampled_from(["positive", "negative", "auto"]))
@few(60)
def test_nested_2_dnfs_of_each_polarity(case, polarity):
    n, weights = case
    positive = least_error(nested_two_dnfs(n), *weights)
    negative = least_error(nested_two_dnfs(n), *weights[::-1])
    expected = {"positive": positive, "negative": negative, "auto": min(positive, negative)}[polarity]
    options = ExactOptions(family=family_of("nested"), polarity=polarity)
    assert learn(n, 2, weights, options) == pytest.approx(expected, abs=TOLERANCE)
    model = exact(table(n, *weights), names(n), 2, options=options).model
    assert isinstance(model, NestedDNF) or model.depth == 0


@given(weighings(), st.sampled_from(["any", "tree", "nested"]))
def test_k_1_is_the_best_literal_or_constant(case, family):
    n, weights = case
    where = points(n)
    literals = [where[:, j] != sign for j in range(n) for sign in (False, True)]
    functions = np.array([*literals, np.ones(1 << n, dtype=bool), np.zeros(1 << n, dtype=bool)])
    expected = least_error(functions, *weights)
    assert learn(n, 1, weights, ExactOptions(family=family_of(family))) == pytest.approx(expected, abs=TOLERANCE)


def random_table(n_rows: int = 200, n_features: int = 12, seed: int = 0) -> DistinctRows:
    rng = np.random.default_rng(seed)
    features = np.unique(rng.random((n_rows, n_features)) < 0.5, axis=0)
    positive = rng.integers(0, 3, len(features)).astype(np.float64)
    return DistinctRows.of_two(features, positive, rng.integers(1, 3, len(features)).astype(np.float64), complete=True)


@cache
def solved() -> tuple[Learned, list[float]]:
    """Return the best model of a table that takes a second, and the gaps to the bound that were told on the way."""
    gaps: list[float] = []
    options = ExactOptions(progress=lambda best, bound: gaps.append(best - bound))
    return exact(random_table(), names(12), 4, options=options), gaps


def test_a_time_limit_gives_a_model_and_a_bound_below_the_optimum():
    hurried = exact(random_table(), names(12), 4, options=ExactOptions(deadline=Deadline.after(1e-6)))
    assert hurried.optimal is None
    assert hurried.bound is not None
    assert hurried.bound <= solved()[0].objective <= hurried.objective
    hurried.model.double().verify()


def test_an_interrupt_keeps_the_best_so_far():
    def interrupt(objective: float, bound: float) -> None:
        assert bound <= objective
        raise KeyboardInterrupt

    stopped = exact(random_table(), names(12), 4, options=ExactOptions(progress=interrupt))
    assert stopped.optimal is None
    assert stopped.bound is not None
    assert stopped.bound <= solved()[0].objective <= stopped.objective


def test_progress_narrows_the_gap():
    _, gaps = solved()
    assert len(gaps) > 1
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] == 0


def test_beyond_k_2_all_functions_are_solved_as_pair_trees_and_say_so():
    rows, features = random_table(n_features=5), names(5)
    found = exact(rows, features, 3)
    assert (found.optimal, found.bound_family) == ("pair-tree", "pair-tree")
    assert is_of("pair-tree", found.model)
    small = exact(rows, features, 2)
    assert (small.optimal, small.bound_family) == ("any", "any")


def test_a_start_better_than_every_pair_tree_is_returned_without_a_claim():
    # Majority of five is 3-AXp-interpretable and no nested tree of order 3.
    where = points(5)
    majority = where.sum(axis=1) > 2
    rows = DistinctRows.of_two(where, majority.astype(np.float64), (~majority).astype(np.float64), complete=True)
    dnf = NestedDNF.from_function(majority.astype(int).tolist(), names(5))
    start = Learned(dnf.double(), 0.0)
    alone = exact(rows, names(5), 3)
    assert alone.objective > 0
    assert alone.optimal == "pair-tree"
    started = exact(rows, names(5), 3, options=ExactOptions(start=start))
    assert started.model is start.model
    assert (started.objective, started.optimal) == (0.0, None)
    assert (started.bound, started.bound_family) == (0.0, "pair-tree")


def test_a_nested_3_dnf_that_is_no_pair_tree_is_returned_without_a_claim():
    # "At least three of four" is a nested 3-DNF and no pair tree of order 3: no half of it is 2-AXp-interpretable.
    where = points(4)
    three = where.sum(axis=1) > 2
    rows = DistinctRows.of_two(where, three.astype(np.float64), (~three).astype(np.float64), complete=True)
    nested = NestedDNF.recognise(DNF.parse("a & b & c | a & b & d | a & c & d | b & c & d"), 3)
    assert exact(rows, names(4), 3).objective > 0
    started = exact(rows, names(4), 3, options=ExactOptions(start=Learned(nested, 0.0)))
    assert started.model is nested
    assert (started.optimal, started.bound, started.bound_family) == (None, 0.0, "pair-tree")


def test_a_start_that_is_an_optimal_pair_tree_is_said_to_be_one():
    rows, features = random_table(n_features=5), names(5)
    best = exact(rows, features, 3)
    started = exact(rows, features, 3, options=ExactOptions(start=best))
    assert (started.objective, started.optimal) == (best.objective, "pair-tree")


@given(weighings(least=3, most=4))
@few(12)
def test_a_start_changes_no_optimum(case):
    n, weights = case
    rows = table(n, *weights)
    start = exact(rows, names(n), 1)
    expected = exact(rows, names(n), 3).objective
    assert exact(rows, names(n), 3, options=ExactOptions(start=start)).objective == pytest.approx(expected)


def test_nothing_is_proved_on_a_sample():
    whole = random_table(n_features=4)
    sample = DistinctRows.of_two(whole.features, whole.positive, whole.negative, complete=False)
    found = exact(sample, names(4), 2)
    assert (found.optimal, found.bound, found.bound_family) == (None, None, None)


def test_a_table_without_examples_or_features():
    empty = DistinctRows.of_two(np.zeros((0, 2), dtype=np.bool_), np.zeros(0), np.zeros(0), complete=True)
    assert exact(empty, ("a", "b"), 3).objective == 0.0
    flat = DistinctRows.of_two(np.zeros((1, 2), dtype=np.bool_), np.array([3.0]), np.array([2.0]), complete=True)
    for family in ("any", "tree", "nested"):
        found = exact(flat, ("a", "b"), 3, options=ExactOptions(family=family_of(family)))
        assert found.objective == pytest.approx(0.4)
        assert str(found.model.side(True)) == "1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"family": "forest"}, "family must be one of any, .*, nested, checklist; got 'forest'"),
        ({"polarity": "both"}, "polarity must be one of auto, positive, negative; got 'both'"),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(ValueError, match=message):
        ExactOptions(**options)


def test_k_and_device_out_of_range():
    rows = random_table(n_features=3)
    with pytest.raises(ValueError, match="k must be 1 or more; got 0"):
        exact(rows, names(3), 0)
    with pytest.raises(ValueError, match="device must be 'cpu' or 'cuda'; got 'tpu'"):
        exact(rows, names(3), 2, options=ExactOptions(device="tpu"))
