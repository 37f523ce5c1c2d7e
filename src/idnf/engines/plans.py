"""A query on a lazy table as text, to be shown when it has failed."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO

from idnf.engines.lazy_frames import Lazy


def query_text(frame: Lazy) -> str | None:
    """Return the SQL of a query, or the plan of an engine that has none; None where the engine cannot tell it any more.

    >>> import narwhals.stable.v2 as nw, polars as pl
    >>> print(query_text(nw.from_native(pl.LazyFrame({"a": [1]})).select(nw.col("a").sum())))
     SELECT [col("a").sum()]
      DF ["a"]; ...
    """
    native: object = frame.to_native()
    engine = frame.implementation
    if engine.is_duckdb():
        import duckdb

        assert isinstance(native, duckdb.DuckDBPyRelation), "a DuckDB frame holds a relation"
        return native.sql_query()
    if engine.is_ibis():
        return _ibis_query(native)
    if engine.is_polars():
        return _polars_plan(native)
    if engine.is_pyspark():
        return _spark_plan(native)
    if engine.is_dask():
        import dask.dataframe as dd

        assert isinstance(native, dd.DataFrame), "a dask table"
        return str(native.expr.tree_repr())
    return None


def _ibis_query(native: object) -> str | None:
    import ibis
    from ibis.common.exceptions import IbisError

    try:
        return str(ibis.to_sql(native))
    except IbisError:  # the database has no such operation, which is what failed
        return None


def _polars_plan(native: object) -> str | None:
    import polars as pl

    assert isinstance(native, pl.LazyFrame), "a lazy polars table"
    try:
        return native.explain(optimized=False)
    except (OSError, pl.exceptions.PolarsError):  # its files have gone
        return None


def _spark_plan(native: object) -> str | None:
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
