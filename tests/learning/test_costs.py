"""MisclassificationCosts that cost more than others: what is learned costs least, by brute force."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import few

from idnf import DNFClassifier, exporting
from idnf.cli import main
from idnf.exporting.file_checks import check_file

LABELS = ("bad", "fair", "good")
POINTS = np.array(list(product((0, 1), repeat=3)), dtype=bool)


def cost_of(costs, truth, given_labels):
    """What some answers cost, one after the other."""
    pairs = zip(truth, given_labels, strict=True)
    return sum(0 if true == answer else costs.get((true, answer), 1) for true, answer in pairs)


def least_tree_cost(costs, X, y, depth):
    """The least cost of any tree of some depth, every split tried."""
    least = min(cost_of(costs, y, [label] * len(y)) for label in LABELS)
    if depth and len(y):
        for column in X.T:
            parts = [least_tree_cost(costs, X[side], y[side], depth - 1) for side in (column, ~column)]
            least = min(least, sum(parts))
    return least


@st.composite
def tables(draw, labels):
    count = draw(st.integers(len(labels), 12))
    rows = draw(st.lists(st.integers(0, 7), min_size=count, max_size=count))
    others = draw(st.lists(st.sampled_from(labels), min_size=count - len(labels), max_size=count - len(labels)))
    pairs = [(true, other) for true in labels for other in labels if true != other]
    costs = draw(st.dictionaries(st.sampled_from(pairs), st.sampled_from([0.25, 2, 5, 20]), max_size=4))
    return POINTS[rows], np.array([*labels, *others]), costs


@few(5)
@given(tables(LABELS), st.integers(1, 2))
def test_the_exact_tree_costs_least(table, k):
    X, y, costs = table
    clf = DNFClassifier(k, family="tree", learner="exact", costs=costs).fit(X, y)
    least = least_tree_cost(costs, X, y, k)
    assert cost_of(costs, y, clf.predict(X)) == pytest.approx(least)
    assert clf.optimal_ == "tree"
    dearest = sum(max(costs.get((true, other), 1) for other in LABELS if other != true) for true in y)
    assert clf.objective_ == pytest.approx(least / dearest)
    assert clf.bound_ == pytest.approx(clf.objective_)


@few(5)
@given(tables(LABELS[:2]))
def test_two_labels_are_a_matter_of_class_weights(table):
    X, y, costs = table
    weights = {true: costs.get((true, other), 1) for true, other in (LABELS[:2], LABELS[1::-1])}
    by_cost = DNFClassifier(2, learner="exact", costs=costs).fit(X, y)
    by_weight = DNFClassifier(2, learner="exact", class_weight=weights).fit(X, y)
    assert by_cost.double_dnf_ == by_weight.double_dnf_
    assert by_cost.objective_ == pytest.approx(by_weight.objective_)


def noisy(count=300):
    generator = np.random.default_rng(0)
    X = generator.random((count, 5)) < 0.5
    score = X[:, 0] + 1 * X[:, 1] + generator.normal(0, 0.6, count)
    return X, np.array(LABELS)[np.digitize(score, [0.6, 1.4])]


@pytest.mark.parametrize("learner", ["search", "exact", "greedy"])
@pytest.mark.parametrize("tune", [True, False])
def test_a_dear_mistake_is_made_less_often(learner, tune):
    X, y = noisy()
    costs = {("bad", "good"): 30, ("bad", "fair"): 30}
    plain, careful = (
        DNFClassifier(2, learner=learner, tune=tune, effort=0.1, costs=given_costs).fit(X, y)
        for given_costs in (None, costs)
    )
    missed = [(clf.predict(X)[y == "bad"] != "bad").sum() for clf in (plain, careful)]
    assert missed[1] < missed[0]
    assert cost_of(costs, y, careful.predict(X)) < cost_of(costs, y, plain.predict(X))
    careful.verify()


def test_one_mistake_may_be_dearer_than_another_on_the_same_label():
    X, y = noisy()
    costs = {("bad", "good"): 40}
    clf = DNFClassifier(2, effort=0.1, costs=costs).fit(X, y)
    plain = DNFClassifier(2, effort=0.1).fit(X, y)
    as_good = [(one.predict(X)[y == "bad"] == "good").sum() for one in (plain, clf)]
    assert as_good[1] < as_good[0]


def test_a_sample_is_judged_by_cost_on_all_rows(monkeypatch):
    monkeypatch.setattr("idnf.learning.dispatch.MOST_EXACT_ROWS", 20)
    X, y = noisy()
    costs = {("bad", "good"): 40}
    clf = DNFClassifier(2, effort=0.1, price=0.0, costs=costs).fit(X, y)
    assert "sample" in clf.training_data_
    dearest = sum(40 if true == "bad" else 1 for true in y)
    assert clf.objective_ == pytest.approx(cost_of(costs, y, clf.predict(X)) / dearest)


def test_lazy_tables_give_the_same_model():
    X, y = noisy()
    frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(5)}).with_columns(label=pl.Series(y))
    costs = {("bad", "good"): 10, ("good", "bad"): 4}
    eager = DNFClassifier(2, effort=0.1, costs=costs).fit(frame.drop("label"), y)
    lazy = DNFClassifier(2, effort=0.1, costs=costs).fit(frame.lazy(), "label")
    assert eager.dnfs_ == lazy.dnfs_


def test_model_files_keep_costs(tmp_path):
    X, y = noisy()
    costs = {("bad", "good"): 10.0}
    for clf in (DNFClassifier(2, learner="greedy", costs=costs), DNFClassifier(2, learner="greedy")):
        exporting.to_json(clf.fit(X, y), tmp_path / "model.json")
        assert exporting.from_json(tmp_path / "model.json").costs == clf.costs


def test_a_model_file_is_held_against_the_costs_of_its_training_table(tmp_path):
    X, y = noisy()
    clf = DNFClassifier(2, family="tree", learner="exact", costs={("bad", "good"): 10.0}).fit(X, y)
    exporting.to_json(clf, tmp_path / "model.json")
    checked = check_file(tmp_path / "model.json", X=X, y=y)
    assert f"its training objective, {clf.objective_:.6g}" in checked.recounted
    assert checked.proved_again


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({("bad", "best"): 2}, r"costs must name pairs of labels, \(true, given\), out of 'bad', 'fair', 'good'; got"),
        ({"bad": 2}, "costs must name pairs of labels"),
        ({("bad", "bad"): 2}, "costs must be of mistakes, and a right answer costs nothing; got"),
        ({("bad", "good"): -1}, r"costs must be numbers from 0 to 1e\+09; got -1 for \('bad', 'good'\)."),
        ({("bad", "good"): "dear"}, "costs must be numbers from 0"),
        ({("bad", "good"): 0, ("bad", "fair"): 0}, "costs must charge something .* got 0 for all on 'bad'."),
    ],
)
def test_costs_that_make_no_sense_are_refused(costs, message):
    with pytest.raises(ValueError, match=message):
        DNFClassifier(2, costs=costs).fit(*noisy())


def test_costs_on_the_command_line(tmp_path, capsys):
    X, y = noisy()
    path = tmp_path / "table.csv"
    pl.DataFrame({f"x{j}": X[:, j].astype(int) for j in range(5)}).with_columns(label=pl.Series(y)).write_csv(path)
    words = ["fit", str(path), "--target", "label", "--learner", "greedy", "-o", str(tmp_path / "model.json")]
    assert main([*words, "--cost", "bad:good=10", "--cost", "fair=2"]) == 0
    costs = {("bad", "good"): 10.0, ("fair", "bad"): 2.0, ("fair", "good"): 2.0}
    assert exporting.from_json(tmp_path / "model.json").costs == costs
    assert main([*words, "--cost", "bad:good"]) == 2
    assert (
        "--cost must be TRUE:GIVEN=NUMBER or TRUE=NUMBER, the number from 0; got bad:good." in capsys.readouterr().err
    )
