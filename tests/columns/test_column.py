"""Sets of cells in words, by hand for each kind of column."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import box_phrases, literal_names, space_of
from idnf.columns.groups import OneHotGroup, OrderedGroup
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.columns.phrases import time_value

AGE = NumberColumn("age", "seen", cuts=(30.0, 45.0))
COLOUR = CategoryColumn("colour", "seen", values=("blue", "green", "red"))
SIZE = OrderedColumn("size", "refused", values=("S", "M", "L", "XL"), cuts=(0, 2))
OPENED = TimeColumn("opened", "refused", kind="date", cuts=(time_value("2019-12-31", "date"),))
RACE = OneHotGroup("race", "refused", members=("race=a", "race=b", "race=c"))
PRIORS = OrderedGroup("priors", "refused", members=("p<=0", "p<=3"))


@pytest.mark.parametrize(
    ("column", "mask", "words"),
    [
        (AGE, 0b0001, "age <= 30"),
        (AGE, 0b0010, "30 < age <= 45"),
        (AGE, 0b0110, "age > 30"),
        (AGE, 0b1110, "age > 30 or missing"),
        (AGE, 0b0101, "age <= 30 or age > 45"),
        (AGE, 0b1000, "age is missing"),
        (AGE, 0b0111, "age is not missing"),
        (AGE, 0b1111, "age is anything"),
        (COLOUR, 0b00001, "colour is blue"),
        (COLOUR, 0b00101, "colour is blue or red"),
        (COLOUR, 0b10111, "colour is blue, green, red or missing"),
        (COLOUR, 0b01011, "colour is neither red nor missing"),
        (COLOUR, 0b11011, "colour is not red, or missing"),
        (COLOUR, 0b11001, "colour is neither green nor red, or missing"),
        (CategoryColumn("colour", "refused", values=("blue", "red")), 0b101, "colour is not red"),
        (CategoryColumn("colour", "refused", values=("blue", "red")), 0b100, "colour is neither blue nor red"),
        (CategoryColumn("colour", "refused", values=("blue", "red"), pair=True), 0b101, "colour is blue (or unseen)"),
        (BooleanColumn("married", "refused"), 0b10, "married is true"),
        (BooleanColumn("married", "seen"), 0b101, "married is false or missing"),
        (BooleanColumn("x0", "refused", digits=True), 0b01, "x0 is 0"),
        (SIZE, 0b001, "size is S"),
        (SIZE, 0b010, "size is above S and up to L"),
        (SIZE, 0b110, "size is above S"),
        (SIZE, 0b101, "size is S or size is XL"),
        (OPENED, 0b10, "opened > 2019-12-31"),
        (RACE, 0b011, "race is a or b"),
        (PRIORS, 0b001, 'priors: "p<=0"'),
        (PRIORS, 0b010, 'priors: "p<=3" but not "p<=0"'),
        (PRIORS, 0b110, 'priors: not "p<=0"'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words(column, mask, words):
    assert column.words(mask) == words


def test_no_cell_has_no_words():
    with pytest.raises(ValueError, match="mask must name at least one of 4 cells; got 0"):
        AGE.words(0)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        (AGE, 37, "37"),
        (AGE, 37.5, "37.5"),
        (AGE, None, "missing"),
        (COLOUR, "mauve", "mauve"),
        (COLOUR, "red or blue", '"red or blue"'),
        (COLOUR, float("nan"), "missing"),
        (SIZE, "M", "M"),
        (OPENED, "2020-02-01", "2020-02-01"),
        (BooleanColumn("married", "seen"), True, "true"),
        (BooleanColumn("x0", "seen", digits=True), 0, "0"),
        (BooleanColumn("married", "seen"), None, "missing"),
        (BooleanColumn("married", "counted"), None, "missing"),
    ],
    ids=str,
)
def test_values_are_written_as_the_user_knows_them(column, value, words):
    assert column.value_words(value) == words


def test_a_whole_column_is_written_value_by_value():
    for column, values in (
        (AGE, [37, 37.5, None, 1e300, -0.0, 37]),
        (COLOUR, ["mauve", "red or blue", None, "red", "mauve"]),
        (SIZE, ["M", "S", "M"]),
        (OPENED, [date(2020, 2, 1), None, date(1969, 12, 31)]),
        (BooleanColumn("married", "seen"), [True, None, False]),
    ):
        present = [v for v in values if v is not None or column.has_missing_cell]
        assert column.written(present) == [column.value_words(value) for value in present]
    assert RACE.written([0, 1], [1, 0], [0, 0]) == ["b", "a"]


def test_numbers_that_were_0_and_1_are_read_as_the_nearer():
    claims = BooleanColumn("claims", "seen", digits=True)
    numbers = [0, 1, 3, -2, 0.5, 0.75, None, 1e300]
    assert claims.cells(numbers).tolist() == [0, 1, 1, 0, 0, 1, 2, 1]
    assert claims.features(numbers)[0].tolist() == [False, True, True, False, False, True, False, True]
    assert claims.written(numbers[:5]) == ["0", "1", "3 (read as 1)", "-2 (read as 0)", "0.5 (read as 0)"]
    assert claims.written([True, False]) == ["1", "0"]
    with pytest.raises(ValueError, match="column 'claims' must hold finite numbers; got inf in row 1"):
        claims.cells([float("inf")])
    with pytest.raises(ValueError, match="column 'claims' must hold numbers, as in training; got categories"):
        claims.cells(["3"])


def test_booleans_are_true_or_false():
    married = BooleanColumn("married", "seen")
    assert married.cells([1.0, 0.0, None]).tolist() == [1, 0, 2]
    with pytest.raises(ValueError, match="must be true or false, or 1 or 0, as in training; got 3 in row 2"):
        married.cells([None, 3, 1])


def test_the_value_of_a_group_is_the_column_that_is_set():
    assert RACE.value_words(0, 1, 0) == "b"
    assert PRIORS.value_words(0, 1) == "p<=3 but not p<=0"


def test_a_box_is_one_condition_a_column():
    phrases = box_phrases([AGE, COLOUR, SIZE], (0b0010, 0b11111, 0b001))
    assert [phrase.condition for phrase in phrases] == ["30 < age <= 45", "size is S"]


def test_a_space_has_a_literal_for_each_feature():
    space = space_of([AGE, RACE, PRIORS])
    names = literal_names([AGE, RACE, PRIORS])
    assert names == (
        "age <= 30",
        "age <= 45",
        "age > 30",
        "age > 45",
        "age is missing",
        "race=a",
        "race=b",
        "race=c",
        "p<=0",
        "p<=3",
    )
    assert space.literals == (
        *((0, mask) for mask in (0b0001, 0b0011, 0b0110, 0b0100, 0b1000)),
        *((1, mask) for mask in (0b001, 0b010, 0b100)),
        *((2, mask) for mask in (0b001, 0b011)),
    )
    assert [column.ordered for column in space.columns] == [True, False, True]
    assert space.columns[0].missing


def test_a_date_column_reads_a_time_as_its_day():
    from datetime import datetime

    assert OPENED.cells([datetime(2019, 12, 31, 23, 59), datetime(2020, 1, 1)]).tolist() == [0, 1]


def test_seen_values_are_the_smallest_and_largest_of_a_cell():
    import pandas as pd

    from idnf.tables.binariser import TableBinariser

    binariser = TableBinariser(cut_points={"age": [30, 60]}).fit(pd.DataFrame({"age": [20, 30, 25, 70]}), [0, 1, 0, 1])
    assert binariser.columns_[0].seen == ((20, 30), None, (70, 70))


def test_values_without_a_cell_have_minus_one_and_a_problem_each():
    size = OrderedColumn("size", "allowed", values=("small", "large"), cuts=(0,))
    cells, problems = size.examined(["large", "huge", None, "small", "tiny"])
    assert cells.tolist() == [1, -1, 2, 0, -1]
    assert [(one.row, one.column) for one in problems] == [(1, "size"), (4, "size")]
    assert problems[0].why == "column 'size' must be one of small, large; got 'huge'"
    assert problems[0].message == (
        "column 'size' must be one of small, large; got 'huge' in row 2. "
        "An ordered category must be declared before training."
    )
    cells, problems = BooleanColumn("late", "refused").examined(np.array([0.0, 1.0, 3.0, np.nan]))
    assert cells.tolist() == [0, 1, -1, -1]
    assert problems[0].why == "column 'late' must be true or false, or 1 or 0, as in training; got 3"
    assert problems[1].why == "column 'late' must have no missing values, as in training; got one"
    race = OneHotGroup("race", "refused", members=("a", "b"), none=False)
    cells, problems = race.examined(np.array([1, 1, 0, 0, 2.0]), np.array([0, 1, 1, np.nan, 0]))
    assert cells.tolist() == [0, -1, 1, -1, -1]
    assert [one.why for one in problems] == [
        "group 'race' must have exactly one column set, as in training; got ['a', 'b']",
        "column 'b' must have no missing values, as in training; got one",
        "column 'a' must be true or false, or 1 or 0, as in training; got 2",
    ]


def test_every_value_of_another_kind_has_no_cell():
    cells, problems = NumberColumn("age", "allowed", cuts=(30.0,)).examined(["old", "young"])
    assert cells.tolist() == [-1, -1]
    assert {one.message for one in problems} == {
        "column 'age' must hold numbers, as in training; got categories (old)."
    }


@given(st.integers(-10_000, 10_000), st.integers(0, 3), st.integers(0, 5_000), st.booleans())
def test_a_value_to_have_instead_lies_between_the_cut_and_one_seen(number, decimals, away, upwards):
    cut = number / 10**decimals
    seen = cut + (away + 1) / 1000 if upwards else cut - away / 1000
    column = NumberColumn("x", "refused", cuts=(cut,))
    cell = int(upwards)
    words = column.proposed_words(cell, seen, upwards=upwards)
    assert column.cells([float(words)]).tolist() == [cell]
    assert float(words) <= seen if upwards else float(words) >= seen
    assert len(words.partition(".")[2]) <= max(decimals, 3)


@pytest.mark.parametrize(
    ("cut", "seen", "whole", "words"),
    [
        (910.0, 913.0, True, "911"),
        (910.5, 913.0, True, "911"),
        (2390.0, 2393.67, False, "2391"),
        (0.3, 1.2, False, "0.4"),
    ],
)
def test_a_value_to_have_instead_is_just_past_the_cut(cut, seen, whole, words):
    assert NumberColumn("x", "refused", cuts=(cut,), whole=whole).proposed_words(1, seen, upwards=True) == words
