"""What one condition may say: one cut or category, intervals, sets, and what cross-validation decides."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from experiments.conditions import bands, plain, ring
from tests.strategies import seeds

from idnf import DNFBands, DNFClassifier, TableBinariser, exporting
from idnf.cli import main


@pytest.mark.parametrize("k", [2, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 3))])
def test_a_ring_needs_intervals_and_cross_validation_says_so(k):
    X, y = ring(np.random.default_rng(0), 1400)
    train, test = slice(400), slice(400, None)

    def score(**options):
        return DNFClassifier(k, **options).fit(X[train], y[train]).score(X[test], y[test])

    literals = score(family="tree")
    assert score() > literals + 0.02
    intervals = score(conditions="intervals")
    assert intervals > literals + 0.02
    # An interval is one condition or two comparisons of one column: which of the two is chosen does not matter.
    assert score(conditions="auto") > literals + 0.02


@pytest.mark.parametrize("seed", seeds(2, 10))
def test_where_cuts_do_as_well_auto_stays_with_them(seed):
    X, y = plain(np.random.default_rng(seed), 300)
    auto = DNFClassifier(2, conditions="auto").fit(X, y)
    columns, literals = auto.binariser_.columns_, auto.binariser_.space_.literals
    used = {literals[feature] for feature in auto.fitted_.model.features()}
    assert not any(mask in columns[j].wide for j, mask in used)


def test_the_middle_of_three_values_is_one_condition():
    X = pd.DataFrame({"x": [1, 2, 3]})
    clf = DNFClassifier(1, conditions="intervals").fit(X, X.x == 2)
    assert clf.score(X, X.x == 2) == 1
    assert clf.double_dnf_.verify().k == 1
    assert [condition.words for condition in clf.explain(X)[1].axp] == ["x is 2"]


def test_sets_of_categories_are_one_condition():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"colour": rng.choice([*"abcdefgh"], 400), "z": rng.normal(size=400)})
    y = X.colour.isin([*"adg"])
    assert DNFClassifier(1, family="tree").fit(X, y).score(X, y) < 0.8
    for conditions in ("cuts", "sets", "all", "auto"):
        clf = DNFClassifier(1, conditions=conditions).fit(X, y)
        assert clf.score(X, y) == 1
        assert "colour is a, d or g" in clf.to_text()
        assert clf.verify().k == 1


@pytest.mark.parametrize("conditions", ["intervals", "all", "auto"])
def test_files_keep_intervals_and_sets(conditions, tmp_path):
    X, y = bands(np.random.default_rng(1), 300)
    clf = DNFClassifier(2, conditions=conditions, effort=0.1).fit(X, y)
    exporting.to_json(clf, tmp_path / "model.json")
    again = exporting.from_json(tmp_path / "model.json")
    assert again.conditions == conditions
    assert again.binariser_.columns_ == clf.binariser_.columns_
    assert again.predict(X).tolist() == clf.predict(X).tolist()


def test_lazy_tables_offer_the_same():
    rng = np.random.default_rng(0)
    X = pl.DataFrame({"colour": rng.choice([*"abcdefgh"], 400), "z": rng.normal(size=400).round(2)})
    y = X["colour"].is_in([*"adg"]) ^ (abs(X["z"]) < 0.2)
    eager = DNFClassifier(2, conditions="all", effort=0.1).fit(X, y)
    lazy = DNFClassifier(2, conditions="all", effort=0.1).fit(X.with_columns(y=y).lazy(), "y")
    assert lazy.binariser_.literals_ == eager.binariser_.literals_


def test_bands_of_intervals_are_proved():
    X, y = ring(np.random.default_rng(0), 300)
    fitted = DNFBands(2, boundaries=[0.5], conditions="intervals", effort=0.1, tune=False).fit(X, y)
    fitted.verify()
    assert any(column.wide for column in fitted.binariser_.columns_)


@pytest.mark.parametrize("conditions", ["sets", "all", "auto"])
def test_columns_without_sets_have_none(conditions):
    y = ["no", "yes", "yes", "no"] * 50
    # The last has fifty values of four rows each, two of either label.
    rare = [f"v{i // 4}" for i in range(200)]
    for texts in (["a"] * 200, ["a", None] * 100, pd.Categorical(["a"] * 200, ["a", "b"]), rare):
        X = pd.DataFrame({"c": texts, "z": np.arange(200) % 4})
        assert DNFClassifier(k=2, conditions=conditions).fit(X, y).score(X, y) == 1
    X, y = pd.DataFrame({"c": ["a", "b", "c", "d"] * 50}), ["no", "no", "no", "no", "yes", "yes", "yes", "yes"] * 25
    one = TableBinariser(conditions="all", max_literals_per_column=1).fit(X, y).columns_[0]
    assert (one.values, one.rare, one.sets) == (("a",), False, ())


def test_choices_that_contradict_each_other_are_refused():
    X, y = plain(np.random.default_rng(0), 40)
    with pytest.raises(ValueError, match='conditions must be "cuts", .* without a tuned search; got "auto"'):
        DNFClassifier(conditions="auto", learner="greedy").fit(X, y)
    binariser = TableBinariser(conditions="sets")
    with pytest.raises(ValueError, match="conditions must be those of the binariser if it has some, 'sets'; got 'all'"):
        DNFClassifier(conditions="all", binariser=binariser).fit(X, y)


def test_the_command_line_takes_conditions(tmp_path, capsys):
    X, y = ring(np.random.default_rng(0), 300)
    X.assign(inside=y).to_csv(tmp_path / "ring.csv", index=False)
    asked = [
        "--target",
        "inside",
        "--k",
        "1",
        "--conditions",
        "intervals",
        "--effort",
        "0.1",
        "--ignore",
        "x2,x3,x4,x5",
    ]
    assert main(["fit", str(tmp_path / "ring.csv"), *asked, "-o", str(tmp_path / "model.json")]) == 0
    assert " < x" in capsys.readouterr().out
    assert exporting.from_json(tmp_path / "model.json").conditions == "intervals"
