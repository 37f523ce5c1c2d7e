"""Tables in the engines that lazy tables live in, and the sessions they need."""

import os
import shutil
from itertools import count
from pathlib import Path

import duckdb
import polars as pl
import pytest

LAZY = ("polars", "duckdb", "spark", "postgres")
LONG = (*LAZY[:2], *(pytest.param(engine, marks=pytest.mark.slow) for engine in LAZY[2:]))
"""All of them for what takes long in some: those run by `make slow`."""


@pytest.fixture(scope="session")
def spark():
    """A Spark session with two threads in this process's own JVM."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.fail("this test needs a Java runtime: apt-get install openjdk-17-jre-headless (or set JAVA_HOME)")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("idnf tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        # A short life: the second compiler and threads that collect garbage take longer than they save.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        # Compiling and planning anew take longer than the small queries of tests.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


_NUMBERS = count()
_POSTGRES_TYPES = {
    pl.Int64: "bigint",
    pl.Float64: "double precision",
    pl.String: "text",
    pl.Boolean: "boolean",
    pl.Date: "date",
    pl.List: "double precision[]",
    pl.Int32: "integer",
}


def postgres_table(url, name, table):
    """Copy a polars table into PostgreSQL, NaN and null as they are, and return it as an ibis table."""
    import ibis
    import psycopg

    quoted = {column: column.replace('"', '""') for column in table.columns}
    columns = ", ".join(f'"{quoted[name]}" {_POSTGRES_TYPES[type(kind)]}' for name, kind in table.schema.items())
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute(f'CREATE TABLE "{name}" ({columns})')
        with cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
            for row in table.iter_rows():
                copy.write_row(row)
    return ibis.connect(url).table(name)


class Engines:
    """Puts a polars table into an engine, and brings an answer back as one."""

    def __init__(self, request, folder):
        self.request = request
        self.folder = Path(folder)

    def table(self, engine, table, name="examples"):
        path = self.folder / f"{name}.parquet"
        table.write_parquet(path, row_group_size=max(1, len(table) // 2))
        if engine == "polars":
            return pl.scan_parquet(path)
        if engine == "duckdb":
            return duckdb.connect().read_parquet(str(path))
        if engine == "spark":
            return self.request.getfixturevalue("spark").read.parquet(str(path))
        return postgres_table(self.request.getfixturevalue("postgres_url"), f"{name} {next(_NUMBERS)}", table)

    @staticmethod
    def collected(engine, answer):
        """Return a lazy answer as a polars table; its kind says that it is of the engine it came from."""
        if engine == "polars":
            assert isinstance(answer, pl.LazyFrame)
            return answer.collect()
        if engine == "duckdb":
            assert isinstance(answer, duckdb.DuckDBPyRelation)
            return answer.pl()
        if engine == "spark":
            from pyspark.sql import DataFrame

            assert isinstance(answer, DataFrame)
            return pl.from_arrow(answer.toArrow())
        import ibis

        assert isinstance(answer, ibis.Table)
        return answer.to_polars()


@pytest.fixture
def engines(request, tmp_path):
    return Engines(request, tmp_path)
