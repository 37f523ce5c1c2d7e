"""Lazy tables from files, by the engine of one's choice, or from a database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from glob import escape, glob
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import Literal

from narwhals.stable.v2.typing import IntoLazyFrame

from idnf.engines.addresses import is_store, shown_address
from idnf.engines.queries import Step
from idnf.logic.errors import InvalidArgument

EngineName = Literal["polars", "duckdb", "spark"]
Source = str | PathLike[str] | Sequence[str | PathLike[str]]

ENGINES: tuple[EngineName, ...] = ("polars", "duckdb", "spark")
"""The engines that open files."""

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")
"""What stands for a missing value in a CSV file."""

_PARQUET = (".parquet", ".pq")
_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_PACKAGES = {"polars": "polars", "duckdb": "duckdb", "spark": "pyspark", "ibis": "ibis"}


def open_table(source: Source, engine: EngineName = "polars", *, table: str | None = None) -> IntoLazyFrame:
    r"""Open CSV or Parquet files, or a table of a database, as a lazy table; nothing is read yet but names and types.

    Parameters
    ----------
    source : path, list of paths or str
        Files, ``*`` and ``**`` allowed, or addresses such as ``s3://bucket/loans.parquet``, all Parquet (``.parquet``,
        ``.pq``), all CSV or all CSV with tabs (``.tsv``, ``.tab``); or a connection string that ibis takes, such as
        ``postgresql://user@host/database``.
    engine : {"polars", "duckdb", "spark"}, default="polars"
        Which engine reads the files; a database is its own engine.
    table : str, optional
        The table, where `source` is a connection string.

    Returns
    -------
    lazy table
        A polars LazyFrame, a DuckDB relation, a PySpark DataFrame or an ibis table.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("age,sick\n30,0\n50,1\n", encoding="utf-8")
    ...     open_table(f"{folder}/*.csv").collect().shape
    (2, 2)
    """
    if isinstance(source, str) and is_database(source):
        return _database_table(source, table)
    if table is not None:
        raise InvalidArgument("table", "be left out for files", f"{table!r}")
    if engine not in ENGINES:
        raise InvalidArgument("engine", 'be "polars", "duckdb" or "spark"', f"{engine!r}")
    _refuse_without(engine)
    paths = _paths(source)
    separator = _separator(paths)
    opening = {"polars": _polars_table, "duckdb": _duckdb_table, "spark": _spark_table}[engine]
    with Step("opening the files"):
        return opening(paths, separator)


def is_database(source: str) -> bool:
    """Return whether a source is the address of a database, not of a file.

    >>> is_database("postgresql://me@host/bank"), is_database("s3://bank/loans.parquet"), is_database("loans.csv")
    (True, False, False)
    """
    return "://" in source and not is_store(source)


def _polars_table(paths: list[str], separator: str | None) -> IntoLazyFrame:
    import polars

    glob = any("://" in path for path in paths)
    if separator is None:
        return polars.scan_parquet(paths, glob=glob)
    return polars.scan_csv(
        paths, separator=separator, glob=glob, null_values=list(MISSING), try_parse_dates=True, infer_schema_length=None
    )


def _duckdb_table(paths: list[str], separator: str | None) -> IntoLazyFrame:
    import duckdb

    files = _sql_list([path if "://" in path else escape(path) for path in paths])
    if separator is None:
        return duckdb.connect().sql(f"SELECT * FROM read_parquet({files})")
    tabs = ", delim='\t'" if separator == "\t" else ""
    read = f"read_csv({files}, header=true{tabs}, sample_size=-1, nullstr={_sql_list(MISSING)})"
    return duckdb.connect().sql(f"SELECT * FROM {read}")


def _sql_list(texts: Sequence[str]) -> str:
    """Return texts as a list within a query, where a quote is doubled."""
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"


def _spark_table(paths: list[str], separator: str | None) -> IntoLazyFrame:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        session = SparkSession.builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    table: IntoLazyFrame
    paths = [path if "://" in path else re.sub(r"([][{}*?\\])", r"\\\1", path) for path in paths]
    if separator is None:
        table = session.read.parquet(*paths)
    else:
        table = session.read.csv(paths, sep=separator, header=True, inferSchema=True)
    return table


def _database_table(url: str, table: str | None) -> IntoLazyFrame:
    if table is None:
        raise InvalidArgument("table", f"name a table of {shown_address(url)!r}", "None")
    _refuse_without("ibis")
    import ibis

    with Step("opening the table of the database", address=url):
        opened: IntoLazyFrame = ibis.connect(url).table(table)
    return opened


def _refuse_without(engine: str) -> None:
    if find_spec(_PACKAGES[engine]) is None:
        raise ModuleNotFoundError(f"the {engine} engine needs {_PACKAGES[engine]}: pip install 'idnf[{engine}]'")


def _paths(source: Source) -> list[str]:
    given = [fspath(source)] if isinstance(source, (str, PathLike)) else [fspath(path) for path in source]
    paths: list[str] = []
    for path in given:
        found = sorted(glob(path, recursive=True)) if "*" in path and "://" not in path else [path]
        if not found or ("://" not in path and not Path(found[0]).exists()):
            raise FileNotFoundError(f"files must exist; got {shown_address(path)!r}.")
        paths += found
    return paths


def _separator(paths: Sequence[str]) -> str | None:
    """Return what stands between the columns of CSV files; None for Parquet files."""
    suffixes = {Path(path.partition("?")[0] if "://" in path else path).suffix.lower() for path in paths}
    kinds = {None if suffix in _PARQUET else _SEPARATORS.get(suffix, "") for suffix in suffixes}
    if len(kinds) != 1 or "" in kinds:
        raise InvalidArgument(
            "files",
            "end in .parquet or .pq, in .csv, or in .tsv or .tab, all of one kind",
            ", ".join(map(repr, sorted(suffixes))),
        )
    return kinds.pop()
