"""The same model from every engine, and clear words when an engine or a table is not what it should be."""

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import psycopg
import pytest
from tests.engines import LAZY, LONG

from idnf import DNFClassifier, TableBinariser
from idnf.engines.lazy_frames import as_lazy, query_text
from idnf.engines.queries import QueryError, Step

ENGINES = ("numpy", "pandas", *LAZY)
CUTS = {"âge": [30, 45.5, 60], "Einkünfte €": [20.5, 30, 40.25]}
SETTINGS = {"k": 3, "family": "nested", "learner": "greedy"}


def mixed_table(rows=600):
    """Numbers with NaN and null, categories with null, Booleans, dates, and names in several scripts."""
    generator = np.random.default_rng(5)
    age = generator.integers(18, 80, rows)
    income = np.round(generator.normal(30, 10, rows), 2)
    job = generator.choice(["clerk", "Ärztin", "看護師", 'baker\'s "hand"'], rows, p=[0.5, 0.3, 0.195, 0.005])
    married = generator.random(rows) < 0.5
    risk = ((age > 45) & (income > 30)) | ((job == "看護師") & married)
    risk ^= generator.random(rows) < 0.1
    gone = generator.random((4, rows)) < 0.06
    return pl.DataFrame(
        {
            "id": np.arange(rows),
            "âge": [None if g else int(a) for a, g in zip(age, gone[0])],
            "Einkünfte €": [
                None if g and i % 2 else float("nan") if g else x for i, (x, g) in enumerate(zip(income, gone[1]))
            ],
            "job": [None if g else j for j, g in zip(job.tolist(), gone[2])],
            "married": [None if g else m for m, g in zip(married.tolist(), gone[3])],
            "旗": generator.integers(0, 2, rows),
            "since": [dt.date(2020, 1, 1) + dt.timedelta(days=int(d)) for d in generator.integers(0, 900, rows)],
            "risk": np.where(risk, "hoch", "niedrig"),
        },
        strict=False,
    )


def numbers_only(table):
    """What numpy can hold: numbers, with NaN for missing values."""
    return table.select("âge", "Einkünfte €", "married", "旗").cast(pl.Float64).fill_null(float("nan"))


def same_model(ours, reference):
    assert ours.binariser_.columns_ == reference.binariser_.columns_
    assert ours.nested_ == reference.nested_
    assert ours.double_dnf_ == reference.double_dnf_
    assert ours.objective_ == pytest.approx(reference.objective_, abs=1e-12)
    assert ours.classes_.tolist() == reference.classes_.tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_gives_the_same_matrix_terms_counts_predictions_and_reasons(engines, engine, request):
    table = mixed_table()
    features, labels = table.drop("id", "risk"), table["risk"].to_numpy()
    # Spark answers the queries of each further k in seconds.
    settings = SETTINGS | ({"k": 2} if engine == "spark" and not request.config.getoption("--slow") else {})
    make = lambda cuts: DNFClassifier(binariser=TableBinariser(cut_points=cuts), **settings)  # noqa: E731
    if engine == "numpy":
        features = numbers_only(table)
        reference = make(CUTS).fit(features, labels)
        ours = make({f"x{i}": cuts for i, cuts in enumerate(CUTS.values())}).fit(features.to_numpy(), labels)
        assert ours.fitted_.model.leaf().nested.matrix == reference.fitted_.model.leaf().nested.matrix
        assert ours.fitted_.model.leaf().nested.prefixes == reference.fitted_.model.leaf().nested.prefixes
        assert ours.objective_ == reference.objective_
        assert ours.predict(features.to_numpy()).tolist() == reference.predict(features).tolist()
        return
    reference = make(CUTS).fit(features, labels)
    explanations = reference.explain(features)
    reasons = [explanation.reason for explanation in explanations]
    shares = reference.predict_proba(features)[:, 1]
    if engine == "pandas":
        frame = features.to_pandas()
        ours = make(CUTS).fit(frame, labels)
        same_model(ours, reference)
        assert [explanation.reason for explanation in ours.explain(frame)] == reasons
        return
    lazy = engines.table(engine, table.drop("id"))
    ours = make(CUTS).fit(lazy, "risk")
    same_model(ours, reference)
    assert ours.training_data_ == "all rows"
    assert ours.score(lazy, "risk") == pytest.approx(reference.score(features, labels), abs=1e-12)
    again = engines.table(engine, table, "numbered")
    explained = engines.collected(engine, ours.explain(again)).sort("id")
    assert explained.columns == [*table.columns, "predicted", "reason id", "reason"]
    assert explained["predicted"].to_list() == reference.predict(features).tolist()
    assert explained["reason id"].to_list() == reasons
    words = {reason.id: str(reason) for reason in reference.reasons()}
    assert explained["reason"].to_list() == [words[reason] for reason in reasons]
    assert (
        engines.collected(engine, ours.predict(again)).sort("id")["predicted"].to_list()
        == explained["predicted"].to_list()
    )
    probability = engines.collected(engine, ours.predict_proba(again)).sort("id")["probability"].to_numpy()
    np.testing.assert_allclose(probability, shares)


