"""Tests on columns in memory: the meaning that all other writers of predicates must match; values that meet a test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from idnf.columns import predicates as tests
from idnf.columns.phrases import DAY, EPOCH
from idnf.columns.raw import Category, Kind, RawColumn, stripped

FIELD_KINDS: dict[tests.FieldKind, tuple[Kind, ...]] = {
    "number": ("number", "boolean"),
    "digit": ("number", "boolean"),
    "truth": ("boolean", "number"),
    "text": ("category", "ordered"),
    "verbatim": ("category", "ordered"),
    "any": ("category", "ordered", "number", "boolean", "date", "datetime"),
    "date": ("date", "datetime"),
    "datetime": ("datetime", "date"),
    "datetime-utc": ("datetime-utc",),
    "duration": ("duration",),
}
"""The kinds of values that a field is read from, the one it was made for first."""

Value = str | float | bool | date | datetime | timedelta | None


def category_kind(values: Sequence[Category], *, blanks: bool = False) -> tests.FieldKind:
    """Return how a field of some categories is read; in texts, whether blanks around them count.

    >>> category_kind(["red"]), category_kind([1, 2]), category_kind([True]), category_kind([])
    ('text', 'number', 'truth', 'any')
    """
    if not values:
        return "any"
    if isinstance(values[0], str):
        return "verbatim" if blanks else "text"
    return "truth" if isinstance(values[0], bool) else "number"


def field_values(field: tests.Field, raw: RawColumn) -> RawColumn:
    """Return raw values as the kind of a field is read: text as text, all else as numbers with NaN for missing.

    >>> from datetime import datetime
    >>> from idnf.columns.raw import read_values
    >>> field_values(tests.Field("day", "date"), read_values("day", [datetime(1970, 1, 2, 9), None])).values.tolist()
    [86400000000.0, nan]
    """
    if field.kind == "text":
        return stripped(raw)
    if field.kind in ("verbatim", "any"):
        return raw
    numbers = np.where(raw.missing, np.nan, raw.values).astype(np.float64)
    return replace(raw, values=np.floor(numbers / DAY) * DAY if field.kind == "date" else numbers)


def holds(test: tests.Predicate, read: Mapping[str, RawColumn]) -> NDArray[np.bool_]:
    """Return for each row whether a test holds of the values of its fields.

    >>> from idnf.columns.raw import read_values
    >>> age = tests.Field("age", "number")
    >>> holds(tests.Compare(age, over=30.0), {"age": field_values(age, read_values("age", [25, 40, None]))}).tolist()
    [False, True, False]
    """
    match test:
        case tests.Compare(value, over, upto):
            numbers = _numbers(value, read)
            held = ~np.isnan(numbers) if over is None else numbers > over
            return _bools(held if upto is None else held & (numbers <= upto))
        case tests.OneOf(tests.Field(name, "text" | "verbatim"), constants, negated):
            raw = read[name]
            among = np.fromiter((value in constants for value in raw.values.tolist()), bool, len(raw))
            return _bools(~raw.missing & (among != negated))
        case tests.OneOf(value, constants, negated):
            numbers = _numbers(value, read)
            among = np.isin(numbers, np.asarray(constants, dtype=np.float64))
            return _bools(~np.isnan(numbers) & (among != negated))
        case tests.IsMissing(field, negated):
            return _bools(read[field.name].missing != negated)
        case tests.And(parts):
            return _bools(np.all([_all(read), *(holds(part, read) for part in parts)], axis=0))
        case tests.Or(parts):
            return _bools(np.any([~_all(read), *(holds(part, read) for part in parts)], axis=0))


def _numbers(value: tests.Operand, read: Mapping[str, RawColumn]) -> NDArray[np.float64]:
    if isinstance(value, tests.Total):
        return np.asarray(np.sum([read[field.name].values for field in value.fields], axis=0), dtype=np.float64)
    return read[value.name].values.astype(np.float64, copy=False)


def _bools(array: object) -> NDArray[np.bool_]:
    return np.asarray(array, dtype=bool)


def _all(read: Mapping[str, RawColumn]) -> NDArray[np.bool_]:
    return np.ones(len(next(iter(read.values()))), dtype=bool)


def example(test: tests.Predicate) -> dict[tests.Field, Value]:
    """Return values of some fields that meet a test, whatever the other fields hold.

    >>> age = tests.Field("age", "number")
    >>> example(tests.Compare(age, over=30.0)), example(tests.Or((tests.Compare(age, upto=3.0), tests.IsMissing(age))))
    ({Field(name='age', kind='number'): 31.0}, {Field(name='age', kind='number'): 3.0})
    """
    match test:
        case tests.Compare(value, over, upto):
            field = _field(value)
            step = DAY if field.kind == "date" else 1
            beyond = 0.0 if over is None else max(over + step, math.nextafter(over, math.inf))
            return {field: typed(field, beyond if upto is None else upto)}
        case tests.OneOf(value, constants, negated):
            field = _field(value)
            first = bool(constants[0]) if field.kind == "truth" else constants[0]
            return {field: unlisted(constants) if negated else first}
        case tests.IsMissing(field, negated):
            return {field: typed(field, 0.0) if negated else None}
        case tests.And(parts):
            return {field: value for part in parts for field, value in example(part).items()}
        case tests.Or(parts):
            return example(parts[0])


def _field(value: tests.Operand) -> tests.Field:
    assert not isinstance(value, tests.Total), "cells are distinguished by single fields"
    return value


def typed(field: tests.Field, position: float) -> Value:
    """Return a number as a value of a field; a text for fields of texts.

    >>> typed(tests.Field("opened", "date"), 86_400_000_000), typed(tests.Field("job", "text"), 0.0)
    (datetime.date(1970, 1, 2), 'other')
    """
    match field.kind:
        case "number" | "digit":
            return position
        case "truth":
            return bool(position)
        case "text" | "verbatim" | "any":
            return "other"
        case "duration":
            return timedelta(microseconds=position)
        case kind:
            moment = EPOCH + timedelta(microseconds=position)
            return moment.date() if kind == "date" else moment.replace(tzinfo=UTC if kind == "datetime-utc" else None)


def unlisted(constants: Sequence[tests.Constant]) -> Value:
    """Return a value that is none of some constants.

    >>> unlisted(["clerk", "other"]), unlisted([1, 7])
    ('other2', 8)
    """
    numbers = [constant for constant in constants if not isinstance(constant, str)]
    if numbers:
        return max(numbers) + 1
    names = (f"other{mark}" for mark in ("", *range(2, len(constants) + 3)))
    return next(name for name in names if name not in constants)
