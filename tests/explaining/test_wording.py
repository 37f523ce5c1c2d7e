"""How conditions are said."""

from __future__ import annotations

import pytest

from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.intervals import NumberColumn, OrderedColumn, TimeColumn
from idnf.columns.phrases import time_value
from idnf.explaining.wording import CellWording, FeatureWording, TableWording, default_wordings
from idnf.logic.boxes import Column, Space

AGE = TableWording(NumberColumn("age", "seen", cuts=(30.0, 45.0)))
OPENED = TableWording(TimeColumn("opened", "refused", kind="date", cuts=(time_value("2019-12-31", "date"),)))
SIZE = TableWording(OrderedColumn("size", "refused", values=("small", "medium", "large"), cuts=(0, 1)))
JOB = TableWording(CategoryColumn("job", "refused", values=("clerk", "nurse")))


@pytest.mark.parametrize(
    ("wording", "mask", "said"),
    [
        (AGE, 0b0001, "at most 30"),
        (AGE, 0b0110, "over 30"),
        (AGE, 0b0010, "over 30 and at most 45"),
        (AGE, 0b1100, "over 45 or missing"),
        (AGE, 0b0101, "at most 30 or over 45"),
        (AGE, 0b1000, "missing"),
        (AGE, 0b0111, "not missing"),
        (OPENED, 0b10, "after 2019-12-31"),
        (OPENED, 0b01, "up to 2019-12-31"),
        (SIZE, 0b011, "up to medium"),
        (SIZE, 0b110, "above small"),
        (SIZE, 0b001, "small"),
        (JOB, 0b011, "clerk or nurse"),
        (JOB, 0b100, "neither clerk nor nurse"),
    ],
)
def test_sets_of_cells_without_the_name(wording, mask, said):
    assert wording.said(mask) == said
    assert wording.change(mask) == f"{wording.name} {said}"


def test_the_own_value_is_not_said_twice():
    assert AGE.because(0b1000, "missing") == "age is missing"
    assert AGE.because(0b1001, "missing") == "age is missing (at most 30 or missing)"
    assert SIZE.because(0b001, "small") == "size is small"
    assert JOB.because(0b001, "clerk") == "job is clerk"


def test_a_number_says_how_it_is_read():
    claims = TableWording(BooleanColumn("claims", "seen", digits=True))
    assert claims.because(0b010, "3 (read as 1)") == "claims is 3 (read as 1)"
    assert claims.because(0b101, "-2 (read as 0)") == "claims is -2 (read as 0) (0 or missing)"
    assert claims.because(0b010, "1") == "claims is 1"


def test_values_are_written_as_in_the_table():
    assert AGE.position_words(31.0) == "31"
    assert SIZE.position_words(1.0) == "medium"
    assert OPENED.position_words(time_value("2020-02-01", "date")) == "2020-02-01"
    assert CellWording(Column("n", ("a", "b"))).position_words(2.5) == "2.5"


def test_boolean_features_by_default():
    words = default_wordings(Space.boolean(["a"]))[0]
    assert (words.condition(0b10), words.condition(0b01), words.said(0b10)) == ("a", "not a", "1")
    assert FeatureWording("a", fails="no a").change(0b01) == "no a"
    aged = FeatureWording("age <= 30", fails="age > 30 or missing")
    assert (aged.condition(0b01), aged.because(0b01, "0")) == ("age > 30 or missing", "(age > 30 or missing)")