@pytest.mark.parametrize("engine", LONG)
def test_columns_are_cut_and_categories_counted_as_in_memory(engines, engine):
    table = mixed_table(300)
    clf = DNFClassifier(k=2, family="any", effort=0.1).fit(engines.table(engine, table.drop("id")), "risk")
    same_model(
        clf, DNFClassifier(k=2, family="any", effort=0.1).fit(table.drop("id", "risk"), table["risk"].to_numpy())
    )
    assert clf.training_data_ == "distinct rows"


@pytest.mark.parametrize("engine", LAZY)
def test_names_and_categories_full_of_signs_are_only_names_and_categories(engines, engine):
    generator = np.random.default_rng(0)
    columns = {name: generator.integers(0, 9, 300) for name in ("a.b", "a`b", 'a"b', "sel ect", "%s {z}", "ü:ß")}
    columns["job.x"] = generator.choice(["a'b", 'c"d', "e\\f", "100%", "{g}", "$1", "😀 é"], 300)
    risk = (columns["a.b"] > 4) & (columns["a`b"] < 6) | (columns["job.x"] == "a'b") | (columns["job.x"] == "e\\f")
    table = pl.DataFrame(columns | {"y.z'": risk})
    lazy = engines.table(engine, table)
    make = lambda: DNFClassifier(k=3, family="nested", learner="greedy")  # noqa: E731
    if engine == "spark":
        refused(lazy, "y.z'", "columns of a Spark table must have no '.' and no '`' in their names; got 'a.b'")
        return
    clf = make().fit(lazy, "y.z'")
    in_memory = make().fit(table.drop("y.z'"), risk)
    same_model(clf, in_memory)
    reasons = engines.collected(engine, clf.explain(lazy))["reason id"].to_list()
    assert sorted(reasons) == sorted(explanation.reason for explanation in in_memory.explain(table))


@pytest.mark.parametrize("family", ["any", "tree"])
def test_greedy_learning_of_other_families_gives_the_model_of_memory(engines, family):
    table = mixed_table(400).drop("id")
    for k in (1, 3):
        make = lambda k=k: DNFClassifier(k, family=family, learner="greedy")  # noqa: E731
        lazy = make().fit(engines.table("polars", table), "risk")
        same_model(lazy, make().fit(table.drop("risk"), table["risk"].to_numpy()))


def wide_table(rows=20_000):
    """Ten Boolean columns and eight of continuous noise, so that hardly two rows are the same."""
    generator = np.random.default_rng(11)
    columns = {f"b{i}": generator.random(rows) < 0.5 for i in range(10)}
    columns |= {f"n{i}": generator.normal(size=rows) for i in range(8)}
    risk = (columns["b0"] & columns["b1"] | columns["b2"] & (columns["n0"] > 0.3)) ^ (generator.random(rows) < 0.05)
    return pl.DataFrame(columns | {"risk": risk})


