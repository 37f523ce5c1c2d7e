"""Classifiers fitted on tables as people have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import box_phrases
from idnf.datasets.loans import loan_table


def built_in(load):
    X, y = load(return_X_y=True, as_frame=True)
    return X, pl.DataFrame(X.to_dict("list")), (y == 0).to_numpy()


def loans():
    table = loan_table(600)
    return table.to_pandas(), table.to_polars(), table.approved


@pytest.mark.parametrize(
    "tables",
    [lambda: built_in(load_breast_cancer), lambda: built_in(load_wine), loans],
    ids=["breast cancer", "wine", "loans"],
)
def test_a_table_gives_the_same_model_from_pandas_and_polars(tables):
    pandas, polars, y = tables()
    classifier = DNFClassifier(k=3, learner="greedy").fit(pandas, y)
    twin = DNFClassifier(k=3, learner="greedy").fit(polars, y)
    assert classifier.double_dnf_ == twin.double_dnf_
    assert (classifier.predict(polars) == twin.predict(pandas[pandas.columns[::-1]])).all()
    assert classifier.score(pandas, y) > 0.85
    for box in classifier.binariser_.space_.boxes(classifier.double_dnf_.positive):
        said = [phrase.condition for phrase in box_phrases(classifier.binariser_.columns_, box)]
        assert 1 <= len(said) <= 3
        assert all(any(name in words for name in pandas.columns) for words in said)


def with_violations(n_rows: int = 400):
    """Return incomes with some missing and ages, and approvals that fall again for the highest incomes."""
    generator = np.random.default_rng(1)
    income, age = generator.uniform(0, 100, n_rows), generator.uniform(20, 80, n_rows)
    y = (income > 40) & ~((income > 70) & (age < 60))
    income[generator.random(n_rows) < 0.1] = np.nan
    return pd.DataFrame({"income": income, "age": age}), y


def is_rising(classifier: DNFClassifier) -> bool:
    """Return whether no pair of rows that differ in income alone, both known, is decided against the order."""
    ages, incomes = np.linspace(20, 80, 25), np.linspace(0, 100, 60)
    grid = pd.DataFrame({"income": np.tile(incomes, len(ages)), "age": np.repeat(ages, len(incomes))})
    return bool((np.diff(classifier.predict(grid).astype(int).reshape(len(ages), -1), axis=1) >= 0).all())


@pytest.mark.parametrize(("family", "learner"), [("nested", "greedy"), ("any", "search")])
def test_a_monotone_constraint_is_kept_where_the_data_violate_it(family, learner):
    X, y = with_violations()
    free = DNFClassifier(k=3, family=family, learner=learner, effort=0.1).fit(X, y)
    bound = DNFClassifier(k=3, family=family, learner=learner, effort=0.1, monotonic_cst={"income": 1}).fit(X, y)
    assert not is_rising(free)
    assert is_rising(bound)
    assert bound.score(X, y) > max(y.mean(), 1 - y.mean())
