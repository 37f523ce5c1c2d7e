"""Models retrained under a limit on changed decisions, held to the enumeration of all functions of small tables."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests import naive
from tests.strategies import seeds

import idnf
from idnf import DNFClassifier, InvalidArgument, exporting, retrain
from idnf.learning.price_path import PricedModel, PricePath
from idnf.tables.column_check import quiet

POINTS = np.array([[p >> j & 1 for j in range(3)] for p in range(8)], dtype=bool)


@cache
def functions():
    """The values of all functions of three features whose every decision has a reason of at most two conditions."""
    tables = [[bits >> p & 1 for p in range(8)] for bits in range(256)]
    both = (one for one in tables if naive.is_k_dnf(one, 3, 2) and naive.is_k_dnf([1 - v for v in one], 3, 2))
    return np.array(list(both), dtype=int)


def problem(seed, rows=60):
    """An old function, rows and labels that follow another function with noise."""
    rng = np.random.default_rng(seed)
    old, truth = (functions()[rng.integers(len(functions()))] for _ in range(2))
    place = rng.integers(0, 8, rows)
    y = truth[place] ^ (rng.random(rows) < 0.2)
    y[:2] = 0, 1
    formula = " | ".join(
        " & ".join(name if bit else f"~{name}" for name, bit in zip("abc", POINTS[p])) for p in range(8) if old[p]
    )
    policy = DNFClassifier.from_dnf(formula or "a & ~a", columns=dict.fromkeys("abc", bool), k=2)
    return policy, pd.DataFrame(POINTS[place], columns=list("abc")), y, old[place], place


def pairs(y, given, place):
    """The share changed and the errors of every function."""
    labels = functions()[:, place]
    return (labels != given).mean(axis=1), (labels != y).mean(axis=1)


def lower_hull(points):
    """The vertices of the lower convex hull on which errors fall: a point is one if no two others are below it."""
    points = sorted({(round(x, 9), round(y, 9)) for x, y in points})
    best = {}
    for x, y in points:
        best.setdefault(x, y)
    kept = [(x, y) for x, y in best.items() if all(y < v for u, v in best.items() if u < x)]

    def is_below(one, left, right):
        height = left[1] + (right[1] - left[1]) * (one[0] - left[0]) / (right[0] - left[0])
        return one[1] < height - 1e-9

    return [
        one
        for one in kept
        if all(is_below(one, left, right) for left in kept for right in kept if left[0] < one[0] < right[0])
    ]


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_at_vertices_of_the_hull_the_model_is_the_optimum(seed):
    policy, X, y, given, place = problem(seed)
    changed, errors = pairs(y, given, place)
    for limit, error in lower_hull(zip(changed, errors)):
        found = retrain(policy, X, y, limit + 1e-9, learner="exact", cv=0)
        assert found.loss == pytest.approx(error)
        assert found.bound == pytest.approx(error)
        assert found.bound_family == "any"
        assert found.gap == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("limit", [0.0, 0.03, 0.1, 0.3])
@pytest.mark.parametrize("seed", seeds(4, 60))
def test_off_the_hull_no_function_within_the_limit_beats_the_bound(seed, limit):
    policy, X, y, given, place = problem(seed)
    changed, errors = pairs(y, given, place)
    least = errors[changed <= limit + 1e-12].min()
    found = retrain(policy, X, y, limit, learner="exact", cv=0)
    assert found.changed <= limit + 1e-12
    assert found.bound <= least + 1e-9
    assert least <= found.loss + 1e-9


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_changes_are_exactly_the_points_where_the_models_differ(seed):
    policy, X, y, given, place = problem(seed)
    found = retrain(policy, X, y, 0.3, learner="exact", cv=0)
    new = found.model.predict(X)
    assert found.changes.rows == int((new != given).sum())
    assert found.changed == pytest.approx(np.mean(new != given))
    assert found.accuracy == pytest.approx(np.mean(new == y))
    assert found.before == pytest.approx(np.mean(given == y))
    all_points = pd.DataFrame(POINTS, columns=list("abc"))
    differ = found.model.predict(all_points) != policy.predict(all_points)
    held = np.zeros(8, dtype=bool)
    for region in found.changes.regions:
        inside = naive_region(region.conditions, all_points)
        held |= inside
        rows = inside[place]
        assert region.rows == rows.sum()
        if rows.any():
            assert region.before == pytest.approx(np.mean(y[rows] == region.old))
            assert region.after == pytest.approx(np.mean(y[rows] == region.new))
    assert held.tolist() == differ.tolist()
    found.changes.check()
    found.model.verify()


def naive_region(conditions, points):
    """Which points meet conditions written "a is true"."""
    inside = np.ones(len(points), dtype=bool)
    for condition in conditions:
        name, _, value = condition.partition(" is ")
        inside &= points[name].to_numpy() == (value == "true")
    return inside


def drifting(seed=0, rows=300):
    """A table of two years, in the second of which one cut has moved."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"debt": rng.integers(0, 20, rows), "job": rng.choice(["none", "part", "full"], rows)})
    X["late"] = rng.random(rows) < 0.3
    before = np.where((X.debt > 12) | X.late & (X.job == "none"), "no", "yes")
    after = np.where((X.debt > 9) | X.late & (X.job == "none"), "no", "yes")
    noise = rng.random(rows) < 0.05
    flipped = np.where(after == "no", "yes", "no")
    return X, before, np.where(noise, flipped, after)


