"""Lazy tables as narwhals frames, the same in every engine: the one place that knows engines by name.

To add an engine that narwhals has lazy tables of, write one class and add it to `ENGINES`.

PostgreSQL compares texts by the collation of their column, which may take "A" for "a"; here their bytes are what
counts, so its columns of text are read again, without a collation.
"""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any, Protocol

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from narwhals.stable.v2.typing import IntoDataFrame, IntoLazyFrame

if TYPE_CHECKING:
    import ibis
    import polars as pl
    from duckdb import DuckDBPyRelation
    from pyspark.sql import DataFrame as SparkFrame

Lazy = nw.LazyFrame[IntoLazyFrame]
Eager = nw.DataFrame[IntoDataFrame]

OWN = "__idnf "
"""How the names of columns in queries begin, unlike any of the user's."""


def as_lazy(table: object) -> Lazy | None:
    """Return a lazy table as a narwhals frame, or None when it is anything else; refuse an engine not known here.

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
    if frame.implementation not in ENGINES:
        known = ", ".join(implementation.name.lower() for implementation in ENGINES)
        raise TypeError(
            f"a lazy table must be of one of these engines: {known}; got {frame.implementation.name.lower()}. "
            "Read the table with one of those."
        )
    return _with_texts_by_bytes(frame) if frame.implementation.is_ibis() else frame


def _with_texts_by_bytes(frame: Lazy) -> Lazy:
    import ibis

    native: Any = frame.to_native()
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


class Engine(Protocol):
    """An engine that holds lazy tables."""

    def with_row_numbers(self, native: Any, name: str) -> IntoLazyFrame:
        """Return a table with a further column that numbers its rows, no two of them alike."""

    def query_text(self, native: Any) -> str | None:
        """Return a query as SQL, or its plan if there is none; None if the engine cannot tell it any more."""


def engine_of(frame: Lazy) -> Engine:
    """Return the engine of a lazy table.

    >>> import polars as pl
    >>> lazy = nw.from_native(pl.LazyFrame({"a": [5, 6]}))
    >>> engine_of(lazy).with_row_numbers(lazy.to_native(), "row").collect()["row"].to_list()
    [0, 1]
    """
    return ENGINES[frame.implementation]


def query_text(frame: Lazy) -> str | None:
    """Return the SQL of a query, or the plan of an engine that has none; None if the engine cannot tell it any more.

    >>> import polars as pl
    >>> print(query_text(nw.from_native(pl.LazyFrame({"a": [1]})).select(nw.col("a").sum())))
     SELECT [col("a").sum()]
      DF ["a"]; ...
    """
    return engine_of(frame).query_text(frame.to_native())


class _Polars:
    def with_row_numbers(self, native: pl.LazyFrame, name: str) -> IntoLazyFrame:
        return native.with_row_index(name)

    def query_text(self, native: pl.LazyFrame) -> str | None:
        import polars as pl

        try:
            return native.explain(optimized=False)
        except (OSError, pl.exceptions.PolarsError):  # its files have gone
            return None


class _DuckDB:
    def with_row_numbers(self, native: DuckDBPyRelation, name: str) -> IntoLazyFrame:
        return native.project(f'*, row_number() OVER () AS "{name}"')

    def query_text(self, native: DuckDBPyRelation) -> str | None:
        return native.sql_query()


class _Ibis:
    def with_row_numbers(self, native: ibis.Table, name: str) -> IntoLazyFrame:
        import ibis

        mutated: IntoLazyFrame = native.mutate(**{name: ibis.row_number()})
        return mutated

    def query_text(self, native: ibis.Table) -> str | None:
        import ibis
        from ibis.common.exceptions import IbisError

        try:
            return str(ibis.to_sql(native))
        except IbisError:  # the database has no such operation, which is what failed
            return None


class _Spark:
    def with_row_numbers(self, native: SparkFrame, name: str) -> IntoLazyFrame:
        from pyspark.sql import functions

        numbered: IntoLazyFrame = native.withColumn(name, functions.monotonically_increasing_id())
        return numbered

    def query_text(self, native: SparkFrame) -> str | None:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        printed = StringIO()
        try:
            with redirect_stdout(printed):
                native.explain()
        except (AssertionError, AttributeError, Py4JError, PySparkException):  # its session has ended
            return None
        return printed.getvalue().strip()


ENGINES: dict[nw.Implementation, Engine] = {
    nw.Implementation.POLARS: _Polars(),
    nw.Implementation.DUCKDB: _DuckDB(),
    nw.Implementation.PYSPARK: _Spark(),
    nw.Implementation.IBIS: _Ibis(),
}
