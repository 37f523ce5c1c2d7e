"""Text from a CSV file as the values that a model expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from idnf.columns.column import TableColumn
from idnf.columns.predicates import Field, FieldKind

if TYPE_CHECKING:
    import polars as pl

_EXPECTED: dict[FieldKind, str] = {
    "number": "numbers",
    "digit": "numbers",
    "truth": "true and false, or 1 and 0",
    "text": "categories",
    "any": "anything",
    "date": "dates such as 2020-12-31",
    "datetime": "times such as 2020-12-31 23:59:00",
    "datetime-utc": "times such as 2020-12-31 23:59:00",
    "duration": "durations in seconds",
}
_TRUTH = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}


def typed(table: pl.DataFrame, columns: Sequence[TableColumn], *, missing: Sequence[str] = ()) -> pl.DataFrame:
    """Return the columns of a model; text becomes numbers, dates or truth values where the model expects them.

    Parameters
    ----------
    table : polars table
    columns : sequence of TableColumn
    missing : sequence of str
        Texts that stand for a missing value.

    >>> import polars as pl
    >>> from idnf.columns.intervals import NumberColumn
    >>> typed(pl.DataFrame({"age": ["41", "NA"]}), [NumberColumn("age", "seen", cuts=(30.0,))], missing=["NA"]).rows()
    [(41.0,), (None,)]
    """
    import polars as pl

    found = []
    for column in columns:
        for field in column.fields:
            if field.name not in table.columns:
                raise ValueError(f"table must have the columns of the model; got none called {field.name!r}.")
            series = table[field.name]
            if series.dtype == pl.String:
                known = series.set(series.is_in(list(missing)), None) if missing else series
                series = _parsed(known, field)
            found.append(series)
    return pl.DataFrame(found)


def _parsed(series: pl.Series, field: Field) -> pl.Series:
    parsed = _values(series, field.kind)
    failed = parsed.is_null() & series.is_not_null()
    if failed.any():
        value = series.filter(failed)[0]
        raise ValueError(f"column {series.name!r} must hold {_EXPECTED[field.kind]}, as in training; got {value!r}.")
    return parsed


def _values(series: pl.Series, kind: FieldKind) -> pl.Series:
    """Return the text as values, null where it cannot be read."""
    import polars as pl

    stripped = series.str.strip_chars()
    match kind:
        case "text" | "any":
            return series
        case "truth":
            return _truth(series)
        case "number":
            return stripped.cast(pl.Float64, strict=False)
        case "digit":
            return _truth(series).cast(pl.Float64).fill_null(stripped.cast(pl.Float64, strict=False))
        case "duration":
            seconds = stripped.cast(pl.Float64, strict=False)
            return (seconds * 1e6).round().cast(pl.Int64).cast(pl.Duration("us"))
        case _:
            return _times(stripped, kind)


def _truth(series: pl.Series) -> pl.Series:
    import polars as pl

    return series.str.strip_chars().str.to_lowercase().replace_strict(_TRUTH, default=None, return_dtype=pl.Boolean)


def _times(series: pl.Series, kind: str) -> pl.Series:
    """Return ISO text as dates or times; a day alone is its midnight."""
    import polars as pl

    iso = series.str.replace(" ", "T", literal=True)
    if kind == "date":
        return iso.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
    whole = pl.select(pl.when(iso.str.len_chars() == 10).then(iso + "T00:00:00").otherwise(iso)).to_series()
    if kind == "datetime":
        seconds = whole.str.replace(r"^(.{16})$", "${1}:00")
        return seconds.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False).alias(series.name)
    zoned = whole.str.replace(r"Z$|UTC$", "+00:00").str.replace(r"^([^+]{19,26})$", "${1}+00:00")
    read = zoned.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", time_unit="us", time_zone="UTC", strict=False)
    return read.alias(series.name)
