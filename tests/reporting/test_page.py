"""The page in a browser: what it says is what Python says, on every screen, with the keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Browser, Page
from tests.browsers import blank_page
from tests.reporting.models import FORMS, shown

from idnf import DNFClassifier, reporting
from idnf.choosing import near_optimal_models
from idnf.classifier.memory_source import ExaminedTable
from idnf.columns.phrases import name_words
from idnf.pictures.drawing import visible
from idnf.reporting.summary import cases

ANSWERS = """(rows) => rows.map((row) => {
  idnf.show(row);
  return ["decision", "reason", "change"].map((id) => document.getElementById(id).textContent);
})"""

KINDS = ("zero", "one", "two", "three", "four", "five", "six", "seven")

# Every piece of text whose contrast with what is behind it is below 7, as WCAG AAA asks.
FAINT = """() => {
  const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
  const over = (top, under, alpha) => top.slice(0, 3).map((c, i) => c * alpha + under[i] * (1 - alpha));
  const light = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [255, 255, 255, 1];
  };
  const faint = [];
  for (const node of document.body.querySelectorAll("*")) {
    const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
    if (!own || ["SCRIPT", "STYLE", "style", "title", "OPTION"].includes(node.tagName)) continue;
    const style = getComputedStyle(node), back = behind(node);
    const colour = parse(node instanceof SVGElement ? style.fill : style.color);
    const text = over(colour, back, colour[3] * Number(style.opacity));
    const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 7) faint.push(node.textContent.slice(0, 40));
  }
  return faint;
}"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for form in FORMS:
        case = shown(form)
        reporting.to_html(case.classifier, folder / f"{form}.html", case.X, case.y, title="</title>A \u202e title")
    return folder


@contextmanager
def opened(browser: Browser, path: Path, *, width: int = 1100, scheme: str = "light") -> Iterator[Page]:
    """Open a page, and fail if it complains or asks anybody for anything."""
    page = blank_page(browser, width=width, scheme=scheme)
    said, asked = [], []
    heard = {
        "console": lambda message: said.append(message.text),
        "pageerror": lambda error: said.append(str(error)),
        "dialog": lambda dialog: (said.append(dialog.message), dialog.dismiss()),
        "request": lambda request: asked.append(request.url),
    }
    for event, listener in heard.items():
        page.on(event, listener)
    try:
        page.goto(path.as_uri())
        yield page
    finally:
        for event, listener in heard.items():
            page.remove_listener(event, listener)
    assert said == []
    assert asked == [path.as_uri()]


def expected(classifier: DNFClassifier, X: pl.DataFrame) -> list[list[str]]:
    found = []
    for one in classifier.explain(X):
        *others, last = [condition.said for condition in one.axp] or [""]
        reasons = f"{', '.join(others)} and {last}" if others else last
        found.append([visible(str(one.label)), visible(reasons) or "every row gets this decision"])
    return found


@pytest.mark.parametrize("form", FORMS)
def test_cases_get_the_answer_that_python_gives(
    browser: Browser, pages: Path, form: str, request: pytest.FixtureRequest
) -> None:
    case, count = shown(form), 200 if request.config.getoption("--slow") else 50
    rows = cases(ExaminedTable(case.classifier.fitted_, case.X), range(count))
    with opened(browser, pages / f"{form}.html") as page:
        answers = page.evaluate(ANSWERS, rows)
    assert [answer[:2] for answer in answers] == expected(case.classifier, case.X[:count])


@pytest.mark.parametrize("form", ["nested", "declared", "hostile"])
def test_the_cheapest_change_is_the_one_that_python_gives(browser: Browser, pages: Path, form: str) -> None:
    case = shown(form)
    with opened(browser, pages / f"{form}.html") as page:
        answers = page.evaluate(ANSWERS, cases(ExaminedTable(case.classifier.fitted_, case.X), range(15)))
    for i, answer in enumerate(answers):
        (change,) = case.classifier.recourse(case.X[i])
        assert answer[2] == visible(change.to_text())


def test_of_several_classes_each_other_one_has_its_cheapest_change(browser: Browser, pages: Path) -> None:
    case = shown("several")
    classes = case.classifier.classes_.tolist()
    with opened(browser, pages / "several.html") as page:
        answers = page.evaluate(ANSWERS, cases(ExaminedTable(case.classifier.fitted_, case.X), range(40)))
        # Every class has its own colour beside its name.
        colours = {
            page.locator(f"summary .{kind}").first.evaluate("e => getComputedStyle(e).color")
            for kind in KINDS[: len(classes)]
        }
        assert len(colours) == len(classes)
        assert page.locator("[aria-labelledby=h-figures] tbody tr").count() == len(classes)
    for i, answer in enumerate(answers):
        said = ""
        for label in classes:
            if str(label) == answer[0]:
                continue
            ways = case.classifier.recourse(case.X[i], to=label)
            if len(ways):
                said += ways[0].to_text()
            else:
                said += f"No change of known values gives {label}."
        assert answer[2] == visible(said)


