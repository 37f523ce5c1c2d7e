"""What a set of cells means: a small tree of tests on the fields of a table.

A column gives the tree (`TableColumn.test`); numpy, narwhals, SQL, PMML, ONNX, Python and JavaScript are writers over
it and know nothing of kinds of columns. A test on a missing value, NaN or null, is false; only `IsMissing` is true of
it. So no test is ever negated as a whole: what could be asked the other way round says so itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

FieldKind = Literal[
    "number", "digit", "truth", "text", "verbatim", "any", "date", "datetime", "datetime-utc", "duration"
]
"""How a field is read.

A number is finite. A digit is a number read as the nearer of 0 and 1. A truth is true or false, or 1 or 0. Texts are
the same if their bytes are, blanks around them left out; verbatim ones, of older model files, with the blanks. Of any
value it is asked only whether it is missing. Times are whole microseconds since 1970, what is finer cut off, in the
years 1 to 9999, those of a date whole days; durations are whole microseconds.
Whatever is not of the kind of its field is refused.
"""

Constant = str | float | bool


@dataclass(frozen=True)
class Field:
    """A field of the user's table."""

    name: str
    kind: FieldKind


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


def _names(value: Operand) -> list[str]:
    return [field.name for field in operand_fields(value)]


def leaves(test: Predicate) -> Iterator[Compare | OneOf | IsMissing]:
    """Yield the tests of a tree that have no parts."""
    if isinstance(test, (And, Or)):
        for part in test.parts:
            yield from leaves(part)
    else:
        yield test
