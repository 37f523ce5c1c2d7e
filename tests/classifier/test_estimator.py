"""The classifier as scikit-learn sees it, and the promise its model keeps."""

from __future__ import annotations

import pickle
from itertools import product
from unittest.mock import Mock

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.strategies import few, seeds

from idnf import DNF, DNFClassifier, TableBinariser, TableWarning
from idnf.exporting import from_json, to_json
from idnf.learning.exact.problem import Backend

GREEDY = {"family": "nested", "learner": "greedy"}
FAMILIES = ("nested", "tree", "any")


def wrong_checks(estimator):
    """Checks that scikit-learn gets wrong: of two equal tables, one shuffled, it took the first label for class 0."""
    if sklearn.__version__.startswith("1.6.") and estimator.family == "nested":
        return {"check_sample_weight_equivalence_on_dense_data": "the labels of the two tables differ"}
    return {}


@parametrize_with_checks(
    [
        DNFClassifier(k=2, effort=0.05),
        *(DNFClassifier(k=3, **GREEDY) for _ in seeds(0, 1)),
        *(DNFClassifier(k=2, learner="exact", effort=0.05) for _ in seeds(0, 1)),
        *(DNFClassifier(k=2, family="tree", learner="greedy") for _ in seeds(0, 1)),
    ],
    expected_failed_checks=wrong_checks,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@st.composite
def boolean_data(draw):
    """Return a small 0/1 table that holds both classes, and weights."""
    n = draw(st.integers(1, 4))
    points = list(product((0, 1), repeat=n))
    rows = draw(st.lists(st.sampled_from(points), min_size=2, max_size=24))
    labels = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    labels[0], labels[1] = False, True
    weights = draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    return np.array(rows), np.array(labels), np.array(weights, dtype=float)


@few(7)
@given(boolean_data(), st.integers(1, 4), st.sampled_from(FAMILIES), st.sampled_from(["greedy", "search", "exact"]))
def test_the_model_is_what_it_says(data, k, family, learner):
    X, y, weights = data
    clf = DNFClassifier(k=k, family=family, learner=learner, effort=0.05).fit(X, y, sample_weight=weights)
    double = clf.double_dnf_
    assert double.verify().k == k
    assert max(double.positive.width, double.negative.width) <= k
    space = np.array(list(product((0, 1), repeat=X.shape[1])))
    names = clf.binariser_.literals_
    by_formula = [double.positive.evaluate(dict(zip(names, map(int, point)))) for point in space]
    assert clf.predict(space).tolist() == by_formula
    assert (clf.predict_proba(space).argmax(axis=1) == clf.predict(space)).all()
    assert all(size <= k for size in clf.explain(space).axp_sizes)


def test_greedy_finds_both_terms_of_the_truth_table():
    X = np.array(list(product((0, 1), repeat=4)))
    y = X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]
    clf = DNFClassifier(k=2, **GREEDY).fit(X, y)
    assert {str(DNF(clf.double_dnf_.names, (t,))) for t in clf.double_dnf_.positive.terms} == {"x0 & x1", "x2 & x3"}
    tree = DNFClassifier(k=3, family="tree", learner="exact", effort=0.05).fit(X, y)
    assert tree.score(X, y) < 1
    assert DNFClassifier(k=4, family="tree", learner="greedy").fit(X, y).score(X, y) == 1


def test_majority_is_reached_by_any_and_not_by_the_smaller_families():
    X = np.array(list(product((0, 1), repeat=5)))
    y = X.sum(axis=1) >= 3
    assert DNFClassifier(k=3).fit(X, y).score(X, y) == 1
    for family in ("nested", "tree"):
        assert DNFClassifier(k=3, family=family, price=0.0).fit(X, y).score(X, y) < 1


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1), (-1, 1), (False, True), ("b", "a")])
def test_labels_of_any_type(labels):
    X = np.array([[0], [1], [0], [1]])
    y = np.array(sorted(labels))[X[:, 0]]
    clf = DNFClassifier(k=1, **GREEDY).fit(X, y)
    assert clf.classes_.tolist() == sorted(labels)
    assert clf.predict(X).tolist() == y.tolist()


