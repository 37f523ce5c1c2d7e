"""The page speaks plainly, says what was done with the columns, and fits desktop and phone."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser

from idnf import DNFClassifier, TableWarning, reporting

JARGON = ("DNF", "literal matrix", "Boolean point", "AXp", "CXp", "prime implicant")

# What a reader sees before opening any details.
VISIBLE = """() => {
  document.querySelectorAll("details, script, style").forEach((node) => node.remove());
  return document.querySelector("main").innerText;
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": np.arange(200), "fee": [f"{v:.2f} €".replace(".", ",") for v in rng.uniform(1, 9, 200)]})
    X["late"] = rng.integers(0, 4, 200)
    y = np.where((X["late"] > 1) ^ (rng.random(200) < 0.1), "yes", "no")
    with pytest.warns(TableWarning, match="id: a running number, left out"):
        clf = DNFClassifier(2, family="nested", learner="greedy").fit(X, y)
    path = tmp_path_factory.mktemp("page") / "report.html"
    reporting.to_html(clf, path, X, y)
    return path


@pytest.mark.parametrize("width", [1280, 375])
def test_the_page_says_what_was_done_without_jargon(browser: Browser, page: Path, width: int) -> None:
    shown = browser.new_page(viewport={"width": width, "height": 800})
    shown.goto(page.as_uri())
    section = shown.locator("section", has=shown.locator("#h-decisions"))
    assert "a running number, left out" in section.inner_text()
    assert "decimal commas and the unit €" in section.inner_text()
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    text = shown.evaluate(VISIBLE)
    assert [word for word in JARGON if word in text] == []
    shown.close()


def test_page_and_proof_call_the_same_class_otherwise() -> None:
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    y = np.select([X[:, 0] & X[:, 1], X[:, 0], X[:, 2]], ["gold", "silver", "bronze"], "none")
    clf = DNFClassifier(k=2, price=0.0).fit(X, y)
    for first in clf.classes_.tolist():
        page = reporting.page(clf, X, reporting.summarise(clf, X, y), first=first)
        (last,) = re.findall(r"<h3[^>]*>(\w+)</h3><p>otherwise", page)
        assert f"{last} (1 reason)" in page
        assert len(re.findall(r"<p>if one of these holds", page)) == 3
