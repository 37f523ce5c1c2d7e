"""JSON from strangers: read within limits, and taken apart by asking for one type at a time.

Every refusal is a :class:`DocumentError`, a ValueError whose message starts with the place in the document.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

from idnf.columns.phrases import one_line

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
        """Tell whether there is an object with a value under a key."""
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


def read_document(path: str | os.PathLike[str]) -> Place:
    """Read a JSON file of at most `MOST_BYTES`; refuse what JSON does not allow, and keys that come twice."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise type(error)(error.errno, f"{os.fspath(path)} cannot be read ({reason})") from error
    try:
        return parse_document(data)
    except DocumentError as error:
        raise DocumentError(f"{os.fspath(path)} is not a model file: {error}") from error


def parse_document(data: bytes) -> Place:
    """Return the document in some bytes.

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
