"""What a set of cells means: a small tree of tests on the fields of a table, and its truth on columns in memory.

A column gives the tree (`TableColumn.test`); numpy, narwhals, SQL, ONNX, Python and JavaScript are writers over
it and know nothing of kinds of columns. A test on a missing value, NaN or null, is false; only `IsMissing` is true of
it. So no test is ever negated as a whole: what could be asked the other way round says so itself. Numpy's writer is
here: its truth is the meaning that all others must match.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import DAY, EPOCH, brief, time_value, time_words
from idnf.columns.raw import Category, Kind, RawColumn, stripped
from idnf.logic.errors import InvalidArgument

FieldKind = Literal["number", "digit", "truth", "text", "any", "date", "datetime", "datetime-utc", "duration"]
"""How a field is read.

A number is finite. A digit is a number read as the nearer of 0 and 1. A truth is true or false, or 1 or 0. Texts are
the same if their bytes are, blanks around them left out. Of any value it is asked only whether it is missing. Times are
whole microseconds since 1970, what is finer cut off, in the years 1 to 9999, those of a date whole days; durations are
whole microseconds.
Whatever is not of the kind of its field is refused.
"""

Constant = str | float | bool

Plain = str | float | bool | None
"""A value as JSON holds it: times as text, durations in seconds, None if it is missing."""


@dataclass(frozen=True)
class Field:
    """A field of the user's table, and its values as files hold them and as people type them.

    Attributes
    ----------
    name : str
    kind : str
        "number", "digit" (a number read as the nearer of 0 and 1), "truth", "text", "any" (it is asked only whether a
        value is missing), "date", "datetime", "datetime-utc" or "duration".
    """

    name: str
    kind: FieldKind

    def to_plain(self, value: str | float | bool) -> str | float | bool:
        """Return a value as JSON holds it: times, which are microseconds since 1970, as text, durations in seconds.

        >>> Field("age", "number").to_plain(3.0), Field("opened", "date").to_plain(86_400e6)
        (3, '1970-01-02')
        >>> Field("waited", "duration").to_plain(1.5e6)
        1.5
        """
        if isinstance(value, (str, bool)):
            return value
        if self.kind in ("date", "datetime", "datetime-utc"):
            return time_words(value, self.kind)
        if self.kind == "truth" and value in (0, 1):
            return bool(value)
        number = value / 1_000_000 if self.kind == "duration" else value
        return int(number) if number == int(number) and abs(number) < 1 << 53 else float(number)

    def from_plain(self, plain: Plain) -> object:
        """Return a value that JSON held as a table holds it; the inverse of :meth:`to_plain`.

        >>> Field("opened", "date").from_plain("1970-01-02")
        datetime.datetime(1970, 1, 2, 0, 0)
        >>> Field("waited", "duration").from_plain(1.5)
        datetime.timedelta(seconds=1, microseconds=500000)
        """
        if plain is None or self.kind in ("number", "digit", "truth", "text", "any"):
            return plain
        if self.kind == "duration":
            return timedelta(microseconds=round(float(plain) * 1_000_000))
        moment = EPOCH + timedelta(microseconds=int(time_value(str(plain), self.kind)))
        return moment.replace(tzinfo=UTC) if self.kind == "datetime-utc" else moment

    def from_text(self, text: str) -> Plain:
        """Return a value that a person typed as JSON holds it; None for an empty text.

        >>> Field("income", "number").from_text("2500"), Field("late", "truth").from_text("yes")
        (2500.0, True)

        Raises
        ------
        ValueError
            Says what the text must be: ``a date such as 2020-12-31``.
        """
        text = text.strip()
        truths = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        try:
            if self.kind in ("text", "any") or not text:
                return text or None
            if self.kind == "truth":
                return truths[text.lower()]
            if self.kind in ("number", "digit", "duration"):
                return float(text)
            return time_words(time_value(text, self.kind), self.kind)
        except (KeyError, ValueError, OverflowError) as error:
            named = {"truth": "true or false", "duration": "a number of seconds", "date": "a date such as 2020-12-31"}
            what = named.get(self.kind, f"a {self.kind}")
            raise InvalidArgument(f"{self.name!r}", f"be {what}", brief(text)) from error


@dataclass(frozen=True)
class Total:
    """How many of some truths hold."""

    fields: tuple[Field, ...]


Operand = Field | Total


@dataclass(frozen=True)
class Compare:
    """A number or a time lies over one limit and is at most another; a limit that is None does not bound it."""

    value: Operand
    over: float | None = None
    upto: float | None = None


@dataclass(frozen=True)
class OneOf:
    """A known value is one of some constants or, negated, none of them."""

    value: Operand
    constants: tuple[Constant, ...]
    negated: bool = False


@dataclass(frozen=True)
class IsMissing:
    """A field has no value or, negated, has one."""

    field: Field
    negated: bool = False


@dataclass(frozen=True)
class And:
    """All of some tests hold; with none of them, always."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True)
class Or:
    """Some of some tests hold; with none of them, never."""

    parts: tuple[Predicate, ...]


Predicate = Compare | OneOf | IsMissing | And | Or
ALWAYS = And(())


