"""How conditions are said."""

from __future__ import annotations

import pytest
from tests.explaining.wordings import LabelledCells, default_wordings

from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.groups import OrderedGroup
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.columns.phrases import time_value
from idnf.explaining.wording import FeatureWording, TableWording
from idnf.logic.boxes import Column, Space

AGE = TableWording(NumberColumn("age", "seen", cuts=(30.0, 45.0)))
OPENED = TableWording(TimeColumn("opened", "refused", kind="date", cuts=(time_value("2019-12-31", "date"),)))
WAIT = TableWording(TimeColumn("wait", "refused", kind="duration", cuts=(time_value("36 hours", "duration"),)))
SIZE = TableWording(OrderedColumn("size", "refused", values=("small", "medium", "large"), cuts=(0, 1)))
AGES = TableWording(OrderedColumn("ages", "refused", values=("18-25", "26-40", "41-60"), cuts=(0, 1)))
JOB = TableWording(CategoryColumn("job", "refused", values=("clerk", "nurse")))
SEX = TableWording(CategoryColumn("sex", "seen", values=("female", "male"), pair=True))
LATE = TableWording(
    NumberColumn("late", "refused", cuts=(0.0, 1.0, 3.0, 9.0), seen=((0.0, 0.0), None, None, None, None), whole=True)
)
CLASS = TableWording(NumberColumn("class", "seen", cuts=(1.0, 2.0), seen=((1.0, 1.0), None, None), whole=True))
YEAR = TableWording(NumberColumn("year", "refused", cuts=(2018.0, 2019.0), whole=True))
PRIORS = TableWording(OrderedGroup("priors", "refused", members=("none", "few")))


@pytest.mark.parametrize(
    ("wording", "mask", "condition", "beside", "instead"),
    [
        (AGE, 0b0001, "age <= 30", "30 or less", "at most 30"),
        (AGE, 0b0110, "age > 30", "over 30", "over 30"),
        (AGE, 0b0010, "30 < age <= 45", "over 30 and at most 45", "over 30 and at most 45"),
        (AGE, 0b1100, "age > 45 or missing", "over 45 or missing", "over 45"),
        (AGE, 0b1001, "age <= 30 or missing", "30 or less, or missing", "at most 30"),
        (AGE, 0b0101, "age <= 30 or age > 45", "30 or less, or over 45", "at most 30 or over 45"),
        (AGE, 0b1000, "age is missing", "missing", "missing"),
        (AGE, 0b0111, "age is not missing", "not missing", "not missing"),
        (OPENED, 0b10, "opened > 2019-12-31", "after 2019-12-31", "after 2019-12-31"),
        (OPENED, 0b01, "opened <= 2019-12-31", "up to 2019-12-31", "up to 2019-12-31"),
        (WAIT, 0b01, "wait <= 36 hours", "36 hours or less", "at most 36 hours"),
        (SIZE, 0b011, "size is up to medium", "up to medium", "up to medium"),
        (SIZE, 0b110, "size is above small", "above small", "above small"),
        (SIZE, 0b001, "size is small", "small", "small"),
        (AGES, 0b011, "ages is up to 26-40", "up to 26-40", "up to 26-40"),
        (JOB, 0b011, "job is clerk or nurse", "clerk or nurse", "clerk or nurse"),
        (JOB, 0b100, "job is neither clerk nor nurse", "neither clerk nor nurse", "neither clerk nor nurse"),
        (JOB, 0b101, "job is not nurse", "not nurse", "not nurse"),
        (SEX, 0b0101, "sex is female (or unseen)", "female (or unseen)", "female"),
        (SEX, 0b1101, "sex is female (or unseen), or missing", "female (or unseen), or missing", "female"),
        (SEX, 0b0001, "sex is female", "female", "female"),
        (LATE, 0b00001, "late is 0", "0", "0"),
        (LATE, 0b00011, "late <= 1", "1 or less", "at most 1"),
        (LATE, 0b00111, "late <= 3", "3 or less", "at most 3"),
        (LATE, 0b00100, "late is 2 or 3", "2 or 3", "2 or 3"),
        (LATE, 0b01000, "4 <= late <= 9", "4 to 9", "4 to 9"),
        (LATE, 0b11000, "late >= 4", "4 or more", "at least 4"),
        (LATE, 0b10001, "late is 0 or late >= 10", "0, or 10 or more", "0 or at least 10"),
        (CLASS, 0b0010, "class is 2", "2", "2"),
        (CLASS, 0b1011, "class <= 2 or missing", "2 or less, or missing", "at most 2"),
        (YEAR, 0b010, "2018 < year <= 2019", "over 2018 and at most 2019", "over 2018 and at most 2019"),
        (YEAR, 0b100, "year > 2019", "over 2019", "over 2019"),
        (PRIORS, 0b010, "priors: few but not none", "few but not none", "few but not none"),
    ],
)
def test_sets_of_cells_in_words(wording, mask, condition, beside, instead):
    phrase = wording.phrase(mask)
    assert (phrase.condition, phrase.beside, phrase.instead) == (condition, beside, instead)
    assert wording.change(mask) == f"{wording.name} were {instead}"
    assert phrase.alternatives == (" or " in condition)


