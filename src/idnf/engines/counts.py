"""How many rows of a lazy table meet each of some conditions."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals.stable.v2 as nw

from idnf.engines.expressions import indicator
from idnf.engines.lazy_frames import Lazy, selected
from idnf.engines.queries import Scans, Step

MOST_COLUMNS = 1500
"""The most columns asked for at once: PostgreSQL takes 1 664 in a SELECT."""


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