def test_a_nested_dnf_may_be_of_class_zero():
    X = np.array(list(product((0, 1), repeat=4)))
    y = ~(X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]).astype(bool)
    clf = DNFClassifier(k=2, **GREEDY).fit(X, y)
    assert clf.score(X, y) == 1
    assert clf.nested_.depth == 0


def test_clone_pickle_pipeline_and_grid_search():
    X, y = load_breast_cancer(return_X_y=True)
    clf = DNFClassifier(k=3, **GREEDY)
    assert clone(clf).get_params() == clf.get_params()
    fitted = clf.fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict_proba(X) == fitted.predict_proba(X)).all()
    assert again.explain(X[:1])[0].to_text() == fitted.explain(X[:1])[0].to_text()
    assert cross_val_score(make_pipeline(StandardScaler(), DNFClassifier(k=3, **GREEDY)), X, y).mean() > 0.9
    search = GridSearchCV(DNFClassifier(**GREEDY), {"k": [1, 2, 3]}, cv=3).fit(X, y)
    assert search.best_params_["k"] in (1, 2, 3)


def test_k_beyond_the_number_of_features():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([0, 1, 1, 0])
    for learner in ("greedy", "search", "exact"):
        clf = DNFClassifier(k=6, learner=learner, effort=0.05).fit(X, y)
        assert clf.double_dnf_.verify().k == 6
        assert clf.score(X, y) == 1


def test_weights_count_as_repeated_examples():
    rng = np.random.default_rng(0)
    X = rng.random((60, 3))
    y = X[:, 0] + 0.3 * rng.random(60) > 0.6
    weights = rng.integers(0, 4, 60)
    weighted = DNFClassifier(k=2, **GREEDY).fit(X, y, sample_weight=weights)
    repeated = DNFClassifier(k=2, **GREEDY).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.double_dnf_ == repeated.double_dnf_
    assert (weighted.predict_proba(X) == repeated.predict_proba(X)).all()


def test_few_distinct_rows_often_repeated_are_not_taken_for_noise():
    X = pd.DataFrame({"job": ["clerk", "nurse", "cook", "pilot"] * 30, "age": [20, 30, 40, 50] * 30})
    y = ["no", "yes", "yes", "no"] * 30
    assert DNFClassifier(k=2).fit(X, y).score(X, y) == 1


def test_the_same_model_from_pandas_and_polars():
    table = {
        "age": [20.0, 35.0, 50.0, None, 41.0, 29.0] * 10,
        "job": ["nurse", "clerk", "größe", None, "clerk", "nurse"] * 10,
    }
    y = ["no", "yes", "yes", "no", "yes", "no"] * 10
    by_pandas = DNFClassifier(k=2, **GREEDY).fit(pd.DataFrame(table), y)
    by_polars = DNFClassifier(k=2, **GREEDY).fit(pl.DataFrame(table), y)
    assert by_pandas.to_text() == by_polars.to_text()
    mixed = by_pandas.explain(pl.DataFrame(table)[["job", "age"]])
    assert [e.to_text() for e in mixed] == [e.to_text() for e in by_polars.explain(pd.DataFrame(table))]


def test_monotone_constraints_hold_on_every_pair():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"income": rng.integers(0, 100, 300), "debt": rng.integers(0, 100, 300)})
    y = np.array(X["income"] - X["debt"] + rng.normal(0, 60, 300) > 0)
    y[(X["income"] > 90).to_numpy()] = False
    grid = pd.DataFrame(list(product(range(0, 100, 3), range(0, 100, 10))), columns=["income", "debt"])

    def falls(clf):
        decisions = clf.predict(grid).reshape(34, 10).astype(int)
        return bool((np.diff(decisions, axis=0) < 0).any())

    for learner in ("greedy", "search"):
        free = DNFClassifier(k=3, family="nested", learner=learner, effort=0.1, price=0.0).fit(X, y)
        bound = DNFClassifier(
            k=3, family="nested", learner=learner, effort=0.1, price=0.0, monotonic_cst={"income": 1}
        ).fit(X, y)
        assert falls(free)
        assert not falls(bound)
        any_family = DNFClassifier(k=3, effort=0.1, price=0.0, monotonic_cst={"income": 1}).fit(X, y)
        assert not falls(any_family)


