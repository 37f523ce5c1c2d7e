"""Tables of any eager library that narwhals knows, checked in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from narwhals.typing import IntoDataFrame


def as_frame(table: object) -> nw.DataFrame[IntoDataFrame] | None:
    """Return a table as a narwhals frame, or None when it is an array or a list.

    >>> import polars as pl
    >>> as_frame(pl.DataFrame({"a": [1]})).columns, as_frame([[1]])
    (['a'], None)
    """
    if isinstance(table, (np.ndarray, list)):
        return None
    try:
        frame = nw.from_native(table, pass_through=True)
    except DuplicateError as error:
        raise ValueError(f"X must have distinct column names. {' '.join(str(error).split())}.") from error
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("X must be a table in memory; got a lazy one. Collect it first.")
    return frame if isinstance(frame, nw.DataFrame) else None


def select_columns(frame: nw.DataFrame[IntoDataFrame], names: Sequence[str]) -> nw.DataFrame[IntoDataFrame]:
    """Return the named columns of a table in the order of the names."""
    absent = [name for name in names if name not in frame.columns]
    if absent:
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise ValueError(f"X must have the columns seen in training; {absent[0]!r}{more} is not among {frame.columns}.")
    return frame.select(names)


def refuse_empty(frame: nw.DataFrame[IntoDataFrame]) -> None:
    """Raise an error for a table without rows or without columns."""
    rows, columns = frame.shape
    if columns == 0:
        raise ValueError("X must have at least one column; got 0.")
    if rows == 0:
        raise ValueError("X must have at least one row; got 0.")


def refuse_unknown(parameter: str, named: Collection[str], names: Collection[str]) -> None:
    """Raise an error for a parameter that names a column the table does not have."""
    for name in named:
        if name not in names:
            raise ValueError(f"{parameter} must name columns of the table; got {name!r}.")