def fitted(**parameters):
    X, before, _ = drifting()
    with quiet():
        return DNFClassifier(k=2, effort=0.2, **parameters).fit(X, before)


@pytest.mark.parametrize("learner", ["search", "exact", "greedy"])
@pytest.mark.parametrize("limit", [0.01, 0.05, 0.2])
def test_the_limit_holds_on_the_rows_given(learner, limit):
    old = fitted(learner=learner)
    X, _, y = drifting(1)
    found = retrain(old, X, y, limit, cv=0)
    assert np.mean(found.model.predict(X) != old.predict(X)) <= limit + 1e-12
    assert found.accuracy >= found.before - 1e-12
    assert [one.changed for one in found.curve] == sorted(one.changed for one in found.curve)
    assert [one.loss for one in found.curve] == sorted((one.loss for one in found.curve), reverse=True)
    assert [c.name for c in found.model.fitted_.columns] == [c.name for c in old.fitted_.columns]
    assert found.model.fitted_.columns == old.fitted_.columns
    assert found.model.k == old.k


def test_no_change_is_the_old_model_counted_on_the_new_rows():
    old = fitted(favourable="yes").with_settings(target="loan", immutable=["job"])
    X, _, y = drifting(1)
    found = retrain(old, X, y, most_changed=0, cv=0)
    assert found.changes.equal
    assert idnf.difference(old, found.model).equal
    fitted_state = found.model.fitted_
    assert (fitted_state.target, fitted_state.favourable, fitted_state.immutable) == ("loan", "yes", ("job",))
    shares = found.model.predict_proba(X)
    assert shares.shape == (len(X), 2)
    assert fitted_state.training.weights.sum() == len(X)
    assert found.loss == pytest.approx(np.mean(old.predict(X) != y))


def test_cross_validation_tells_a_change_that_pays():
    old = fitted()
    X, _, y = drifting(1, 800)
    found = retrain(old, X, y, 0.3, cv=3)
    assert found.held_out.pays
    assert found.curve[-1].held_out.pays
    assert (found.curve[0].held_out.changed, found.curve[0].held_out.gain) == (0.0, 0.0)
    noise = np.random.default_rng(3).permutation(y)
    assert not retrain(old, X, noise, 0.02, cv=3).held_out.pays