def test_widgets_of_every_kind_change_the_answer(browser: Browser, pages: Path) -> None:
    case = shown("declared")
    rows = [
        ("blue", "a", date(2020, 1, 1), datetime(2020, 6, 30, 12, 31), timedelta(days=2), (1, 0)),
        ("red", "c", date(2019, 12, 31), datetime(2020, 1, 1), timedelta(minutes=90), (0, 1)),
        ("", "b", None, datetime(2021, 1, 1), None, (0, 1)),
        ("blue", "c", date(2020, 7, 1), datetime(2021, 1, 1), timedelta(hours=1), (1, 0)),
        ("never seen", "c", date(1960, 7, 1), datetime(2020, 6, 30, 12, 30, 15), timedelta(0), (0, 1)),
    ]
    with opened(browser, pages / "declared.html") as page:
        for colour, grade, opened_on, called, wait, sex in rows:
            values = {"colour": colour, "grade": grade, "opened": opened_on, "called": called, "wait": wait}
            X = pl.DataFrame({**values, "f": sex[0], "m": sex[1]}, schema=case.X.schema)
            field = {name: page.locator(f"#case [data-column='{name}']") for name in (*values, "sex")}
            field["colour"].select_option(label="another one" if colour == "never seen" else colour)
            field["grade"].select_option(label=grade)
            field["opened"].fill("" if opened_on is None else opened_on.isoformat())
            field["called"].fill(called.isoformat())
            field["wait"].fill("" if wait is None else str(wait / timedelta(days=1)))
            field["sex"].select_option(label="f" if sex[0] else "m")
            ((label, reasons),) = expected(case.classifier, X)
            assert page.locator("#decision").text_content() == label
            assert page.locator("#reason").text_content() == reasons.replace("never seen", "another one")


def test_a_case_can_start_from_rows_of_every_kind_and_says_what_they_really_are(browser: Browser, pages: Path) -> None:
    case = shown("tree")
    given, answers = case.classifier.predict(case.X), expected(case.classifier, case.X)
    shares = case.classifier.predict_proba(case.X)[:, 1]
    with opened(browser, pages / "tree.html") as page:
        names = page.locator("#start option").evaluate_all("all => all.map((one) => one.textContent)")
        groups = page.locator("#start optgroup").evaluate_all("all => all.map((one) => one.label)")
        rows = [int(name.removeprefix("row ")) - 1 for name in names]
        assert set(groups) == {f"decided {g}, actually {t}" for g, t in zip(given, case.y)}
        for i in (0, 7, len(rows) - 1):
            page.select_option("#start", str(i))
            row = rows[i]
            assert [page.text_content("#decision"), page.text_content("#reason")] == answers[row]
            right = "right" if given[row] == case.y[row] else "wrong"
            assert page.text_content("#truth") == f"row {row + 1} is actually {case.y[row]}: the decision is {right}"
            assert page.text_content("#share") == f"{100 * shares[row]:.1f}%"
        page.locator("#case [type=number]").first.fill("1")
        assert page.locator("#truth").count() == 0


LIT = """(rows) => rows.map((row) => {
  idnf.show(row);
  const drawn = [...document.querySelectorAll("tr[data-reason]")];
  return drawn.map((line) => {
    const outside = [...line.querySelectorAll("td[data-place]")].filter((cell) => cell.querySelector(".idnf-out"));
    const number = line.querySelector("strong").textContent;
    return [number, line.classList.contains("lit"), outside.map((cell) => cell.dataset.name)];
  });
})"""


@pytest.mark.parametrize("form", [form for form in FORMS if form != "large"])
def test_reasons_that_hold_are_lit_and_what_fails_is_dashed(browser: Browser, pages: Path, form: str) -> None:
    case = shown(form)
    table = ExaminedTable(case.classifier.fitted_, case.X)
    names = [column.name for column in case.classifier.binariser_.columns_]
    reasons = {reason.id: reason for reason in case.classifier.reasons()}
    with opened(browser, pages / f"{form}.html") as page:
        found = page.evaluate(LIT, cases(table, range(16)))
        assert page.locator("details.outcome").count() == len(case.classifier.classes_)
    for cells, drawn in zip(table.cells[:16].tolist(), found):
        assert len(drawn) == len({number for number, *_ in drawn})
        for number, lit, outside in drawn:
            failed = [name for name, mask, cell in zip(names, reasons[number].box, cells) if not mask >> cell & 1]
            assert sorted(outside) == sorted(map(visible, failed))
            assert lit == (not failed)


