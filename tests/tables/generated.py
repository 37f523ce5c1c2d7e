"""Generated tables of mixed types, as plain columns that pandas and polars can both hold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

import pandas as pd
import polars as pl
from hypothesis import strategies as st
from tests.tables.naive_wording import Value

NAMES = ("age", "a <= 3", "is missing", 'naïve "quoted"', "42", "line\nbreak", "", "red or blue", "<b>{x}</b>", "größe")
TEXTS = (
    "red",
    "blue",
    "Österreich",
    "or",
    "red or blue",
    "missing",
    "",
    "other",
    "a, b",
    "3",
    "日本",
    '"q"',
    " padded ",
)
SIZES = ("small", "medium", "not large", "large")

VALUES: dict[str, st.SearchStrategy[Value]] = {
    "float": st.floats(-1e6, 1e6, allow_nan=False, width=32) | st.sampled_from([0.1, 0.2, 0.25, 1e300]),
    "int": st.integers(-50, 50),
    "bool": st.booleans(),
    "text": st.sampled_from([text for text in TEXTS if not text.isdecimal()]),  # else a column may be one of numbers
    "category": st.sampled_from(TEXTS),
    "size": st.sampled_from(SIZES),
    "date": st.dates(date(1950, 1, 1), date(2050, 1, 1)),
    "datetime": st.datetimes(datetime(1950, 1, 1), datetime(2050, 1, 1)),
    "duration": st.timedeltas(timedelta(days=-30), timedelta(days=400)),
}
PANDAS_TYPES = {
    "float": ("float64", "Float64", "object"),
    "int": ("Int64", "object", "float64"),
    "bool": ("boolean", "object"),
    # Before pandas 3 "str" writes a missing value as the text "None".
    "text": ("object", "string", "str" if int(pd.__version__.split(".")[0]) >= 3 else "string"),
    "category": ("category",),
    "size": (pd.CategoricalDtype(SIZES, ordered=True),),
    "date": ("object", "datetime64[us]"),
    "datetime": ("datetime64[us]", "object"),
    "duration": ("timedelta64[us]", "object"),
}
POLARS_TYPES = {
    "float": (pl.Float64,),
    "int": (pl.Int64, pl.Float64),
    "bool": (pl.Boolean,),
    "text": (pl.String,),
    "category": (pl.Categorical,),
    "size": (pl.Enum(SIZES),),
    "date": (pl.Date, pl.Datetime("us")),
    "datetime": (pl.Datetime("us"),),
    "duration": (pl.Duration("us"),),
}


@dataclass(frozen=True)
class MixedTable:
    kinds: dict[str, str]
    values: dict[str, list[Value]]
    classes: list[int]
    pandas: pd.DataFrame
    polars: pl.DataFrame


@st.composite
def mixed_tables(draw: st.DrawFn) -> MixedTable:
    n_rows = draw(st.integers(2, 12))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    kinds = {name: draw(st.sampled_from(sorted(VALUES))) for name in names}
    values = {name: draw(_columns(kinds[name], n_rows)) for name in names}
    pandas = {
        name: pd.Series(values[name], dtype=object).astype(draw(st.sampled_from(PANDAS_TYPES[kinds[name]])))
        for name in names
    }
    polars = {
        name: pl.Series(name, values[name], dtype=draw(st.sampled_from(POLARS_TYPES[kinds[name]])), strict=False)
        for name in names
    }
    classes = draw(st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows))
    return MixedTable(kinds, values, classes, pd.DataFrame(pandas), pl.DataFrame(polars))


def _columns(kind: str, n_rows: int) -> st.SearchStrategy[list[Value]]:
    with_missing = st.lists(st.none() | VALUES[kind], min_size=n_rows, max_size=n_rows)
    without = st.lists(VALUES[kind], min_size=n_rows, max_size=n_rows)
    return (with_missing | without).filter(lambda values: any(value is not None for value in values))
