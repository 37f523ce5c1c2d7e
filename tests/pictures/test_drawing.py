"""Reasons by columns: what a square shows is what the column says."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from tests.reporting.models import shown

from idnf import DNFClassifier
from idnf.classifier.memory_source import ExaminedTable
from idnf.classifier.plots import drawn_points
from idnf.columns.categories import CategoryColumn
from idnf.logic.dnf import DNF
from idnf.pictures.drawing import STEPS, axes_of, drawn_reasons, model_svg
from idnf.reporting import to_svg

FORMS = ("nested", "tree", "declared", "hostile", "several")


@pytest.mark.parametrize("form", FORMS)
def test_every_row_stands_over_its_own_cell_and_bars_count_all_rows(form: str) -> None:
    case = shown(form)
    fitted, labels = case.classifier.fitted_, case.classifier.fitted_.numbers_of(case.y)
    table = ExaminedTable(fitted, case.X)
    points = drawn_points(table, labels)
    for j, axis, point in zip(fitted.used, axes_of(fitted.explainer, points), points, strict=True):
        cells = table.cells[:, j].tolist()
        positions = [None] * len(cells) if point.positions is None else point.positions.tolist()
        for cell, position in zip(cells, positions):
            step = min(int(axis.place(cell, position)), STEPS - 1)
            if axis.span is None or position is None or np.isnan(position):
                assert axis.steps[step] == cell
            elif axis.span[0] < position < axis.span[1]:
                near = axis.steps[max(0, step - 1) : step + 2]
                # A cell narrower than a step at either end lies beside its place.
                assert step == 0 or min(near) <= cell
                assert step >= axis.known - 1 or cell <= max(near)
        total = sum(sum(heights) for *_, heights in axis.bars)
        shares = [sum(heights[label] for *_, heights in axis.bars) / total for label in range(len(fitted.classes))]
        assert shares == pytest.approx([float(np.mean(labels == label)) for label in range(len(fitted.classes))])


def test_bars_by_hand() -> None:
    clf = DNFClassifier.from_dnf("'age <= 2' & ~debt", columns={"age": [2], "debt": bool}, classes=("no", "yes"))
    X = pd.DataFrame({"age": [1, 1, 1, 2, 4], "debt": [True, False, False, False, False]})
    age, debt = axes_of(clf.fitted_.explainer, drawn_points(ExaminedTable(clf.fitted_, X), np.array([0, 1, 1, 1, 0])))
    assert age.bars == ((0, 25, (1 / 3, 2 / 3)), (25, 50, (0, 1 / 3)), (75, 100, (1 / 3, 0)))
    assert (age.span, age.ends) == ((0.5, 4.5), ("1", "4"))
    assert debt.bars == ((0, 50, (1 / 4, 3 / 4)), (50, 100, (1 / 4, 0)))
    assert age.steps == (0,) * 50 + (1,) * 50
    assert (age.place(0, 1.0), age.place(1, 99.0), debt.place(1, None)) == (12.5, 100.0, 75.0)
    (no, both), (yes,) = drawn_reasons(clf.fitted_.explainer)
    assert (no.words, both.words, yes.words) == ("age is over 2", "debt is true", "age is 2 or less and debt is false")
    assert yes.captions == ("≤ 2", "false")


def test_a_case_is_marked_and_the_reasons_that_hold_are_lit() -> None:
    clf = DNFClassifier.from_dnf("'age <= 2' & ~debt", columns={"age": [2], "debt": bool}, classes=("no", "yes"))
    svg = clf.plot(case={"age": 3, "debt": False}).svg
    inside, outside = "idnf-mark", "idnf-mark idnf-out"
    assert re.findall(r'class="(idnf-mark[^"]*)"', svg) == [outside, inside, inside, outside]
    assert re.findall(r'font-weight="(\d+)">([ab]\d)<', svg) == [("400", "b1"), ("600", "a1"), ("400", "a2")]


def test_constant_huge_and_missing_values_are_drawn() -> None:
    clf = DNFClassifier.from_dnf("'x <= 0'", columns={"x": [0]})
    for values in ([5.0, 5.0], [-1e308, 1e308], [5e-324, 0.0], [float("inf"), 1.0]):
        points = drawn_points(ExaminedTable(clf.fitted_, [[0.0], [1.0]]))
        points = [type(points[0])(points[0].cells, points[0].weights, np.array(values))]
        assert "nan" not in model_svg(clf.fitted_.explainer, points)


def test_what_is_known_of_training_is_drawn_without_rows() -> None:
    X = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0] * 10})
    clf = DNFClassifier(1, learner="greedy").fit(X, X["age"] > 30)
    (axis,) = axes_of(clf.fitted_.explainer)
    assert sum(sum(heights) for *_, heights in axis.bars) == pytest.approx(4, rel=0.05)
    assert 'class="idnf-all"' in clf.plot().svg
    assert 'class="idnf-all"' not in clf.plot(X, X["age"] > 30).svg


@pytest.mark.parametrize("sign", ["\x00", "\x07", "\x1b", "\ufffe", "\uffff", "\u202e", "]]>"])
def test_a_picture_of_any_names_is_well_formed(sign):
    column = CategoryColumn(f"a{sign}b", "seen", values=(f"x{sign}", "y"), rare=True)
    (name, *_) = DNFClassifier.from_dnf("0", columns=[column]).binariser_.literals_
    clf = DNFClassifier.from_dnf(DNF.from_codes([name], [[0]]), columns=[column], classes=(f"n{sign}", "yes"))
    assert ElementTree.fromstring(to_svg(clf)).tag.endswith("svg")
