"""Names, categories and labels that try to become code: on the page in a browser, and in every export."""

from __future__ import annotations

import ast
import json
import random
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Browser
from tests.adversary.tally import count
from tests.exporting.cases import HOSTILE
from tests.reporting.test_page import ANSWERS, expected, opened

from idnf import DNFClassifier, exporting, reporting
from idnf.classifier.memory_source import ExaminedTable
from idnf.explaining.explanation import Explanations
from idnf.reporting.summary import cases

NAMES = (
    *HOSTILE,
    "__proto__",
    "constructor",
    "toString",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "javascript:alert(1)",
    "{{7*7}}",
    "]]><script>alert(1)</script>",
    "&lt;b&gt;",
    "';alert(1);//",
    "\\u003cscript\\u003e",
    "=cmd|' /C calc'!A0",
    "__import__('os').system('true')",
    "\ufeffbom",
    "a\tb\rc",
)


def hostile_model(seed: int) -> tuple[DNFClassifier, pl.DataFrame]:
    """A policy, or a model of three classes, whose columns, categories and classes are all hostile."""
    rng = random.Random(seed)
    number, flag, colour, *values = rng.sample(NAMES, 6)
    columns = {number: [rng.uniform(-5, 5)], flag: bool, colour: sorted(values)}
    clf = DNFClassifier.from_dnf("0", columns=columns)
    chosen = rng.sample(clf.binariser_.literals_, 3)
    first, second, third = ("'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'" for name in chosen)
    rows = {number: [-9.0, 9.0] * 6, flag: [True, False, False] * 4, colour: (values * 4)[:12]}
    if seed % 4 == 3:
        labels = np.array(rng.sample(NAMES, 3), dtype=object)[np.arange(12) % 3]
        return DNFClassifier(2, learner="greedy").fit(pl.DataFrame(rows), labels), pl.DataFrame(rows)
    classes = sorted(rng.sample(NAMES, 2))
    clf = DNFClassifier.from_dnf(f"{first} & ~{second} | {third}", columns=columns, classes=tuple(classes))
    return clf, pl.DataFrame(rows)


def test_pages_run_no_code_of_their_names(rounds, browser: Browser, tmp_path: Path) -> None:
    for seed in rounds(3, 120):
        clf, table = hostile_model(seed)
        path = tmp_path / f"{seed}.html"
        labels = clf.predict(table)
        reporting.to_html(clf, path, table, labels, title=NAMES[seed % len(NAMES)])
        # `opened` fails on any dialog, message, error or request of the page.
        with opened(browser, path, width=390 if seed % 2 else 1100) as page:
            assert page.locator("img, iframe, object, embed").count() == 0
            # As text: a browser's own conversion would take a key called "__proto__" for the prototype.
            rows = json.dumps(cases(ExaminedTable(clf.fitted_, table), range(len(table))))
            answers = page.evaluate(f"(text) => ({ANSWERS})(JSON.parse(text))", rows)
        assert [answer[:2] for answer in answers] == expected(clf, table)
        count("hostile pages opened in a browser")
        count("rows decided and explained on hostile pages", len(answers))


def test_exports_run_no_code_of_their_names(rounds, tmp_path: Path) -> None:
    for seed in rounds(3, 400):
        clf, table = hostile_model(seed)
        check_python(clf, table)
        check_script(exporting.to_javascript(clf))
        for dialect in ("sqlite", "duckdb", "postgres"):
            written(partial(exporting.to_sql, clf, dialect=dialect, table="rows"))
        written(partial(exporting.to_onnx, clf))
        exporting.to_json(clf, tmp_path / "model.json")
        read = exporting.from_json(tmp_path / "model.json")
        assert isinstance(read.explain(table), Explanations)
        assert read.predict(table).tolist() == clf.predict(table).tolist()
        count("exports with hostile names", 7)


def written(export):
    """What an export gives, or None if it refuses a name in words."""
    try:
        return export()
    except ValueError as error:
        refusal = str(error)
    assert " must " in refusal, refusal
    return None


def check_python(clf: DNFClassifier, table: pl.DataFrame) -> None:
    """The exported module calls only what the library's own modules call, and decides as the classifier does."""
    source = exporting.to_python(clf)
    plain = exporting.to_python(DNFClassifier.from_dnf("a"))
    assert calls(source) == calls(plain)
    module: dict = {}
    exec(source, module)
    assert [module["predict"](row) for row in table.to_dicts()] == clf.predict(table).tolist()


def calls(source: str) -> list[str]:
    return sorted(ast.unparse(node.func) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))


def check_script(script: str) -> None:
    assert script.isascii()
    assert "</script" not in script.lower()
    assert "<!--" not in script


@pytest.mark.parametrize("name", NAMES)
def test_a_name_alone(name: str) -> None:
    clf = DNFClassifier.from_dnf("0", columns={name: bool})
    assert clf.predict(pl.DataFrame({name: [True, False]})).tolist() == [0, 0]
