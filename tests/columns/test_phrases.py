"""How names, values and lists are written."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.columns.phrases import DAY, TIME_KINDS, listed, name_words, number_words, time_value, time_words, value_words


@given(st.text())
def test_a_name_is_bare_or_a_json_string(name):
    words = name_words(name)
    assert words == name or json.loads(words) == name


@pytest.mark.parametrize(
    "name", ["", " age", "a  b", "a <= 3", "red or blue", "Is Missing", "1e5", "nan", "a\nb", 'a"b', "a:b"]
)
def test_a_name_that_could_be_misread_is_quoted(name):
    assert name_words(name) == json.dumps(name, ensure_ascii=False)


@pytest.mark.parametrize(
    "name", ["age", "mean radius", "sepal length (cm)", "größe", "日本", "income/year", "order", "2nd"]
)
def test_a_name_that_reads_as_a_name_is_bare(name):
    assert name_words(name) == name


def test_values_are_written_by_their_type():
    assert [value_words(value) for value in ("3", 3, 2.5, True, "not x")] == ["3", "3", "2.5", "true", '"not x"']


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back(number):
    assert float(number_words(number)) == number


@given(st.integers(-(10**15), 10**15), st.sampled_from(TIME_KINDS))
def test_a_time_reads_back(microseconds, kind):
    value = math.floor(microseconds / DAY) * DAY if kind == "date" else microseconds
    assert time_value(time_words(value, kind), kind) == value


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (86400, "1 day"),
        (-172800, "-2 days"),
        (90000, "25 hours"),
        (5400, "90 minutes"),
        (61, "61 seconds"),
        (0.5, "0.5 seconds"),
    ],
)
def test_durations_use_the_largest_unit_that_fits(seconds, words):
    assert time_words(seconds * 1_000_000, "duration") == words


def test_lists_are_written_as_in_a_sentence():
    assert listed(["a", "b", "c"], "or") == "a, b or c"
