"""How values stand in a model file: one description of each, by which it is written and read back.

What is read may come from anyone, so every codec has bounds, and refuses what it would not write.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import getitem
from typing import Any, Generic, TypeVar

from idnf.exporting.documents import DocumentError, Place, checked_text

T = TypeVar("T")
U = TypeVar("U")
Word = TypeVar("Word", bound=str)


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
            _placed(place, check, place, value)
            return value

        return replace(self, read=read)

    def made(self, make: Callable[[T], U], parts: Callable[[U], T]) -> Codec[U]:
        """Return the codec of what is made of these values, and taken apart into them."""
        return Codec(lambda place: _placed(place, make, self.read(place)), lambda value: self.write(parts(value)))

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


def _placed(place: Place, work: Callable[..., T], *given: object, **named: object) -> T:
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
    """Return the codec of some words."""
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
        return _placed(place, make, **values)

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
            raise ValueError(f"kind must be one of {', '.join(kinds)} in a model file; got {value.kind!r}.")
        return {"kind": value.kind, **kinds[value.kind].write(value)}

    return Codec(lambda place: kinds[place.key("kind").one_of(list(kinds))].read(place), write)


def sized(key: str, size: Codec[int], make: Callable[[int], Codec[T]]) -> Codec[T]:
    """Return the codec of objects whose bounds are what one of their own fields says."""
    return Codec(
        lambda place: make(size.read(place.key(key))).read(place),
        lambda value: make(getattr(value, key)).write(value),
    )
