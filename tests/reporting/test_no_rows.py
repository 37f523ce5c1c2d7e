"""What leaves the house with rows=None, --no-rows or without_rows(): no value of a row that the model does not need."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser
from tests.reporting.test_page import opened

from idnf import DNFBands, DNFClassifier, exporting, reporting
from idnf.cli import main

# Values of single rows: the greatest and the least, and a category of its own.
TELLING = ("98765.43", "12.345", "zebra keeper", "2019-02-03", "Zoe Quagga")


def table(rows: int = 200) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(5)
    income = rng.uniform(1000, 5000, rows).round(2)
    income[:2] = [98765.43, 12.345]
    job = rng.choice(["clerk", "nurse"], rows).astype(object)
    job[2] = "zebra keeper"
    opened_on = [date(2020, 1, 1) + timedelta(days=int(d)) for d in rng.integers(0, 900, rows)]
    opened_on[3] = date(2019, 2, 3)
    X = pd.DataFrame({"id": [f"Ada {n}" for n in range(rows)], "income": income, "job": job, "opened": opened_on})
    X.loc[4, "id"] = "Zoe Quagga"
    late = np.array([day > date(2021, 3, 1) for day in opened_on])
    return X, np.where((income > 3000) & late | (job == "nurse"), "yes", "no")


def held(text: str) -> set[str]:
    return {value for value in TELLING if value in text}


@pytest.mark.parametrize("kind", [DNFClassifier, DNFBands])
def test_without_rows_a_model_decides_and_explains_alike_and_its_file_holds_no_value_of_a_row(tmp_path, kind):
    X, y = table()
    clf = kind(k=2, **({"learner": "greedy"} if kind is DNFClassifier else {"effort": 0.1})).fit(X, y)
    bare = clf.without_rows()
    assert (bare.predict(X) == clf.predict(X)).all()
    assert [str(one) for one in bare.explain(X[:40])] == [str(one) for one in clf.explain(X[:40])]
    for model, name in ((clf, "all.json"), (bare, "bare.json")):
        exporting.to_json(model, tmp_path / name)
    assert held((tmp_path / "bare.json").read_text()) == set()
    assert {"98765.43", "12.345", "2019-02-03"} <= held((tmp_path / "all.json").read_text())
    again = exporting.from_json(tmp_path / "bare.json")
    assert (again.predict(X) == clf.predict(X)).all()
    assert held(exporting.to_javascript(again)) == set()


@pytest.mark.parametrize("kind", [DNFClassifier, DNFBands])
def test_a_page_without_rows_holds_no_value_of_a_row_and_still_answers(browser: Browser, tmp_path: Path, kind) -> None:
    X, y = table()
    clf = kind(k=2, **({"learner": "greedy"} if kind is DNFClassifier else {"effort": 0.1})).fit(X, y)
    for rows, name in ((None, "bare.html"), (48, "all.html"), (3, "three.html")):
        reporting.to_html(clf, tmp_path / name, X, y, rows=rows)
    assert held((tmp_path / "bare.html").read_text()) == set()
    assert held((tmp_path / "all.html").read_text())
    with opened(browser, tmp_path / "three.html") as page:
        assert page.locator("#start option").count() == 3
    with opened(browser, tmp_path / "bare.html") as page:
        assert page.locator("#start, #truth").count() == 0
        decision = "#decision" if kind is DNFClassifier else "#band"
        before = page.text_content(decision)
        page.locator("#case [data-column='job']").select_option(label="nurse" if before != "yes" else "clerk")
        assert page.locator(decision).count() == 1
        assert page.evaluate("GIVEN.cases.length") == 1


def test_the_commands_leave_rows_out_when_asked(tmp_path, capsys):
    X, y = table()
    X.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    for command, model in (("fit", "model.json"), ("bands", "bands.json")):
        learn = [command, str(tmp_path / "t.csv"), "--target", "y", "--no-rows", "--test-size", "0", "-q", "--k", "1"]
        assert main([*learn, "-o", str(tmp_path / model)]) == 0
        text = (tmp_path / model).read_text()
        assert held(text) == set()
        json.loads(text)
        shown = ["report", str(tmp_path / model), str(tmp_path / "t.csv"), "--no-rows", "-q"]
        assert main([*shown, "-o", str(tmp_path / "page.html")]) == 0
        assert held((tmp_path / "page.html").read_text()) == set()
    capsys.readouterr()
    assert main([*shown, "--pack", str(tmp_path / "pack")]) == 2
    assert "--pack must be left out with --no-rows" in capsys.readouterr().err