def all_of(parts: Iterable[Predicate]) -> Predicate:
    """Return the test that all parts hold, a single part as it is.

    >>> all_of([IsMissing(Field("age", "number"))])
    IsMissing(field=Field(name='age', kind='number'), negated=False)
    """
    found = tuple(parts)
    return found[0] if len(found) == 1 else And(found)


def any_of(parts: Iterable[Predicate]) -> Predicate:
    """Return the test that some part holds, a single part as it is, alternatives within alternatives side by side.

    >>> age = Field("age", "number")
    >>> len(any_of([any_of([Compare(age, upto=30.0), Compare(age, over=45.0)]), IsMissing(age)]).parts)
    3
    """
    found = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,)))
    return found[0] if len(found) == 1 else Or(found)


def operand_fields(value: Operand) -> tuple[Field, ...]:
    """Return the fields that an operand reads."""
    return value.fields if isinstance(value, Total) else (value,)


def to_plain(test: Predicate) -> list[object]:
    """Return a test as lists that JSON can hold: a word, the names of the fields, and constants.

    >>> to_plain(any_of([Compare(Field("age", "number"), over=30.0), IsMissing(Field("age", "number"))]))
    ['or', ['compare', ['age'], 30.0, None], ['missing', ['age'], False]]
    """
    match test:
        case Compare(value, over, upto):
            return ["compare", _names(value), over, upto]
        case OneOf(value, constants, negated):
            plain = [int(constant) if isinstance(constant, bool) else constant for constant in constants]
            return ["one of", _names(value), plain, negated]
        case IsMissing(field, negated):
            return ["missing", _names(field), negated]
        case And(parts):
            return ["and", *map(to_plain, parts)]
        case Or(parts):
            return ["or", *map(to_plain, parts)]


def from_plain(test: Sequence[Any], fields: Mapping[str, Field]) -> Predicate:
    """Return the test that lists stand for; the inverse of :func:`to_plain`.

    >>> age = Field("age", "number")
    >>> from_plain(["or", ["compare", ["age"], 30.0, None], ["missing", ["age"], False]], {"age": age}) == Or(
    ...     (Compare(age, over=30.0), IsMissing(age))
    ... )
    True
    """
    match test:
        case ["and", *parts]:
            return And(tuple(from_plain(part, fields) for part in parts))
        case ["or", *parts]:
            return Or(tuple(from_plain(part, fields) for part in parts))
        case ["missing", [name], negated]:
            return IsMissing(fields[name], negated)
        case ["compare", names, over, upto]:
            return Compare(_operand(names, fields), over, upto)
        case ["one of", names, constants, negated]:
            return OneOf(_operand(names, fields), tuple(constants), negated)
    raise InvalidArgument("a test", "be and, or, missing, compare or one of, with its parts", brief(test))


def _operand(names: Sequence[str], fields: Mapping[str, Field]) -> Operand:
    return fields[names[0]] if len(names) == 1 else Total(tuple(fields[name] for name in names))


def _names(value: Operand) -> list[str]:
    return [field.name for field in operand_fields(value)]


def leaves(test: Predicate) -> Iterator[Compare | OneOf | IsMissing]:
    """Yield the tests of a tree that have no parts."""
    if isinstance(test, (And, Or)):
        for part in test.parts:
            yield from leaves(part)
    else:
        yield test


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

Value = str | float | bool | date | datetime | timedelta | None


def category_kind(values: Sequence[Category]) -> FieldKind:
    """Return how a field of some categories is read.

    >>> category_kind(["red"]), category_kind([1, 2]), category_kind([True]), category_kind([])
    ('text', 'number', 'truth', 'any')
    """
    if not values:
        return "any"
    if isinstance(values[0], str):
        return "text"
    return "truth" if isinstance(values[0], bool) else "number"


def field_values(field: Field, raw: RawColumn) -> RawColumn:
    """Return raw values as the kind of a field is read: text as text, all else as numbers with NaN for missing.

    >>> from datetime import datetime
    >>> from idnf.columns.raw import read_values
    >>> field_values(Field("day", "date"), read_values("day", [datetime(1970, 1, 2, 9), None])).values.tolist()
    [86400000000.0, nan]
    """
    if field.kind == "text":
        return stripped(raw)
    if field.kind == "any":
        return raw
    numbers = np.where(raw.missing, np.nan, raw.values).astype(np.float64)
    return replace(raw, values=np.floor(numbers / DAY) * DAY if field.kind == "date" else numbers)


def holds(test: Predicate, read: Mapping[str, RawColumn]) -> NDArray[np.bool_]:
    """Return for each row whether a test holds for the values of its fields.

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
            among = np.fromiter(map(frozenset(constants).__contains__, raw.values.tolist()), bool, len(raw))
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
            first = bool(constants[0]) if field.kind == "truth" else constants[0]
            return {field: unlisted(constants) if negated else first}
        case IsMissing(field, negated):
            return {field: typed(field, 0.0) if negated else None}
        case And(parts):
            return {field: value for part in parts for field, value in example(part).items()}
        case Or(parts):
            return example(parts[0])


def _field(value: Operand) -> Field:
    assert not isinstance(value, Total), "cells are distinguished by single fields"
    return value


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