@pytest.mark.parametrize("engine", ["polars", pytest.param("duckdb", marks=pytest.mark.slow)])
def test_a_sample_recounted_on_all_rows_is_no_worse_than_greedy_on_all_rows(engines, engine, monkeypatch):
    monkeypatch.setattr("idnf.counting.engine_rows.FEW_ROWS", 5_000)
    monkeypatch.setattr("idnf.learning.dispatch.MOST_ROWS", 2_000)
    lazy = engines.table(engine, wide_table())
    greedy = DNFClassifier(k=2, family="nested", learner="greedy").fit(lazy, "risk")
    for family in ("nested", "any"):
        searched = DNFClassifier(k=2, family=family, effort=0.1, price=0.0).fit(lazy, "risk")
        assert searched.training_data_ == "sample of 2000 distinct rows, recounted on all"
        assert searched.optimal_ is None
        assert searched.score(lazy, "risk") >= greedy.score(lazy, "risk")
        assert searched.objective_ == pytest.approx(1 - searched.score(lazy, "risk"))


def test_rows_that_recur_are_learned_from_as_distinct_rows(engines, monkeypatch):
    monkeypatch.setattr("idnf.counting.engine_rows.FEW_ROWS", 5_000)
    monkeypatch.setattr("idnf.learning.dispatch.MOST_ROWS", 2_000)
    table = wide_table().select("b0", "b1", "b2", "b3", "risk")
    lazy = DNFClassifier(k=2, effort=0.1).fit(engines.table("polars", table), "risk")
    assert lazy.training_data_ == "distinct rows"
    same_model(lazy, DNFClassifier(k=2, effort=0.1).fit(table.drop("risk"), table["risk"].to_numpy()))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_cuts_from_a_sample_are_seeded_and_close_to_those_of_all_rows(engines, engine, monkeypatch):
    monkeypatch.setattr("idnf.tables.lazy_fitting.MOST_SAMPLED_ROWS", 5_000)
    lazy = engines.table(engine, wide_table())
    make = lambda seed: DNFClassifier(k=2, family="nested", learner="greedy", random_state=seed)  # noqa: E731
    first, again, other = make(0).fit(lazy, "risk"), make(0).fit(lazy, "risk"), make(1).fit(lazy, "risk")
    assert first.binariser_.columns_ == again.binariser_.columns_ != other.binariser_.columns_
    cuts = next(column.cuts for column in first.binariser_.columns_ if column.name == "n0")
    assert min(abs(cut - 0.3) for cut in cuts) < 0.05


def test_a_missing_value_outside_the_sample_still_gives_the_column_a_missing_cell(engines, monkeypatch):
    monkeypatch.setattr("idnf.tables.lazy_fitting.MOST_SAMPLED_ROWS", 100)
    table = wide_table(20_000).with_columns(n1=pl.when(pl.int_range(pl.len()) == 12_345).then(None).otherwise("n1"))
    clf = DNFClassifier(k=2, family="nested", learner="greedy").fit(engines.table("polars", table), "risk")
    column = next(column for column in clf.binariser_.columns_ if column.name == "n1")
    assert column.missing == "seen"
    assert len(column.literals) <= 12


def test_weights_of_classes_and_rows_count_as_in_memory(engines):
    table = mixed_table(300).with_columns(w=pl.int_range(pl.len()) % 4)
    features, labels = table.drop("id", "risk", "w"), table["risk"].to_numpy()
    make = lambda: DNFClassifier(k=2, family="nested", learner="greedy", class_weight="balanced")  # noqa: E731
    same_model(make().fit(engines.table("duckdb", table.drop("id", "w")), "risk"), make().fit(features, labels))
    weighted = DNFClassifier(k=2, family="nested", learner="greedy")
    weighted.fit(engines.table("polars", table.drop("id")), "risk", sample_weight="w")
    in_memory = DNFClassifier(k=2, family="nested", learner="greedy").fit(features, labels, table["w"].to_numpy())
    same_model(weighted, in_memory)
    both = make().fit(engines.table("polars", table.drop("id")), "risk", sample_weight="w")
    same_model(both, make().fit(features, labels, table["w"].to_numpy()))


