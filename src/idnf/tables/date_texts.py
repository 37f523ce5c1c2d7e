"""Dates and times as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Literal, get_args

from idnf.columns.phrases import brief, microseconds_since_epoch
from idnf.logic.errors import InvalidArgument

Order = Literal["ymd", "dmy", "mdy", "compact"]
ORDERS: tuple[Order, ...] = get_args(Order)

DAY = re.compile(
    r"(?P<a>\d{1,4})(?P<mark>[-./])(?P<b>\d{1,2})(?P=mark)(?P<c>\d{1,4})\.?"
    r"(?:[T\s]\s*+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<part>\d{1,9}))?)?\s*+(?P<half>[AaPp][Mm])?)?"
    r"\s*+(?P<zone>Z|UTC|[+-]\d\d:?\d\d)?"
)
"""A day in digits, with or without a time."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED_DAY = re.compile(r"(?P<day>\d{1,2})[\s.-]+(?P<month>[A-Za-z]{3,9})\.?[\s,-]+(?P<year>\d{4})")
_NAMED_MONTH = re.compile(r"(?P<month>[A-Za-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})")
COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")
"""A day in eight digits."""


def microseconds_of(text: str, kind: str, order: Order) -> float:
    """Return the microseconds since the epoch of a text that is a date or a time.

    >>> microseconds_of("2.1.1970", "date", "dmy")
    86400000000.0
    """
    moment = _moment(text, order)
    if kind == "datetime-utc":
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    elif moment.tzinfo is not None or (kind == "date" and moment.time() != datetime.min.time()):
        raise InvalidArgument("text", f"be a {kind}", brief(text))
    return microseconds_since_epoch(moment)


def _moment(text: str, order: Order) -> datetime:
    if order == "compact":
        parts = COMPACT.fullmatch(text)
        if parts is None:
            raise InvalidArgument("text", "be a date such as 20201231", brief(text))
        first, second, third = map(int, parts.groups())
        return datetime(first, second, third)
    match = DAY.fullmatch(text)
    if match is None:
        return _date_with_month_name(text)
    year, month, day = (match[name] for name in {"ymd": "abc", "dmy": "cba", "mdy": "cab"}[order])
    if len(year) not in ((4,) if order == "ymd" else (2, 4)) or len(day) > 2:
        raise InvalidArgument("text", "be a date", brief(text))
    moment = datetime(_full_year(year), int(month), int(day))
    return moment if match["hour"] is None and match["zone"] is None else _with_time(moment, match.groupdict())


def _full_year(year: str) -> int:
    """Return a year of two digits as the one from 1970 to 2069."""
    number = int(year)
    return number if len(year) == 4 else number + (1900 if number >= 70 else 2000)


def _with_time(day: datetime, parts: Mapping[str, str | None]) -> datetime:
    hour = int(parts["hour"] or 0)
    if parts["half"]:
        if not 1 <= hour <= 12:
            raise InvalidArgument("hour", "be 1 to 12 with am and pm", hour)
        hour = hour % 12 + (12 if parts["half"].lower() == "pm" else 0)
    part = int(((parts["part"] or "0") + "000000")[:6])
    moment = day.replace(
        hour=hour, minute=int(parts["minute"] or 0), second=int(parts["second"] or 0), microsecond=part
    )
    zone = parts["zone"]
    if zone is None:
        return moment
    if zone in ("Z", "UTC"):
        return moment.replace(tzinfo=UTC)
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return moment.replace(tzinfo=timezone(-offset if zone[0] == "-" else offset))


def _date_with_month_name(text: str) -> datetime:
    match = _NAMED_DAY.fullmatch(text) or _NAMED_MONTH.fullmatch(text)
    if match is None or match["month"][:3].lower() not in _MONTHS:
        raise InvalidArgument("text", "be a date", brief(text))
    return datetime(int(match["year"]), _MONTHS.index(match["month"][:3].lower()) + 1, int(match["day"]))