def test_a_missing_value_that_training_did_not_have_is_an_error_in_words(browser: Browser, pages: Path) -> None:
    with opened(browser, pages / "large.html") as page:
        field = page.locator("[data-column='x00']")
        field.fill("")
        assert page.text_content("#answer") == 'column "x00" must have no missing values, as in training.'
        assert field.get_attribute("aria-invalid") == "true"
        field.fill("0.1")
        assert page.text_content("#decision") in ("0", "1")


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_wider_than_a_phone_and_pictures_have_room_for_their_words(
    browser: Browser, pages: Path, form: str
) -> None:
    cut = """() => [...document.querySelectorAll("svg.idnf text")].filter((text) => {
      const end = text.getBoundingClientRect().right, room = text.ownerSVGElement.getBoundingClientRect().right;
      return end > room + 1;
    }).map((text) => text.textContent)"""
    with opened(browser, pages / f"{form}.html", width=375) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 375
        page.set_viewport_size({"width": 3000, "height": 800})
        assert page.evaluate(cut) == []


def test_on_a_phone_a_reason_shows_the_columns_that_it_uses(browser: Browser, pages: Path) -> None:
    shown_name = "cell => getComputedStyle(cell, '::before').content"
    for width, phone in ((375, True), (1280, False)):
        with opened(browser, pages / "declared.html", width=width) as page:
            line = page.locator("details[open] tr[data-reason]").first
            used = line.locator("td[data-place]")
            assert line.locator("td.none").first.is_visible() != phone
            assert (used.first.evaluate(shown_name) != "none") == phone
            box = used.first.locator("svg").first.bounding_box()
            assert box is not None
            assert box["width"] > 80


@pytest.mark.parametrize(("form", "width"), [(form, width) for form in FORMS for width in (1280, 375)])
def test_the_decision_is_the_largest_thing_beside_the_case_and_over_its_histograms(
    browser: Browser, pages: Path, form: str, width: int
) -> None:
    sizes = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    with opened(browser, pages / f"{form}.html", width=width) as page:
        (own,) = page.locator("#decision").evaluate_all(sizes)
        assert own > 1.5 * max(page.locator("main :not(.decision, #decision)").evaluate_all(sizes))
        answer, case = (page.locator(name).bounding_box() for name in ("#answer", "#case"))
        assert answer is not None
        assert case is not None
        assert case["x"] + case["width"] < answer["x"] if width == 1280 else answer["y"] + answer["height"] < case["y"]
        squares = page.locator(".squares svg[viewBox='0 -2 100 40'], tr svg[viewBox='0 -2 100 40']")
        heights = squares.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height).filter(Boolean)")
        # A histogram is 34 of 40 units high.
        assert all(height * 34 / 40 >= 48 for height in heights)


SQUARES = """(rows) => rows.map((row) => {
  idnf.show(row);
  const said = [...document.querySelectorAll(".squares strong")].map((one) => one.textContent);
  return [said, document.querySelectorAll(".squares .idnf-mark").length];
})"""


@pytest.mark.parametrize("form", FORMS)
def test_the_conditions_of_a_reason_are_drawn_over_their_columns(browser: Browser, pages: Path, form: str) -> None:
    case = shown(form)
    rows = cases(ExaminedTable(case.classifier.fitted_, case.X), range(16))
    with opened(browser, pages / f"{form}.html") as page:
        found = page.evaluate(SQUARES, rows)
    for (said, marks), one in zip(found, case.classifier.explain(case.X[:16]), strict=True):
        wanted = [] if one.reason is None else [condition.words for condition in one.axp]
        assert said == [visible(words).replace(" <= ", " ≤ ").replace(" >= ", " ≥ ") for words in wanted]
        assert marks == len(wanted)


@pytest.mark.parametrize("favourable", ["gold", "none"])
def test_it_opens_on_a_case_that_did_not_get_the_favourable_outcome(
    browser: Browser, tmp_path: Path, favourable: str
) -> None:
    X = pl.DataFrame({"a": [0, 0, 1, 1] * 5, "b": [0, 1] * 10})
    y = np.where(X["a"].to_numpy() & X["b"].to_numpy(), "gold", "none")
    clf = DNFClassifier(k=2, favourable=favourable).fit(X, y)
    reporting.to_html(clf, tmp_path / "page.html", X, y, first=favourable)
    with opened(browser, tmp_path / "page.html") as page:
        assert page.text_content("#decision") == {"gold": "none", "none": "gold"}[favourable]


@pytest.mark.parametrize("form", ["nested-tree", "declared", "several"])
def test_text_stands_out_in_light_and_in_dark(browser: Browser, pages: Path, form: str) -> None:
    with opened(browser, pages / f"{form}.html") as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, media="screen")
            assert page.evaluate(FAINT) == []
            back = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, back[4:-1].split(","))) < 200) == (scheme == "dark")


