"""Values written as text: numbers, dates and truth values in the many ways people write them.

A `TextReading` says how the texts of one column are read. It is found once, on the training table, kept with the model
and used on every later table, so that what was read in training is read in the same way ever after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import BLANKS, brief
from idnf.columns.raw import RawColumn
from idnf.logic.errors import InvalidArgument
from idnf.tables.date_texts import COMPACT, DAY, Order, microseconds_of

TextKind = Literal["number", "boolean", "date", "datetime", "datetime-utc", "duration", "category"]
Decimal = Literal[".", ","]
TEXT_KINDS: tuple[TextKind, ...] = get_args(TextKind)

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?")
"""What stands for a missing value in a text file."""

MISSING_AMONG_NUMBERS = frozenset(MISSING) | {
    *("-", "--", ".", "..", "*", "n/a", "na", "n.a.", "none", "nil", "NaT", "#N/A", "#NA", "#VALUE!", "#DIV/0!", "\\N"),
    *("unknown", "Unknown", "unbekannt", "inconnu", "missing"),
}
"""What stands for a missing value where the other values are numbers or dates."""

CURRENCIES = ("$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF", "JPY", "kr", "zł", "R$", "US$", "Fr.")

TRUTH = {"true": True, "false": False}
SPOKEN_TRUTH = {
    **TRUTH,
    **dict.fromkeys(("1", "1.0", "t", "yes", "y", "ja", "j", "oui", "si", "sí", "wahr", "vrai"), True),
    **dict.fromkeys(("0", "0.0", "f", "no", "n", "nein", "non", "falsch", "faux"), False),
}

_SIGNS = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
_SPACE = " \u00a0\u202f\u2009"
# A sign, a currency before or a unit after, accountants' brackets and minus signs at the end; the digits in between.
# Possessive, here and below: what is given up is given up at once, not tried again in every shorter way.
_WRITTEN = re.compile(
    rf"(?P<open>\()?\s*+(?P<sign>[+\-−])?\s*+(?P<before>{_SIGNS})?\s*+(?P<inner>[+\-−])?\s*+"
    rf"(?P<body>(?:\d|[.,](?=\d))[\d.,]*+(?:['’{_SPACE}]++[\d.,]++)*+(?:[eE][+-]?\d++)?+)"
    rf"\s*+(?P<after>%|{_SIGNS}|(?<=\s)[^\W\d_]{{1,12}}\.?)?\s*+(?P<end>[\-−])?\s*+(?P<close>\))?"
)
_PLAIN = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_BODIES: dict[str, re.Pattern[str]] = {
    mark: re.compile(
        rf"(?:\d{{1,3}}(?:{group}\d{{3}})+|\d+)(?:{re.escape(mark)}\d*)?(?:[eE][+-]?\d+)?|{re.escape(mark)}\d+(?:[eE][+-]?\d+)?"
    )
    for mark, group in ((".", rf"[,'’{_SPACE}]"), (",", rf"[.'’{_SPACE}]"))
}
# Numbers with a point before every three digits, and how many different ones there must be for that not to be chance.
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_MANY_POINTED = 50
_CODE = re.compile(r"0\d+")
_BETWEEN = re.compile(rf"['’{_SPACE}]")
_LONGEST = 2_000
"""The most signs of a number: the least one has 1,076 in full."""


@dataclass(frozen=True)
class TextReading:
    """How the texts of one column are read.

    Parameters
    ----------
    kind : {"number", "boolean", "date", "datetime", "datetime-utc", "duration", "category"}
        What the texts stand for; durations are numbers of seconds.
    missing : tuple of str
        Texts that stand for a missing value, beside `MISSING_AMONG_NUMBERS` if the others are not categories;
        blanks around a text do not count.
    decimal : {".", ","}
        The decimal mark of numbers; the other one may stand between thousands.
    unit : str
        A unit or currency that the numbers may carry, such as "%" or "€".
    order : {"ymd", "dmy", "mdy", "compact"}
        What comes first in dates written in digits.

    Examples
    --------
    >>> TextReading("number", decimal=",", unit="€").values(["1.234,50 €", "12", "-"])
    [1234.5, 12.0, None]
    >>> TextReading("date", order="dmy").values(["31/12/2020"])
    [1609372800000000.0]
    """

    kind: TextKind
    missing: tuple[str, ...] = ()
    decimal: Decimal = "."
    unit: str = ""
    order: Order = "ymd"

    def value(self, text: str) -> float | bool | str | None:
        """Return what a text stands for, None for a missing value; a ValueError if it cannot be read."""
        stripped = text.strip(BLANKS)
        if stripped in self._missing:
            return None
        return self._parse(stripped)

    def values(self, texts: Iterable[str]) -> list[float | bool | str | None]:
        """Return what each text stands for."""
        return [self.value(text) for text in texts]

    def column(self, name: str, texts: Sequence[str | None]) -> tuple[RawColumn, NDArray[np.bool_]]:
        """Read a column; also tell which texts cannot be read, which are then held as missing."""
        quick = self._quick(name, texts)
        if quick is not None:
            return quick, np.zeros(len(texts), dtype=bool)
        read: dict[str | None, float | bool | str | None] = {None: None}
        failed = set()
        for text in dict.fromkeys(texts):
            if text is not None:
                try:
                    read[text] = self.value(text)
                except (ValueError, OverflowError):
                    read[text] = None
                    failed.add(text)
        found = [read[text] for text in texts]
        missing = np.fromiter((value is None for value in found), bool, len(found))
        unreadable = np.fromiter((text in failed for text in texts), bool, len(found)) if failed else missing & False
        return RawColumn(name, "empty" if missing.all() else self.kind, self._array(found), missing), unreadable

    @property
    def expected(self) -> str:
        """What the texts must be, with an example."""
        if self.kind == "number":
            example = "1234.5" if self.decimal == "." else "1234,5"
            return f"numbers such as {example}{f' {self.unit}' if self.unit else ''}"
        if self.kind in ("date", "datetime", "datetime-utc"):
            days = {"ymd": "2020-12-31", "dmy": "31/12/2020", "mdy": "12/31/2020", "compact": "20201231"}
            example = days[self.order]
            return f"dates such as {example}" if self.kind == "date" else f"times such as {example} 23:59"
        words = {"boolean": "true and false, or 1 and 0", "duration": "durations in seconds", "category": "categories"}
        return words[self.kind]

    @cached_property
    def _missing(self) -> frozenset[str]:
        return frozenset(self.missing) | (frozenset() if self.kind == "category" else MISSING_AMONG_NUMBERS)

    @cached_property
    def _parse(self) -> Callable[[str], float | bool | str]:
        if self.kind == "number":
            return lambda text: number_of(text, self.decimal, self.unit)
        if self.kind == "duration":
            return lambda text: float(round(number_of(text) * 1e6))
        if self.kind == "boolean":
            return _truth
        if self.kind == "category":
            return str
        return lambda text: microseconds_of(text, self.kind, self.order)

    def _quick(self, name: str, texts: Sequence[str | None]) -> RawColumn | None:
        """Return a column of numbers that are all written plainly but for the decimal mark."""
        if self.kind != "number":
            return None
        held = self._missing
        known = ["nan" if text is None or text.strip(BLANKS) in held else text for text in texts]
        numbers = plain_numbers(known, self.decimal)
        if numbers is None or np.isinf(numbers).any():
            return None
        missing = np.isnan(numbers)
        # A text "nan" of the table itself is only missing where it is listed as such.
        if missing.sum() != sum(text == "nan" for text in known) or ("nan" in texts and "nan" not in held):
            return None
        return RawColumn(name, "empty" if missing.all() else "number", numbers, missing)

    def _array(self, found: Sequence[object]) -> NDArray[np.float64] | NDArray[np.bool_] | NDArray[np.object_]:
        if self.kind == "category":
            objects = np.empty(len(found), dtype=object)
            objects[:] = found
            return objects
        if self.kind == "boolean":
            return np.array([bool(value) for value in found], dtype=bool)
        return np.array([np.nan if value is None else value for value in found], dtype=np.float64)


def plain_numbers(texts: Sequence[str], decimal: Decimal = ".") -> NDArray[np.float64] | None:
    """Return texts as numbers if all are written plainly but for the decimal mark, else None; "nan" is one.

    >>> plain_numbers(["1", " 2.5e3 "]).tolist(), plain_numbers(["1", "1_000"]), plain_numbers(["1,5"], ",").tolist()
    ([1.0, 2500.0], None, [1.5])
    """
    if any(len(text) > _LONGEST for text in texts):
        return None
    if decimal == ",":
        if any("." in text for text in texts):
            return None
        texts = [text.replace(",", ".") for text in texts]
    try:
        numbers = np.array(texts, dtype=object).astype(np.float64)
    except ValueError:
        return None
    return None if any("_" in text for text in texts) else numbers


def number_of(text: str, decimal: Decimal = ".", unit: str = "") -> float:
    """Return the number that a text stands for.

    >>> number_of("1,234.5"), number_of("1.234,5", ","), number_of("(12 %)", unit="%"), number_of("$-3", unit="$")
    (1234.5, 1234.5, -12.0, -3.0)
    """
    if decimal == "." and len(text) <= _LONGEST and _PLAIN.fullmatch(text):
        return _finite(text)
    parts = _parts(text)
    if parts is None or _unit(parts) not in ("", unit) or bool(parts["open"]) != bool(parts["close"]):
        raise InvalidArgument("text", "be a number", brief(text))
    body = parts["body"]
    if not _BODIES[decimal].fullmatch(body):
        raise InvalidArgument("text", f"be a number with decimal mark {decimal}", brief(text))
    plain = _BETWEEN.sub("", body).replace("," if decimal == "." else ".", "").replace(",", ".")
    minus = any(parts[name] in ("-", "−") for name in ("sign", "inner", "end")) or bool(parts["open"])
    return -_finite(plain) if minus else _finite(plain)


def number_reading(texts: Iterable[str], hint: Decimal | None = None) -> TextReading | None:
    """Return how all of some texts are read as numbers, or None if they are not.

    Parameters
    ----------
    texts : iterable of str
        Without those that stand for a missing value.
    hint : {".", ","}, optional
        The decimal mark to assume if the texts leave it open, as "1,234" does.

    >>> number_reading(["1.234,5", "7"]), number_reading(["12 %"]).unit, number_reading(["a"]), number_reading(["007"])
    (TextReading(kind='number', missing=(), decimal=',', unit='', order='ymd'), '%', None, None)
    """
    stripped = [text.strip(BLANKS) for text in texts]
    # Most texts that are no numbers show it at once: the first decides before all are looked at.
    first = stripped[0] if stripped else ","
    if "," not in first and plain_numbers([first]) is None and _parts(first) is None:
        return None
    if any(text[:1] == "0" and _CODE.fullmatch(text) for text in stripped):
        return None
    numbers = plain_numbers(stripped)
    if hint is None and numbers is not None and has_points_between_thousands(stripped):
        hint = ","
    written = hint == "," and any("." in text for text in stripped)
    if numbers is not None and np.isfinite(numbers).all() and not written:
        return TextReading("number")
    numbers = plain_numbers(stripped, ",")
    if numbers is not None and any("," in text and len(text) - text.find(",") != 4 for text in stripped):
        return TextReading("number", decimal=",") if np.isfinite(numbers).all() else None
    marks, units = set(), set()
    for text in stripped:
        parts = _parts(text)
        if parts is None:
            return None
        marks.add(_mark(parts["body"]))
        units.add(_unit(parts))
    decimal = _decimal(marks, hint)
    if decimal is None or len(units - {""}) > 1:
        return None
    reading = TextReading("number", decimal=decimal, unit=max(units))
    return reading if all_read(reading, stripped) else None


def time_reading(texts: Iterable[str], *, compact: bool = False, month_first: bool = False) -> TextReading | None:
    """Return how all of some texts are read as dates or times, or None if they are not; if it is open, day first.

    >>> time_reading(["31/12/2020", "1/2/2021"]).order, time_reading(["2020-12-31 23:59"]).kind
    ('dmy', 'datetime')
    >>> time_reading(["1/2/2021"], month_first=True).order
    'mdy'
    """
    stripped = [text.strip(BLANKS) for text in texts]
    orders: tuple[Order, ...] = ("compact",) if compact and stripped and COMPACT.fullmatch(stripped[0]) else ()
    for order in (*orders, "ymd", *(("mdy", "dmy") if month_first else ("dmy", "mdy"))):
        for kind in ("date", "datetime", "datetime-utc"):
            reading = TextReading(kind, order=order)
            if all_read(reading, stripped):
                return reading
    return None


def is_open(reading: TextReading, texts: Iterable[str]) -> bool:
    """Return whether texts could be read with day and month, or decimal and thousands mark, the other way round.

    >>> is_open(TextReading("date", order="dmy"), ["1/2/2021"]), is_open(TextReading("number"), ["1,234"])
    (True, True)
    """
    stripped = [text.strip(BLANKS) for text in texts]
    if reading.kind == "number":
        marked = [text for text in stripped if "," in text or "'" in text]
        return bool(marked) and all_read(TextReading("number", decimal=",", unit=reading.unit), marked)
    if reading.order not in ("dmy", "mdy") or not any(DAY.fullmatch(text) for text in stripped):
        return False
    return all_read(TextReading(reading.kind, order="mdy" if reading.order == "dmy" else "dmy"), stripped)


def all_read(reading: TextReading, texts: Sequence[str]) -> bool:
    """Return whether there are texts, and all of them are read so."""
    # Most texts that are no dates show it at once: the first few decide before all are looked at.
    try:
        reading.values(texts)
    except (ValueError, OverflowError):
        return False
    return bool(texts)


def _parts(text: str) -> re.Match[str] | None:
    return _WRITTEN.fullmatch(text) if len(text) <= _LONGEST else None


def _unit(parts: re.Match[str]) -> str:
    return parts["before"] or parts["after"] or ""


def _finite(text: str) -> float:
    number = float(text)
    if not np.isfinite(number):
        raise InvalidArgument("text", "be a finite number", brief(text))
    return number


def _mark(body: str) -> str:
    """Return the decimal mark that the digits show; "?," or "?." if the mark may also stand between thousands."""
    digits = _BETWEEN.sub("", body)
    commas, points = digits.count(","), digits.count(".")
    if commas and points:
        return "," if digits.rfind(",") > digits.rfind(".") else "."
    if not commas and not points:
        return ""
    mark = "," if commas else "."
    other = "." if commas else ","
    if commas + points > 1:
        return other
    whole, _, after = digits.partition(mark)
    return f"?{mark}" if len(after) == 3 and whole.strip("0") and len(whole) <= 3 else mark


def _decimal(marks: set[str], hint: Decimal | None) -> Decimal | None:
    """Return the decimal mark that all numbers of a column agree on."""
    sure = marks & {".", ","}
    if len(sure) == 2:
        return None
    if sure:
        return "," if "," in sure else "."
    if "?," in marks and "?." in marks:
        return None
    return hint or "."


def has_points_between_thousands(texts: Iterable[str]) -> bool:
    """Return whether points must separate thousands: three digits after each, and whole numbers up to 999 beside.

    Of decimal places the last one would be left out in one of ten numbers, or written for whole numbers too.

    >>> has_points_between_thousands([*(f"{n}.586" for n in range(1, 60)), "950"])
    True
    """
    texts = [text.strip(BLANKS) for text in texts]
    pointed = {text for text in texts if "." in text}
    whole = {text for text in texts if "." not in text}
    return (
        len(pointed) >= _MANY_POINTED
        and all(map(_THOUSANDS.fullmatch, pointed))
        and all(text.isdecimal() and len(text) <= 3 for text in whole)
        and any(len(text) == 3 for text in whole)
    )


def _truth(text: str) -> bool:
    try:
        return SPOKEN_TRUTH[text.lower()]
    except KeyError:
        raise InvalidArgument("text", "be true or false", brief(text)) from None
