"""Expressions that every engine takes, whatever the number of their parts, and counts of the rows that meet them."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals.stable.v2 as nw

from idnf.engines.lazy_frames import Lazy, selected
from idnf.engines.queries import Scans, Step

MOST_COLUMNS = 1500
"""The most columns asked for at once: PostgreSQL takes 1 664 in a SELECT."""


def indicator(condition: nw.Expr) -> nw.Expr:
    """Return 1 where a condition holds and 0 where it is false or null."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def is_missing(value: nw.Expr, *, floating: bool) -> nw.Expr:
    """Tell whether a value is null or, in a column of floating-point numbers, NaN; never null itself.

    Asked for NaN directly, DuckDB believes the statistics of a Parquet file, which leave NaN out; a CASE has none.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"a": [1.0, float("nan"), None]}))
    >>> frame.select(is_missing(nw.col("a"), floating=True)).collect()["a"].to_list()
    [False, True, True]
    """
    null = value.is_null()
    return null | nw.when(~null).then(value).is_nan() if floating else null


def total(parts: Sequence[nw.Expr]) -> nw.Expr:
    """Return the sum of some numbers, 0 for none."""
    return nw.sum_horizontal(*parts) if parts else nw.lit(0)


def smallest(parts: Sequence[nw.Expr]) -> nw.Expr:
    """Return the smallest of some numbers; Spark takes no fewer than two."""
    return nw.min_horizontal(*parts) if len(parts) > 1 else parts[0]


def largest(parts: Sequence[nw.Expr]) -> nw.Expr:
    """Return the largest of some numbers."""
    return nw.max_horizontal(*parts) if len(parts) > 1 else parts[0]


def looked_up(number: nw.Expr, values: Sequence[nw.Expr]) -> nw.Expr:
    """Return the value at a number from 0 on, by halving: engines refuse a CASE nested as deep as a list is long.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"i": [2, 0]}))
    >>> frame.select(looked_up(nw.col("i"), [nw.lit("a"), nw.lit("b"), nw.lit("c")])).collect().rows()
    [('c',), ('a',)]
    """

    def part(low: int, high: int) -> nw.Expr:
        if high - low == 1:
            return values[low]
        middle = (low + high) // 2
        return nw.when(number < middle).then(part(low, middle)).otherwise(part(middle, high))

    return part(0, len(values))


def as_number(frame: Lazy, condition: nw.Expr) -> nw.Expr:
    """Return 1 where a condition holds, and 0 or null elsewhere, to be summed in the engine of a table.

    A cast is what databases add up fastest; pandas, behind dask, casts no null.
    """
    return indicator(condition) if frame.implementation.is_dask() else condition.cast(nw.Int32)


def count_rows(frame: Lazy, conditions: Sequence[nw.Expr], step: str, scans: Scans) -> list[int]:
    """Return, for each condition, the number of rows where it holds, a null counting as false; one scan.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"a": [1, 2, None]}))
    >>> count_rows(frame, [nw.col("a") <= 2, nw.col("a").is_null()], "counting", Scans())
    [2, 1]
    """
    found: list[int] = []
    for start in range(0, len(conditions), MOST_COLUMNS):
        some = conditions[start : start + MOST_COLUMNS]
        names = [f"c{i}" for i in range(len(some))]
        with Step(step):
            query = _sums(frame, some, names)
        found += [int(value or 0) for value in scans.collect(query, step).select(*names).row(0)]
    return found


def _sums(frame: Lazy, conditions: Sequence[nw.Expr], names: Sequence[str]) -> Lazy:
    named = list(zip(conditions, names, strict=True))
    if frame.implementation.is_polars():
        return frame.select(*(condition.sum().alias(name) for condition, name in named))
    held = selected(frame, *(as_number(frame, condition).alias(name) for condition, name in named))
    return held.select(*(nw.col(name).sum() for name in names))
