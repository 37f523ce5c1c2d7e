"""The same model from every engine, and clear words when an engine or a table is not what it should be."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from tests.engines import LAZY

from idnf import DNFClassifier, TableBinariser

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
def test_every_engine_gives_the_same_matrix_terms_counts_predictions_and_reasons(engines, engine):
    table = mixed_table()
    features, labels = table.drop("id", "risk"), table["risk"].to_numpy()
    make = lambda cuts: DNFClassifier(binariser=TableBinariser(cut_points=cuts), **SETTINGS)  # noqa: E731
    if engine == "numpy":
        features = numbers_only(table)
        reference = make(CUTS).fit(features, labels)
        ours = make({f"x{i}": cuts for i, cuts in enumerate(CUTS.values())}).fit(features.to_numpy(), labels)
        assert ours.nested_.matrix == reference.nested_.matrix
        assert ours.nested_.prefixes == reference.nested_.prefixes
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
    assert explained.columns == [*table.columns, "predicted", "reason", "conditions"]
    assert explained["predicted"].to_list() == reference.predict(features).tolist()
    assert explained["reason"].to_list() == reasons
    words = {reason.id: str(reason) for reason in reference.reasons()}
    assert explained["conditions"].to_list() == [words[reason] for reason in reasons]
    assert (
        engines.collected(engine, ours.predict(again)).sort("id")["predicted"].to_list()
        == explained["predicted"].to_list()
    )
    probability = engines.collected(engine, ours.predict_proba(again)).sort("id")["probability"].to_numpy()
    np.testing.assert_allclose(probability, shares)


@pytest.mark.parametrize("engine", LAZY)
def test_columns_are_cut_and_categories_counted_as_in_memory(engines, engine):
    table = mixed_table(300)
    clf = DNFClassifier(k=2, family="any", effort=0.1).fit(engines.table(engine, table.drop("id")), "risk")
    same_model(
        clf, DNFClassifier(k=2, family="any", effort=0.1).fit(table.drop("id", "risk"), table["risk"].to_numpy())
    )
    assert clf.training_data_ == "distinct rows"