@pytest.mark.parametrize("engine", LONG)
def test_the_categories_of_a_long_list_are_grouped_as_in_memory(engines, engine):
    # 1500 towns of two rows, one of which is rare but heavy; a row without a town counts for nothing.
    towns = [f"town {i:04}" for i in range(1500)] * 2 + [None] * 500
    weight = [300.0 if town == "town 1400" else 0.5 for town in towns]
    table = pl.DataFrame({"town": towns, "w": weight, "risk": [i % 2 for i in range(1500)] * 2 + [0, 1] * 250})
    settings = {"k": 1, "family": "nested", "learner": "greedy", "class_weight": {1: 2.0}}
    ours = DNFClassifier(**settings).fit(engines.table(engine, table), "risk", sample_weight="w")
    memory = DNFClassifier(**settings).fit(table.select("town"), table["risk"].to_numpy(), table["w"].to_numpy())
    assert ours.binariser_.columns_ == memory.binariser_.columns_
    assert sum(map(len, ours.groups_["town"].values())) == 1500


def test_ranges_of_values_follow_weights_as_in_memory(engines):
    table = mixed_table(300).with_columns(w=pl.int_range(pl.len()) % 4).drop("id")
    settings = {**SETTINGS, "class_weight": "balanced"}
    ours = DNFClassifier(**settings).fit(engines.table("polars", table), "risk", sample_weight="w")
    memory = DNFClassifier(**settings).fit(table.drop("risk", "w"), table["risk"].to_numpy(), table["w"].to_numpy())
    for mine, theirs in zip(ours.fitted_.explainer.values, memory.fitted_.explainer.values, strict=True):
        assert (mine is None) == (theirs is None)
        if mine is not None:
            assert mine.shares == pytest.approx(theirs.shares)


def test_weights_that_are_none_are_refused(engines):
    table = mixed_table(300).drop("id").with_columns(w=pl.int_range(pl.len()) - 2.0)
    clf = DNFClassifier(k=2, family="nested", learner="greedy")
    for weights, match in (
        (pl.col("w"), "sample_weight must be at least 0 and finite; 'w' is not, or is missing, in 2 rows"),
        (pl.when(pl.col("w") > 5).then("w"), "'w' is not, or is missing, in 8 rows"),
        (pl.col("job"), "sample_weight must name a column of numbers; 'w' holds categories"),
    ):
        lazy = engines.table("duckdb", table.with_columns(w=weights))
        with pytest.raises(ValueError, match=match):
            clf.fit(lazy, "risk", sample_weight="w")
    with pytest.raises(ValueError, match="sample_weight must name a column of the table; got 'v'"):
        clf.fit(lazy, "risk", sample_weight="v")


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        ({"hoch": 0.0}, r"class_weight must be numbers above 0, at most 1e\+100; got 0.0 for label 'hoch'"),
        ({"hoch": -1.0}, r"class_weight must be numbers above 0, at most 1e\+100; got -1.0 for label 'hoch'"),
        ({"Hoch": 2.0}, r"class_weight must name labels of y \('hoch', 'niedrig'\); got 'Hoch'"),
    ],
)
def test_weights_of_classes_that_are_none_are_refused(engines, weights, match):
    refused(engines.table("polars", mixed_table(100).drop("id")), "risk", match, class_weight=weights)


def test_greedy_learning_takes_one_scan_a_prefix_and_one_group_by(engines):
    done = []
    clf = DNFClassifier(k=3, family="nested", learner="greedy", progress=done.append)
    clf.fit(engines.table("polars", wide_table(1_000).select("b0", "b1", "b2", "b3", "risk")), "risk")
    # Target, missing values, then 1 + k(k-1) prefixes and a histogram, then shares and ranges of values; then the end.
    assert len(done) <= 2 + (1 + 3 * 2) + 1 + 2 + 1
    assert done == sorted(done)
    assert done[-1] == 1


def test_progress_of_search_goes_by_scans_and_by_its_own_steps(engines):
    done = []
    clf = DNFClassifier(k=2, effort=0.1, progress=done.append)
    clf.fit(engines.table("polars", mixed_table(300).drop("id")), "risk")
    assert done == sorted(done)
    assert 0 < done[0] < 0.1
    assert done[-1] == 1


def test_a_value_that_training_never_saw_has_no_label(engines):
    table = wide_table(500).select("b0", "b1", "risk")
    strict = DNFClassifier(k=2, family="nested", learner="greedy", binariser=TableBinariser(missing="refuse"))
    clf = strict.fit(engines.table("polars", table), "risk")
    unknown = table.with_columns(b0=pl.when(pl.int_range(pl.len()) < 3).then(None).otherwise("b0"))
    lazy = engines.table("duckdb", unknown, "unknown")
    assert engines.collected("duckdb", clf.predict(lazy))["predicted"].null_count() == 3
    with pytest.raises(ValueError, match="X must hold values like those in training; 3 rows have missing or unknown"):
        clf.score(lazy, "risk")