def test_from_dnf_answers_like_a_learned_model():
    policy = DNFClassifier.from_dnf(
        "~'income <= 35' & ~late | guarantor",
        columns={"income": [35], "late": bool, "guarantor": bool},
        classes=("declined", "approved"),
    )
    row = {"income": 31, "late": True, "guarantor": False}
    assert policy.predict(pd.DataFrame([row])).tolist() == ["declined"]
    assert list(policy.axps(row)) == [("income", "guarantor"), ("late", "guarantor")]
    assert policy.recourse(row)[0].to_text() == "To be approved: change guarantor from false to true."
    assert policy.decided({"guarantor": True}) == "approved"
    assert policy.decided({"income": 50}) is None
    assert policy.training_data_ == "none: the formula was given"
    question = policy.next_column({})
    assert (question.column, question.worst_case, question.exact) == ("income", 3, True)
    with pytest.raises(ValueError, match="k must be at least 2, the number of columns that some reason needs; got 1."):
        DNFClassifier.from_dnf("a & b", k=1)


def test_reasons_use_the_users_own_wording():
    policy = DNFClassifier.from_dnf("rich", classes=("no", "yes"))
    (yes, no) = policy.reasons()
    rich = pd.DataFrame({"rich": [True]})
    told = policy.with_settings(texts={yes.id: "you have means"})
    assert told.explain(rich)[0].to_text().startswith("Yes because you have means.")
    assert told.reasons()[0].text == "you have means"
    assert policy.reasons()[0].text is None
    assert policy.explain(rich)[0].to_text().startswith("Yes because rich is true.")
    with pytest.raises(ValueError, match="texts must name reasons of the catalogue; got 'b7'"):
        policy.with_settings(texts={"b7": "no such reason"})
    assert no.label == "no"


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[0], [1]], [1, 1], "y must hold two classes or more; got only one class, 1."),
        ([[0]] * 101, list(range(101)), "y must hold at most 100 classes; got 101 in 101 rows."),
        ([[0], [1], [1]], np.array([0, "a", 1], dtype=object), "y must hold labels of one type; got int and str."),
        (np.zeros((0, 2)), [], "y must hold two classes or more; got no rows."),
        (pd.DataFrame({"a": []}), [], "y must hold two classes or more; got no rows."),
    ],
)
def test_bad_training_data(X, y, message):
    with pytest.raises(ValueError, match=message):
        DNFClassifier(k=2, **GREEDY).fit(X, y)


@pytest.mark.parametrize("k", [0, -1, 1.5, "3"])
def test_bad_k(k):
    with pytest.raises(ValueError, match="The 'k' parameter of DNFClassifier must be an int in the range"):
        DNFClassifier(k=k).fit([[0], [1]], [0, 1])


def test_bad_questions():
    X, y = pd.DataFrame({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]}), [0, 0, 0, 1]
    clf = DNFClassifier(k=2, **GREEDY)
    with pytest.raises(NotFittedError):
        clf.explain(X)
    clf.fit(X, y)
    with pytest.raises(ValueError, match='space must be "columns" or "boolean"; got \'rows\'.'):
        clf.explain(X, space="rows")
    with pytest.raises(ValueError, match="x must be one row; got 4."):
        clf.axps(X)
    with pytest.raises(ValueError, match="x must have a value for every column; got none for 'b'."):
        clf.cxps({"a": 1})
    with pytest.raises(ValueError, match=r"known must name columns of the table \(a, b\); got 'c'."):
        clf.decided({"c": 1})
    with pytest.warns(TableWarning, match="a: missing in 1 of 1 rows, though never in training; counted as"):
        clf.predict(pd.DataFrame({"a": [np.nan], "b": [1.0]}))
    refusing = DNFClassifier(k=2, binariser=TableBinariser(missing="refuse"), **GREEDY).fit(X, y)
    with pytest.raises(ValueError, match="column 'a' must have no missing values.*row 1"):
        refusing.predict(pd.DataFrame({"a": [np.nan], "b": [1.0]}))


