"""Fairness as a reweighting, against all functions of small truth tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from idnf.auditing.fairness import FairLearned, Fairness, FairProblem, fair_search


def random_problem(seed, groups=2):
    rng = np.random.default_rng(seed)
    rows = 60
    features = rng.integers(0, 2, size=(rows, 2))
    groups_of = np.array(["a", "b", "c"], dtype=object)[
        np.where(rng.random(rows) < 0.7, features[:, 0], rng.integers(0, groups, rows)) % groups
    ]
    groups_of[:groups] = ["a", "b", "c"][:groups]
    positive = rng.random(rows) < 0.2 + 0.6 * features[:, 0]
    positive[:3] = True
    weights = rng.integers(1, 4, rows).astype(float)
    return features, groups_of, positive, weights


def all_functions(features):
    """Every function of two features, as what it gives to each row."""
    place = features[:, 0] * 2 + features[:, 1]
    return [np.array(table, dtype=bool)[place] for table in product([False, True], repeat=4)]


def gap_of(given, groups, positive, weights, metric):
    rates = []
    for group in np.unique(groups):
        chosen = (groups == group) & (positive if metric == "equal_opportunity" else True)
        rates.append(weights[chosen & given].sum() / weights[chosen].sum())
    return max(rates) - min(rates)


@pytest.mark.parametrize("metric", ["demographic_parity", "equal_opportunity"])
@pytest.mark.parametrize("groups", [2, 3])
@pytest.mark.parametrize("seed", range(15))
def test_bounds_hold_and_models_are_within_the_limit(seed, groups, metric):
    features, of, positive, weights = random_problem(seed, groups)
    functions = all_functions(features)

    def learn(shifted):
        costs = [float(shifted.weights[f != shifted.positive].sum()) for f in functions]
        best = int(np.argmin(costs))
        total = float(shifted.weights.sum())
        return FairLearned(best, functions[best], costs[best] / total if total else 0.0, "all")

    for limit in (0.0, 0.05, 0.2):
        problem = FairProblem.of(Fairness("g", metric, limit), of, positive, weights)
        constants = [i for i, f in enumerate(functions) if len(set(f.tolist())) == 1]
        best = min(constants, key=lambda i: problem.error(functions[i]))
        found = fair_search(problem, limit, learn, FairLearned(best, functions[best]))
        chosen = found.alternatives[found.chosen]
        total = weights.sum()
        assert chosen.gap <= limit + 1e-9
        assert chosen.gap == pytest.approx(gap_of(functions[chosen.model], of, positive, weights, metric))
        assert chosen.error == pytest.approx(weights[functions[chosen.model] != positive].sum() / total)
        within = [f for f in functions if gap_of(f, of, positive, weights, metric) <= limit + 1e-12]
        least = min(weights[f != positive].sum() / total for f in within)
        assert found.bound <= least + 1e-9
        assert least <= chosen.error + 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_a_shifted_problem_costs_errors_and_rates(seed):
    features, of, positive, weights = random_problem(seed, 3)
    problem = FairProblem.of(Fairness("g"), of, positive, weights)
    slopes = np.random.default_rng(seed).normal(size=3)
    shifted = problem.shifted(slopes)
    for given in all_functions(features):
        paid = shifted.constant + shifted.weights[given != shifted.positive].sum()
        assert paid == pytest.approx(problem.error(given) + slopes @ problem.rates(given))


def test_bad_input_is_refused():
    values = np.array(["a", "b", None, "b"], dtype=object)
    positive = np.array([False, True, True, False])
    with pytest.raises(ValueError, match="metric must be one of demographic_parity, equal_opportunity; got 'x'"):
        Fairness("g", "x")
    with pytest.raises(ValueError, match="groups must name at least two groups"):
        Fairness("g", groups=("a",))
    with pytest.raises(ValueError, match="every group of 'g' must have rows; 'c' has none"):
        FairProblem.of(Fairness("g", groups=("a", "c")), values, positive, None)
    with pytest.raises(ValueError, match="must have rows whose true class is class 1; 'a' has none"):
        FairProblem.of(Fairness("g", "equal_opportunity"), values, positive, None)
    with pytest.raises(ValueError, match=r"column 'g' must hold at least two groups; got \['a'\]"):
        FairProblem.of(Fairness("g"), np.array(["a", "a"], dtype=object), positive[:2], None)
