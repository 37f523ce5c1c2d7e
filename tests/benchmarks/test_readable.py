"""The reader of printed models: it reads what is printed, and finds what could be left out."""

from __future__ import annotations

import contextlib
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
from benchmarks.read_back import decided
from benchmarks.readable import END, KNOWN, Part, Printed, condition, faults, holds, masks_of, plain, printed, within
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import dnfs, few, seeds

from idnf import DNFClassifier, TableBinariser
from idnf.logic.forms import FORMS

CUTS = (-END, 1.0, 2.0, 3.0, END)
ends = st.tuples(st.integers(0, 3), st.integers(1, 4)).filter(lambda pair: pair[0] < pair[1])
numbers = ends.map(lambda pair: Part(((CUTS[pair[0]], CUTS[pair[1]]),)))
words = st.builds(Part, words=st.frozensets(st.sampled_from("xyz"), min_size=1), others=st.booleans())
boxes = st.fixed_dictionaries({}, optional={"a": numbers, "b": numbers, "c": words})
GRID = pd.DataFrame(list(product((0.5, 1.5, 2.5, 3.5), (0.5, 1.5, 2.5, 3.5), "xyz")), columns=list("abc"))
NEVER_SEEN = pd.concat([GRID, GRID.assign(c="w")])


def upto(cut):
    return Part(((-END, cut),))


def over(cut):
    return Part(((cut, END),))


def of_class_1(*lines):
    return Printed((("1", lines),), "0")


@given(boxes, st.lists(boxes, max_size=4))
def test_within_is_what_a_point_of_every_cell_says(box, others):
    (mine, *theirs), full = masks_of([box, *others], GRID)
    inside = holds([box], NEVER_SEEN)
    assert within(mine, theirs, full) == bool(holds(others, NEVER_SEEN)[inside].all())


def test_a_column_may_have_more_words_than_a_machine_number_has_bits():
    rows = pd.DataFrame({"town": [f"town {place}" for place in range(100)]})
    (mask,), full = masks_of([{"town": Part(words=frozenset({"town 99"}), others=True)}], rows)
    assert full["town"] == 2**101 - 1
    assert mask["town"].bit_count() == 100


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ("worst area <= 768", "worst area", upto(768.0)),
        ("2.4 < petal length (cm) <= 5.05", "petal length (cm)", Part(((2.4, 5.05),))),
        ("x3 is true", "x3", Part(((0.5, END),), frozenset({"true"}))),
        ("late >= 4", "late", over(3.0)),
        ("1 <= late <= 3", "late", Part(((0.0, 3.0),))),
        ("late is 0 or 1", "late", Part(((-1.0, 0.0), (0.0, 1.0)), frozenset("01"))),
        ("age <= 30 or age > 60 or missing", "age", Part(((-END, 30.0), (60.0, END)), missing=True)),
        ("colour is red, blue or missing", "colour", Part(words=frozenset({"red", "blue"}), missing=True)),
        ("colour is not blue", "colour", Part(words=frozenset({"blue"}), others=True)),
        ("colour is neither red, blue nor missing", "colour", Part(words=frozenset({"red", "blue"}), others=True)),
        ('"a or b" is "x and y" or missing', "a or b", Part(words=frozenset({"x and y"}), missing=True)),
        ("job is missing", "job", Part(missing=True)),
        ("job is not missing", "job", KNOWN),
    ],
)
def test_conditions_are_read_as_they_are_printed(text, column, part):
    assert condition(text) == (column, part)


def test_a_condition_that_is_not_read_is_said():
    with pytest.raises(ValueError, match="a condition must be a comparison or name values; got 'day after noon'"):
        condition("day after noon")


def test_lines_of_a_printed_model():
    text = "Every decision...\n\n1 if\n     a <= 2 and b > 1  [b1]\n  or b <= 1  [b2]\n\n2 never\n\n0 otherwise.\n"
    lines = ({"a": upto(2.0), "b": over(1.0)}, {"b": upto(1.0)})
    assert printed(text) == Printed((("1", lines), ("2", ())), "0")


def test_what_can_be_left_out_is_found():
    rows = GRID[["a", "b"]].drop_duplicates()
    half = {"a": upto(2.0)}
    truth = of_class_1(half).decide(rows)
    assert faults(of_class_1(half), rows, truth) == []
    assert faults(of_class_1({**half, "b": upto(2.0)}, {**half, "b": over(2.0)}), rows, truth) == [
        "b can be dropped from line 1 of 1",
        "b can be dropped from line 2 of 1",
    ]
    assert "line 2 of 1 lies within the others" in faults(of_class_1(half, {**half, "b": over(2.0)}), rows, truth)