def test_a_proof_counts_the_price_and_keeps_to_the_constraint():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((200, 3)), columns=["up", "down", "noise"])
    y = ((X["up"] > 0.6) & (X["down"] < 0.7)) ^ (rng.random(200) < 0.1)
    settings = {"monotonic_cst": {"up": 1, "down": -1}, "price": 0.01}
    exact, searched = (DNFClassifier(k=2, learner=learner, **settings).fit(X, y) for learner in ("exact", "search"))
    assert (exact.optimal_, exact.bound_family_) == ("any-literals", "any-literals")
    assert exact.bound_ == exact.objective_
    assert exact.bound_ <= searched.objective_ + 1e-12
    assert exact.objective_ > 1 - exact.score(X, y)
    rising = np.linspace(0, 1, 50)
    for value in (0.0, 0.5, 1.0):
        column = np.full(50, value)
        by_up, by_down = (
            exact.predict(pd.DataFrame({"up": up, "down": down, "noise": column})).astype(int)
            for up, down in ((rising, column), (column, rising))
        )
        assert (np.diff(by_up) >= 0).all()
        assert (np.diff(by_down) <= 0).all()


def test_the_device_reaches_exact_learning(monkeypatch):
    asked = []
    namespace = Backend.for_weights.__func__

    def recorded(cls, device, weights, **options):
        asked.append(device)
        return namespace(cls, "cpu", weights, **options)

    monkeypatch.setattr(Backend, "for_weights", classmethod(recorded))
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    DNFClassifier(k=2, learner="exact", device="cuda", effort=0.05).fit(X, [0, 1, 1, 0])
    assert set(asked) == {"cuda"}
    with pytest.raises(ValueError, match="'device' parameter of DNFClassifier must be a str among"):
        DNFClassifier(device="tpu").fit(X, [0, 1, 1, 0])


def test_a_number_that_was_0_or_1_in_training_may_be_any_number_later():
    X = pd.DataFrame({"claims": [0, 1, 0, 1], "age": [20, 30, 40, 50]})
    clf = DNFClassifier(k=1, **GREEDY).fit(X, ["fine", "fee", "fine", "fee"])
    later = pd.DataFrame({"claims": [3, -1, 0.25, 1], "age": [1, 1, 1, 1]})
    assert clf.predict(later).tolist() == ["fee", "fine", "fine", "fee"]
    assert [one.to_text() for one in clf.explain(later)[:2]] == [
        "Fee because claims is 3 (read as 1). If claims were 0, it would be fine.",
        "Fine because claims is -1 (read as 0). If claims were 1, it would be fee.",
    ]
    assert clf.recourse(later[:1])[0].to_text() == "To be fine: change claims from 3 (read as 1) to 0."
    strict = DNFClassifier(k=1, **GREEDY).fit(X.astype({"claims": bool}), ["fine", "fee", "fine", "fee"])
    with pytest.raises(ValueError, match="column 'claims' must be true or false, or 1 or 0, as in training; got 3"):
        strict.predict(later)


def test_a_classifier_fitted_again_forgets_the_names_of_columns():
    frame = pd.DataFrame({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]})
    clf = DNFClassifier(k=1, learner="greedy").fit(frame, frame["a"])
    assert clf.feature_names_in_.tolist() == ["a", "b"]
    clf.fit(frame.to_numpy(), frame["a"])
    assert not hasattr(clf, "feature_names_in_")


