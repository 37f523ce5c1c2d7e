"""The columns of a model out of a table as its file has it, each with the type the model expects."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from idnf.columns.raw import RawColumn
from idnf.tables.binariser import RowProblem, TableBinariser

if TYPE_CHECKING:
    import polars as pl


def typed(
    table: pl.DataFrame, binariser: TableBinariser, used: Collection[int] | None = None
) -> tuple[pl.DataFrame, list[RowProblem]]:
    """Return the columns of a model, text read as in training; and the values that the model cannot take.

    Parameters
    ----------
    table : polars table
    binariser : TableBinariser
        Fitted; it remembers how text was read.
    used : collection of int, optional
        The columns the model looks at, which a table must have; others are taken along where they are there.

    >>> import polars as pl
    >>> fitted = TableBinariser(missing_values=["none"]).fit(pl.DataFrame({"age": ["30", "none", "45,5"]}), [0, 1, 1])
    >>> typed(pl.DataFrame({"age": ["41,5", "none"]}), fitted)[0].rows()
    [(41.5,), (None,)]
    """
    import polars as pl

    there = [j for j, column in enumerate(binariser.columns_) if set(column.sources) <= set(table.columns)]
    absent = [j for j in (range(len(binariser.columns_)) if used is None else sorted(used)) if j not in there]
    if absent:
        name = next(name for name in binariser.columns_[absent[0]].sources if name not in table.columns)
        raise ValueError(
            f"table must have the columns of the model; got none called {name!r} among {', '.join(table.columns)}."
        )
    read, problems = binariser.read_rows(table, there)
    found = [to_series(raw) if table[name].dtype == pl.String else table[name] for name, raw in read.columns.items()]
    needed = {name for j in there if used is None or j in used for name in binariser.columns_[j].sources}
    return pl.DataFrame(found), [one for one in problems if one.column in needed]


def to_series(raw: RawColumn) -> pl.Series:
    """Return a raw column as a series of polars.

    >>> from idnf.columns.raw import read_values
    >>> to_series(read_values("age", [30, None])).to_list()
    [30.0, None]
    """
    import polars as pl

    if raw.values.dtype == object:
        pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
        values = [None if missing else value for value, missing in pairs]
        return pl.Series(raw.name, values, dtype=pl.String if raw.kind == "empty" else None, strict=False)
    if raw.kind in ("number", "boolean", "empty"):
        series = pl.Series(raw.name, raw.values)
    else:
        micro = pl.Series(raw.name, np.where(raw.missing, 0, raw.values).astype(np.int64))
        kinds = {"datetime-utc": pl.Datetime("us", "UTC"), "duration": pl.Duration("us")}
        series = micro.cast(kinds.get(raw.kind, pl.Datetime("us")))
        series = series.cast(pl.Date) if raw.kind == "date" else series
    return series.set(pl.Series(raw.missing), None) if raw.missing.any() else series
