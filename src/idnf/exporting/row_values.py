"""Values of single rows, read and written by what a model held as plain data says of its columns.

A part of the Python export (:mod:`idnf.exporting.programs`): standard library only. The plain data of a column is what
:mod:`idnf.columns.portable` makes of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from typing import Any

from idnf.columns.phrases import DAY, EPOCH, Phrase, listing, number_words, said, time_words, value_words

PlainColumn = Mapping[str, Any]
"""What JSON holds of a column."""

Row = Mapping[str, Any]
"""The values of a row by the names of the table's columns; None and NaN are missing."""


def cell_of(column: PlainColumn, row: Row) -> int:
    """Return the first cell of a column whose test holds of a row.

    >>> late = {"name": "late", "fields": [["late", "truth"]], "missing": False, "refusals": [],
    ...     "tests": [["one of", ["late"], [0], False], ["one of", ["late"], [1], False]]}
    >>> cell_of(late, {"late": True})
    1
    """
    read = {name: read_value(column, name, kind, _given(row, name)) for name, kind in column["fields"]}
    for test, rule in column["refusals"]:
        if meets_test(test, read):
            subject = "column" if len(read) == 1 else "group"
            got = ", ".join(str(row[name]) for name in read)
            raise ValueError(f"{subject} {column['name']!r} {rule}; got {got}.")
    cell = 0
    while not meets_test(column["tests"][cell], read):
        cell += 1
    return cell


def meets_test(test: list[Any], read: Mapping[str, Any]) -> bool:
    """Tell whether a test, as lists, holds of values that were read; only "missing" is true of None.

    >>> meets_test(["or", ["compare", ["age"], 30, None], ["missing", ["age"], False]], {"age": 40})
    True
    """
    word = test[0]
    if word in ("and", "or"):
        return (all if word == "and" else any)(meets_test(part, read) for part in test[1:])
    names = test[1]
    value = read[names[0]] if len(names) == 1 else _total([read[name] for name in names])
    if word == "missing":
        return (value is None) != bool(test[2])
    if value is None:
        return False
    first, second = test[2], test[3]
    if word == "one of":
        return (value in first) != bool(second)
    return (first is None or value > first) and (second is None or value <= second)


def _total(values: list[Any]) -> Any:
    return None if None in values else sum(values)


def read_value(column: PlainColumn, name: str, kind: str, value: Any) -> Any:
    """Return a value of a field as tests see it, None where it is missing."""
    if _is_missing(value):
        if not column["missing"]:
            raise ValueError(f"column {name!r} must have no missing values, as in training.")
        return None
    if kind == "any":
        return value
    if kind == "text":
        if not isinstance(value, str):
            raise ValueError(f"column {name!r} must hold categories, as in training; got {value!r}.")
        return value
    if kind == "truth":
        if value not in (0, 1):
            raise ValueError(f"column {name!r} must be true or false, or 1 or 0, as in training; got {value!r}.")
        return int(value)
    if kind in ("number", "digit"):
        return _number(name, value)
    microseconds = _duration(name, value) if kind == "duration" else _moment(name, kind, value)
    return float(microseconds // DAY * DAY if kind == "date" else microseconds)


def own_words(column: PlainColumn, row: Row) -> str:
    """Return a row's own value the way it is written and, where that is another one, the way it is read.

    >>> own_words({"fields": [["age", "number"]], "missing": True, "own": None}, {"age": 30.5})
    '30.5'
    """
    name, kind = column["fields"][0]
    value = read_value(column, name, kind, row[name])
    if value is None:
        return "missing"
    if column["own"] is not None:
        label = str(column["own"][cell_of(column, row)])
        return f"{number_words(value)} (read as {label})" if kind == "digit" and value not in (0, 1) else label
    if kind not in ("number", "text", "truth", "any"):
        return time_words(value, kind)
    words = value_words(row[name])
    if column.get("whole") and value < column["whole"][1]:
        least = column["whole"][0]
        read = max(math.ceil(value), math.ceil(value) if least is None else least)
        return words if read == value else f"{words} (read as {number_words(read)})"
    return words


def phrase_of(column: PlainColumn, words: Mapping[str, Any], mask: int) -> Phrase:
    """Return what is said of a set of merged cells of a column, as :func:`idnf.columns.portable.portable_words` has it.

    >>> job = {"merged": [0, 1, 0], "missing": False}
    >>> phrase_of(job, {"name": "job", "labels": ["clerk", "nurse", "other"], "rest": True, "pair": False}, 1).condition
    'job is not nurse'
    """
    if "said" in words:
        return Phrase(*words["said"][str(mask)])
    held = [bool(mask >> cell & 1) for cell in column["merged"]]
    known = held[: len(held) - bool(column["missing"])]
    if not any(known):
        return said(words["name"], "missing", exact=True)
    if all(known):
        return said(words["name"], "not missing")
    return listing(words["name"], words["labels"], held, rest=words["rest"], pair=words["pair"])


def _given(row: Row, name: str) -> Any:
    if name not in row:
        raise ValueError(f"row must have a value for {name!r}.")
    return row[name]


def _is_missing(value: Any) -> bool:
    # A NaN of any type is the one value that differs from itself.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)  # noqa: PLR0124


def _number(name: str, value: Any) -> float:
    try:
        number = math.inf if isinstance(value, (str, bytes)) else float(value)
    except TypeError:
        number = math.inf
    if math.isinf(number):
        raise ValueError(f"column {name!r} must hold finite numbers; got {value!r}.")
    return number


def _duration(name: str, value: Any) -> int:
    """Return microseconds; a duration may be given in seconds."""
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    return math.floor(_number(name, value) * 1_000_000 + 0.5)


_WRITTEN = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?)?( ?UTC|Z|[+-]\d\d:\d\d)?", re.ASCII
)


def _written_time(text: str) -> datetime:
    """Return a time that is written as ISO text; raise an error where it is none."""
    part = _WRITTEN.fullmatch(text)
    if part is None:
        raise ValueError(text)
    *clock, fraction, zone = part.groups()
    year, month, day, hour, minute, second = (int(digits or 0) for digits in clock)
    moment = datetime(year, month, day, hour, minute, second, int((fraction or "").ljust(6, "0")))
    if zone is None:
        return moment
    away = timedelta()
    if zone[0] in "+-":
        if int(zone[4:]) > 59:
            raise ValueError(text)
        away = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:]))
    return moment.replace(tzinfo=timezone(-away if zone[0] == "-" else away))


def _moment(name: str, kind: str, value: Any) -> int:
    """Return microseconds since 1970; a time may be given as ISO text."""
    given = value
    if isinstance(value, str):
        try:
            value = _written_time(value)
        except ValueError:
            value = None
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        raise ValueError(f"column {name!r} must hold dates such as 2020-12-31; got {given!r}.")
    if (value.tzinfo is not None) != (kind == "datetime-utc"):
        zone = "with a" if value.tzinfo is None else "without"
        raise ValueError(f"column {name!r} must hold times {zone} time zone; got {given}.")
    if value.tzinfo is not None:
        value = value.astimezone(timezone.utc).replace(tzinfo=None)  # noqa: UP017 - older Pythons run exports
    return int((value - EPOCH) // timedelta(microseconds=1))
