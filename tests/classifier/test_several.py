"""DNFClassifier with more than two classes."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from tests.engines import LONG
from tests.strategies import few
from tests.tables.generated import VALUES

from idnf import DNF, DNFClassifier, exporting, reporting
from idnf.choosing import Fairness, fit_fairly

IRIS = load_iris()
LABELS = IRIS.target_names[IRIS.target]


@st.composite
def class_tables(draw, *, most_rows=14):
    """A table of mixed columns with missing values, and labels of three to five classes."""
    classes = draw(st.integers(3, 5))
    rows = draw(st.integers(classes, most_rows))
    kinds = draw(st.lists(st.sampled_from(["float", "int", "bool", "text", "date"]), min_size=1, max_size=3))
    columns = {}
    for j, kind in enumerate(kinds):
        few = draw(st.lists(VALUES[kind], min_size=2, max_size=4))
        values = st.sampled_from(few) | st.none()
        drawn = draw(st.lists(values, min_size=rows, max_size=rows))
        drawn[0] = few[0]
        columns[f"c{j}"] = drawn
    labels = [*range(classes), *draw(st.lists(st.integers(0, classes - 1), min_size=rows - classes, max_size=rows))]
    return pl.DataFrame(columns, strict=False), [f"class {label}" for label in labels[:rows]]


def learned(X, y, **parameters):
    return DNFClassifier(**{"k": 2, "effort": 0.05, **parameters}).fit(X, y)


@few(5, suppress_health_check=[HealthCheck.too_slow])
@given(class_tables(), st.integers(1, 3), st.sampled_from(["any", "tree"]))
def test_models_of_generated_tables_verify_and_every_explanation_is_proved(table, k, family):
    X, y = table
    clf = learned(X, y, k=k, family=family)
    assert clf.verify().k == k
    assert clf.classes_.tolist() == sorted(set(y))
    assert list(clf.dnfs_) == clf.classes_.tolist()
    predicted, explanations, shares = clf.predict(X), clf.explain(X), clf.predict_proba(X)
    assert [e.label for e in explanations] == predicted.tolist()
    assert clf.classes_[shares.argmax(axis=1)].tolist() == predicted.tolist()
    for explanation in explanations:
        explanation.check()
        assert len(explanation.axp) <= k
    features = clf.binariser_.transform(X)
    for label, dnf in clf.dnfs_.items():
        names = clf.binariser_.literals_
        inside = [dnf.evaluate(dict(zip(names, map(int, row)))) for row in features]
        assert inside == (predicted == label).tolist()


@few(3, suppress_health_check=[HealthCheck.too_slow])
@given(table=class_tables())
def test_model_files_give_back_the_same_classifier(table, tmp_path_factory):
    X, y = table
    clf = learned(X, y)
    path = tmp_path_factory.mktemp("models") / "model.json"
    exporting.to_json(clf, path)
    again = exporting.from_json(path)
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    assert np.array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert [str(e) for e in again.explain(X)] == [str(e) for e in clf.explain(X)]
    assert exporting.json_text(again) == exporting.json_text(clf)


def test_recourse_leads_to_the_class_named_or_to_the_nearest():
    clf = DNFClassifier(k=2).fit(IRIS.data, LABELS)
    x = IRIS.data[:1]
    assert clf.predict(x)[0] == "setosa"
    assert clf.recourse(x, to="virginica")[0].label == "virginica"
    nearest = clf.recourse(x)[0]
    ways = [clf.recourse(x, to=label)[0] for label in ("versicolor", "virginica")]
    assert (nearest.cost, nearest.distance) == min((way.cost, way.distance) for way in ways)
    with pytest.raises(ValueError, match="to must be one of 'setosa', 'versicolor' and 'virginica'; got 'tulip'"):
        clf.recourse(x, to="tulip")


def test_three_classes_with_reasons_of_two_and_no_tree_of_depth_two_are_learned_exactly():
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    a, b, c = X.T
    y = np.where(a & (b | c), 1, np.where(c, 2, 0))
    clf = DNFClassifier(k=2, price=0.0).fit(X, y)
    assert clf.score(X, y) == 1.0
    assert clf.verify().k == 2
    assert DNFClassifier(k=2, price=0.0, family="tree", learner="exact").fit(X, y).score(X, y) == 7 / 8


def test_learners_keep_their_promises_on_iris():
    exact = DNFClassifier(k=2, family="tree", learner="exact").fit(IRIS.data, LABELS)
    assert exact.optimal_ == exact.bound_family_ == "tree"
    assert exact.objective_ == exact.bound_ == pytest.approx(1 - exact.score(IRIS.data, LABELS))
    free = DNFClassifier(k=2, price=0.0).fit(IRIS.data, LABELS)
    assert free.score(IRIS.data, LABELS) >= exact.score(IRIS.data, LABELS)
    greedy = DNFClassifier(k=2, learner="greedy").fit(IRIS.data, LABELS)
    assert greedy.verify().k == 2


def test_weights_of_examples_and_classes_count():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, size=(60, 4)), rng.integers(0, 3, size=60)
    heavy = DNFClassifier(k=1, price=0.0, class_weight={0: 1, 1: 1000, 2: 1}).fit(X, y)
    assert (heavy.predict(X)[y == 1] == 1).all()
    repeated = DNFClassifier(k=2, effort=0.05).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    weighted = DNFClassifier(k=2, effort=0.05).fit(X, y, sample_weight=np.full(60, 2))
    assert repeated.predict(X).tolist() == weighted.predict(X).tolist()
    with pytest.raises(ValueError, match="sample_weight must leave some weight to each class"):
        DNFClassifier(k=1).fit(X, y, sample_weight=(y != 2).astype(float))
    balanced = DNFClassifier(k=2, class_weight="balanced", effort=0.05).fit(X, y)
    assert len(balanced.classes_) == 3


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**300])
def test_only_the_proportions_of_weights_matter(scale):
    fits = [
        DNFClassifier(k=2, price=0.0, effort=0.2).fit(IRIS.data, LABELS, sample_weight=np.full(150, weight))
        for weight in (1.0, scale)
    ]
    assert fits[0].score(IRIS.data, LABELS) == fits[1].score(IRIS.data, LABELS)
    assert fits[0].objective_ == pytest.approx(fits[1].objective_)
    assert fits[1].verify().k == 2


def test_a_class_of_one_row_and_labels_that_training_did_not_have():
    X = [[j, j % 3] for j in range(20)]
    y = ["rare" if j == 7 else "low" if j < 10 else "high" for j in range(20)]
    clf = learned(X, y, k=3, price=0.0)
    assert clf.predict([[7, 1]]).tolist() == ["rare"]
    assert clf.score(X, ["unheard of"] * 20) == 0.0
    measured = clf.reasons(X, ["unheard of"] * 20)
    assert {reason.precision for reason in measured if reason.coverage} == {0.0}


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (list(range(1000)), "y must hold at most 100 classes; got 1000 in 1000 rows.*cut them into ranges"),
        (np.array(["a", 1] * 100, dtype=object), "y must hold labels of one type; got int and str"),
        ([0.5 + j for j in range(200)], "continuous"),
        (["one"] * 200, "y must hold two classes or more; got only one class, 'one'"),
    ],
)
def test_targets_that_are_no_classes_are_refused_in_words(y, message):
    with pytest.raises((ValueError, TypeError), match=message):
        DNFClassifier().fit(np.arange(len(y))[:, None], y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"family": "nested"}, "family must be .* for more than two classes; got 'nested'"),
        ({"monotonic_cst": [1, 0, 0, 0]}, "monotonic_cst must be None for 3 classes"),
    ],
)
def test_what_is_for_two_classes_says_so(parameters, message):
    clf = DNFClassifier(**parameters)
    with pytest.raises(ValueError, match=message):
        clf.fit(IRIS.data, LABELS)
    assert not clf.__sklearn_tags__().classifier_tags.multi_class


def test_the_double_dnf_is_for_two_classes():
    clf = learned(IRIS.data, LABELS)
    with pytest.raises(AttributeError, match="double_dnf_ is for two classes; this model has 3. Use dnfs_."):
        _ = clf.double_dnf_
    two = DNFClassifier.from_dnf("a & b", classes=("no", "yes"))
    assert two.dnfs_ == {"no": two.double_dnf_.negative, "yes": two.double_dnf_.positive}
    assert "yes (1 term) and no (2 terms) exclude each other in all 2 pairs" in str(two.verify())
    assert isinstance(two.dnfs_["no"], DNF)


def test_a_tree_stays_the_tree_that_was_learned(tmp_path):
    clf = learned(IRIS.data, LABELS, family="tree", learner="exact")
    features = clf.binariser_.transform(IRIS.data)
    points = [dict(zip(clf.nested_.names, row)) for row in features.astype(int).tolist()]
    assert clf.nested_.is_plain
    assert clf.classes_[[clf.nested_.evaluate(point) for point in points]].tolist() == clf.predict(IRIS.data).tolist()
    exporting.to_json(clf, tmp_path / "model.json")
    again = exporting.from_json(tmp_path / "model.json")
    # A file says over which columns its k is counted.
    assert replace(again.nested_, space=None) == clf.nested_
    assert again.dnfs_ == clf.dnfs_
    assert reporting.to_svg(again) == reporting.to_svg(clf)


def test_terms_of_several_classes_are_no_tree():
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    a, b, c = X.T
    clf = DNFClassifier(k=2, price=0.0).fit(X, np.where(a & (b | c), "yes", np.where(c, "ask", "no")))
    assert clf.score(X, np.where(a & (b | c), "yes", np.where(c, "ask", "no"))) == 1
    assert clf.nested_ is None or not clf.nested_.is_plain


def test_the_text_names_every_class_once_the_longest_last():
    clf = learned(IRIS.data, LABELS)
    text = clf.to_text()
    assert [text.count(f"\n{label} ") for label in clf.classes_] == [1, 1, 1]
    assert clf.to_text(first="virginica").index("\nvirginica") < clf.to_text(first="virginica").index("\nsetosa")


def test_every_model_is_drawn_as_reasons_by_columns():
    tree = DNFClassifier(k=2, family="tree", price=0.01).fit(IRIS.data, LABELS)
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    y = np.where(X[:, 0] & (X[:, 1] | X[:, 2]), 1, np.where(X[:, 2], 2, 0))
    for clf in (tree, DNFClassifier(k=2, price=0.0).fit(X, y)):
        drawn, reasons = clf.plot()._repr_svg_(), clf.reasons()
        assert 'aria-label="reasons by columns"' in drawn
        assert all(drawn.count(f">{reason.id}</text>") == 1 for reason in reasons)
        assert drawn.count('transform="translate(') == sum(len(reason.columns) for reason in reasons)


def test_pickles_clones_frames_and_cross_validation():
    X = pd.DataFrame(IRIS.data, columns=IRIS.feature_names)
    clf = DNFClassifier(k=2, effort=0.05)
    assert cross_val_score(clf, X, LABELS, cv=3).mean() > 0.85
    fitted = clone(clf).fit(X, LABELS)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.predict(X).tolist() == fitted.predict(X).tolist()
    assert fitted.explain(X)[0].label == "setosa"
    assert fitted.decided(X.iloc[0].to_dict()) == "setosa"


def test_a_model_file_that_lies_about_a_class_is_refused(tmp_path):
    clf = learned(IRIS.data, LABELS)
    plain = exporting.model_json.to_plain(clf)
    dnfs = [[list(term.codes) for term in dnf.terms] for dnf in clf.dnfs_.values()]
    plain["model"] = {"kind": "classes", "k": clf.k, "dnfs": [[], *dnfs[1:]]}
    path = tmp_path / "model.json"
    path.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match="model must keep its promise: every row must meet a term"):
        exporting.from_json(path)
    plain["classes"] = ["a", "b"]
    path.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match="kind must be one of"):
        exporting.from_json(path)


def four_classes(rows=600):
    """A table of numbers, categories and missing values with four classes."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 80, rows).astype(float)
    age[rng.random(rows) < 0.1] = np.nan
    table = pl.DataFrame(
        {
            "age": pl.Series(age, dtype=pl.Float64).fill_nan(None),
            "job": rng.choice(["clerk", "nurse", "smith"], rows).tolist(),
            "late": (rng.random(rows) < 0.3).tolist(),
            "weight": rng.integers(1, 4, rows).astype(float),
        }
    )
    old = np.nan_to_num(age, nan=0) > 45
    late = table["late"].to_numpy()
    label = np.where(old & ~late, "gold", np.where(old, "silver", np.where(late, "none", "bronze")))
    return table, np.where(table["job"].to_numpy() == "smith", "silver", label)


