"""Tests on columns in memory: the writer of predicates for numpy, and the meaning that all other writers must match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import DAY
from idnf.columns.predicates import And, Compare, Field, FieldKind, IsMissing, OneOf, Operand, Or, Predicate, Total
from idnf.columns.raw import Category, Kind, RawColumn

FIELD_KINDS: dict[FieldKind, tuple[Kind, ...]] = {
    "number": ("number", "boolean"),
    "digit": ("number", "boolean"),
    "truth": ("boolean", "number"),
    "text": ("category", "ordered"),
    "any": ("category", "ordered", "number", "boolean", "date", "datetime"),
    "date": ("date", "datetime"),
    "datetime": ("datetime", "date"),
    "datetime-utc": ("datetime-utc",),
    "duration": ("duration",),
}
"""The kinds of values that a field is read from, the one it was made for first."""


def category_kind(values: Sequence[Category]) -> FieldKind:
    """Return how a field of some categories is read.

    >>> category_kind(["red"]), category_kind([1, 2]), category_kind([True]), category_kind([])
    ('text', 'number', 'truth', 'any')
    """
    if not values:
        return "any"
    return "text" if isinstance(values[0], str) else "truth" if isinstance(values[0], bool) else "number"


def field_values(field: Field, raw: RawColumn) -> RawColumn:
    """Return raw values as the kind of a field is read: text as it is, all else as numbers with NaN for missing.

    >>> from datetime import datetime
    >>> from idnf.columns.raw import read_values
    >>> field_values(Field("day", "date"), read_values("day", [datetime(1970, 1, 2, 9), None])).values.tolist()
    [86400000000.0, nan]
    """
    if field.kind in ("text", "any"):
        return raw
    numbers = np.where(raw.missing, np.nan, raw.values).astype(np.float64)
    return replace(raw, values=np.floor(numbers / DAY) * DAY if field.kind == "date" else numbers)


def holds(test: Predicate, read: Mapping[str, RawColumn]) -> NDArray[np.bool_]:
    """Return for each row whether a test holds of the values of its fields.

    >>> from idnf.columns.raw import read_values
    >>> age = Field("age", "number")
    >>> holds(Compare(age, over=30.0), {"age": field_values(age, read_values("age", [25, 40, None]))}).tolist()
    [False, True, False]
    """
    match test:
        case Compare(value, over, upto):
            numbers = _numbers(value, read)
            held = ~np.isnan(numbers) if over is None else numbers > over
            return _bools(held if upto is None else held & (numbers <= upto))
        case OneOf(Field(name, "text"), constants, negated):
            raw = read[name]
            among = np.fromiter((value in constants for value in raw.values.tolist()), bool, len(raw))
            return _bools(~raw.missing & (among != negated))
        case OneOf(value, constants, negated):
            numbers = _numbers(value, read)
            among = np.isin(numbers, np.asarray(constants, dtype=np.float64))
            return _bools(~np.isnan(numbers) & (among != negated))
        case IsMissing(field, negated):
            return _bools(read[field.name].missing != negated)
        case And(parts):
            return _bools(np.all([_all(read), *(holds(part, read) for part in parts)], axis=0))
        case Or(parts):
            return _bools(np.any([~_all(read), *(holds(part, read) for part in parts)], axis=0))


def _numbers(value: Operand, read: Mapping[str, RawColumn]) -> NDArray[np.float64]:
    if isinstance(value, Total):
        return np.asarray(np.sum([read[field.name].values for field in value.fields], axis=0), dtype=np.float64)
    return read[value.name].values.astype(np.float64, copy=False)


def _bools(array: object) -> NDArray[np.bool_]:
    return np.asarray(array, dtype=bool)


def _all(read: Mapping[str, RawColumn]) -> NDArray[np.bool_]:
    return np.ones(len(next(iter(read.values()))), dtype=bool)
