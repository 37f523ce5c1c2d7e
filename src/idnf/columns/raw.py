"""Raw columns: the values of a table in one neutral form, whatever library the table comes from.

NaN, None, ``pd.NA``, NaT and null all become one thing, a missing value, before anything else looks at a column.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from numbers import Real
from types import NoneType
from typing import Literal, TypeGuard

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.typing import IntoSeries
from numpy.typing import NDArray

from idnf.columns.phrases import BLANKS, brief, microseconds_since_epoch
from idnf.logic.errors import InvalidArgument

Kind = Literal["number", "boolean", "category", "ordered", "date", "datetime", "datetime-utc", "duration", "empty"]
"""What the known values of a column are; "empty" when there are none."""

KIND_WORDS = {
    "number": "numbers",
    "boolean": "Booleans",
    "category": "categories",
    "ordered": "ordered categories",
    "date": "dates",
    "datetime": "times",
    "datetime-utc": "times with a time zone",
    "duration": "durations",
    "empty": "nothing",
}

Category = str | int | float | bool

# The years 1 to 9999 in microseconds since 1970, and the most that 64 bits hold.
_FIRST_MOMENT, _END = -62_135_596_800e6, 253_402_300_800e6
_MOST_MICROSECONDS = 2.0**63
# Units in which that many may be exceeded.
_MICROSECONDS = {"D": 86_400e6, "h": 3_600e6, "m": 60e6, "s": 1e6, "ms": 1e3}
# How many of a finer unit make a microsecond.
_PARTS = {"ns": 10**3, "ps": 10**6, "fs": 10**9, "as": 10**12}


@dataclass(frozen=True)
class RawColumn:
    """One column of a table.

    Parameters
    ----------
    name : str
    kind : Kind
    values : ndarray
        Numbers as float64; Booleans as bool; times as float64 microseconds; categories as Python objects.
    missing : ndarray of bool
        Where the value is missing; what `values` holds there has no meaning.
    order : tuple
        The declared categories in their order, for ordered categories.
    """

    name: str
    kind: Kind
    values: NDArray[np.float64] | NDArray[np.bool_] | NDArray[np.object_]
    missing: NDArray[np.bool_]
    order: tuple[Category, ...] = ()

    def __len__(self) -> int:
        return len(self.missing)

    def at(self, rows: NDArray[np.bool_] | NDArray[np.intp] | slice) -> RawColumn:
        """Return the column restricted to some rows."""
        return RawColumn(self.name, self.kind, self.values[rows], self.missing[rows], self.order)

    @property
    def known(self) -> NDArray[np.float64] | NDArray[np.bool_] | NDArray[np.object_]:
        """The values that are not missing."""
        return self.values[~self.missing] if self.missing.any() else self.values


@dataclass(frozen=True)
class RawTable:
    """The columns of a table, by name.

    Parameters
    ----------
    columns : dict of str to RawColumn
    booleans : bool array of shape (rows, columns), optional
        The whole table if it was given as Booleans.
    rows : int, optional
        How many rows there are, if no column was asked for.
    """

    columns: dict[str, RawColumn]
    booleans: NDArray[np.bool_] | None = None
    rows: int | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.rows is None else self.rows

    def of(self, names: Iterable[str]) -> list[RawColumn]:
        """Return some columns in the order of their names."""
        return [self.columns[name] for name in names]

    def stripped(self) -> RawTable:
        """Return the table with the blanks around texts left out."""
        return replace(self, columns={name: stripped(raw) for name, raw in self.columns.items()})

    def at(self, rows: NDArray[np.bool_] | NDArray[np.intp] | slice) -> RawTable:
        """Return the table restricted to some rows."""
        taken = None if self.rows is None else len(np.broadcast_to(0, self.rows)[rows])
        if self.booleans is None:
            return RawTable({name: raw.at(rows) for name, raw in self.columns.items()}, None, taken)
        some = self.booleans[rows]
        columns = {name: read_array(name, values) for name, values in zip(self.columns, some.T, strict=True)}
        return RawTable(columns, some, taken)


def read_series(series: nw.Series[IntoSeries]) -> RawColumn:
    """Read a column of a pandas, polars or other eager table.

    >>> import polars as pl
    >>> raw = read_series(nw.from_native(pl.Series("age", [41.0, float("nan"), None]), series_only=True))
    >>> raw.kind, raw.missing.tolist()
    ('number', [False, True, True])
    """
    name, dtype = str(series.name), series.dtype
    if dtype == nw.Enum or dtype == nw.Categorical:
        missing = series.is_null().to_numpy().astype(bool)
        values = _objects(series.to_list())
        values[~missing] = _categories(name, values[~missing].tolist())
        if dtype == nw.Enum:
            order = tuple(_categories(name, series.cat.get_categories().to_list()).tolist())
            return RawColumn(name, "ordered", values, missing, order)
        return RawColumn(name, "category" if not missing.all() else "empty", values, missing)
    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None:
        raw = read_array(name, series.dt.convert_time_zone("UTC").dt.replace_time_zone(None).to_numpy())
        return RawColumn(name, "datetime-utc", raw.values, raw.missing) if raw.kind == "datetime" else raw
    if dtype == nw.String:
        return read_array(name, _objects(series.to_list()))
    if dtype.is_nested() or dtype == nw.Binary or dtype == nw.Time:
        raise ValueError(_unreadable(name, str(dtype)))
    if dtype == nw.Int128 or dtype == nw.UInt128:
        series = series.cast(nw.Float64)
    return read_array(name, series.to_numpy())


def stripped(raw: RawColumn) -> RawColumn:
    """Return a column of texts without the blanks around them, which do not count; any other column as it is.

    >>> stripped(read_values("paid", ["yes", " yes", None])).known.tolist()
    ['yes', 'yes']
    """
    if raw.kind not in ("category", "ordered"):
        return raw
    values = raw.values.tolist()
    text_of: dict[object, Category] = {
        text: text.strip(BLANKS) for text in {*values, *raw.order} if isinstance(text, str)
    }
    if all(text == bare for text, bare in text_of.items()):
        return raw
    order = tuple(dict.fromkeys(text_of.get(text, text) for text in raw.order))
    return replace(raw, values=_objects(text_of.get(value, value) for value in values), order=order)


def is_record_array(X: object) -> TypeGuard[NDArray[np.void]]:
    """Return whether a table is a structured array of NumPy, which has columns with names and needs no other library.

    >>> is_record_array(np.array([(30, True)], dtype=[("age", int), ("late", bool)])), is_record_array(np.zeros((1, 2)))
    (True, False)
    """
    return isinstance(X, np.ndarray) and X.dtype.names is not None


def read_records(X: NDArray[np.void], names: Sequence[str]) -> RawTable:
    """Read columns of a structured array."""
    there = list(X.dtype.names or ())
    absent = [name for name in names if name not in there]
    if absent:
        raise ValueError(f"X must have the columns seen in training; {absent[0]!r} is not among {brief(there, 400)}.")
    return RawTable({name: read_array(name, X[name]) for name in names}, rows=len(X))


def read_values(name: str, values: object) -> RawColumn:
    """Read values in whatever form they are held: a series, an array or a list.

    >>> read_values("age", [30, None]).kind
    'number'
    """
    if isinstance(values, RawColumn):
        return values
    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return read_series(series.alias(name))
    if isinstance(values, np.ndarray):
        return read_array(name, values)
    if isinstance(values, Sequence):
        return read_array(name, _objects(values))
    raise TypeError(f"{name} must be a column of values; got {type(values).__name__}.")


def read_array(name: str, values: NDArray[np.generic]) -> RawColumn:
    """Read a one-dimensional array.

    >>> read_array("x0", np.array([1.5, np.nan])).missing.tolist()
    [False, True]
    """
    letter = values.dtype.kind
    if letter == "b":
        return RawColumn(name, "boolean", values.astype(bool, copy=False), _none_missing(len(values)))
    if letter in "iuf":
        return _read_numbers(name, values.astype(np.float64, copy=False))
    if letter in "mM":
        missing = np.isnat(values)
        kind: Kind = "duration" if letter == "m" else "date" if values.dtype == np.dtype("<M8[D]") else "datetime"
        microseconds = _microseconds(values)
        _refuse_outside(name, kind, microseconds, missing)
        return RawColumn(name, "empty" if missing.all() else kind, microseconds, missing)
    if letter in "OUT":
        return _read_objects(name, values.astype(object, copy=False))
    raise ValueError(_unreadable(name, str(values.dtype)))


def _none_missing(rows: int) -> NDArray[np.bool_]:
    """Return that no value is missing, in the memory of one."""
    return np.broadcast_to(np.False_, rows)


def _read_numbers(name: str, values: NDArray[np.float64]) -> RawColumn:
    if len(values) and np.isfinite(values).all():
        return RawColumn(name, "number", values, _none_missing(len(values)))
    missing = np.isnan(values)
    infinite = np.isinf(values)
    if infinite.any():
        row = int(np.flatnonzero(infinite)[0])
        raise InvalidArgument(
            f"column {name!r}",
            "hold finite numbers",
            f"{values[row]} in row {row + 1}",
            "Replace infinity, for instance by a missing value.",
        )
    return RawColumn(name, "empty" if missing.all() else "number", values, missing)


def _read_objects(name: str, values: NDArray[np.object_]) -> RawColumn:
    missing = _missing(values)
    kind = _one_kind(name, values[~missing].tolist())
    if kind == "category":
        return RawColumn(name, kind, values, missing)
    if kind == "boolean":
        return RawColumn(name, kind, np.where(missing, False, values).astype(bool), missing)
    numbers = np.full(len(values), np.nan)
    for row in np.flatnonzero(~missing).tolist():
        try:
            numbers[row] = _number(values[row])
        except OverflowError as error:
            raise InvalidArgument(f"column {name!r}", "hold numbers below 1.8e308", f"more in row {row + 1}") from error
    if kind == "number":
        return _read_numbers(name, numbers)
    _refuse_outside(name, kind, numbers, missing)
    return RawColumn(name, kind, numbers, missing)


def _microseconds(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return times or durations in microseconds; beyond what 64 bits hold they are rounded, not turned round."""
    letter, (unit, step) = values.dtype.kind, np.datetime_data(values.dtype.str)
    if unit in ("Y", "M", "W"):
        values, unit, step = values.astype(f"{letter}8[D]"), "D", 1
    counts = values.astype(np.int64)
    if unit in _PARTS:  # NumPy's own division turns the first moments round
        whole, rest = np.divmod(counts, _PARTS[unit])
        return np.asarray(whole * step + rest * step // _PARTS[unit], dtype=np.float64)
    exact = values.astype(f"{letter}8[us]").astype(np.int64).astype(np.float64)
    rounded = counts.astype(np.float64) * step * _MICROSECONDS.get(unit, 0.0)
    return np.where(np.abs(rounded) < _MOST_MICROSECONDS, exact, rounded)


def _refuse_outside(name: str, kind: Kind, microseconds: NDArray[np.float64], missing: NDArray[np.bool_]) -> None:
    """Refuse times that no calendar date can be written for, and durations that 64 bits do not hold."""
    first, last = (-_MOST_MICROSECONDS, _MOST_MICROSECONDS) if kind == "duration" else (_FIRST_MOMENT, _END)
    outside = ~missing & ~((microseconds >= first) & (microseconds < last))
    if outside.any():
        row = int(np.flatnonzero(outside)[0])
        rule = "durations below 292000 years" if kind == "duration" else "dates from the year 1 to the year 9999"
        raise InvalidArgument(
            f"column {name!r}",
            f"hold {rule}",
            f"one outside in row {row + 1}",
            "Replace it, for instance by a missing value.",
        )


def _missing(values: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Return which values are missing; a column of texts is not looked at value by value."""
    if set(map(type, values.tolist())) <= {str, NoneType, float, int, bool}:
        none = np.array(None, dtype=object)
        return np.asarray((values == none) | (values != values), dtype=bool)
    return np.fromiter((is_missing(value) for value in values), dtype=bool, count=len(values))


def _one_kind(name: str, known: Sequence[object]) -> Kind:
    # One value of each type says it all, except that a time may have a zone or not.
    some = dict(zip(map(type, known), known, strict=True))
    if len(some) == 1 and not issubclass(next(iter(some)), datetime):
        return _kind_of(name, next(iter(some.values())))
    kinds: dict[Kind, object] = {}
    for value in known:
        kinds.setdefault(_kind_of(name, value), value)
    if len(kinds) > 1:
        found = " and ".join(f"{KIND_WORDS[kind]} ({brief(value)})" for kind, value in kinds.items())
        raise InvalidArgument(f"column {name!r}", "hold one type of value", found, "Convert it to one type first.")
    return next(iter(kinds), "empty")


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, ``pd.NA`` or NaT.

    >>> is_missing(None), is_missing(float("nan")), is_missing(Decimal("sNaN")), is_missing("")
    (True, True, True, False)
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def _kind_of(name: str, value: object) -> Kind:
    if isinstance(value, str):
        return "category"
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    if isinstance(value, (timedelta, np.timedelta64)):  # before numbers: to NumPy durations are integers
        return "duration"
    if isinstance(value, (Real, Decimal)):
        return "number"
    if isinstance(value, (datetime, np.datetime64)):
        return "datetime-utc" if isinstance(value, datetime) and value.tzinfo is not None else "datetime"
    if isinstance(value, date):
        return "date"
    raise ValueError(_unreadable(name, type(value).__name__))


def _number(value: object) -> float:
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return float(_microseconds(np.array([value]))[0])
    if isinstance(value, datetime):
        return microseconds_since_epoch(value)
    if isinstance(value, date):
        return microseconds_since_epoch(datetime(value.year, value.month, value.day))
    if isinstance(value, timedelta):
        return float(value // timedelta(microseconds=1))
    assert isinstance(value, (Real, Decimal)), "only numbers and times are turned into numbers"
    return float(value)


def _categories(name: str, values: Sequence[object]) -> NDArray[np.object_]:
    """Return declared categories; numbers among them are read as those of any other column."""
    category_of = {value: _category(value) for value in dict.fromkeys(values)}
    found = _objects(map(category_of.__getitem__, values))
    is_numbers = _one_kind(name, list(category_of.values())) == "number"
    return number_categories(_read_objects(name, found)) if is_numbers else found


def number_categories(raw: RawColumn) -> NDArray[np.object_]:
    """Return the numbers or Booleans of a column as categories.

    >>> number_categories(read_values("code", [7, 2.5, None])).tolist()
    [7, 2.5, nan]
    """
    return _objects(int(v) if isinstance(v, float) and v.is_integer() else v for v in raw.values.tolist())


def _category(value: object) -> Category:
    """Return a declared category as text, number or Boolean; intervals and the like by their text."""
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if isinstance(plain, (str, int, float, bool)) else str(plain)


def _objects(values: Iterable[object]) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=object)


def _unreadable(name: str, found: str) -> str:
    return (
        f"column {name!r} must hold numbers, Booleans, categories, dates or durations; got {found}. "
        "Convert or drop the column."
    )
