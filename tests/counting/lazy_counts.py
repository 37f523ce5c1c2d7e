"""Counting in an engine, for a table given as arrays."""

import duckdb
import narwhals.stable.v2 as nw
import polars as pl

from idnf.counting.lazy_table import LazyTable
from idnf.engines.queries import ClassSizes


def lazy_counts(engine, features, positive, weight=None):
    """Return the counts of a table whose literals are conditions over columns of Booleans, numbers and nulls."""
    columns = {"class": pl.Series(positive, dtype=pl.Boolean)}
    conditions = []
    for j, values in enumerate(features.T.tolist()):
        if j % 2:
            columns[f"x{j}"] = pl.Series(values, dtype=pl.Boolean)
            conditions.append(nw.col(f"x{j}"))
        else:
            numbers = [1.5 if value else None if i % 3 else 2.5 for i, value in enumerate(values)]
            columns[f"x{j}"] = pl.Series(numbers, dtype=pl.Float64)
            conditions.append(nw.col(f"x{j}") <= 2)
    if weight is not None:
        columns["weight"] = pl.Series(weight, dtype=pl.Float64)
    table = pl.DataFrame(columns)
    native = table.lazy() if engine == "polars" else duckdb.connect().from_arrow(table.to_arrow())
    weights = None if weight is None else nw.col("weight")
    held = [row for row in range(len(features)) if weight is None or weight[row] > 0]
    positive_rows = sum(bool(positive[row]) for row in held)
    labels, sizes = (~nw.col("class"), nw.col("class")), ClassSizes((len(held) - positive_rows, positive_rows))
    return LazyTable(nw.from_native(native), tuple(conditions), labels, sizes, weights)