def test_literals_keep_their_names_however_conditions_read():
    assert [literal.name for literal in LATE.column.literals] == ["late <= 0", "late <= 1", "late <= 3", "late <= 9"]
    assert [literal.name for literal in SEX.column.literals] == ["sex is female", "sex is male", "sex is missing"]


def test_the_own_value_is_not_said_twice():
    assert AGE.because(0b0001, "25") == "age is 25 (30 or less)"
    assert AGE.because(0b1000, "missing") == "age is missing"
    assert AGE.because(0b1001, "missing") == "age is missing"
    assert SIZE.because(0b001, "small") == "size is small"
    assert JOB.because(0b001, "clerk") == "job is clerk"
    assert LATE.because(0b00001, "0") == "late is 0"
    assert LATE.because(0b00100, "2") == "late is 2 (2 or 3)"
    assert PRIORS.because(0b001, "none") == "priors is none"


def test_one_of_two_values_is_named_and_a_value_never_seen_says_so():
    assert SEX.because(0b0101, "female") == "sex is female"
    assert SEX.because(0b0101, "diverse") == "sex is diverse (unseen)"


def test_a_number_says_how_it_is_read():
    claims = TableWording(BooleanColumn("claims", "seen", digits=True))
    assert claims.because(0b010, "3 (read as 1)") == "claims is 3 (read as 1)"
    assert claims.because(0b101, "-2 (read as 0)") == "claims is -2 (read as 0)"
    assert claims.because(0b010, "1") == "claims is 1"
    assert LATE.column.written([2, 2.5, -1, 9.5]) == ["2", "2.5 (read as 3)", "-1 (read as 0)", "9.5 (read as 10)"]
    assert LATE.column.written([20.5]) == ["20.5"]
    assert LATE.because(0b00001, "-1 (read as 0)") == "late is -1 (read as 0)"


def test_values_are_written_as_in_the_table():
    assert AGE.position_words(31.0) == "31"
    assert SIZE.position_words(1.0) == "medium"
    assert OPENED.position_words(time_value("2020-02-01", "date")) == "2020-02-01"
    assert LabelledCells(Column("n", ("a", "b"))).position_words(2.5) == "2.5"


def test_boolean_features_by_default():
    words = default_wordings(Space.boolean(["a"]))[0]
    assert [words.phrase(mask).condition for mask in (0b10, 0b01)] == ["a", "not a"]
    assert words.phrase(0b10).instead == "1"
    aged = FeatureWording("age <= 30", fails=AGE.phrase(0b1110))
    assert (aged.change(0b01), aged.because(0b01, "0")) == ("age > 30 or missing", "(age > 30 or missing)")
