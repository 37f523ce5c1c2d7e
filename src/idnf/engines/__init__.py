"""Queries sent to the engine that holds a lazy table: polars, DuckDB, Spark, a warehouse behind ibis, dask."""