def test_a_fit_that_is_interrupted_leaves_the_classifier_as_it_was(monkeypatch):
    frame = pd.DataFrame({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]})
    clf = DNFClassifier(k=1, learner="greedy").fit(frame, frame["a"])
    before = dict(vars(clf))
    monkeypatch.setattr("idnf.classifier.memory_source.training_values", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        clf.fit(frame, frame["b"])
    assert vars(clf) == before


def test_the_path_is_kept_and_shown_in_notebooks():
    generator = np.random.default_rng(0)
    X = generator.random((120, 6)) < 0.5
    y = X[:, 0] ^ (generator.random(120) < 0.1)
    clf = DNFClassifier(k=2, effort=0.2).fit(X, y)
    assert clf.path_.chosen.conditions == 1
    assert clf.path_.to_frame("polars").to_dict(as_series=False) == clf.path_.to_dict()
    assert clf.path_._repr_html_().startswith("<table>")
    assert "How its size was chosen" in clf._repr_mimebundle_()["text/html"]
    assert DNFClassifier(k=2, effort=0.2, tune=False).fit(X, y).path_ is None


def test_progress_is_a_line_or_a_callable(capsys):
    X = np.array(list(product((0, 1), repeat=4)))
    DNFClassifier(k=2, effort=0.02, progress=True).fit(X, X[:, 0] & X[:, 1])
    err = capsys.readouterr().err
    assert err.startswith("\rfit")
    assert "100% [##############################]" in err.splitlines()[-1]
    shares = []
    for progress in (shares.append, False, None):
        DNFClassifier(k=2, effort=0.02, progress=progress).fit(X, X[:, 0] & X[:, 1])
    assert shares[-1] == pytest.approx(1.0)
    assert not capsys.readouterr().err


def test_a_formula_needs_as_many_columns_as_its_reasons_have():
    """Two classes that only points no row can be would tell from a function with longer reasons."""
    rows = [(x, a, b) for x in (0, 1, 2) for a in (False, True) for b in (False, True)]
    policy = DNFClassifier.from_dnf(
        "~a & ~b | ~'x <= 0' & ~a | ~'x <= 1' & b", columns={"x": [0, 1], "a": bool, "b": bool}
    )
    expected = [int((not a and not b) or (x > 0 and not a) or (x > 1 and b)) for x, a, b in rows]
    assert policy.predict(pd.DataFrame(rows, columns=list("xab"))).tolist() == expected
    assert (policy.k, policy.double_dnf_.k, policy.verify().widths) == (2, 2, (2, 2))
    assert str(policy.verify()).startswith("Proved over all rows: ")
    assert str(policy.verify()).endswith("none has more than 2 columns.")
    table = pd.DataFrame(rows, columns=list("xab"))
    for own, one in zip(expected, policy.explain(table, space="boolean"), strict=True):
        assert one.to_dict()["label"] == own
    assert policy.explain(dict(table.iloc[3]), space="boolean")[0].label == expected[3]
    in_the_middle = DNFClassifier.from_dnf("~'x <= 0' & 'x <= 1'", columns={"x": [0, 1]})
    assert (in_the_middle.k, len(in_the_middle.reasons())) == (1, 3)


@pytest.mark.parametrize("learner", ["search", "exact"])
def test_an_interval_is_learned_as_one_condition(learner, tmp_path):
    X = pd.DataFrame({"x": [1, 2, 3] * 20})
    clf = DNFClassifier(k=1, learner=learner, binariser=TableBinariser(conditions="intervals")).fit(X, X.x == 2)
    assert clf.score(X, X.x == 2) == 1
    assert clf.verify().widths == (1, 1)
    clf.to_text()
    to_json(clf, tmp_path / "model.json")
    again = from_json(tmp_path / "model.json")
    assert again.binariser_.literals_ == clf.binariser_.literals_
    assert again.predict(X).tolist() == clf.predict(X).tolist()