def test_the_gain_held_out_is_a_difference_of_accuracies():
    X, _, y = drifting(2)
    found = retrain(fitted(), X, y, 0.1, cv=4)
    for one in found.curve:
        assert one.held_out.gain == pytest.approx(one.held_out.accuracy - found.curve[0].held_out.accuracy)


def test_weights_count_as_equal_rows():
    old = fitted(learner="exact")
    X, _, y = drifting(1, 120)
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    weighted = retrain(old, X, y, 0.05, sample_weight=weights, cv=0)
    every = np.repeat(np.arange(len(X)), weights)
    doubled = retrain(old, X.iloc[every], y[every], 0.05, cv=0)
    assert weighted.changed == pytest.approx(doubled.changed)
    assert weighted.loss == pytest.approx(doubled.loss)
    assert idnf.difference(weighted.model, doubled.model).equal


def test_costs_by_row_and_label_decide_what_changes():
    old = fitted(learner="exact")
    X, _, y = drifting(1)
    costs = np.where(y[:, None] == np.array(["no", "yes"]), 0.0, [[1.0, 8.0]])
    plain, careful = retrain(old, X, y, 0.1, cv=2), retrain(old, X, y, 0.1, costs=costs, cv=2)
    each = np.arange(len(X))
    paid = [costs[each, (one.model.predict(X) == "yes").astype(int)].sum() for one in (plain, careful)]
    assert paid[1] <= paid[0]
    assert careful.loss == pytest.approx(paid[1] / costs.max(axis=1).sum())
    opposite = retrain(old, X, y, 0.1, costs=costs[:, ::-1], cv=0)
    assert opposite.accuracy < old.score(X, y), "what costs least counts, whatever the labels"
    by_class = retrain(fitted(learner="exact", costs={("no", "yes"): 8}), X, y, 0.1, cv=0)
    assert by_class.loss == pytest.approx(careful.loss)


def test_a_monotone_model_stays_monotone():
    X, before, _ = drifting()
    old = DNFClassifier(k=2, effort=0.2, monotonic_cst={"debt": -1}).fit(X, before)
    table, _, y = drifting(4)
    y = np.where(table.debt == 3, "no", y)
    found = retrain(old, table, y, 0.4, cv=0)
    assert [a.holds for a in idnf.check_rules(found.model, "yes never rises as debt rises")] == [True]
    assert found.changed > 0


@pytest.mark.parametrize("learner", ["search", "exact"])
def test_several_classes(learner):
    X, before, y = drifting()
    three = np.where(X.debt > 16, "refer", before)
    with quiet():
        old = DNFClassifier(k=2, effort=0.2, learner=learner).fit(X, three)
    table, _, y = drifting(5)
    y = np.where(table.debt > 14, "refer", y)
    found = retrain(old, table, y, 0.1, cv=2)
    new = found.model.predict(table)
    assert 0 < np.mean(new != old.predict(table)) <= 0.1
    assert found.accuracy > found.before
    assert {(region.old, region.new) for region in found.changes.regions} <= {
        (a, b) for a in ("no", "yes", "refer") for b in ("no", "yes", "refer") if a != b
    }
    found.model.verify()
    if learner == "exact":
        assert found.bound is not None
        assert found.bound <= found.loss + 1e-9


def test_new_columns_are_looked_at_only_if_asked():
    old = fitted(learner="exact")
    X, _, y = drifting(1)
    X["region"] = np.where(y == "yes", "north", "south")
    plain = retrain(old, X, y, 0.5, cv=0)
    assert "region" not in [column.name for column in plain.model.fitted_.columns]
    wider = retrain(old, pl.from_pandas(X), y, 0.5, new_columns=["region"], cv=2)
    used = {wider.model.fitted_.columns[j].name for j in wider.model.fitted_.used}
    assert "region" in used
    assert wider.accuracy == 1.0
    assert np.mean(wider.model.predict(X) != old.predict(X)) == pytest.approx(wider.changed)
    nothing = retrain(old, X, y, 0.0, new_columns=["region"], cv=0)
    assert idnf.difference(old, nothing.model).equal