@pytest.mark.parametrize("weighted", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("engine", LONG)
def test_every_engine_learns_the_model_of_memory_and_answers_as_it_does(engines, engine, weighted):
    X, y = four_classes(300)
    parameters = {"k": 2, "effort": 0.1, "class_weight": "balanced" if weighted else None}
    weight = X["weight"].to_numpy() if weighted else None
    columns = X.drop("weight")
    memory = DNFClassifier(**parameters).fit(columns, y, sample_weight=weight)
    row = pl.Series("row", range(len(X)))
    whole = (X if weighted else columns).with_columns(pl.Series("grade", y.tolist()), row)
    lazy = engines.table(engine, whole.drop("row"))
    clf = DNFClassifier(**parameters).fit(lazy, "grade", sample_weight="weight" if weighted else None)
    assert clf.dnfs_ == memory.dnfs_
    assert clf.classes_.tolist() == ["bronze", "gold", "none", "silver"]
    assert np.allclose(clf.predict_proba(columns), memory.predict_proba(columns))
    assert clf.score(lazy, "grade") == memory.score(columns, y)
    numbered = engines.table(engine, whole, "numbered")
    given = engines.collected(engine, clf.predict(numbered)).sort("row")
    assert given["predicted"].to_list() == memory.predict(columns).tolist()
    explained = engines.collected(engine, clf.explain(numbered)).sort("row")
    assert explained["reason id"].to_list() == [e.reason for e in memory.explain(columns)]


@pytest.mark.parametrize("learner", ["greedy", "exact"])
@pytest.mark.parametrize("engine", LONG)
def test_every_learner_asks_every_engine_alike(engines, engine, learner):
    X, y = four_classes(200)
    columns = X.drop("weight")
    lazy = engines.table(engine, columns.with_columns(pl.Series("grade", y.tolist())))
    fits = [DNFClassifier(k=2, learner=learner, effort=0.1).fit(*data) for data in ((columns, y), (lazy, "grade"))]
    assert fits[0].dnfs_ == fits[1].dnfs_
    assert fits[0].bound_ == fits[1].bound_


def test_a_lazy_table_is_answered_as_memory_is():
    X, y = four_classes(200)
    columns = X.drop("weight")
    clf = DNFClassifier(k=2, effort=0.1).fit(columns, y)
    explained = clf.explain(columns.lazy()).collect()
    mine = clf.explain(columns)
    assert explained["predicted"].to_list() == [e.label for e in mine]
    assert explained["reason id"].to_list() == [e.reason for e in mine]
    shares = clf.predict_proba(columns.lazy()).collect()
    for j, label in enumerate(clf.classes_.tolist()):
        assert np.allclose(shares[f"probability of {label}"].to_numpy(), clf.predict_proba(columns)[:, j])


def test_targets_of_lazy_tables_that_are_no_classes_are_refused():
    frame = pl.LazyFrame({"a": list(range(150)), "y": list(range(150))})
    with pytest.raises(ValueError, match=r"y must hold at most 100 classes; column 'y' has .* and more"):
        DNFClassifier().fit(frame, "y")
    with pytest.raises(ValueError, match="y must hold two classes or more; column 'y' has only one, 1"):
        DNFClassifier().fit(pl.LazyFrame({"a": [1, 2], "y": [1, 1]}), "y")


def test_models_are_capped():
    for cap in ({"max_terms": 2}, {"max_reasons": 3}, {"max_terms": 1, "max_reasons": 9}):
        clf = DNFClassifier(k=3, effort=0.05, price=0.0, **cap).fit(IRIS.data, LABELS)
        size = clf.size_
        assert size.terms <= cap.get("max_terms", size.terms)
        assert size.reasons <= cap.get("max_reasons", size.reasons)
    with pytest.raises(ValueError, match='learner must be "search" under max_terms and max_reasons'):
        DNFClassifier(learner="greedy", max_terms=2).fit(IRIS.data, LABELS)


def test_a_limit_on_the_gap_between_groups_is_for_two_classes():
    X = pd.DataFrame(IRIS.data, columns=IRIS.feature_names).assign(group=["a", "b"] * 75)
    with pytest.raises(ValueError, match="y must hold two labels for fairness, which compares the rates of one; got 3"):
        fit_fairly(DNFClassifier(k=2), X, LABELS, Fairness("group"))


def test_caps_are_kept_in_time_and_leave_room_for_a_model():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(600, 3))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    clf = DNFClassifier(2, max_reasons=3, time_limit=20.0).fit(X, y)
    assert clf.size_.reasons <= 3
    assert clf.score(X, y) > 0.9


def test_exact_learning_refuses_a_price_that_its_proof_does_not_know():
    with pytest.raises(ValueError, match=r"price must be None or 0 for learner=\"exact\" with more than two classes"):
        DNFClassifier(2, learner="exact", price=0.01).fit(IRIS.data, LABELS)
