"""A text cell has one meaning everywhere: blanks around it do not count."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import onnxruntime
import pandas as pd
import polars as pl
import pytest

from idnf import DNFClassifier, exporting
from idnf.columns.categories import CategoryColumn, OrderedColumn

BLANKS = ("", " ", "\t", "\u00a0", "\r\n")


def loans() -> tuple[pd.DataFrame, list[str]]:
    jobs = ["fixed", "partime", "freelance", "others"] * 30
    records = ["yes", "no", "no"] * 40
    return pd.DataFrame({"job": jobs, "records": records}), [
        "bad" if job == "partime" or record == "yes" else "good" for job, record in zip(jobs, records, strict=True)
    ]


def padded(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with blanks of every kind before and after the texts."""
    ends = [(one, other) for one in BLANKS for other in BLANKS]
    write = [ends[i % len(ends)] for i in range(len(table))]
    return table.apply(lambda column: [a + text + b for text, (a, b) in zip(column, write, strict=True)])


@pytest.fixture(scope="module")
def model() -> DNFClassifier:
    return DNFClassifier(k=2, learner="greedy").fit(*loans())


def test_a_blank_flips_no_decision_in_memory(model: DNFClassifier) -> None:
    X, y = loans()
    assert model.score(X, y) == 1
    assert model.predict(padded(X)).tolist() == y
    assert [str(one) for one in model.explain(padded(X))] == [str(one) for one in model.explain(X)]
    assert model.decided({"records": " yes"}) == "bad"
    assert model.predict(padded(X).astype("category")).tolist() == y


def test_a_model_of_padded_rows_is_that_of_the_others(model: DNFClassifier) -> None:
    X, y = loans()
    again = DNFClassifier(k=2, learner="greedy").fit(padded(X), y)
    assert again.to_text() == model.to_text()
    lazily = DNFClassifier(k=2, learner="greedy").fit(
        pl.from_pandas(padded(X)).with_columns(y=pl.Series(y)).lazy(), "y"
    )
    assert lazily.binariser_.columns_ == model.binariser_.columns_
    assert str(lazily.double_dnf_) == str(model.double_dnf_)


def test_a_blank_flips_no_decision_in_engines(model: DNFClassifier) -> None:
    X, y = loans()
    rows = pl.from_pandas(padded(X))
    assert model.predict(rows.lazy()).collect()["predicted"].to_list() == y
    connection = duckdb.connect()
    connection.register("rows", rows)
    found = model.predict(connection.sql("SELECT * FROM rows")).pl()
    assert found["predicted"].to_list() == y
    query = exporting.to_sql(model, dialect="duckdb", table="rows")
    assert [row[-1] for row in connection.sql(query).fetchall()] == y


def test_a_blank_flips_no_decision_in_exports(model: DNFClassifier) -> None:
    X, y = loans()
    rows = padded(X)
    with sqlite3.connect(":memory:") as connection:
        rows.to_sql("rows", connection, index=False)
        query = exporting.to_sql(model, dialect="sqlite", table="rows")
        assert [row[-1] for row in connection.execute(query)] == y
    module: dict[str, object] = {}
    exec(exporting.to_python(model), module)
    predict, explain = module["predict"], module["explain"]
    assert callable(predict)
    assert callable(explain)
    assert [predict(row) for row in rows.to_dict("records")] == y
    assert [explain(row)["text"] for row in rows.to_dict("records")] == [one.to_text() for one in model.explain(X)]
    session = onnxruntime.InferenceSession(exporting.to_onnx(model).SerializeToString())
    inputs = {given.name: rows[given.name].to_numpy(dtype=object) for given in session.get_inputs()}
    assert session.run(None, inputs)[0].tolist() == y


def test_texts_with_blanks_are_no_categories_of_a_file(model: DNFClassifier, tmp_path: Path) -> None:
    exporting.to_json(model, tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text().replace('"fixed"', '"fixed "').replace("is fixed", 'is \\"fixed \\"')
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(ValueError, match="values of column 'job' must have no blanks around them; got 'fixed '"):
        exporting.from_json(tmp_path / "model.json")


def test_columns_read_texts_without_the_blanks() -> None:
    assert CategoryColumn("paid", "refused", values=("no", "yes")).cells([" yes", "no\t", "may be"]).tolist() == [
        1,
        0,
        2,
    ]
    assert OrderedColumn("size", "refused", values=("small", "large"), cuts=(0,)).cells([" large"]).tolist() == [1]