@pytest.mark.parametrize("engine", LAZY)
def test_infinity_which_memory_refuses_has_no_label(engines, engine):
    table = pl.DataFrame({"income": [float(i) for i in range(20)], "claim": [0.0, 1.0] * 10})
    clf = DNFClassifier(**SETTINGS).fit(table, [0, 1] * 5 + [0] * 10)
    up, down = float("inf"), float("-inf")
    later = pl.DataFrame({"income": [up, down, 1.0, 1.0, 1.0, 1.0], "claim": [1.0, 1.0, up, down, 1.0, 0.0]})
    with pytest.raises(ValueError, match="must hold finite numbers"):
        clf.predict(later)
    found = engines.collected(engine, clf.predict(engines.table(engine, later, "later")))["predicted"]
    assert found.is_null().to_list() == [True] * 4 + [False] * 2
    assert found.to_list()[4:] == [1, 0]


@pytest.mark.parametrize("engine", LONG)
def test_a_label_that_is_neither_class_is_never_right(engines, engine):
    table = wide_table(100).select("b0", "b1", "risk").with_columns(label=pl.when("risk").then(pl.lit("yes")))
    named = table.with_columns(label=pl.col("label").fill_null("no")).drop("risk")
    clf = DNFClassifier(k=2, family="nested", learner="greedy").fit(engines.table(engine, named, "named"), "label")
    right = clf.score(engines.table(engine, named, "named"), "label")
    assert right == np.mean(clf.predict(named.drop("label")) == named["label"].to_numpy())
    for other in (None, "maybe"):
        strange = named.with_columns(label=pl.lit(other, pl.String))
        assert clf.score(engines.table(engine, strange, "strange"), "label") == 0
    flags = DNFClassifier(k=2, family="nested", learner="greedy").fit(table.select("b0", "b1"), table["risk"])
    unknown = table.with_columns(risk=pl.lit(None, pl.Boolean)).select("b0", "b1", "risk")
    assert flags.score(engines.table(engine, unknown, "unknown"), "risk") == 0


def refused(table, target, match, error=ValueError, **settings):
    clf = DNFClassifier(k=2, family="nested", learner="greedy", **settings)
    before = dict(vars(clf))
    with pytest.raises(error, match=match):
        clf.fit(table, target)
    assert vars(clf) == before


@pytest.mark.filterwarnings("ignore::idnf.TableWarning")
@pytest.mark.parametrize("engine", LONG)
def test_columns_are_checked_as_in_memory(engines, engine):
    table = (
        wide_table(300)
        .select("b0", "n0", "risk")
        .with_columns(
            text="p" + pl.int_range(pl.len()).cast(pl.String),
            note="n" + (pl.int_range(pl.len()) % 200).cast(pl.String),
            account_id=pl.int_range(pl.len()) * 17 + 3,
            same=pl.lit(2.5),
        )
    )
    settings = {"k": 2, "family": "nested", "learner": "greedy"}
    here = DNFClassifier(**settings).fit(table.drop("risk"), table["risk"])
    there = DNFClassifier(**settings).fit(engines.table(engine, table), "risk")
    assert {*there.columns_report_} == {*here.columns_report_}
    assert [one.column for one in here.columns_report_] == ["text", "note", "account_id", "same"]
    assert there.double_dnf_ == here.double_dnf_
    spelled = table.select("b0", "risk", sum=pl.int_range(pl.len()).cast(pl.String) + ",5")
    there = DNFClassifier(**settings).fit(engines.table(engine, spelled, "spelled"), "risk")
    assert "sum: numbers written as text, left out: make them numbers in the table" in str(there.columns_report_)
    kept = TableBinariser(kinds={"account_id": "keep", "b0": "ignore"})
    there = DNFClassifier(**settings, binariser=kept).fit(engines.table(engine, table), "risk")
    assert [column.name for column in there.binariser_.columns_] == ["n0", "account_id", "same"]


