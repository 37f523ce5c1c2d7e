"""Expressions that every engine takes, whatever the number of their parts."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals.stable.v2 as nw


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
