"""MisclassificationCosts that cost more than others: what is learned costs least, by brute force."""

from itertools import product

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
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


@st.composite
def costed_tables(draw, n_classes):
    """Rows, their labels, what each label costs for each row, and weights."""
    X, y, _ = draw(tables(LABELS[:n_classes]))
    numbers = st.lists(st.sampled_from([0.0, 0.5, 1, 3, 8]), min_size=n_classes, max_size=n_classes)
    costs = np.array([draw(numbers) for _ in y])
    costs[0] = range(n_classes)
    return X, y, costs, np.array([draw(st.sampled_from([1.0, 2.0])) for _ in y])


def least_tree_cost_of_rows(costs, X, depth):
    """The least cost of any tree of some depth, given what each label costs for each row."""
    least = min(costs.sum(axis=0))
    if depth and len(X):
        for column in X.T:
            least = min(least, sum(least_tree_cost_of_rows(costs[s], X[s], depth - 1) for s in (column, ~column)))
    return least


@few(8)
@given(st.sampled_from([2, 3]).flatmap(costed_tables), st.integers(1, 2))
def test_the_exact_tree_costs_least_by_the_costs_of_rows(table, k):
    X, y, costs, weights = table
    clf = DNFClassifier(k, family="tree", learner="exact").fit(X, y, weights, costs)
    weighed = costs * weights[:, np.newaxis]
    least = least_tree_cost_of_rows(weighed, X, k)
    given_labels = np.searchsorted(clf.classes_, clf.predict(X))
    assert weighed[np.arange(len(y)), given_labels].sum() == pytest.approx(least)
    assert clf.optimal_ == "tree"
    lowest, highest = weighed.min(axis=1).sum(), weighed.max(axis=1).sum()
    assert clf.objective_ == pytest.approx((least - lowest) / (highest - lowest))
    assert clf.bound_ == pytest.approx(clf.objective_)


@pytest.mark.parametrize("learner", ["search", "exact", "greedy"])
def test_costs_of_rows_that_follow_the_labels_are_costs_of_pairs(learner):
    X, y = noisy()
    costs = {("bad", "good"): 10, ("good", "bad"): 4}
    table = [[0 if one == true else costs.get((true, one), 1) for one in LABELS] for true in y]
    by_pair = DNFClassifier(2, learner=learner, effort=0.1, costs=costs).fit(X, y)
    by_row = DNFClassifier(2, learner=learner, effort=0.1).fit(X, y, costs=table)
    assert by_row.dnfs_ == by_pair.dnfs_
    assert by_row.objective_ == pytest.approx(by_pair.objective_)


@pytest.mark.parametrize("learner", ["search", "greedy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_lazy_tables_take_the_costs_of_rows_from_columns(learner, n_classes):
    X, y = noisy()
    y = np.where(y == "bad", "fair", y) if n_classes == 2 else y
    costs = np.random.default_rng(1).integers(0, 5, (len(y), n_classes)).astype(float)
    weights = np.random.default_rng(2).integers(1, 3, len(y)).astype(float)
    names = [f"cost {j}" for j in range(n_classes)]
    frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(5)})
    every = frame.with_columns(label=pl.Series(y), weight=weights, **{n: costs[:, j] for j, n in enumerate(names)})
    asked = DNFClassifier(2, learner=learner, effort=0.1)
    eager = clone(asked).fit(frame, y, weights, costs)
    for lazy_table in (every.lazy(), duckdb.from_arrow(every.to_arrow())):
        lazy = clone(asked).fit(lazy_table, "label", "weight", names)
        assert lazy.dnfs_ == eager.dnfs_
        assert lazy.objective_ == pytest.approx(eager.objective_)
        assert np.allclose(lazy.predict_proba(frame), eager.predict_proba(frame))


