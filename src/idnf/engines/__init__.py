"""Queries sent to the engine that holds a lazy table: polars, DuckDB, Spark or a warehouse behind ibis."""
