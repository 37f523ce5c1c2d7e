from itertools import product

import numpy as np
import pandas as pd
from benchmarks.readable import END, condition, faults, holds, lines_of, within
from hypothesis import given
from hypothesis import strategies as st

CUTS = (-END, 1.0, 2.0, 3.0, END)
parts = st.tuples(st.integers(0, 3), st.integers(1, 4)).filter(lambda ends: ends[0] < ends[1])
boxes = st.dictionaries(st.sampled_from("abc"), parts.map(lambda ends: (CUTS[ends[0]], CUTS[ends[1]])))
GRID = pd.DataFrame(list(product((0.5, 1.5, 2.5, 3.5), repeat=3)), columns=list("abc"))


@given(boxes, st.lists(boxes, max_size=4))
def test_within_is_what_a_point_of_every_cell_says(box, others):
    inside = holds([box], GRID)
    assert within(box, others) == bool(holds(others, GRID)[inside].all())


def test_conditions_are_read_as_they_are_printed():
    assert condition("worst area <= 768") == ("worst area", -END, 768.0)
    assert condition("2.4 < petal length (cm) <= 5.05") == ("petal length (cm)", 2.4, 5.05)
    assert condition("x3 is true") == ("x3", 0.5, END)


def test_lines_of_a_printed_model():
    text = "Every decision...\n\n1 if\n     a <= 2 and b > 1  [b1]\n  or b <= 1  [b2]\n\n0 otherwise.\n"
    assert lines_of(text) == [{"a": (-END, 2.0), "b": (1.0, END)}, {"b": (-END, 1.0)}]


def test_what_can_be_left_out_is_found():
    rows = GRID[["a", "b"]].drop_duplicates()
    half = {"a": (-END, 2.0)}
    truth = holds([half], rows)
    assert faults([half], rows, truth) == []
    assert faults([{**half, "b": (-END, 2.0)}, {**half, "b": (2.0, END)}], rows, truth) == [
        "b can be dropped from line 1",
        "b can be dropped from line 2",
    ]
    assert "line 2 lies within the others" in faults([half, {**half, "b": (2.0, END)}], rows, truth)


def test_a_cut_that_parts_hardly_a_row_is_found_where_it_costs_nothing():
    rows = pd.DataFrame({"a": np.arange(1000.0), "b": np.arange(1000.0) % 2})
    lines = [{"a": (-END, 500.0), "b": (0.5, END)}, {"a": (504.0, END), "b": (-END, 0.5)}]
    assert faults(lines, rows, holds(lines, rows)) == []
    other = [{"a": (-END, 500.0), "b": (0.5, END)}, {"a": (501.0, END), "b": (-END, 0.5)}]
    assert faults(other, rows, holds(other, rows)) == ["a: 500 could be 501", "a: 501 could be 500"]
