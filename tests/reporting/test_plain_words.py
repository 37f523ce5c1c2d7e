"""The page speaks plainly, says what was done with the columns, and fits desktop and phone."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser
from tests.browsers import blank_page

from idnf import DNFClassifier, TableWarning, choose_k, reporting
from idnf.governance import model_card

JARGON = (
    *("<=", ">=", "exclude each other", "mean share", "given no"),
    "DNF",
    "literal",
    "Boolean",
    "AXp",
    "CXp",
    "prime implicant",
    "binariser",
    "objective",
    "Hyperparameter",
)

# What a reader sees before opening any details.
VISIBLE = """() => {
  document.querySelectorAll("details, script, style").forEach((node) => node.remove());
  return document.querySelector("main").innerText;
}"""


def labelled() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": np.arange(200), "fee": [f"{v:.2f} €".replace(".", ",") for v in rng.uniform(1, 9, 200)]})
    X["late"] = rng.integers(0, 4, 200)
    X["sex"] = rng.choice(["f", "m"], 200)
    y = np.where(((X["late"] > 1) & (X["sex"] == "f")) ^ (rng.random(200) < 0.05), "yes", "no")
    return X, pd.Series(y, name="Churn")


def fitted(**options: object) -> DNFClassifier:
    with pytest.warns(TableWarning, match="id: a running number, left out"):
        return DNFClassifier(2, family="nested", learner="greedy", **options).fit(*labelled())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    X, y = labelled()
    path = tmp_path_factory.mktemp("page") / "report.html"
    choices = choose_k(X, y, [1, 2, 3], cv=3, estimator=DNFClassifier(learner="greedy"))
    reporting.to_html(fitted().with_settings(immutable=["sex"]), path, X, y, choices=choices)
    return path


@pytest.mark.parametrize("width", [1280, 375])
def test_the_page_says_what_was_done_without_jargon(browser: Browser, page: Path, width: int) -> None:
    shown = blank_page(browser, width=width)
    shown.goto(page.as_uri())
    section = shown.locator("section", has=shown.locator("#h-decisions"))
    assert "a running number, left out" in section.inner_text()
    assert "decimal commas and the unit €" in section.inner_text()
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    text = shown.evaluate(VISIBLE)
    assert [word for word in JARGON if word in text] == []


def test_page_card_and_text_count_the_same_reasons() -> None:
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    y = np.select([X[:, 0] & X[:, 1], X[:, 0], X[:, 2]], ["gold", "silver", "bronze"], "none")
    clf = DNFClassifier(k=2, price=0.0).fit(X, y)
    reasons = [reason.label for reason in clf.reasons()]
    for first in clf.classes_.tolist():
        page = reporting.page(clf, X, reporting.summarise(clf, X, y), first=first)
        counts = re.findall(r'<span class="\w+">(\w+)</span>: (\d+) reason', page)
        assert counts[0][0] == first
        assert {name: int(count) for name, count in counts} == {name: reasons.count(name) for name in reasons}
        assert page.count('<tr role="row" data-reason=') == len(reasons)
        assert f"{clf.size_}." in page
    assert f"{len(reasons)} reasons in all" in str(clf.size_)
    assert str(clf.size_) in model_card(clf, reporting.summarise(clf, X, y)).to_markdown()


def test_what_is_missed_and_groups_by_hand() -> None:
    clf = DNFClassifier.from_dnf("late", classes=("good", "bad"), target="Status")
    late = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    X = pd.DataFrame({"late": late, "sex": list("ffffffmmmm")}).astype({"late": bool})
    y = np.array(["bad", "bad", "good", "good", "bad", "good", "good", "good", "good", "bad"])
    page = reporting.page(clf, X, reporting.summarise(clf, X, y, subgroup="sex"), written=date(2026, 3, 4))
    assert "<h1>Status: bad or good</h1>" in page
    assert "Misses 2 of 4 whose Status is bad, and gives bad to 2 of 6 whose Status is good." in page
    # Wilson for 6 of 10: (6 + 1.92) / 13.84 with 1.96 sqrt(2.4 + 0.96) / 13.84 to either side.
    assert "<strong>60.0%</strong> of 10 rows (95% interval 31.3% to 83.2%)" in page
    assert "10 rows given to this report, 4 March 2026." in page
    assert "<dt>Not given</dt><dd>sex: the model cannot look at them.</dd>" in page
    rows = re.findall(r'<td role="cell" data-name="sex">(.)</td>(.*?)</tr>', page)
    cells = {sex: re.findall(r">([^<>]+)</td>", rest) for sex, rest in rows}
    # Two of the six women are not refused, all four men; of the women's three good ones two are refused.
    assert [one[2:] for one in (cells["f"], cells["m"])] == [["33.3%", "66.7%", "0.33"], ["100.0%", "0.0%", "1.00"]]


def test_a_refused_case_comes_first_under_its_identifier(browser: Browser, page: Path) -> None:
    shown = blank_page(browser)
    shown.goto(page.as_uri())
    assert shown.text_content("#decision") == "yes"
    assert re.fullmatch(r"id \d+ is actually yes: the decision is right", shown.text_content("#truth"))


def test_the_page_names_the_target_and_links_to_its_parts(browser: Browser, page: Path) -> None:
    shown = blank_page(browser, width=375)
    shown.goto(page.as_uri())
    assert shown.locator("h1").inner_text() == "Churn: yes or no"
    assert shown.locator("p.decision").inner_text() == "Churn:\nyes"
    links = shown.locator("nav a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert len(links) == shown.locator("h2").count()
    assert all(shown.locator(link).count() == 1 for link in links)


def test_columns_ticked_by_the_reader_are_left_alone(browser: Browser, page: Path) -> None:
    shown = blank_page(browser, width=375)
    shown.goto(page.as_uri())
    shown.evaluate("idnf.show({late: 0, sex: 'f'})")
    assert shown.get_by_label("sex cannot change").is_checked()
    assert shown.text_content("#change") == "For Churn to be yes: change late from 0 to 2."
    shown.get_by_label("late cannot change").check()
    assert shown.text_content("#change") == "No change gives another decision while late and sex cannot change."
    shown.get_by_label("late cannot change").uncheck()
    shown.get_by_label("sex cannot change").uncheck()
    shown.evaluate("idnf.show({late: 3, sex: 'f'})")
    assert shown.text_content("#change").startswith("For Churn to be no: change ")


def test_a_page_without_changes_proposes_none(browser: Browser, tmp_path: Path) -> None:
    X, y = labelled()
    reporting.to_html(fitted().with_settings(immutable="all"), tmp_path / "report.html", X, y)
    shown = blank_page(browser, width=375)
    shown.goto((tmp_path / "report.html").as_uri())
    assert shown.locator("#reason").count() == 1
    assert shown.locator("#change, [type=checkbox], #h-k").count() == 0
    assert "cheapest change" not in shown.locator("main").inner_text()


def test_how_many_conditions_is_drawn(browser: Browser, page: Path) -> None:
    shown = blank_page(browser, width=375)
    shown.goto(page.as_uri())
    section = shown.locator("section", has=shown.locator("#h-k"))
    # Ours and the trees have dots, the others are lines, each with dashes of its own.
    assert section.locator("circle").count() == 6
    dashes = section.locator("path[stroke-dasharray]").evaluate_all("all => all.map((one) => one.outerHTML)")
    assert len({one.split('stroke-dasharray="')[1] for one in dashes}) == 4
    assert "k = 2 (chosen)" in section.locator("svg").text_content()
    assert section.locator("tbody tr").count() == 3