def test_the_keyboard_alone_is_enough(browser: Browser, pages: Path) -> None:
    case = shown("nested-tree")
    with opened(browser, pages / "nested-tree.html") as page:
        page.locator("nav a").last.focus()
        reached = []
        for _ in range(2 * len(case.classifier.fitted_.used) + 4):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.dataset.column || document.activeElement.id"))
            if reached[-1] == "wait":
                break
        assert reached[0] == "start"
        assert reached[-1] == "wait"
        before = page.text_content("#answer")
        page.keyboard.press("Control+a")
        page.keyboard.type("400")
        after = page.text_content("#answer")
        assert before != after
        assert page.locator("#answer").get_attribute("aria-live") == "polite"


def test_hostile_names_are_text_and_nothing_else(browser: Browser, pages: Path) -> None:
    case = shown("hostile")
    with opened(browser, pages / "hostile.html") as page:
        assert page.title() == r"</title>A \u202e title"
        assert page.locator("img, main b, script").count() == 2  # the page's own two scripts
        names = page.evaluate("idnf.model.columns.map((column) => column.name)")
        assert names == case.X.columns
        shown_names = page.locator("#case [data-column]").evaluate_all("all => all.map((one) => one.dataset.column)")
        assert shown_names == case.X.columns
        values = page.evaluate("idnf.model.columns[0].choices.slice(0, -1).map(([label, [value]]) => value)")
        assert sorted(values) == sorted(case.classifier.binariser_.columns_[0].values)
        assert "\u202e" not in page.locator("main").inner_text()


def test_a_checklist_is_ticked_as_the_case_is_and_by_hand_and_columns_are_left_out(
    browser: Browser, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    names = ["<b>income", "a</label>", "late\u202e", "size"]
    X = pl.DataFrame({name: rng.integers(0, 9, 200) for name in names})
    # Two points of five for the first, one for each other one; three are enough.
    first, *others = (f"~'{name_words(name)} <= 4'" for name in names)
    terms = [*(f"{first} & {one}" for one in others), " & ".join(others)]
    columns = {name: [4] for name in names}
    clf = DNFClassifier.from_dnf(" | ".join(terms), columns=columns, classes=("no", "<i>yes"))
    held = X.to_numpy() > 4
    points = held @ [2, 1, 1, 1]
    near = near_optimal_models(clf, X, clf.predict(X), within=0.3, resamples=2, subgroup="size")
    reporting.to_html(clf, tmp_path / "page.html", X, clf.predict(X), first="<i>yes", near=near)
    for width in (1280, 375):
        with opened(browser, tmp_path / "page.html", width=width) as page:
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.locator("main b, main i:not(.key i)").count() == 0
            boxes = page.locator("#checklist input")
            for row in range(8):
                page.evaluate("(row) => idnf.show(row)", X.row(row, named=True))
                assert boxes.evaluate_all("all => all.map((one) => one.checked)") == held[row].tolist()
                label = "<i>yes" if points[row] >= 3 else "no"
                assert page.text_content("#ticked") == f"{points[row]} of 5 points: {label}"
            boxes.evaluate_all("all => all.filter((one) => one.checked).forEach((one) => one.click())")
            assert page.text_content("#ticked") == "0 of 5 points: no"
            boxes.first.check()
            boxes.nth(2).check()
            assert page.text_content("#ticked") == "3 of 5 points: <i>yes"
            shown_models = near.models[:10]
            box = page.locator("#near-columns label", has_text="size").locator("input")
            box.uncheck()
            left = sum("size" not in one.columns for one in shown_models)
            assert page.locator("#near tbody tr:visible").count() == left
            said = f"{left} of {len(shown_models)} remain." if left else "None works without these."
            assert page.text_content("#near-left") == said


def test_a_page_is_a_few_hundred_kilobytes_at_most(pages: Path) -> None:
    assert max(path.stat().st_size for path in pages.iterdir()) < 300_000


def test_a_column_named_like_a_part_of_every_object_has_its_live_case(browser: Browser, tmp_path: Path) -> None:
    name = "__proto__"
    X = pl.DataFrame({name: [3.0, 7.0, 4.0, 9.0]})
    clf = DNFClassifier.from_dnf(f"'{name} <= 5'", columns={name: [5]}, classes=("no", "yes"))
    reporting.to_html(clf, tmp_path / "page.html", X, clf.predict(X))
    with opened(browser, tmp_path / "page.html") as page:
        assert page.text_content("#decision") == "yes"
        page.fill("#case input", "8")
        assert page.text_content("#decision") == "no"
        rows = [{name: value} for value in X[name].to_list()]
        answers = page.evaluate(ANSWERS.replace("(rows) => rows", "(text) => JSON.parse(text)"), json.dumps(rows))
        assert [decision for decision, *_ in answers] == clf.predict(X).tolist()
