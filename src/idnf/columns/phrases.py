"""How values, names and lists are written in conditions.

Names and values are written bare where a reader cannot misread them and otherwise as JSON strings, so that a column
called ``age <= 30`` or a category called ``red or blue`` is told apart from the condition it looks like.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

TIME_KINDS = ("date", "datetime", "datetime-utc", "duration")
"""The kinds of ordered values held as microseconds: since 1970 for dates, as a length for durations."""

EPOCH = datetime(1970, 1, 1)
DAY = 86_400_000_000

_RESERVED = {"is", "but", "or", "nor", "not", "neither", "and", "missing", "anything"}
_MARKS = set("<>=&|~,;:\"'`\\")
_DURATION_UNITS = ((DAY, "day"), (3_600_000_000, "hour"), (60_000_000, "minute"), (1_000_000, "second"))


def value_words(value: str | float) -> str:
    """Return a category as it is written in a condition.

    >>> print(value_words("Österreich"), value_words("red or blue"), value_words(""), value_words(3))
    Österreich "red or blue" "" 3
    """
    if isinstance(value, str):
        return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else number_words(value)


def name_words(name: str) -> str:
    """Return a column's name as it is written in a condition.

    >>> print(name_words("sepal length (cm)"), name_words("a<=3"), name_words("42"))
    sepal length (cm) "a<=3" "42"
    """
    return name if _is_plain(name) and not is_number(name) else json.dumps(name, ensure_ascii=False)


def number_words(value: float) -> str:
    """Return the shortest text that reads back as the same number.

    >>> number_words(30.0), number_words(0.1), number_words(1e300)
    ('30', '0.1', '1e+300')
    """
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(float(value))


def time_words(value: float, kind: str) -> str:
    """Return a date, a time or a duration held in microseconds the way it is written.

    >>> time_words(DAY, "date"), time_words(DAY + 60_000_000, "datetime"), time_words(36 * 3_600_000_000, "duration")
    ('1970-01-02', '1970-01-02 00:01', '36 hours')
    """
    if kind == "duration":
        return _duration_words(int(value))
    moment = EPOCH + timedelta(microseconds=int(value))
    if kind == "date":
        return moment.date().isoformat()
    precise = "auto" if moment.second or moment.microsecond else "minutes"
    return moment.isoformat(sep=" ", timespec=precise) + (" UTC" if kind == "datetime-utc" else "")


def time_value(words: str, kind: str) -> float:
    """Return the microseconds that `time_words` wrote.

    >>> time_value("1970-01-02 00:01", "datetime"), time_value("36 hours", "duration")
    (86460000000.0, 129600000000.0)
    """
    try:
        if kind == "duration":
            amount, _, unit = words.partition(" ")
            microseconds = {name: size for size, name in _DURATION_UNITS}[unit.removesuffix("s")]
            return float(round(float(amount) * microseconds))
        return microseconds_since_epoch(datetime.fromisoformat(words.removesuffix(" UTC")))
    except (KeyError, ValueError, OverflowError) as error:
        example = time_words(45 * DAY, kind)
        raise ValueError(f"a {kind} must be written like {example}; got {words!r}.") from error


def microseconds_since_epoch(moment: datetime) -> float:
    """Return a time as microseconds since 1970, in UTC where it has a time zone.

    >>> microseconds_since_epoch(datetime(1970, 1, 2))
    86400000000.0
    """
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return float((moment - EPOCH) // timedelta(microseconds=1))


def listed(words: Sequence[str], last: str) -> str:
    """Return words as a list in a sentence.

    >>> listed(["red"], "or"), listed(["red", "blue"], "or"), listed(["red", "blue", "green"], "nor")
    ('red', 'red or blue', 'red, blue nor green')
    """
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _is_plain(text: str) -> bool:
    tidy = bool(text) and text.isprintable() and text == " ".join(text.split())
    return tidy and not _MARKS.intersection(text) and not _RESERVED.intersection(text.lower().split())


def is_number(text: str) -> bool:
    """Tell whether a text reads as a number.

    >>> is_number("1e3"), is_number("one")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def _duration_words(microseconds: int) -> str:
    for size, unit in _DURATION_UNITS:
        if microseconds % size == 0:
            amount = str(microseconds // size)
            return f"{amount} {unit}" if amount == "1" else f"{amount} {unit}s"
    return f"{number_words(microseconds / 1_000_000)} seconds"
