"""JSON from strangers: read within limits, and taken apart by asking for one type at a time.

Every refusal is a :class:`DocumentError`, a ValueError whose message starts with the place in the document. A codec is
the one description of a value, by which it is written and read back; it has bounds and refuses what it would not write.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import getitem
from typing import Any, Generic, TypeVar

from idnf.columns.phrases import one_line
from idnf.logic.errors import InvalidArgument

Word = TypeVar("Word", bound=str)

MOST_BYTES = 20_000_000
"""The largest document that is read."""

MOST_DEPTH = 400
"""The deepest nesting of lists and objects that is read."""

MOST_DIGITS = 400

# Possessive: a text that is not closed is given up at its end, not tried again from each sign in it.
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.?)*+(?:"|\Z)', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


class DocumentError(ValueError):
    """A document that is not what it should be."""


@dataclass(frozen=True)
class Place:
    """A value in a document and where it stands.

    Every method returns the value as one type, or raises an error that says what is there instead.

    >>> Place({"k": "four"}).key("k").integer(1, 100)
    Traceback (most recent call last):
    ...
    idnf.exporting.documents.DocumentError: k must be an integer from 1 to 100; got 'four'.
    """

    value: object
    path: str = ""

    def error(self, rule: str) -> DocumentError:
        """Return the error for a value that breaks a rule."""
        return DocumentError(f"{self.path or 'the document'} must be {rule}; got {shown(self.value)}.")

    def object(self, required: Collection[str], optional: Collection[str] = ()) -> None:
        """Refuse anything but an object with these keys."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        for key in required:
            if key not in self.value:
                raise DocumentError(f"{self.path or 'the document'} must have {key!r}; it is not there.")
        for key in self.value:
            if key not in required and key not in optional:
                known = ", ".join([*required, *optional])
                raise DocumentError(f"{self.path or 'the document'} must have no more than {known}; got {shown(key)}.")

    def key(self, key: str) -> Place:
        """Return the value under a key."""
        if not isinstance(self.value, dict) or key not in self.value:
            raise self.error(f"an object with {key!r}")
        return Place(self.value[key], f"{self.path}.{key}" if self.path else key)

    def has(self, key: str) -> bool:
        """Return whether there is an object with a value under a key."""
        return isinstance(self.value, dict) and key in self.value

    def entries(self, most: int) -> Iterator[tuple[str, Place]]:
        """Yield the keys and values of an object."""
        if not isinstance(self.value, dict) or len(self.value) > most:
            raise self.error(f"an object of at most {most} entries")
        return ((key, Place(value, f"{self.path}[{shown(key)}]")) for key, value in self.value.items())

    def items(self, most: int, *, least: int = 0) -> list[Place]:
        """Return the values of a list."""
        if not isinstance(self.value, list) or not least <= len(self.value) <= most:
            raise self.error(f"a list of {least} to {most} entries")
        return [Place(value, f"{self.path}[{i}]") for i, value in enumerate(self.value)]

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            raise self.error("text")
        return checked_text(self.value, self.path)

    def line(self) -> str:
        """Return a text of one line, which can be printed as it is."""
        text = self.text()
        if one_line(text) != text:
            raise self.error("text of one line, without control characters")
        return text

    def one_of(self, words: Collection[Word]) -> Word:
        """Return one of some words."""
        for word in words:
            if isinstance(self.value, str) and self.value == word:
                return word
        raise self.error(f"one of {', '.join(words)}")

    def integer(self, least: int, most: int) -> int:
        """Return an integer within bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            raise self.error(f"an integer from {least} to {most}")
        return self.value

    def number(self) -> float:
        """Return a number; the document holds only finite ones."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise self.error("a number")
        try:
            return float(self.value)
        except OverflowError as error:
            raise self.error("a number below 1.8e308") from error

    def boolean(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            raise self.error("true or false")
        return self.value

    def scalar(self) -> str | int | float | bool:
        """Return a text, a number, true or false."""
        if isinstance(self.value, (bool, int)):
            return self.value if abs(self.value) < 1 << 63 else self.number()
        return self.number() if isinstance(self.value, float) else self.text()

    @property
    def is_null(self) -> bool:
        """Whether there is null."""
        return self.value is None


T = TypeVar("T")
U = TypeVar("U")


def read_document(path: str | os.PathLike[str], read: Callable[[Place], T]) -> T:
    """Return what is read of a JSON file of at most `MOST_BYTES`; name the file where it is refused."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise type(error)(error.errno, f"{os.fspath(path)} cannot be read ({reason})") from error
    try:
        return read(parse_document(data))
    except DocumentError as error:
        swapped = "" if data.lstrip().startswith(b"{") else " Commands take the model file first, then the table."
        raise DocumentError(f"{os.fspath(path)} is not a model file: {error}{swapped}") from error


def parse_document(data: bytes) -> Place:
    """Return the document in some bytes; refuse what JSON does not allow, and keys that come twice.

    >>> parse_document(b'{"k": 1, "k": 2}')
    Traceback (most recent call last):
    ...
    idnf.exporting.documents.DocumentError: keys must differ; got 'k' twice.
    """
    if len(data) > MOST_BYTES:
        raise DocumentError(f"the document must have at most {MOST_BYTES} bytes; it has more.")
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(_STRINGS.sub(b"", data)):
        depth += 1 if bracket[0] in b"[{" else -1
        deepest = max(deepest, depth)
    if deepest > MOST_DEPTH:
        raise DocumentError(f"the document must be nested at most {MOST_DEPTH} deep; it is nested deeper.")
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except UnicodeDecodeError as error:
        raise DocumentError(f"the document must be UTF-8 text; byte {error.start} is not.") from error
    except json.JSONDecodeError as error:
        raise DocumentError(f"the document must be JSON; {error}.") from error
    return Place(value)


def checked_text(text: str, where: str) -> str:
    """Return a text that can be written as UTF-8; half a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DocumentError(f"{where} must be Unicode text; got {shown(text)}.") from error
    return text


def shown(value: object) -> str:
    """Return a value as it appears in a message, cut short.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    if isinstance(value, list):
        return f"a list of {len(value)} entries"
    if isinstance(value, dict):
        return f"an object of {len(value)} entries"
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    text = ascii(value[:60] if isinstance(value, str) else value)
    return text if len(text) <= 43 else f"{text[:40]}..."


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise DocumentError(f"keys must differ; got {shown(key)} twice.")
        found[key] = value
    return found


def _no_constant(name: str) -> float:
    raise DocumentError(f"numbers must be finite; got {name}.")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise DocumentError(f"numbers must be finite; got {shown(text)}.")
    return number


def _int(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise DocumentError(f"numbers must have at most {MOST_DIGITS} digits; got {len(text)}.")
    return int(text)


@dataclass(frozen=True)
class Codec(Generic[T]):
    """A value read from a place, and written as plain data.

    >>> pair = row(integer(0, 9), TEXT)
    >>> pair.write((3, "c")), pair.read(Place([3, "c"]))
    ([3, 'c'], (3, 'c'))
    >>> pair.many(5).read(Place([[1, "a"], [12, "b"]], "pairs"))
    Traceback (most recent call last):
    ...
    idnf.exporting.documents.DocumentError: pairs[1][0] must be an integer from 0 to 9; got 12.
    """

    read: Callable[[Place], T]
    write: Callable[[T], Any]

    def where(self, holds: Callable[[T], bool], rule: str) -> Codec[T]:
        """Return the codec that refuses values for which something does not hold."""

        def check(place: Place, value: T) -> None:
            if not holds(value):
                raise place.error(rule)

        return self.checked(check)

    def checked(self, check: Callable[[Place, T], object]) -> Codec[T]:
        """Return the codec whose values are checked once they are read; errors without a place are given this one."""

        def read(place: Place) -> T:
            value = self.read(place)
            _at_place(place, check, place, value)
            return value

        return replace(self, read=read)

    def made(self, make: Callable[[T], U], parts: Callable[[U], T]) -> Codec[U]:
        """Return the codec of what is made of these values, and taken apart into them."""
        return Codec(lambda place: _at_place(place, make, self.read(place)), lambda value: self.write(parts(value)))

    def optional(self, none: Any = None) -> Codec[Any]:
        """Return the codec of values that may not be known: None, or a number that is not finite, is null."""

        def write(value: Any) -> Any:
            unknown = value is None or (isinstance(value, float) and not math.isfinite(value))
            return None if unknown else self.write(value)

        return Codec(lambda place: none if place.is_null else self.read(place), write)

    def many(self, most: int, *, least: int = 0) -> Codec[tuple[T, ...]]:
        """Return the codec of lists of such values."""
        return Codec(
            lambda place: tuple(map(self.read, place.items(most, least=least))),
            lambda values: list(map(self.write, values)),
        )

    def by_name(self, most: int, name: Codec[str]) -> Codec[dict[str, T]]:
        """Return the codec of objects that hold such values under names."""
        return Codec(
            lambda place: {name.read(Place(key, place.path)): self.read(item) for key, item in place.entries(most)},
            lambda values: {name.write(key): self.write(value) for key, value in values.items()},
        )


Fields = Mapping[str, Codec[Any]]


def _at_place(place: Place, work: Callable[..., T], *given: object, **named: object) -> T:
    try:
        return work(*given, **named)
    except DocumentError:
        raise
    except ValueError as error:
        raise DocumentError(f"{place.path or 'the document'}: {error}") from error


def text(what: str = "text") -> Codec[str]:
    """Return the codec of texts, called ``what`` where one cannot be written."""
    return Codec(Place.text, lambda value: checked_text(value, what))


def integer(least: int, most: int) -> Codec[int]:
    """Return the codec of integers within bounds."""
    return Codec(lambda place: place.integer(least, most), int)


def one_of(words: Collection[Word]) -> Codec[Word]:
    """Return the codec of a choice among words."""
    return Codec(lambda place: place.one_of(words), str)


TEXT = text()
LINE: Codec[str] = Codec(Place.line, TEXT.write)
"""Texts of one line, which can be printed as they are."""

NUMBER: Codec[float] = Codec(Place.number, float)
BOOLEAN: Codec[bool] = Codec(Place.boolean, bool)
SCALAR: Codec[str | int | float | bool] = Codec(
    Place.scalar, lambda value: value if isinstance(value, (str, int, float, bool)) else str(value)
)


def row(*codecs: Codec[Any]) -> Codec[tuple[Any, ...]]:
    """Return the codec of lists with a codec for each entry."""
    size = len(codecs)
    return Codec(
        lambda place: tuple(codec.read(item) for codec, item in zip(codecs, place.items(size, least=size))),
        lambda values: [codec.write(value) for codec, value in zip(codecs, values, strict=True)],
    )


def record(
    make: Callable[..., T],
    fields: Fields,
    *,
    left_out: Fields | None = None,
    beside: Iterable[str] = (),
) -> Codec[T]:
    """Return the codec of objects with a codec for each field.

    Parameters
    ----------
    make : callable
        What makes a value of its fields by name; they are attributes of the value, or entries where it is ``dict``.
    fields : mapping
    left_out : mapping, optional
        Fields that are not written where they are false or None, and not given to ``make`` where they are not there.
    beside : iterable of str
        Keys of the same object that others read and write.
    """
    take: Callable[[Any, str], Any] = getitem if make is dict else getattr
    spare, others = dict(left_out or {}), tuple(beside)
    every = {**fields, **spare}

    def read(place: Place) -> T:
        place.object([*others, *fields], spare)
        values = {name: codec.read(place.key(name)) for name, codec in every.items() if place.has(name)}
        return _at_place(place, make, **values)

    def write(value: T) -> dict[str, object]:
        given = ((name, codec, take(value, name)) for name, codec in every.items())
        return {name: codec.write(part) for name, codec, part in given if name in fields or part}

    return Codec(read, write)


def entries(fields: Fields) -> Codec[dict[str, Any]]:
    """Return the codec of objects that stay dictionaries."""
    return record(dict, fields)


def tagged(kinds: Mapping[str, Codec[Any]]) -> Codec[Any]:
    """Return the codec of objects of several kinds, each a record beside its ``kind``."""

    def write(value: Any) -> dict[str, object]:
        if value.kind not in kinds:
            raise InvalidArgument("kind", f"be one of {', '.join(kinds)} in a model file", f"{value.kind!r}")
        return {"kind": value.kind, **kinds[value.kind].write(value)}

    return Codec(lambda place: kinds[place.key("kind").one_of(list(kinds))].read(place), write)


def sized(key: str, size: Codec[int], make: Callable[[int], Codec[T]]) -> Codec[T]:
    """Return the codec of objects whose bounds are what one of their own fields says."""
    return Codec(
        lambda place: make(size.read(place.key(key))).read(place),
        lambda value: make(getattr(value, key)).write(value),
    )