def test_of_two_words_one_is_what_the_other_is_not():
    rows = pd.DataFrame({"sex": ["female", "male"] * 10, "a": np.arange(20.0)})
    lines = [{"sex": Part(words=frozenset({sex})), "a": upto(9.0)} for sex in ("female", "male")]
    model = of_class_1(*lines)
    assert faults(model, rows, model.decide(rows)) == [
        "sex can be dropped from line 1 of 1",
        "sex can be dropped from line 2 of 1",
    ]


def test_a_cut_that_parts_hardly_a_row_is_found_where_it_costs_nothing():
    rows = pd.DataFrame({"a": np.arange(1000.0), "b": np.arange(1000.0) % 2})

    def lines(cut):
        return of_class_1({"a": upto(500.0), "b": over(0.5)}, {"a": over(cut), "b": upto(0.5)})

    assert faults(lines(504.0), rows, lines(504.0).decide(rows)) == []
    assert faults(lines(501.0), rows, lines(501.0).decide(rows)) == ["a: 500 could be 501", "a: 501 could be 500"]


def test_a_printed_model_of_words_numbers_and_gaps_decides_as_it_does():
    draw = np.random.default_rng(0)
    rows = pd.DataFrame(
        {
            "size": np.where(draw.random(400) < 0.1, np.nan, draw.normal(size=400)),
            "count": draw.integers(0, 9, 400),
            "colour": draw.choice(["red", "dark red", "red or blue", None], 400),
            "old": draw.random(400) < 0.5,
        }
    )
    y = np.where(rows["colour"].isna() | (rows["size"] > 0.3), 1, np.where(rows["count"] > 4, 2, 0))
    model = DNFClassifier(3, binariser=TableBinariser(missing="allow")).fit(rows, y)
    assert printed(model.to_text(form="lines")).decide(plain(rows)).tolist() == model.predict(rows).astype(str).tolist()


def forms_of(clf):
    """Return the model in every form that it has, by name."""
    found = {}
    for form in FORMS:
        with contextlib.suppress(ValueError):
            found[form] = clf.to_text(form=form)
    return found


@few(18)
@given(dnfs())
def test_every_form_read_back_is_the_same_function(f):
    assume(f.names)
    clf = DNFClassifier.from_dnf(f, columns=dict.fromkeys(f.names, bool), classes=("no", "yes"))
    rows = pd.DataFrame(list(product((False, True), repeat=len(f.names))), columns=list(f.names))
    for form, text in forms_of(clf).items():
        assert decided(text, plain(rows)).tolist() == clf.predict(rows).tolist(), form


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_forms_over_numbers_words_and_gaps_are_read_back(seed):
    rng = np.random.default_rng(seed)
    size = rng.normal(size=80).round(2)
    X = pd.DataFrame({
        "size (cm)": np.where(rng.random(80) < 0.1, np.nan, size),
        "a or b": rng.integers(0, 5, 80).astype(float),
        "the colour": rng.choice(["red", "blue", "x and y", None], 80),
        "late": rng.random(80) < 0.5,
    })  # fmt: skip
    noise = rng.random(80) < 0.1
    y = np.where(((size > 0.2) & (X["a or b"] > 1) | (X["the colour"] == "red")) ^ noise, "yes", "no")
    y = np.where((X["a or b"] > 3) & (seed % 3 == 0), "perhaps", y)
    clf = DNFClassifier(k=3, tune=False, effort=0.1, random_state=seed).fit(X, y)
    for form, text in forms_of(clf).items():
        assert decided(text, plain(X)).tolist() == clf.predict(X).tolist(), form
    # Every reason that is given, and every number that is printed, can be looked up.
    numbers = {reason.id for reason in clf.reasons()}
    assert {explained.reason for explained in clf.explain(X)} <= numbers
    for text in forms_of(clf).values():
        printed = {one for some in re.findall(r"  \[([\w, ]+)\]$", text, re.MULTILINE) for one in some.split(", ")}
        assert printed <= numbers
    assert set(re.findall(r"  \[(\w+)\]$", clf.to_text(both=True), re.MULTILINE)) == numbers
