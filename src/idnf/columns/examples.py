"""Values of the user's table that meet a test: what a witness is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from idnf.columns.phrases import DAY, EPOCH
from idnf.columns.predicates import And, Compare, Constant, Field, IsMissing, OneOf, Operand, Or, Predicate, Total

Value = str | float | bool | date | datetime | timedelta | None


def example(test: Predicate) -> dict[Field, Value]:
    """Return values of some fields that meet a test, whatever the other fields hold.

    >>> age = Field("age", "number")
    >>> example(Compare(age, over=30.0)), example(Or((Compare(age, upto=3.0), IsMissing(age))))
    ({Field(name='age', kind='number'): 31.0}, {Field(name='age', kind='number'): 3.0})
    """
    match test:
        case Compare(value, over, upto):
            field = _field(value)
            step = DAY if field.kind == "date" else 1
            beyond = 0.0 if over is None else max(over + step, math.nextafter(over, math.inf))
            return {field: typed(field, beyond if upto is None else upto)}
        case OneOf(value, constants, negated):
            field = _field(value)
            return {field: unlisted(constants) if negated else _typed_constant(field, constants[0])}
        case IsMissing(field, negated):
            return {field: typed(field, 0.0) if negated else None}
        case And(parts):
            return {field: value for part in parts for field, value in example(part).items()}
        case Or(parts):
            return example(parts[0])


def _field(value: Operand) -> Field:
    assert not isinstance(value, Total), "cells are told apart by single fields"
    return value


def _typed_constant(field: Field, constant: Constant) -> Value:
    return bool(constant) if field.kind == "truth" else constant


def typed(field: Field, position: float) -> Value:
    """Return a number as a value of a field; a text for fields of texts.

    >>> typed(Field("opened", "date"), 86_400_000_000), typed(Field("job", "text"), 0.0)
    (datetime.date(1970, 1, 2), 'other')
    """
    match field.kind:
        case "number" | "digit":
            return position
        case "truth":
            return bool(position)
        case "text" | "any":
            return "other"
        case "duration":
            return timedelta(microseconds=position)
        case kind:
            moment = EPOCH + timedelta(microseconds=position)
            return moment.date() if kind == "date" else moment.replace(tzinfo=UTC if kind == "datetime-utc" else None)


def unlisted(constants: Sequence[Constant]) -> Value:
    """Return a value that is none of some constants.

    >>> unlisted(["clerk", "other"]), unlisted([1, 7])
    ('other2', 8)
    """
    numbers = [constant for constant in constants if not isinstance(constant, str)]
    if numbers:
        return max(numbers) + 1
    names = (f"other{mark}" for mark in ("", *range(2, len(constants) + 3)))
    return next(name for name in names if name not in constants)
