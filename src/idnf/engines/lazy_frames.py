"""Lazy tables as narwhals frames, with columns worked out row by row in every engine.

PostgreSQL compares texts by the collation of their column, which may take "A" for "a"; here their bytes are what
counts, so its columns of text are read anew, without a collation.

dask needs two things of its own. Its integers and Booleans are types of numpy, and a partition with a missing value
holds floats or objects in spite of them, so that pandas' nullable types are put in their place. And its columns are
worked out partition by partition, each of them a pandas table, since its own expressions cannot combine many columns.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from narwhals.stable.v2.typing import IntoDataFrame, IntoLazyFrame

if TYPE_CHECKING:
    import dask.dataframe as dd
    import pandas as pd

Lazy = nw.LazyFrame[IntoLazyFrame]
Eager = nw.DataFrame[IntoDataFrame]

OWN = "__idnf "
"""How the names of columns in queries begin, unlike any of the user's."""

_NULLABLE = {"b": "boolean", "i": "Int64", "u": "UInt64"}


def as_lazy(table: object) -> Lazy | None:
    """Return a lazy table as a narwhals frame, or None when it is anything else.

    >>> import polars as pl
    >>> as_lazy(pl.LazyFrame({"a": [1]})).columns, as_lazy(pl.DataFrame({"a": [1]})), as_lazy([[1]])
    (['a'], None, None)
    """
    if isinstance(table, (np.ndarray, list)):
        return None
    try:
        frame = nw.from_native(table, pass_through=True)
    except DuplicateError:  # of a table in memory, whose reader names the columns
        return None
    if not isinstance(frame, nw.LazyFrame):
        return None
    if frame.implementation.is_ibis():
        return _with_texts_by_bytes(frame)
    return _with_nullable_types(_dask(frame)) if frame.implementation.is_dask() else frame


def object_columns(frame: Lazy) -> list[str]:
    """Return the columns of a dask table that may hold anything; narwhals takes them for text, which has its own type.

    >>> import polars as pl
    >>> object_columns(as_lazy(pl.LazyFrame({"a": [1]})))
    []
    """
    if not frame.implementation.is_dask():
        return []
    return [str(name) for name, dtype in _dask(frame).dtypes.items() if isinstance(dtype, np.dtype) and dtype.hasobject]


def selected(frame: Lazy, *columns: nw.Expr) -> Lazy:
    """Return a table of columns worked out row by row.

    >>> import polars as pl
    >>> selected(as_lazy(pl.LazyFrame({"a": [1, 2]})), (nw.col("a") + 1).alias("b")).collect().rows()
    [(2,), (3,)]
    """
    if not frame.implementation.is_dask():
        return frame.select(*columns)
    return _framed(_dask(frame).map_partitions(partial(_selected, columns=columns)))


def extended(frame: Lazy, *columns: nw.Expr) -> Lazy:
    """Return a table with further columns worked out row by row."""
    return selected(frame, nw.all(), *columns)


def _selected(part: pd.DataFrame, columns: tuple[nw.Expr, ...]) -> pd.DataFrame:
    return nw.from_native(part, eager_only=True).select(*columns).to_native()


def _with_texts_by_bytes(frame: Lazy) -> Lazy:
    import ibis

    native: object = frame.to_native()
    assert isinstance(native, ibis.Table), "an ibis table"
    texts = [name for name, kind in native.schema().items() if kind.is_string()]
    if not texts or native.get_backend().name != "postgres":
        return frame
    known = ibis.udf.scalar.builtin
    to_bytes = known(lambda _text, _coding: None, name="convert_to", signature=(("string", "string"), "binary"))
    to_text = known(lambda _text, _coding: None, name="convert_from", signature=(("binary", "string"), "string"))
    # An enumeration becomes text by being joined to one.
    read = {name: to_text(to_bytes(native[name] + "", "UTF8"), "UTF8") for name in texts}
    anew: Lazy = nw.from_native(native.mutate(**read))
    return anew


def _with_nullable_types(table: dd.DataFrame) -> Lazy:
    kinds = {name: dtype.kind for name, dtype in table.dtypes.items() if isinstance(dtype, np.dtype)}
    return _framed(table.astype({name: _NULLABLE[kind] for name, kind in kinds.items() if kind in _NULLABLE}))


def _framed(table: dd.DataFrame) -> Lazy:
    frame: Lazy = nw.from_native(table)
    return frame


def _dask(frame: Lazy) -> dd.DataFrame:
    import dask.dataframe as dd

    native: object = frame.to_native()
    assert isinstance(native, dd.DataFrame), "a dask table"
    return native