def test_a_lazy_table_of_another_engine_is_refused():
    table = nw.from_native(pd.DataFrame({"a": [0, 1], "risk": [0, 1]})).lazy()
    known = "polars, duckdb, pyspark, ibis; got pandas. Read the table with one of those"
    refused(table, "risk", f"a lazy table must be of one of these engines: {known}", TypeError)


@pytest.mark.parametrize("engine", LAZY)
def test_bad_tables_are_refused_in_words_and_leave_nothing_behind(engines, engine, request):
    table = wide_table(300).select("b0", "n0", "risk")
    lazy = engines.table(engine, table)
    refused(lazy, "absent", "y must name a column of the table; 'absent' is not among")
    refused(lazy, table["risk"].to_numpy(), "y and sample_weight must name columns of a lazy table", TypeError)
    many = engines.table(engine, table.with_columns(risk=pl.int_range(pl.len()) % 3), "many")
    refused(many, "risk", "family must be .* for more than two classes; got 'nested'")
    far_too_many = engines.table(engine, table.with_columns(risk=pl.int_range(pl.len()) % 101), "far_too_many")
    refused(far_too_many, "risk", r"y must hold at most 100 classes; column 'risk' has .* \(3 rows\), .* and more")
    refused(engines.table(engine, table.with_columns(risk=True), "one"), "risk", r"only one, True \(300 rows\)")
    if engine == "spark" and not request.config.getoption("--slow"):
        return
    refused(engines.table(engine, table.clear(), "none"), "risk", "X must have at least one row; got 0")
    listed = table.with_columns(listed=pl.concat_list("n0", "n0"))
    refused(engines.table(engine, listed, "listed"), "risk", "column 'listed' must hold numbers, .* got List")
    empty = table.with_columns(empty=pl.lit(None, pl.Float64))
    refused(engines.table(engine, empty, "empty"), "risk", "'empty' must have a known value; all 300 are missing")
    infinite = table.with_columns(n0=pl.lit(float("inf")))
    refused(
        engines.table(engine, infinite, "infinite"), "risk", "'n0' must hold finite numbers; got infinity in 300 rows"
    )
    unknown = table.with_columns(risk=pl.lit(None, pl.Boolean))
    refused(engines.table(engine, unknown, "unknown"), "risk", "y must have no missing values; column 'risk' has 300")


def test_enumerations_keep_the_order_the_engine_has_for_them(engines):
    sizes = np.random.default_rng(3).choice(["s", "m", "l"], 300)
    table = pl.DataFrame({"size": sizes, "risk": sizes != "s"}, schema_overrides={"size": pl.Enum(["s", "m", "l"])})
    make = lambda: DNFClassifier(k=1, family="nested", learner="greedy")  # noqa: E731
    in_memory = make().fit(table.drop("risk"), table["risk"].to_numpy())
    assert str(in_memory.double_dnf_.positive) == "~'size is s'"
    same_model(make().fit(engines.table("polars", table), "risk"), in_memory)
    typed = engines.table("duckdb", table).project("size::ENUM('s', 'm', 'l') AS size, risk")
    clf = make().fit(typed, "risk")
    same_model(clf, in_memory)
    assert engines.collected("duckdb", clf.predict(typed))["predicted"].to_list() == table["risk"].to_list()


def test_intervals_of_databases_are_refused_and_durations_are_not(engines):
    table = pl.DataFrame({"took": [dt.timedelta(hours=i) for i in range(40)], "risk": [i > 20 for i in range(40)]})
    same_model(
        DNFClassifier(k=1).fit(engines.table("polars", table), "risk"),
        DNFClassifier(k=1).fit(table.drop("risk"), table["risk"].to_numpy()),
    )
    relation = duckdb.connect().sql("SELECT INTERVAL (i) HOUR AS took, i > 20 AS risk FROM range(40) r(i)")
    refused(relation, "risk", "'took' must hold numbers, .* got intervals, .* Convert the column to seconds")