def test_a_retrained_model_is_a_model_as_any_other(tmp_path):
    X, _, y = drifting(1)
    found = retrain(fitted(), pd.DataFrame(X), pd.Series(y, name="loan"), 0.05, cv=2)
    exporting.to_json(found.model, tmp_path / "new.json")
    again = exporting.from_json(tmp_path / "new.json")
    assert again.predict(X).tolist() == found.model.predict(X).tolist()
    assert retrain(again, X, y, 0.0, cv=0).changes.equal
    text = found.to_text()
    assert text.startswith("Changes ")
    assert "becomes" in text
    assert found.curve.to_frame().shape[0] == len(found.curve)
    assert "share of decisions changed" in found.curve.plot().svg
    assert found.to_dict()["changes"]["rows"] == found.changes.rows


def test_tables_whose_columns_have_numbers_for_names():
    X, before, _ = drifting()
    table, _, y = drifting(1)
    numbers = [pd.DataFrame({0: frame.debt, 1: frame.late.astype(int)}) for frame in (X, table)]
    found = retrain(DNFClassifier(k=2, learner="greedy").fit(numbers[0], before), numbers[1], y, 0.2, cv=0)
    assert found.changes.rows == round(found.changed * len(table))


def test_progress_ends_at_one():
    X, _, y = drifting(1)
    told = []
    retrain(fitted(learner="greedy"), X, y, 0.05, cv=2, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"most_changed": 2}, r"most_changed must be from 0 to 1; got 2\."),
        ({"cv": 1}, r"cv must be 0 or at least 2; got 1\."),
        ({"learner": "guess"}, r"learner must be one of search, exact, greedy; got 'guess'\."),
        ({"new_columns": ["debt"]}, "new_columns must name columns of a table that the old model does not have"),
        ({"new_columns": ["colour"]}, r"new_columns must name columns of X \(debt, job, late\); got 'colour'"),
    ],
)
def test_bad_input_is_refused(given, words):
    X, _, y = drifting(1)
    with pytest.raises(InvalidArgument, match=words):
        retrain(fitted(learner="greedy"), X, y, **given)


def test_labels_of_the_rows_are_those_of_the_old_model():
    X, _, y = drifting(1)
    with pytest.raises(
        InvalidArgument, match=r"y must hold the labels of the model \('no', 'yes'\); got 'maybe', 'no', 'yes'"
    ):
        retrain(fitted(learner="greedy"), X, np.where(X.debt == 3, "maybe", y))
    with pytest.raises(InvalidArgument, match=r"y must hold a label for each of the 3 rows; got 2\."):
        idnf.difference(fitted(learner="greedy"), fitted(), X[:3], y[:2])


def test_a_path_settles_every_edge_of_a_hull_that_it_can_ask_for():
    rng = np.random.default_rng(0)
    for _ in range(50):
        points = [(float(x), float(e)) for x, e in zip(rng.random(12), rng.random(12))]
        old = (0.0, float(rng.random()))
        path = PricePath(0.3, PricedModel("old", *old))
        while (price := path.next_price()) is not None:
            least = min([old, *points], key=lambda one: (one[1] + price * one[0], one))
            path.add(price, PricedModel("new", *least), least=least[1] + price * least[0], family="all")
        assert [(round(one.changed, 9), round(one.loss, 9)) for one in path.hull] == lower_hull([old, *points])
        within = [e for x, e in [old, *points] if x <= 0.3]
        assert path.bounds["all"] <= min(within) + 1e-9
        for place in range(1, len(path.hull)):
            price = path.price_of(place)
            costs = [one.loss + price * one.changed for one in path.hull]
            assert min(costs) == pytest.approx(costs[place])
