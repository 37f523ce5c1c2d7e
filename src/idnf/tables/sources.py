"""Lazy tables from files, by the engine of one's choice, or from a database."""

from __future__ import annotations

from collections.abc import Sequence
from glob import glob
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import Literal

from narwhals.stable.v2.typing import IntoLazyFrame

Engine = Literal["polars", "duckdb", "spark"]
Source = str | PathLike[str] | Sequence[str | PathLike[str]]

_PACKAGES = {"polars": "polars", "duckdb": "duckdb", "spark": "pyspark", "ibis": "ibis"}


def open_table(source: Source, engine: Engine = "polars", *, table: str | None = None) -> IntoLazyFrame:
    r"""Open CSV or Parquet files, or a table of a database, as a lazy table; nothing is read yet but names and types.

    Parameters
    ----------
    source : path, list of paths or str
        Files, ``*`` and ``**`` allowed, all Parquet or all CSV; or a connection string that ibis takes, such as
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
    if isinstance(source, str) and "://" in source:
        return _database_table(source, table)
    if table is not None:
        raise ValueError(f"table must be left out for files; got {table!r}.")
    if engine not in ("polars", "duckdb", "spark"):
        raise ValueError(f'engine must be "polars", "duckdb" or "spark"; got {engine!r}.')
    _refuse_without(engine)
    paths = _paths(source)
    suffix = _suffix(paths)
    if engine == "polars":
        import polars

        return polars.scan_parquet(paths) if suffix == ".parquet" else polars.scan_csv(paths)
    if engine == "duckdb":
        import duckdb

        # A path is text within a query, so a quote in it is doubled.
        files = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
        return duckdb.connect().sql(f"SELECT * FROM read_{suffix[1:]}([{files}])")
    from pyspark.sql import SparkSession

    reader = SparkSession.builder.getOrCreate().read
    return reader.parquet(*paths) if suffix == ".parquet" else reader.csv(paths, header=True, inferSchema=True)


def _database_table(url: str, table: str | None) -> IntoLazyFrame:
    if table is None:
        raise ValueError(f"table must name a table of {url!r}; got None.")
    _refuse_without("ibis")
    import ibis

    opened: IntoLazyFrame = ibis.connect(url).table(table)
    return opened


def _refuse_without(engine: str) -> None:
    if find_spec(_PACKAGES[engine]) is None:
        raise ModuleNotFoundError(f"the {engine} engine needs {_PACKAGES[engine]}: pip install idnf[{engine}]")


def _paths(source: Source) -> list[str]:
    given = [fspath(source)] if isinstance(source, (str, PathLike)) else [fspath(path) for path in source]
    paths: list[str] = []
    for path in given:
        found = sorted(glob(path, recursive=True)) if "*" in path else [path] if Path(path).exists() else []
        if not found:
            raise FileNotFoundError(f"source must name files that exist; got {path!r}.")
        paths += found
    return paths


def _suffix(paths: Sequence[str]) -> str:
    suffixes = {Path(path).suffix.lower() for path in paths}
    if len(suffixes) != 1 or not suffixes <= {".csv", ".parquet"}:
        raise ValueError(f"source must name .parquet or .csv files, all of one kind; got {sorted(suffixes)}.")
    return suffixes.pop()