def test_a_column_that_the_answer_adds_must_not_be_there_yet(engines):
    table = wide_table(300).select("b0", "n0", "risk")
    lazy = engines.table("polars", table)
    clf = DNFClassifier(k=2, family="nested", learner="greedy").fit(lazy, "risk")
    with pytest.raises(ValueError, match="X must have no column named 'predicted', which the answer adds"):
        clf.predict(engines.table("polars", table.with_columns(predicted=1), "taken"))
    with pytest.raises(ValueError, match="X must have the columns seen in training; 'n0' is not among"):
        clf.predict(lazy.drop("n0"))


def test_a_failing_query_says_which_step_failed_and_what_was_asked(engines):
    path = engines.folder / "gone.parquet"
    wide_table(300).write_parquet(path)
    relation = duckdb.connect().read_parquet(str(path))
    unreadable = relation.project("b0, risk, CAST('x' || b0 AS INTEGER) AS wrong")
    step = "the engine failed while counting missing values: ConversionException: .*The query was: (.|\n)*wrong"
    refused(unreadable, "risk", step, QueryError)
    path.unlink()
    refused(relation, "risk", "the engine failed while counting the values of 'risk': IOException", QueryError)


@pytest.mark.parametrize("engine", LAZY)
def test_every_engine_can_tell_its_query(engines, engine):
    lazy = as_lazy(engines.table(engine, wide_table(100).select("b0", "risk")))
    assert "b0" in query_text(lazy.filter(nw.col("b0")))
    with pytest.raises(QueryError, match="failed while asking: RuntimeError: no. The query was: (.|\n)*b0") as told:
        fail_in_a_step(lazy.filter(nw.col("b0")))
    assert "b0" in told.value.query


def fail_in_a_step(query):
    with Step("asking", query):
        raise RuntimeError("no")


def test_errors_of_java_and_errors_of_the_wrong_class_are_told_as_failures_of_the_engine(engines, monkeypatch):
    lazy = engines.table("polars", wide_table(300).select("b0", "n0", "risk"))
    java = RuntimeError("An error occurred while calling o7.x.\n: a.B: c\n\tat d\nCaused by: java.io.E: gone\n\tat f")
    # Spark's own assertions have no words.
    for error, said in ((java, "RuntimeError: java.io.E: gone."), (AssertionError(), "AssertionError: no message.")):
        monkeypatch.setattr("narwhals.stable.v2.LazyFrame.collect", Mock(side_effect=error))
        refused(lazy, "risk", f"the engine failed while counting the values of 'risk': {said}", QueryError)


def test_an_operation_that_a_database_does_not_have_is_told(engines):
    table = engines.table("ibis", wide_table(100).select("b0", "risk"))
    unknown = table.mutate(hashed=table.b0.cast("string").hashbytes("sha1").cast("string"))
    refused(unknown, "risk", "the engine failed while .*: OperationNotDefinedError: .*HashBytes", QueryError)


def test_what_the_caller_raises_when_told_of_progress_is_no_failure_of_the_engine(engines):
    def stop(share):
        raise InterruptedError(f"stopped at {share:.0%}")

    lazy = engines.table("polars", wide_table(100).select("b0", "risk"))
    refused(lazy, "risk", "^stopped at ", InterruptedError, progress=stop)


def test_a_lost_connection_is_told(engines, postgres_url):
    table = engines.table("postgres", wide_table(300).select("b0", "n0", "risk"))
    own = table.get_backend().con
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [own.info.backend_pid])
    refused(table, "risk", "the engine failed while counting the values of 'risk'", QueryError)


