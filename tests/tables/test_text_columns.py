"""Columns of text: what is read quickly is what value by value reading gives."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.columns.categories import CategoryColumn
from idnf.columns.raw import RawColumn, is_missing
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_fitting import Settings, category_column
from idnf.tables.column_reading import read_as
from idnf.tables.text_values import TextReading, number_reading

NUMBERS = st.sampled_from(["1", " 2.5", "1,5", "1,234", "1.234,5", "12 %", "(3)", "$4", "-7", "1e3", "1 000", "007"])
WORDS = st.sampled_from(["", "a", "A", "1_000", "x1", "1,x", "nan", "inf", "true", "-", "2020-01-02", "²"])
TEXTS = st.lists(st.one_of(st.none(), WORDS, st.text(max_size=3)), min_size=1, max_size=8)


@given(st.lists(st.one_of(NUMBERS, WORDS), min_size=1, max_size=4), st.sampled_from([None, ".", ","]), st.data())
def test_how_numbers_are_written_does_not_hang_on_the_order_of_the_texts(texts, hint, data):
    assert number_reading(texts, hint) == number_reading(data.draw(st.permutations(texts)), hint)


def known_values(raw: RawColumn) -> list[object]:
    pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
    return [None if missing else value for value, missing in pairs]


@given(TEXTS, st.sampled_from([(), ("", "a")]))
@pytest.mark.parametrize("library", ["pandas", "pandas, objects", "polars"])
def test_categories_are_read_as_they_are_written(library, texts, marks):
    made = {
        "pandas": lambda: pd.Series(texts, dtype="str", name="c"),
        "pandas, objects": lambda: pd.Series(texts, dtype=object, name="c"),
        "polars": lambda: pl.Series("c", texts, dtype=pl.String),
    }
    series = nw.from_native(made[library](), series_only=True)
    raw, unreadable = read_as(series, CategoryColumn("c", "seen", ("a",)), None, marks)
    wanted = [None if is_missing(text) or (marks and text.strip(" \t\u00a0") in marks) else text for text in texts]
    assert known_values(raw) == wanted
    assert raw.kind == ("empty" if raw.missing.all() else "category")
    assert not unreadable.any()


@given(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=40))
def test_the_same_texts_in_any_form_give_the_same_column(texts):
    frames = [pd.DataFrame({"c": pd.Series(texts, dtype=dtype)}) for dtype in ("str", object, "category")]
    y = np.arange(len(texts)) % 2
    kinds = {"c": "category"}
    columns = [TableBinariser(kinds=kinds).fit(frame, y).columns_ for frame in [*frames, pl.from_pandas(frames[0])]]
    assert all(one == columns[0] for one in columns)


WEIGHTS = st.dictionaries(st.text("ab", min_size=1, max_size=3), st.floats(0.0, 50.0), min_size=1, max_size=14)


@given(WEIGHTS, st.integers(1, 5), st.sampled_from(["seen", "refused"]))
def test_the_categories_kept_are_the_heaviest_of_those_that_recur(weight_of, most, missing):
    column = category_column("c", weight_of, Settings("tree", most, "refuse"), missing)
    ranked = sorted(weight_of, key=lambda value: (-weight_of[value], value))
    often = [value for value in ranked if weight_of[value] >= 0.01 * sum(weight_of.values())]
    assert set(column.values) == set(often[: len(column.values)])
    assert len(column.literals) <= most


def test_spellings_are_told_of_in_the_order_of_the_alphabet():
    words = ["Zug", "ZUG", "Bern", "BERN", "Basel"]
    binariser = TableBinariser().fit(pd.DataFrame({"town": words * 20}), [0, 1, 0, 1, 1] * 20)
    assert [one.text.partition(" differ")[0] for one in binariser.report_ if one.topic == "text"] == ["'BERN', 'Bern'"]


def german(number):
    """A whole number with points between thousands."""
    return f"{number:,}".replace(",", ".")


INCOMES = [97 * n for n in range(3, 90)]


def test_points_between_thousands_are_told_from_decimal_points_by_the_whole_numbers_beside_them():
    frame = pd.DataFrame({"income": list(map(german, INCOMES))})
    binariser = TableBinariser().fit(frame, np.array(INCOMES) > 2500)
    assert binariser.readings_["income"].values(["7.586", "950"]) == [7586.0, 950.0]
    assert [one.text for one in binariser.report_ if "thousands" in one.text]
    as_written = TableBinariser(decimal=".").fit(frame, np.array(INCOMES) > 2500)
    assert as_written.readings_["income"].values(["7.586", "950"]) == [7.586, 950.0]


@pytest.mark.parametrize(
    "texts",
    [
        [f"{n / 1000:.3f}" for n in INCOMES],  # three places everywhere, with a zero before some points
        [str(n / 1000) for n in INCOMES],  # fewer places where the last digit is 0
        [f"{n}.125" for n in range(1, 90)],  # no whole number beside them
        [*(f"{n}.125" for n in range(1, 90)), "1500"],  # one that would have a point
        [*(f"{n}.125" for n in range(1, 20)), "150"],  # too few to be sure
    ],
)
def test_decimal_points_stay_decimal_points(texts):
    assert number_reading(texts) == TextReading("number")


def test_points_between_thousands_in_one_column_are_believed_of_another():
    frame = pd.DataFrame({"income": list(map(german, INCOMES)), "assets": [german(n + 1000) for n in INCOMES]})
    binariser = TableBinariser().fit(frame, np.array(INCOMES) > 2500)
    assert binariser.readings_["assets"].values(["1.291"]) == [1291.0]


def test_dates_follow_the_order_that_another_column_shows():
    sure, either = ["1/31/2020", "2/3/2021", "3/4/2020"], ["1/2/2020", "2/1/2021", "3/4/2021"]
    table = pd.DataFrame({"sure": sure * 5, "either": either * 5})
    read = TableBinariser(kinds={"sure": "keep", "either": "keep"}).fit(table, [0, 1, 1] * 5).readings_
    assert (read["sure"].order, read["either"].order) == ("mdy", "mdy")
    read = TableBinariser(kinds={"either": "keep"}).fit(table[["either"]], [0, 1, 1] * 5).readings_
    assert read["either"].order == "dmy"


def test_arrays_may_lack_values_that_the_columns_take_and_hold_no_text_in_training():
    frame = pd.DataFrame({"a": [0.5, None, 2.0, 3.0] * 5, "c": ["x", "y", None, "x"] * 5})
    binariser = TableBinariser().fit(frame, [0, 1, 1, 0] * 5)
    assert np.array_equal(binariser.transform(frame.to_numpy()), binariser.transform(frame))
    with pytest.raises(ValueError, match="X must hold numbers if it is an array; got 'x'"):
        TableBinariser().fit(frame.to_numpy(), [0, 1, 1, 0] * 5)
