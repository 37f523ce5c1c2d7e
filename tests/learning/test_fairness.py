"""Fairness as a reweighting, against all functions of small truth tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.strategies import seeds

from idnf.classifier.fairness_report import FairnessReport
from idnf.learning.exact import near_best
from idnf.learning.fair_trees import fair_tree
from idnf.learning.fairness import FairLearned, FairModel, Fairness, FairProblem, FairSearch
from idnf.learning.objective import holds


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
@pytest.mark.parametrize("seed", seeds(3, 100))
def test_bounds_hold_and_models_are_within_the_limit(seed, groups, metric):
    features, of, positive, weights = random_problem(seed, groups)
    functions = all_functions(features)

    def learn(shifted):
        costs = [float(shifted.weights[f != shifted.positive].sum()) for f in functions]
        best = int(np.argmin(costs))
        return FairLearned(best, functions[best], costs[best], "all")

    for limit in (0.0, 0.05, 0.2):
        problem = FairProblem.of(Fairness("g", metric, limit), of, positive, weights, weights)
        constants = [i for i, f in enumerate(functions) if len(set(f.tolist())) == 1]
        best = min(constants, key=lambda i: problem.error(functions[i]))
        found = FairSearch(problem, limit)
        found.climb(learn)
        found.add(FairLearned(best, functions[best]), "constant")
        chosen = found.alternatives[found.chosen]
        total = weights.sum()
        assert chosen.gap <= limit + 1e-9
        given = functions[found.models[found.chosen]]
        assert chosen.gap == pytest.approx(gap_of(given, of, positive, weights, metric))
        assert chosen.error == pytest.approx(weights[given != positive].sum() / total)
        within = [f for f in functions if gap_of(f, of, positive, weights, metric) <= limit + 1e-12]
        least = min(weights[f != positive].sum() / total for f in within)
        assert found.bounds["all"] <= least + 1e-9
        assert least <= chosen.error + 1e-9


@pytest.mark.parametrize("seed", seeds(3, 100))
def test_a_shifted_problem_costs_errors_and_rates(seed):
    features, of, positive, weights = random_problem(seed, 3)
    problem = FairProblem.of(Fairness("g"), of, positive, weights, weights)
    slopes = np.random.default_rng(seed).normal(size=3)
    shifted = problem.shifted(slopes)
    for given in all_functions(features):
        paid = shifted.constant + shifted.weights[given != shifted.positive].sum()
        assert paid == pytest.approx(problem.error(given) + slopes @ problem.rates(given))


def test_weights_of_classes_do_not_change_rates():
    features, of, positive, weights = random_problem(0)
    given = features[:, 0] == 1
    plain = FairProblem.of(Fairness("g"), of, positive, weights, weights)
    costly = FairProblem.of(Fairness("g"), of, positive, weights * np.where(positive, 5.0, 1.0), weights)
    assert costly.rates(given).tolist() == plain.rates(given).tolist()
    assert np.ptp(plain.rates(given)) == pytest.approx(gap_of(given, of, positive, weights, "demographic_parity"))
    assert costly.error(~positive) == pytest.approx(1.0)


def all_trees(features, rows, depth):
    """What every tree of at most some depth gives to the rows where ``rows`` holds, as sets of rows of class 1."""
    found = {frozenset(), frozenset(np.flatnonzero(rows).tolist())}
    for column in features.T if depth else ():
        low = all_trees(features, rows & ~column, depth - 1)
        high = all_trees(features, rows & column, depth - 1)
        found |= {a | b for a in low for b in high}
    return found


@pytest.mark.parametrize("metric", ["demographic_parity", "equal_opportunity"])
@pytest.mark.parametrize("groups", [2, 3])
@pytest.mark.parametrize("chunk", seeds(1, 40))
def test_the_best_tree_within_the_limit_is_found(chunk, groups, metric):
    for seed in range(3 * chunk, 3 * chunk + 3):
        rng = np.random.default_rng(seed)
        rows, depth = int(rng.integers(6, 14)), int(rng.integers(1, 4))
        features = rng.random((rows, 3)) < 0.5
        of = np.array(["a", "b", "c"], dtype=object)[rng.integers(0, groups, rows)]
        positive = rng.random(rows) < 0.5
        of[:groups], positive[:groups] = ["a", "b", "c"][:groups], True
        weights = rng.integers(1, 4, rows).astype(float)
        limit = float(rng.choice([0.0, 0.1, 0.3]))
        problem = FairProblem.of(Fairness("g", metric, limit), of, positive, weights, weights)
        least = 1.0
        for chosen in all_trees(features, np.ones(rows, dtype=bool), depth):
            given = np.isin(np.arange(rows), list(chosen))
            if gap_of(given, of, positive, weights, metric) <= limit + 1e-9:
                least = min(least, weights[given != positive].sum() / weights.sum())
        found = fair_tree(features, problem, limit, ("p", "q", "r"), depth)
        given = np.full(rows, positive @ weights > (~positive) @ weights)
        if found.tree is not None:
            assert found.tree.depth <= depth
            given = holds(found.tree, features)
        assert gap_of(given, of, positive, weights, metric) <= limit + 1e-9
        assert weights[given != positive].sum() / weights.sum() == pytest.approx(least)
        assert found.bound == pytest.approx(least)


@pytest.mark.parametrize("seed", seeds(3, 100))
def test_trees_near_the_cheapest_are_all_listed(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    features, costs = rng.random((12, 3)) < 0.5, rng.integers(-3, 4, 12).astype(float)
    trees = near_best.NearBest(features, costs[:, None], np.ones(1))
    for depth in (1, 2, 3):
        values = {costs[list(chosen)].sum() for chosen in all_trees(features, np.ones(12, dtype=bool), depth)}
        assert trees.least(depth) == min(values)
        listed = trees.near(depth, 3.0)
        assert listed.complete
        assert listed.sums.ravel().tolist() == sorted(value for value in values if value <= min(values) + 3)
    monkeypatch.setattr(near_best, "MOST", 1)
    assert len(trees.near(3, 100.0).sums) == 1
    assert not trees.near(3, 100.0).complete


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
    for groups in (["a"] * 30, list(range(30))):
        with pytest.raises(ValueError, match=f"column 'g' must hold 2 to 20 groups; got {len(set(groups))}"):
            FairProblem.of(Fairness("g"), np.array(groups, dtype=object), np.ones(30, dtype=bool))
    for limit in (-0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match=f"limit must be between 0 and 1; got {limit}"):
            Fairness("g", limit=limit)


def test_a_model_of_a_wider_family_may_err_less_than_a_bound_and_says_so():
    model = FairModel(0.097, 0.038, {}, "a multiplier", 3)
    report = FairnessReport(Fairness("region", limit=0.05), "yes", (model,), 0, {"tree": 0.116, "any": 0.05})
    tree, every = report.proofs
    assert tree.endswith("has fewer than 11.60% errors on these rows. The model taken is of a wider family.")
    opened = "Whether one has between 5.00% and 9.70% is not known: there is neither a model nor a proof."
    assert every.endswith(f"has fewer than 5.00% errors on these rows. {opened}")
    assert "on the training rows" in report.to_text()
