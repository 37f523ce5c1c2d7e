"""What narwhals does not do alike in every engine: the one place that knows engines by name.

To add an engine that narwhals has lazy tables of, write one class and add it to `ENGINES`.
"""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from typing import Protocol

import narwhals.stable.v2 as nw
from narwhals.stable.v2.typing import IntoLazyFrame

from idnf.engines.lazy_frames import Lazy


class Engine(Protocol):
    """An engine that holds lazy tables."""

    def with_row_numbers(self, native: object, name: str) -> IntoLazyFrame:
        """Return a table with a further column that numbers its rows, no two of them alike."""

    def query_text(self, native: object) -> str | None:
        """Return a query as SQL, or its plan where there is none; None where the engine cannot tell it any more."""


def engine_of(frame: Lazy) -> Engine:
    """Return the engine of a lazy table; refuse one that is not known here.

    >>> import polars as pl
    >>> lazy = nw.from_native(pl.LazyFrame({"a": [5, 6]}))
    >>> engine_of(lazy).with_row_numbers(lazy.to_native(), "row").collect()["row"].to_list()
    [0, 1]
    """
    engine = ENGINES.get(frame.implementation)
    if engine is None:
        known = ", ".join(implementation.name.lower() for implementation in ENGINES)
        raise TypeError(
            f"a lazy table must be of one of these engines: {known}; got {frame.implementation.name.lower()}. "
            "Read the table with one of those."
        )
    return engine


def query_text(frame: Lazy) -> str | None:
    """Return the SQL of a query, or the plan of an engine that has none; None where the engine cannot tell it any more.

    >>> import polars as pl
    >>> print(query_text(nw.from_native(pl.LazyFrame({"a": [1]})).select(nw.col("a").sum())))
     SELECT [col("a").sum()]
      DF ["a"]; ...
    """
    engine = ENGINES.get(frame.implementation)
    return None if engine is None else engine.query_text(frame.to_native())


class _Polars:
    def with_row_numbers(self, native: object, name: str) -> IntoLazyFrame:
        import polars as pl

        assert isinstance(native, pl.LazyFrame), "a lazy polars table"
        return native.with_row_index(name)

    def query_text(self, native: object) -> str | None:
        import polars as pl

        assert isinstance(native, pl.LazyFrame), "a lazy polars table"
        try:
            return native.explain(optimized=False)
        except (OSError, pl.exceptions.PolarsError):  # its files have gone
            return None


class _DuckDB:
    def with_row_numbers(self, native: object, name: str) -> IntoLazyFrame:
        import duckdb

        assert isinstance(native, duckdb.DuckDBPyRelation), "a DuckDB relation"
        return native.project(f'*, row_number() OVER () AS "{name}"')

    def query_text(self, native: object) -> str | None:
        import duckdb

        assert isinstance(native, duckdb.DuckDBPyRelation), "a DuckDB relation"
        return native.sql_query()


class _Ibis:
    def with_row_numbers(self, native: object, name: str) -> IntoLazyFrame:
        import ibis

        assert isinstance(native, ibis.Table), "an ibis table"
        mutated: IntoLazyFrame = native.mutate(**{name: ibis.row_number()})
        return mutated

    def query_text(self, native: object) -> str | None:
        import ibis
        from ibis.common.exceptions import IbisError

        try:
            return str(ibis.to_sql(native))
        except IbisError:  # the database has no such operation, which is what failed
            return None


class _Spark:
    def with_row_numbers(self, native: object, name: str) -> IntoLazyFrame:
        import pyspark.sql

        assert isinstance(native, pyspark.sql.DataFrame), "a Spark table"
        return native.withColumn(name, pyspark.sql.functions.monotonically_increasing_id())

    def query_text(self, native: object) -> str | None:
        import pyspark.sql
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        assert isinstance(native, pyspark.sql.DataFrame), "a Spark table"
        printed = StringIO()
        try:
            with redirect_stdout(printed):
                native.explain()
        except (AssertionError, AttributeError, Py4JError, PySparkException):  # its session has ended
            return None
        return printed.getvalue().strip()


class _Dask:
    def with_row_numbers(self, native: object, name: str) -> IntoLazyFrame:
        import dask.dataframe as dd

        assert isinstance(native, dd.DataFrame), "a dask table"
        ones = native.assign(**{name: 1})
        counted: IntoLazyFrame = ones.assign(**{name: ones[name].cumsum() - 1})
        return counted

    def query_text(self, native: object) -> str | None:
        import dask.dataframe as dd

        assert isinstance(native, dd.DataFrame), "a dask table"
        return str(native.expr.tree_repr())


ENGINES: dict[nw.Implementation, Engine] = {
    nw.Implementation.POLARS: _Polars(),
    nw.Implementation.DUCKDB: _DuckDB(),
    nw.Implementation.PYSPARK: _Spark(),
    nw.Implementation.IBIS: _Ibis(),
    nw.Implementation.DASK: _Dask(),
}
