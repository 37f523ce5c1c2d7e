"""A kind of column that the library does not have works everywhere, added by one class and these tests."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import duckdb
import numpy as np
import onnxruntime
import polars as pl
import pytest
from playwright.sync_api import Browser
from tests.browsers import blank_page
from tests.columns.clock import ClockColumn

from idnf import DNFClassifier, TableBinariser, exporting, reporting
from idnf.columns.predicates import holds
from idnf.exporting.onnx_graph import onnx_inputs

CLOCK = ClockColumn("hour", "seen", hours=(6.0, 12.0, 18.0, 22.0))


def table(rows: int = 300) -> pl.DataFrame:
    generator = np.random.default_rng(1)
    hours = generator.integers(0, 24, rows).tolist()
    return pl.DataFrame(
        {
            "hour": pl.Series([None if i % 11 == 0 else float(hour) for i, hour in enumerate(hours)], dtype=pl.Float64),
            "amount": generator.normal(100, 40, rows).round(1),
        }
    )


def is_fraud(rows: pl.DataFrame) -> list[str]:
    night = [hour is not None and (hour > 22 or hour <= 6) for hour in rows["hour"].to_list()]
    return ["fraud" if n and a > 90 else "fine" for n, a in zip(night, rows["amount"].to_list())]


def unfitted() -> DNFClassifier:
    return DNFClassifier(k=2, learner="greedy", binariser=TableBinariser(cut_points={"hour": CLOCK}))


@pytest.fixture(scope="module")
def clf() -> DNFClassifier:
    X = table()
    return unfitted().fit(X, is_fraud(X))


def test_tests_and_cells_and_words() -> None:
    hours = [0.0, 6.0, 6.5, 12.0, 18.0, 22.0, 23.5, 24.0, None, float("nan")]
    assert CLOCK.cells(hours).tolist() == [3, 3, 0, 0, 1, 2, 3, 3, 4, 4]
    for mask in range(1, CLOCK.full + 1):
        expected = [bool(mask >> cell & 1) for cell in CLOCK.cells(hours).tolist()]
        assert holds(CLOCK.test(mask), CLOCK.read(hours)).tolist() == expected
    assert CLOCK.words(0b01001) == "hour is after 22 up to 12"
    assert CLOCK.words(0b10101) == "hour is after 6 up to 12 or after 18 up to 22 or missing"
    with pytest.raises(ValueError, match="column 'hour' must be hours from 0 to 24; got 25 in row 2"):
        CLOCK.cells([3, 25])


def test_fit_and_explain(clf: DNFClassifier) -> None:
    X = table(500)
    assert clf.predict(X).tolist() == is_fraud(X)
    row = pl.DataFrame({"hour": [23.0], "amount": [150.0]})
    text = clf.explain(row)[0].to_text()
    assert text.startswith("Fraud because hour is 23 (after 22 up to 6) and amount is 150 (over ")
    (change,) = clf.recourse({"hour": 23.0, "amount": 150.0}, immutable=["amount"])
    assert change.changes[0].column == "hour"


def test_a_lazy_table_gives_the_same_model(clf: DNFClassifier) -> None:
    X = table()
    lazy = X.with_columns(label=pl.Series(is_fraud(X))).lazy()
    again = unfitted().fit(lazy, "label")
    assert again.double_dnf_ == clf.double_dnf_
    assert again.binariser_.columns_[0] == CLOCK
    assert again.predict(X).tolist() == is_fraud(X)


def test_sql_and_onnx_and_python(clf: DNFClassifier) -> None:
    X = table(500)
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE visits (hour, amount)")
        base.executemany("INSERT INTO visits VALUES (?, ?)", X.rows())
        query = exporting.to_sql(clf, dialect="sqlite", table="visits", reasons=True)
        answer = base.execute(query + " ORDER BY rowid").fetchall()
    assert [row[2] for row in answer] == is_fraud(X)
    relation = duckdb.connect().from_arrow(X.to_arrow())
    labels = relation.query("visits", exporting.to_sql(clf, dialect="duckdb", table="visits"))
    assert [row[-1] for row in labels.fetchall()] == is_fraud(X)
    session = onnxruntime.InferenceSession(exporting.to_onnx(clf).SerializeToString())
    assert session.run(["label"], onnx_inputs(clf, X))[0].tolist() == is_fraud(X)
    module: dict[str, object] = {}
    exec(exporting.to_python(clf), module)
    assert [module["explain"](row) for row in X.to_dicts()[:100]] == [e.to_dict() for e in clf.explain(X[:100])]


def test_javascript(clf: DNFClassifier, tmp_path: Path) -> None:
    X = table(200)
    (tmp_path / "model.js").write_text(exporting.to_javascript(clf), "utf-8")
    program = "const idnf = require(process.argv[1]); const rows = JSON.parse(require('fs').readFileSync(0));"
    program += "console.log(JSON.stringify(rows.map((row) => idnf.explain(row))));"
    node = shutil.which("node")
    assert node is not None, "this test needs node: apt-get install nodejs (or put node on PATH)"
    command = [node, "-e", program, str(tmp_path / "model.js")]
    done = subprocess.run(command, input=json.dumps(X.to_dicts()), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [e.to_dict() for e in clf.explain(X)]


def test_the_page(clf: DNFClassifier, browser: Browser, tmp_path: Path) -> None:
    X = table()
    reporting.to_html(clf, tmp_path / "page.html", X, is_fraud(X))
    page = blank_page(browser)
    page.goto((tmp_path / "page.html").as_uri())
    page.fill("[data-column='amount']", "150")
    page.fill("[data-column='hour']", "23")
    assert page.text_content("#decision") == "fraud"
    assert page.text_content("#reason").startswith("hour is 23 (after 22 up to 6) and amount is 150 (over ")
    page.fill("[data-column='hour']", "12")
    assert page.text_content("#decision") == "fine"