@pytest.mark.slow
def test_a_cluster_that_loses_an_executor_gives_the_same_model(tmp_path):
    table = mixed_table(20_000).drop("id")
    path = tmp_path / "table.parquet"
    table.write_parquet(path, row_group_size=5_000)
    script = Path(__file__).with_name("spark_cluster.py")
    answer = tmp_path / "models.json"
    command = [sys.executable, str(script), str(path), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(answer.read_text(encoding="utf-8"))
    in_memory = DNFClassifier(k=2, family="nested", learner="greedy")
    in_memory.fit(table.drop("risk"), table["risk"].to_numpy())
    expected = [str(in_memory.double_dnf_.positive), pytest.approx(in_memory.objective_, abs=1e-12)]
    assert found == {"executors": 2, "killed": 1, "models": [expected, expected]}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_columns_whose_names_begin_like_those_of_this_library(engines, engine):
    rng = np.random.default_rng(1)
    table = pl.DataFrame(
        {f"idnf {name}": rng.normal(size=300) for name in ("class", "cell 0", "weight", "rows", "row")}
    )
    table = table.with_columns(risk=(pl.col("idnf class") > 0) ^ (pl.col("idnf cell 0") > 0.5), w=pl.lit(1.0))
    lazy = engines.table(engine, table)
    clf = DNFClassifier(**SETTINGS).fit(lazy, "risk", sample_weight="w")
    X = table.drop("risk", "w")
    same_model(clf, DNFClassifier(**SETTINGS).fit(X, table["risk"].to_numpy(), table["w"].to_numpy()))
    answer = engines.collected(engine, clf.predict(lazy)).sort("idnf row")
    assert answer.drop("predicted").equals(table.sort("idnf row"))
    assert answer["predicted"].to_list() == clf.predict(X.sort("idnf row")).tolist()
    taken = lazy.rename({"idnf row": "__IDNF row"}) if engine == "polars" else lazy.project('*, 1 AS "__IDNF row"')
    with pytest.raises(ValueError, match="must not begin with '__idnf ', .* got '__IDNF row'. Rename it"):
        clf.predict(taken)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_far_times_are_refused_in_training(engines, engine):
    table = pl.DataFrame({"d": pl.Series([0, 1, 3_000_000] * 20).cast(pl.Int32).cast(pl.Date), "risk": [0, 1, 1] * 20})
    refused(
        engines.table(engine, table),
        "risk",
        "'d' must hold dates from the year 1 to the year 9999; got others in 20 rows",
    )


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("several", [False, True])
def test_groups_of_values_are_those_of_memory(engines, engine, several):
    rng = np.random.default_rng(5)
    shop, level = rng.integers(0, 50, 1500), rng.integers(0, 3, 1500)
    names = [f"it's {i}" if i % 7 else None for i in shop]
    noise = [f"n{i}" for i in rng.integers(0, 80, 1500)]
    kinds = np.array(["a", "b", "c"])[np.where(rng.random(1500) < 0.9, shop % 3, level)]
    y = kinds if several else np.where(kinds == "a", "a", "b")
    native = pl.DataFrame({"shop": names, "noise": noise, "amount": rng.random(1500), "y": y})
    weights = {"a": 1.0, "b": 3.0, **({"c": 2.0} if several else {})}
    settings = {"k": 2, "class_weight": weights, "learner": "greedy"}
    memory = DNFClassifier(**settings).fit(native.drop("y"), native["y"].to_numpy())
    lazily = DNFClassifier(**settings).fit(engines.table(engine, native), "y")
    assert lazily.binariser_.columns_ == memory.binariser_.columns_
    assert lazily.groups_["shop"].keys() == memory.groups_["shop"].keys()
    said = [one for one in memory.columns_report_ if one.topic == "categories"]
    assert [one for one in lazily.columns_report_ if one.topic == "categories"] == said
    assert [one.column for one in said] == ["shop", "noise"]
    given = native.drop("y").with_columns(
        shop=pl.when(pl.int_range(pl.len()) < 9).then(pl.lit("new")).otherwise("shop")
    )
    found = engines.collected(engine, lazily.predict(engines.table(engine, given)))
    assert found.sort("amount")["predicted"].to_list() == memory.predict(given.sort("amount")).tolist()


def test_folds_of_a_lazy_table_group_its_values_anew():
    rng = np.random.default_rng(6)
    shop = rng.integers(0, 60, 2000)
    late = (shop < 20) ^ (rng.random(2000) < 0.05)
    native = pl.DataFrame({"shop": [f"s{i}" for i in shop], "a": rng.random(2000), "y": np.where(late, "yes", "no")})
    memory = DNFClassifier(k=2).fit(native.drop("y"), native["y"].to_numpy())
    lazily = DNFClassifier(k=2).fit(native.lazy(), "y")
    assert lazily.groups_ == memory.groups_
    assert lazily.to_text().replace("y is ", "") == memory.to_text()
    assert lazily.path_.chosen.size == memory.path_.chosen.size
