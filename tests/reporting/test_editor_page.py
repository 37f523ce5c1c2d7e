"""The editor of a page in a browser: a loan model edited, mended, saved and adopted."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import polars as pl
import pytest
from tests.browsers import blank_page
from tests.reporting.models import shown

import idnf
from idnf import DNFClassifier, datasets, exporting, reporting
from idnf.cli import main
from idnf.exporting.edits_json import read_edits

POLICY = DNFClassifier.from_dnf(
    "~'income <= 30' & ~late | guarantor & ~'income <= 10'",
    columns={"income": [10, 30], "late": bool, "guarantor": bool, "region": ["north", "south"]},
    classes=("declined", "approved"),
)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = pl.DataFrame(
        {
            "income": rng.integers(0, 60, 400),
            "late": rng.random(400) < 0.4,
            "guarantor": rng.random(400) < 0.3,
            "region": rng.choice(["north", "south", "west"], 400),
        }
    )
    y = np.where(rng.random(400) < 0.1, "declined", POLICY.predict(X))
    return X, y


@pytest.fixture
def opened(browser, rows, tmp_path):
    """A page with the editor, and what was saved from it."""
    path = tmp_path / "page.html"
    reporting.to_html(POLICY, path, *rows, editable=True, first="approved")
    page = blank_page(browser, width=1280)
    errors = []
    listen = partial(lambda error: errors.append(str(error)))
    page.on("pageerror", listen)
    page.goto(path.as_uri())
    page.wait_for_selector("#edit-verdict.proved")
    yield page
    page.remove_listener("pageerror", listen)
    assert errors == []


def verdict(page):
    page.wait_for_selector('#edit-verdict[aria-busy="false"]')
    return page.locator("#edit-verdict strong").inner_text()


def key(page, name):
    return page.locator(f'[data-key="{name}"]')


def line_about(page, word):
    """The number of a line that says something."""
    cards = page.locator(".edit-line").filter(has_text=word)
    return cards.first.get_attribute("data-line")


def figure(page, name):
    row = page.locator("#edit-figures tr").filter(has_text=name)
    return row.locator("td").all_inner_texts()


def saved(page, path):
    with page.expect_download() as download:
        page.locator("#edit-save").click()
    download.value.save_as(path)
    return path


def test_a_model_is_edited_mended_saved_and_adopted(opened, rows, tmp_path):
    page, (X, y) = opened, rows
    assert verdict(page) == "Proved"
    late, guarantor = line_about(page, "late is false"), line_about(page, "guarantor is true")
    # A cut is typed, then moved by the keyboard: one edit.
    key(page, f"{late} 0 over").fill("35")
    key(page, f"{late} 0 over").press("Enter")
    assert page.locator(f'[data-line="{late}"] legend').first.inner_text() == "income > 35"
    key(page, f"{late} 0 lower").press("ArrowRight")
    assert key(page, f"{late} 0 lower").get_attribute("aria-valuetext") == "over 36"
    assert page.locator("#edit-log li").count() == 1
    # A condition is dropped, a line is added, which breaks the guarantee.
    key(page, f"{guarantor} 0 drop").click()
    key(page, "add line").select_option(label="region")
    assert verdict(page) == "Broken"
    assert "no 2 conditions are reason enough" in page.locator("#edit-verdict").inner_text()
    # An edit mends it; undo and redo.
    page.wait_for_selector("#edit-mends button")
    page.locator("#edit-mends button").first.click()
    assert verdict(page) == "Proved"
    count = page.locator("#edit-log li").count()
    page.locator("#edit-undo").click()
    assert verdict(page) == "Broken"
    page.locator("#edit-redo").click()
    assert verdict(page) == "Proved"
    assert page.locator("#edit-log li").count() == count
    # Notes and a name go into the file.
    key(page, "note 0").fill("rents </script> rose")
    page.locator("#edit-name").fill("Dr Lee")
    pairs = [(actual, decided) for actual in POLICY.classes_ for decided in POLICY.classes_]
    shown = {pair: figure(page, f"actually {pair[0]}, decided {pair[1]}")[1] for pair in pairs}
    changed = page.locator("#edit-changes p").inner_text()
    edits = read_edits(saved(page, tmp_path / "edits.json"))
    assert (edits.name, edits.edits[0].note) == ("Dr Lee", "rents </script> rose")
    # Python finds the same decisions, counts and verdict.
    found = idnf.adopt(POLICY, edits, X, y)
    given = found.classifier.predict(X)
    assert shown == {pair: str(((y == pair[0]) & (given == pair[1])).sum()) for pair in pairs}
    assert changed.startswith(f"{sum(found.changed.values())} of 400: ")
    assert found.classifier.verify().k == POLICY.k
    # The broken edits are refused by name.
    broken = json.loads((tmp_path / "edits.json").read_text("utf-8"))
    broken["edits"].pop()
    (tmp_path / "broken.json").write_text(json.dumps(broken), "utf-8")
    with pytest.raises(ValueError, match=r"edit 3 \(line 3 added: region is .*must leave every decision a reason"):
        idnf.adopt(POLICY, tmp_path / "broken.json")


def test_ends_are_dragged_and_cells_ticked(opened):
    page = opened
    line = line_about(page, "guarantor is true")
    key(page, f"{line} 0 lower").scroll_into_view_if_needed()
    handle = key(page, f"{line} 0 lower").bounding_box()
    frame = page.locator(f'[data-line="{line}"] .edit-range').bounding_box()
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + 20)
    page.mouse.down()
    for share in (0.3, 0.5, 0.75):
        page.mouse.move(frame["x"] + share * frame["width"], frame["y"] + 20)
    page.mouse.up()
    assert page.locator("#edit-log li").count() == 1
    assert "→ income > 4" in page.locator("#edit-log li").inner_text()
    # The last cell and all cells stay: a condition is dropped by its button alone.
    box = page.locator(f'[data-line="{line}"] .edit-ticks input')
    assert box.evaluate_all("boxes => boxes.map((one) => one.checked)") == [False, True]
    box.nth(1).click()
    box.nth(0).click()
    assert box.evaluate_all("boxes => boxes.map((one) => one.checked)") == [False, True]
    page.locator("#edit-reset").click()
    assert page.locator("#edit-log li").count() == 0
    assert page.locator("#edit-changes").inner_text() == "None."


def test_typed_values_are_cuts_near_them(opened):
    page = opened
    field = key(page, f"{line_about(page, 'late is false')} 0 over")
    field.fill("a lot")
    field.press("Enter")
    assert field.get_attribute("aria-invalid") == "true"
    assert "Type a value such as" in page.locator(".edit-condition small").first.inner_text()
    field.fill("29.7")
    field.press("Enter")
    assert field.input_value() == "30"
    assert page.locator("#edit-log li").count() == 0


def test_lines_that_do_nothing_are_marked(opened):
    page = opened
    late = line_about(page, "late is false")
    # income > 40 and late is false lies within income > 30 and late is false.
    key(page, "add line").select_option(label="income")
    number = page.locator(".edit-line").last.get_attribute("data-line")
    key(page, f"{number} add").select_option(label="late")
    for end, value in (("over", "40"), ("up to", "")):
        key(page, f"{number} 0 {end}").fill(value)
        key(page, f"{number} 0 {end}").press("Enter")
    mark = page.locator(f'[data-line="{number}"] .edit-mark')
    assert mark.inner_text() == f"; adds nothing: line {late} holds whenever it does"
    key(page, f"{late} 0 over").fill("20")
    key(page, f"{late} 0 over").press("Enter")
    page.locator("#edit-diff summary").click()
    told = page.locator("#edit-diff").inner_text()
    assert f"line {number} added: " in told
    assert f"line {late}: income > 30 and late is false → income > 20 and late is false" in told
    key(page, f"{number} drop").click()
    assert page.locator(".edit-mark").count() == 0
    changes = page.locator("#edit-changes").inner_text()
    assert "was declined because" in changes
    assert "now approved because income > 20 and late is false." in changes


def test_a_narrow_screen_shows_and_does_not_change(opened):
    page = opened
    page.set_viewport_size({"width": 375, "height": 800})
    assert page.locator(".narrow").is_visible()
    assert not page.locator(".edit-tools").first.is_visible()
    key(page, f"{line_about(page, 'late is false')} 0 lower").press("ArrowRight")
    assert page.locator("#edit-log li").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_nothing_that_could_name_a_row_travels(tmp_path):
    X, y = datasets.load("loans")
    X = X.assign(customer=[f"person-{i}" for i in range(len(X))])
    clf = DNFClassifier(k=2, learner="greedy", favourable="approved").fit(X.drop(columns="customer"), y)
    reporting.to_html(clf, tmp_path / "page.html", X, y, editable=True)
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "person-" not in text
    assert "worker-src blob:" in text
    reporting.to_html(clf, tmp_path / "plain.html", X, y)
    plain = (tmp_path / "plain.html").read_text("utf-8")
    assert "worker-src" not in plain
    assert "editorGrid" not in plain


def test_models_of_several_labels_are_shown_only(tmp_path):
    X = np.arange(60.0).reshape(30, 2)
    clf = DNFClassifier(k=1, learner="greedy").fit(X, np.repeat([0, 1, 2], 10))
    reporting.to_html(clf, tmp_path / "page.html", X, np.repeat([0, 1, 2], 10), editable=True)
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "This model can be looked at but not changed on this page. It decides between 3 labels." in text
    assert "editorGrid" not in text


def test_the_command_writes_a_page_to_edit(tmp_path, rows):
    X, y = rows
    exporting.to_json(POLICY.with_settings(target="decision"), tmp_path / "model.json")
    X.with_columns(decision=pl.Series(y)).write_csv(tmp_path / "rows.csv")
    words = [str(tmp_path / name) for name in ("model.json", "rows.csv")]
    assert main(["report", *words, "--edit", "--immutable", "income", "-o", str(tmp_path / "page.html"), "-q"]) == 0
    model = exporting.model_hash(exporting.from_json(tmp_path / "model.json"))
    assert model in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("form", ["nested", "tree", "nested-tree", "any", "hostile", "declared"])
def test_every_kind_of_column_can_be_edited(browser, form, tmp_path):
    case = shown(form)
    reporting.to_html(case.classifier, tmp_path / "page.html", case.X, case.y, editable=True)
    page = blank_page(browser, width=1280)
    errors = []
    listen = partial(lambda error: errors.append(str(error)))
    page.on("pageerror", listen)
    page.goto((tmp_path / "page.html").as_uri())
    assert verdict(page) == "Proved"
    explainer = case.classifier.fitted_.explainer
    label = page.evaluate("EDITED.label")
    said = [", ".join(card.locator("legend").all_inner_texts()) for card in page.locator(".edit-line").all()]
    assert len(said) == len(explainer.reading.lines[label])
    # Every column can be added to, and taken out again.
    count = page.locator('[data-key="add line"] option').count() - 1
    for place in range(count):
        page.locator('[data-key="add line"]').select_option(index=place + 1)
        verdict(page)
    assert page.locator("#edit-log li").count() == count
    page.locator("#edit-reset").click()
    assert verdict(page) == "Proved"
    page.remove_listener("pageerror", listen)
    assert errors == []


def test_without_a_worker_nothing_is_settled(browser, rows, tmp_path):
    reporting.to_html(POLICY, tmp_path / "page.html", *rows, editable=True)
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("window.Worker = function () { throw new Error('refused'); };")
    page.goto((tmp_path / "page.html").as_uri())
    assert verdict(page) == "Not settled here"
    assert "adopting settles it" in page.locator("#edit-verdict").inner_text()
    context.close()