def test_shares_are_of_the_labels_whatever_rows_cost(tmp_path):
    X = np.repeat([[False], [True]], 50, axis=0)
    y = np.where(X[:, 0] & (np.arange(100) % 5 == 0), "buys", "leaves")
    costs = np.stack([np.where(y == "buys", 0.0, 1.0), np.where(y == "buys", 30.0, 0.0)], axis=1)
    clf = DNFClassifier(1).fit(X, y, costs=costs)
    assert clf.predict(X).tolist() == np.where(X[:, 0], "buys", "leaves").tolist()
    # One example of each label is added to ten that buy and forty that leave; of 100 rows, 100 examples draw to that.
    shares = [(0 + 100 * 1 / 52) / 150, (10 + 100 * 11 / 52) / 150]
    assert clf.predict_proba(X[[0, -1]])[:, 0].tolist() == pytest.approx(shares)
    exporting.to_json(clf, tmp_path / "model.json")
    assert exporting.from_json(tmp_path / "model.json").predict_proba(X[[-1]])[0, 0] == pytest.approx(shares[1])


def test_rows_that_all_prefer_one_label_get_it():
    X, y = noisy()
    for labels in (y, np.where(y == "bad", "fair", y)):
        costs = np.ones((len(y), len(set(labels))))
        costs[:, 0] = 0.0
        clf = DNFClassifier(2, effort=0.1).fit(X, labels, costs=costs)
        assert set(clf.predict(X)) == {clf.classes_[0]}
        assert clf.objective_ == 0


def test_a_model_file_is_held_against_the_costs_of_rows(tmp_path):
    X, y = noisy()
    costs = np.random.default_rng(0).random((len(y), 3))
    clf = DNFClassifier(2, family="tree", learner="exact").fit(X, y, costs=costs)
    exporting.to_json(clf, tmp_path / "model.json")
    checked = check_file(tmp_path / "model.json", X=X, y=y, costs=costs)
    assert f"its training objective, {clf.objective_:.6g}" in checked.recounted
    assert checked.proved_again
    without = check_file(tmp_path / "model.json", X=X, y=y)
    assert "which the costs of each row would show" in without.claims[0]
    assert not without.proved_again
    with pytest.raises(ValueError, match="the training objective must be"):
        check_file(tmp_path / "model.json", X=X, y=y, costs=costs[::-1])
    exporting.to_json(DNFClassifier(2, learner="greedy").fit(X, y), tmp_path / "model.json")
    with pytest.raises(ValueError, match="costs must be None for a model that was not fitted with costs of rows"):
        check_file(tmp_path / "model.json", X=X, y=y, costs=costs)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (np.ones((300, 2)), r"costs must have the shape \(300, 3\), a column for each label in sorted order; got"),
        (np.full((300, 3), -1.0), r"costs must be numbers from 0 to 1e\+09; got -1."),
        (np.full((300, 3), np.nan), r"costs must be numbers from 0 to 1e\+09; got nan."),
        ([["dear"] * 3] * 300, "costs must be a table of numbers for fit; got list."),
        (np.ones((300, 3)), "costs must differ between the labels of some row; got the same cost for every label."),
    ],
)
def test_costs_of_rows_that_make_no_sense_are_refused(costs, message):
    with pytest.raises(ValueError, match=message):
        DNFClassifier(2).fit(*noisy(), costs=costs)


def test_costs_are_given_once():
    X, y = noisy()
    with pytest.raises(ValueError, match="costs must be a parameter of the classifier or of fit, not both; got both."):
        DNFClassifier(2, costs={("bad", "good"): 2}).fit(X, y, costs=np.eye(3)[[0] * 300])


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (["a", "b"], r"costs must name a column for each label in sorted order \('bad', 'fair', 'good'\); got"),
        (["a", "b", "d"], "costs must name a column of the table; got 'd'."),
        (["a", "b", "low"], "costs must be at least 0 and finite; 'low' is not, or is missing, in 300 rows."),
        (["a", "b", "label"], "costs must name a column of numbers; 'label' holds categories"),
        (["a", "a", "a"], "costs must differ between the labels of some row"),
        (np.eye(3), "costs must be a list of names of columns for a lazy table; got ndarray."),
    ],
)
def test_columns_of_costs_that_make_no_sense_are_refused(costs, message):
    X, y = noisy()
    frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(5)})
    frame = frame.with_columns(label=pl.Series(y), a=pl.lit(1.0), b=pl.lit(2.0), low=pl.lit(-1.0))
    with pytest.raises((ValueError, TypeError), match=message):
        DNFClassifier(2).fit(frame.lazy(), "label", costs=costs)
