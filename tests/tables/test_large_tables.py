"""Tables of more rows than columns are cut by: what is drawn, and what is asked of all rows."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf import DNFClassifier, TableBinariser
from idnf.engines import queries
from idnf.tables.cuts import spread_rows

ROWS = 4_000


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw where a hundred rows are enough."""
    monkeypatch.setattr("idnf.tables.column_fitting.MOST_CUT_ROWS", 500)
    monkeypatch.setattr("idnf.counting.packed.FEW_ROWS", 500)
    monkeypatch.setattr("idnf.learning.dispatch.MOST_ROWS", 500)


def table() -> tuple[pd.DataFrame, np.ndarray]:
    generator = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "amount": generator.normal(size=ROWS),
            "age": generator.integers(18, 90, ROWS),
            "job": pd.Categorical(generator.choice(["clerk", "nurse", "smith"], ROWS)),
            "late": generator.random(ROWS) < 0.3,
        }
    )
    y = ((X.amount > 0.2) & (X.age < 50) | (X.job == "smith")).to_numpy() ^ (generator.random(ROWS) < 0.05)
    return X, y


@given(st.integers(2, 10_000), st.integers(1, 500))
def test_drawn_rows_lie_one_in_each_stretch(rows: int, most: int) -> None:
    most = min(rows, most)
    drawn = spread_rows(rows, most)
    assert len(drawn) == most
    assert (np.diff(drawn) >= 0).all()
    low, high = np.floor(np.arange(most) * rows / most), np.ceil(np.arange(1, most + 1) * rows / most)
    assert ((low <= drawn) & (drawn < high)).all()


def test_one_row_of_all_decides_what_a_column_holds() -> None:
    X, y = table()
    drawn = set(spread_rows(ROWS, 500).tolist())
    apart = next(row for row in range(ROWS) if row not in drawn)
    X["gone"], X["flag"], X["code"] = X.amount.copy(), (X.age > 40) * 1.0, X.job.astype(str)
    X.loc[apart, "gone"], X.loc[apart, "flag"], X.loc[apart, "code"] = np.nan, 7.0, "baker"
    columns = {one.name: one for one in TableBinariser(unseen="refuse").fit(X, y).columns_}
    assert columns["gone"].missing == "seen"
    assert columns["flag"].kind == "number"
    assert columns["code"].accepted == ("baker", "clerk", "nurse", "smith")


def test_cuts_of_drawn_rows_are_near_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    drawn = TableBinariser(cuts="quantile").fit(X[["amount"]], y).columns_[0].cuts
    monkeypatch.setattr("idnf.tables.column_fitting.MOST_CUT_ROWS", ROWS)
    whole = TableBinariser(cuts="quantile").fit(X[["amount"]], y).columns_[0].cuts
    shares = [[float((X.amount <= cut).mean()) for cut in cuts] for cuts in (drawn, whole)]
    np.testing.assert_allclose(*shares, atol=3 * np.sqrt(0.25 / 500))


def test_a_model_of_drawn_rows_is_the_same_for_every_number_of_threads() -> None:
    X, y = table()
    models = [DNFClassifier(2, n_jobs=threads).fit(X, y) for threads in (1, 2, 3)]
    assert models[0].training_data_.startswith("sample of ")
    assert len({model.to_text() for model in models}) == 1
    assert len({model.objective_ for model in models}) == 1


def test_a_model_of_drawn_rows_is_judged_on_all_of_them() -> None:
    X, y = table()
    clf = DNFClassifier(2).fit(X, y)
    errors = float((clf.predict(X) != y).mean())
    assert clf.objective_ == pytest.approx(errors + clf.fitted_.learned.price * clf.double_dnf_.literal_count)
    assert errors < 0.08


@pytest.mark.parametrize("blank", ["", " "])
def test_texts_without_blanks_are_compared_as_they_are(blank: str) -> None:
    frame = pl.DataFrame({"job": ["smith" + blank, "nurse"] * 60, "age": [30, 50, 40] * 40}).lazy()
    asked: list[str] = []

    collect = queries.Scans.collect
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            queries.Scans,
            "collect",
            lambda scans, query, step: asked.append(query.to_native().explain()) or collect(scans, query, step),
        )
        clf = DNFClassifier(1).fit(frame.with_columns(y=pl.col("job").str.starts_with("s")), "y")
    assert clf.double_dnf_.positive.names
    assert any("replace" in text for text in asked) == bool(blank)
    assert nw.from_native(clf.predict(frame)).collect()["predicted"].to_list() == [True, False] * 60
