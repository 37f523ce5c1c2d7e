"""Single values are those of the table, whatever holds it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from idnf.columns.eager_frames import named_values, value_reader

NAMES = ["age", "job"]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"job": ["clerk", "nurse"], "age": [30, 41], "other": [0, 0]}),
        pl.DataFrame({"job": ["clerk", "nurse"], "age": [30, 41], "other": [0, 0]}),
        np.array([[30, "clerk"], [41, "nurse"]], dtype=object),
        [[30, "clerk"], [41, "nurse"]],
    ],
    ids=["pandas", "polars", "array", "list"],
)
def test_values_by_row_and_name(table):
    value = value_reader(table, NAMES)
    assert [(str(value(row, "age")), value(row, "job")) for row in (0, 1)] == [("30", "clerk"), ("41", "nurse")]


def test_one_row_by_name():
    given = {"age": 30}
    assert named_values(given, NAMES) is given
    assert named_values(pl.DataFrame({"age": [30], "other": [1]}), NAMES) == {"age": 30}
    assert named_values(np.array([30, 2]), NAMES) == {"age": 30, "job": 2}
    with pytest.raises(ValueError, match="x must be one row; got 2."):
        named_values(pl.DataFrame({"age": [30, 31]}), NAMES)
    with pytest.raises(ValueError, match="x must have 2 values, one per column; got 3."):
        named_values([1, 2, 3], NAMES)
