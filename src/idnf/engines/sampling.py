"""A seeded sample of a lazy table, class by class, taken by the engine in one scan.

Every row gets a pseudo-random number made from its row number and the seed by arithmetic that all engines share. The
sample holds, for each class, the rows with the smallest numbers, so the same table in the same order gives the same
sample. Engines without an order of rows (Spark, PostgreSQL) number them as they come: per partition, per scan.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.stable.v2.typing import IntoLazyFrame
from numpy.typing import NDArray

from idnf.engines.queries import Eager, Lazy, Scans

ROW, NUMBER = "idnf row", "idnf number"
"""Names of the columns added to a sample: the row's number, and its pseudo-random number."""

# A prime: x -> x**5 permutes the residues, since 5 does not divide it less one. Products stay below 2**62.
_PRIME = 2**31 - 1
_FACTOR = 1_103_515_245


@dataclass(frozen=True)
class ClassSizes:
    """The number of rows of class 0 and class 1."""

    negative: int
    positive: int

    def quotas(self, limit: int) -> ClassSizes:
        """Return how many rows of each class a sample takes: its share of `limit`, at least one where it has any.

        >>> ClassSizes(900, 100).quotas(50), ClassSizes(10**6, 3).quotas(100)
        (ClassSizes(negative=45, positive=5), ClassSizes(negative=99, positive=1))
        """
        rows = self.negative + self.positive
        if rows <= limit:
            return self
        positive = min(max(round(limit * self.positive / rows), int(self.positive > 0)), limit - int(self.negative > 0))
        return ClassSizes(limit - positive, positive)


def sample(frame: Lazy, class_column: str, sizes: ClassSizes, limit: int, seed: int, *, scans: Scans) -> Eager:
    """Return at most `limit` rows of a lazy table, its classes in proportion.

    Parameters
    ----------
    frame : lazy table
        With a column that holds 1 for class 1 and 0 for class 0.
    class_column : str
    sizes : ClassSizes
        How many rows of each class the table has.
    limit : int
    seed : int
    scans : Scans
    """
    quotas = sizes.quotas(limit)
    if quotas == sizes:
        return scans.collect(frame, f"collecting all {sizes.negative + sizes.positive} rows as the sample")
    numbered = _numbered(frame).with_columns(_pseudo_random(seed).alias(NUMBER))
    in_class = nw.col(class_column) == 1
    chosen = numbered.filter(
        (in_class & (nw.col(NUMBER) < _threshold(quotas.positive, sizes.positive)))
        | (~in_class & (nw.col(NUMBER) < _threshold(quotas.negative, sizes.negative)))
    )
    found = scans.collect(chosen, f"taking a sample of {limit} rows")
    labels = found.get_column(class_column).to_numpy().astype(np.intp)
    numbers = found.get_column(NUMBER).to_numpy().astype(np.int64)
    rows = found.get_column(ROW).to_numpy().astype(np.int64)
    kept = np.concatenate(
        [
            _smallest(np.flatnonzero(labels == label), numbers, rows, quota)
            for label, quota in ((0, quotas.negative), (1, quotas.positive))
        ]
    )
    chosen_rows: Eager = found[np.sort(kept).tolist()]
    return chosen_rows.drop(ROW, NUMBER)


def _smallest(
    members: NDArray[np.intp], numbers: NDArray[np.int64], rows: NDArray[np.int64], quota: int
) -> NDArray[np.intp]:
    """Return the members with the smallest numbers, in an order that does not depend on how they arrived."""
    return members[np.lexsort((rows[members], numbers[members]))[:quota]]


def _threshold(quota: int, size: int) -> int:
    """Return the number below which more than `quota` of `size` rows almost surely fall, and few more."""
    wanted = quota + 6 * sqrt(quota) + 6
    return _PRIME if wanted >= size else ceil(_PRIME * wanted / size)


def _pseudo_random(seed: int) -> nw.Expr:
    """Return a number from 0 to 2**31 - 2 for each row number: a linear step, a fifth power, another linear step."""
    start, offset = (int(word) for word in np.random.default_rng(seed).integers(1, _PRIME, 2))
    mixed = (nw.col(ROW) % _PRIME * _FACTOR + start) % _PRIME
    square = mixed * mixed % _PRIME
    fifth = square * square % _PRIME * mixed % _PRIME
    return (fifth * _FACTOR + offset) % _PRIME


def _numbered(frame: Lazy) -> Lazy:
    """Return the table with a column of row numbers, by whatever the engine has for that."""
    numbered: Lazy = nw.from_native(_with_row_numbers(frame.to_native(), frame.implementation))
    return numbered.with_columns(nw.col(ROW).cast(nw.Int64))


def _with_row_numbers(native: object, implementation: nw.Implementation) -> IntoLazyFrame:
    if implementation.is_polars():
        import polars

        assert isinstance(native, polars.LazyFrame), "a lazy polars frame"
        return native.with_row_index(ROW)
    if implementation.is_duckdb():
        import duckdb

        assert isinstance(native, duckdb.DuckDBPyRelation), "a DuckDB relation"
        return native.project(f'*, row_number() OVER () AS "{ROW}"')
    if implementation.is_ibis():
        import ibis

        assert isinstance(native, ibis.Table), "an ibis table"
        numbered: IntoLazyFrame = native.mutate(**{ROW: ibis.row_number()})
        return numbered
    if implementation.is_pyspark():
        import pyspark.sql

        assert isinstance(native, pyspark.sql.DataFrame), "a Spark table"
        return native.withColumn(ROW, pyspark.sql.functions.monotonically_increasing_id())
    raise TypeError(
        f"a sample can be taken from polars, DuckDB, Spark and ibis tables; got {implementation.name.lower()}. "
        "Read the table with one of those."
    )
