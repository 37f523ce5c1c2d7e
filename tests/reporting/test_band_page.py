"""The page of bands in a browser: the ladder says what Python says, cutoffs count the rows, on every screen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.classifier.test_bands import ORDER, QUICK, loans
from tests.reporting.test_page import FAINT, opened

from idnf import DNFBands, reporting

NAMES = ["approve", "<b>refer</b>", "decline"]
ANSWERS = """(rows) => rows.map((row) => {
  idnf.show(row);
  const text = (id) => document.getElementById(id)?.textContent ?? null;
  return [text("band"), text("at-least"), text("below"), document.querySelector("tr.lit").dataset.band];
})"""
CUT = """([low, high]) => {
  for (const [id, value] of [["low", low], ["high", high]]) {
    const list = document.getElementById(id);
    list.value = value;
    list.dispatchEvent(new Event("change"));
  }
  const ids = ["rows-low", "rows-person", "rows-high", "wrong-low", "wrong-high"];
  return ids.map((id) => Number(document.getElementById(id).textContent.replace(",", "")));
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    X, y, _ = loans(1)
    bands = DNFBands(k=2, boundaries=[0.3, 0.7], names=NAMES, **ORDER, **QUICK).fit(X, y)
    path = tmp_path_factory.mktemp("pages") / "bands.html"
    reporting.to_html(bands, path, X, y)
    return bands, X, y.to_numpy(), path


def plain(X):
    return X.astype(object).where(X.notna(), None).to_dict("records")


def test_the_ladder_says_what_python_says(browser, page):
    bands, X, _, path = page
    with opened(browser, path) as shown:
        found = shown.evaluate(ANSWERS, plain(X[:40]))
    for (name, at_least, below, lit), one in zip(found, bands.explain(X[:40]), strict=True):
        assert (name, int(lit)) == (one.name, one.band)
        # Each side by the band that the reader sees beside it.
        for said, part, side, other in ((at_least, one.at_least, "above", -1), (below, one.below, "below", 1)):
            assert (said is None) == (part is None)
            if part is not None:
                *others, last = [c.said for c in part.axp]
                reason = f"{', '.join(others)} and {last}" if others else last
                assert said == f"{side} {NAMES[one.band + other]} because {reason}"


SQUARES = """(rows) => rows.map((row) => {
  idnf.show(row);
  const said = [...document.querySelectorAll(".squares strong")].map((one) => one.textContent);
  return [said, document.querySelectorAll(".squares .idnf-mark").length];
})"""


@pytest.mark.parametrize("width", [1280, 375])
def test_the_conditions_of_both_sides_are_drawn_and_the_band_is_the_largest_thing(browser, page, width):
    bands, X, _, path = page
    with opened(browser, path, width=width) as shown:
        found = shown.evaluate(SQUARES, plain(X[:20]))
        sizes = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        (own,) = shown.locator("#band").evaluate_all(sizes)
        assert own > 1.5 * max(shown.locator("main :not(.decision, #band)").evaluate_all(sizes))
    for (said, marks), one in zip(found, bands.explain(X[:20]), strict=True):
        sides = [part for part in (one.at_least, one.below) if part is not None]
        wanted = [condition.words for part in sides for condition in part.axp]
        assert said == [words.replace(" <= ", " ≤ ").replace(" >= ", " ≥ ") for words in wanted]
        assert marks == len(wanted)


def test_bands_called_a_referral_go_to_a_person_at_first(browser, tmp_path):
    X, y, _ = loans(1)
    given = {"boundaries": [0.2, 0.4, 0.6], "names": ["yes", "Manual review", "refer", "no"]}
    reporting.to_html(DNFBands(k=2, **given, **ORDER, **QUICK).fit(X, y), tmp_path / "bands.html", X, y)
    with opened(browser, tmp_path / "bands.html") as shown:
        assert (shown.input_value("#low"), shown.input_value("#high")) == ("1", "3")


def test_cutoffs_count_the_rows_and_their_errors(browser, page):
    bands, X, y, path = page
    numbers, bad = bands.band(X), y == "bad"
    with opened(browser, path) as shown:
        # The middle one of three bands goes to a person at first.
        assert (shown.input_value("#low"), shown.input_value("#high")) == ("1", "2")
        for low, high in ((0, 0), (1, 2), (0, 3), (2, 2), (3, 3), (1, 1)):
            below, above = numbers < low, numbers >= high
            between = ~below & ~above
            wanted = [below.sum(), between.sum(), above.sum(), (below & bad).sum(), (above & ~bad).sum()]
            assert shown.evaluate(CUT, [low, high]) == wanted
        # A cutoff that is moved past the other one takes it along.
        shown.select_option("#high", "1")
        shown.select_option("#low", "3")
        assert shown.input_value("#high") == "3"
        rungs = shown.eval_on_selector_all("tr[data-band] .cut", "cells => cells.map((cell) => cell.textContent)")
        assert rungs == ["say good"] * 3


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_and_can_be_read(browser, page, width, scheme):
    with opened(browser, page[3], width=width, scheme=scheme) as shown:
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate(FAINT) == []
        assert shown.locator("tr[data-band]").count() == 3
        assert shown.locator("b").count() == 0


def test_an_ordered_target_has_a_ladder_and_no_cutoffs(browser, tmp_path):
    X, _, score = loans(4)
    y = np.array(["low", "mid", "top"])[np.digitize(score, [-1.0, 1.0])]
    bands = DNFBands(k=2, order=["low", "mid", "top"], **QUICK).fit(X, y)
    reporting.to_html(bands, tmp_path / "levels.html", X, y)
    with opened(browser, tmp_path / "levels.html") as shown:
        assert shown.locator("#low").count() == 0
        assert shown.evaluate(ANSWERS, plain(X[:5]))[0][0] == bands.explain(X[:5])[0].name


def test_labels_that_are_not_known_are_refused(page, tmp_path):
    bands, X, _, _ = page
    with pytest.raises(ValueError, match="y must hold the labels 'good' and 'bad'; got 'ugly'"):
        reporting.to_html(bands, tmp_path / "bands.html", X, pd.Series(["ugly"] * len(X)))


def test_the_title_names_few_bands_and_counts_many(tmp_path):
    X, y, _ = loans(1)
    for cuts, title in (([0.5], "Bands: band 0 or band 1"), ([0.2, 0.4, 0.5, 0.6, 0.8], "Bands: 6 bands")):
        bands = DNFBands(k=2, boundaries=cuts, **ORDER, **QUICK).fit(X, y.to_numpy())
        reporting.to_html(bands, tmp_path / "bands.html", X, y)
        assert f"<h1>{title}</h1>" in (tmp_path / "bands.html").read_text("utf-8")
