"""From the columns of a user's table to raw columns, text read as what it stands for, in training and ever after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal as DecimalNumber
from itertools import islice
from numbers import Real
from types import NoneType
from typing import SupportsFloat

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.typing import IntoSeries
from numpy.typing import NDArray

from idnf.columns.column import TableColumn
from idnf.columns.phrases import BLANKS, brief, number_words
from idnf.columns.raw import KIND_WORDS, RawColumn, is_missing, number_categories, read_series, stripped
from idnf.logic.errors import InvalidArgument
from idnf.tables.column_check import ColumnDecision
from idnf.tables.text_values import (
    MISSING,
    MISSING_AMONG_NUMBERS,
    TEXT_KINDS,
    TRUTH,
    Decimal,
    TextReading,
    all_read,
    is_open,
    number_reading,
    time_reading,
)

KINDS = ("number", "category", "date", "boolean", "keep", "ignore")
"""What a user may declare a column to be."""

_LEAST_NUMBERS = 10
_MOST_ODD = 5
_ODD_SHARE = 0.1

Series = nw.Series[IntoSeries]


@dataclass(frozen=True)
class ReadColumn:
    """A column that was read, how its texts were, and what was decided."""

    raw: RawColumn
    reading: TextReading | None = None
    decisions: tuple[ColumnDecision, ...] = ()


@dataclass(frozen=True)
class _Shown:
    """What other columns show: the decimal mark, and whether the month comes first in dates."""

    decimal: Decimal | None = None
    month_first: bool = False


@dataclass(frozen=True)
class ColumnReader:
    """Reads the columns of a training table.

    Parameters
    ----------
    kinds : mapping of str to str
        What the user declares columns to be.
    missing : tuple of str
        Texts that stand for a missing value everywhere.
    decimal : {".", ","}, optional
        The decimal mark, if the user gives it.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    decimal: Decimal | None = None

    def read_all(self, series: Mapping[str, Series]) -> dict[str, ReadColumn]:
        """Read columns; what one of them shows of marks and dates is assumed in the others if they leave it open."""
        texts = {name: texts_of(column) for name, column in series.items() if self.kinds.get(name) != "ignore"}
        hint = self._shown([found for found in texts.values() if found is not None])
        for name in [name for name, found in texts.items() if found is not None and series[name].dtype == nw.Object]:
            texts[name] = texts_of(series[name], self._mark(series[name], hint))
        return {
            name: self._read_typed(series[name]) if found is None else self._read_texts(name, found, series[name], hint)
            for name, found in texts.items()
        }

    def shown_decimal(self, columns: Mapping[str, Series]) -> Decimal | None:
        """Return the decimal mark that the user gives or columns of text show beyond doubt; None if there is neither.

        >>> import polars as pl
        >>> table = nw.from_native(pl.DataFrame({"rate": ["2,5"], "price": ["89.000 €"]}))
        >>> ColumnReader().shown_decimal({name: table[name] for name in table.columns})
        ','
        """
        return self._shown([found for found in map(texts_of, columns.values()) if found is not None]).decimal

    def _shown(self, columns: Sequence[Sequence[str | None]]) -> _Shown:
        """Return what columns of text show beyond doubt."""
        decimal, orders = self.decimal, set()
        for texts in columns:
            some = [text for text in dict.fromkeys(texts[:1000]) if text is not None and not self._is_missing(text)]
            if not some:
                continue
            reading = number_reading(some) if decimal is None else None
            if reading is not None and reading.decimal == ",":
                decimal = ","
            times = None if reading is not None else time_reading(some)
            if times is not None and not is_open(times, some):
                orders.add(times.order)
        return _Shown(decimal, month_first="mdy" in orders and "dmy" not in orders)

    def _mark(self, series: Series, hint: _Shown) -> Decimal:
        """Return the decimal mark of the texts among numbers."""
        texts = [value for value in series.to_list() if isinstance(value, str) and not self._is_missing(value)]
        reading = number_reading(texts, hint.decimal) if texts else None
        return "." if reading is None else reading.decimal

    def _is_missing(self, text: str) -> bool:
        return text.strip(BLANKS) in self.missing or text.strip(BLANKS) in MISSING_AMONG_NUMBERS

    def _read_typed(self, series: Series) -> ReadColumn:
        raw = read_series(series)
        kind = self.kinds.get(raw.name)
        if "<" in (kind or "") and raw.kind != "category":
            raise InvalidArgument(
                f"kinds[{raw.name!r}]", "be an order of texts", f"{KIND_WORDS[raw.kind]} in the column"
            )
        if kind == "category" and raw.kind in ("number", "boolean"):
            return ReadColumn(RawColumn(raw.name, "category", number_categories(raw), raw.missing))
        if kind == "date" and raw.kind == "number":
            reading = TextReading("date", order="compact")
            found, unreadable = reading.column(raw.name, _number_texts(raw))
            if unreadable.any():
                raise InvalidArgument(f"column {raw.name!r}", "hold dates such as 20201231 to be read as such")
            return ReadColumn(found, reading)
        return ReadColumn(raw)

    def _read_texts(self, name: str, texts: Sequence[str | None], series: Series, hint: _Shown) -> ReadColumn:
        """Read a column of text, or of text and numbers mixed."""
        held, marks = self.missing, []
        if held:
            marks = _marks(name, texts, held)
            texts = [None if text is None or text.strip(BLANKS) in held else text for text in texts]
        counted = Counter(texts)
        known = Counter({text: count for text, count in counted.items() if text is not None})
        reading, decisions = self._find_reading(name, known, hint)
        decisions += marks
        if reading is None:
            raw = _read_categories(series, texts, held)
            return ReadColumn(_in_order(raw, self.kinds.get(name, "")), None, tuple(decisions))
        raw, unreadable = reading.column(name, texts)
        assert not unreadable.any(), "every text was looked at when the reading was found"
        return ReadColumn(raw, reading, tuple(decisions))

    def _find_reading(
        self, name: str, known: Counter[str], hint: _Shown
    ) -> tuple[TextReading | None, list[ColumnDecision]]:
        """Return how some texts are read, None for categories as they are written; and what was decided."""
        kind = self.kinds.get(name)
        values = [text for text in known if text.strip(BLANKS) not in MISSING_AMONG_NUMBERS]
        if kind == "category" or "<" in (kind or "") or (not values and kind is None):
            return None, []
        truths = kind in (None, "keep") and all(text.strip(BLANKS).lower() in TRUTH for text in values)
        if kind == "boolean" or truths:
            reading = TextReading("boolean")
            return self._declared_reading(name, reading, known) if kind == "boolean" else (reading, [])
        if kind == "date":
            return self._declared_reading(name, time_reading(values, compact=True, month_first=hint.month_first), known)
        numbers = number_reading(values, hint.decimal)
        if numbers is not None or kind == "number":
            if kind == "number":
                return self._declared_reading(
                    name, numbers or TextReading("number", decimal=hint.decimal or "."), known
                )
            assert numbers is not None, "one of the two held"
            return numbers, [_numbers_decision(name, numbers, known, values)]
        times = time_reading(values, month_first=hint.month_first)
        if times is not None:
            return times, [_times_decision(name, times, values)]
        odd = self._odd_among_numbers(known, values, hint.decimal)
        if odd is not None:
            return odd, [_odd_decision(name, odd, known)]
        return None, []

    def _odd_among_numbers(
        self, known: Counter[str], values: Sequence[str], hint: Decimal | None
    ) -> TextReading | None:
        """Return a reading as numbers where only a few texts are none, which are then missing."""
        odd = list(islice((text for text in values if number_reading([text], hint) is None), _MOST_ODD + 1))
        if len(odd) > _MOST_ODD or len(values) - len(odd) < _LEAST_NUMBERS:
            return None
        if sum(known[text] for text in odd) > _ODD_SHARE * known.total():
            return None
        reading = number_reading([text for text in values if text not in set(odd)], hint)
        return None if reading is None else replace(reading, missing=tuple(sorted(text.strip(BLANKS) for text in odd)))

    def _declared_reading(
        self, name: str, reading: TextReading | None, known: Counter[str]
    ) -> tuple[TextReading, list[ColumnDecision]]:
        """Return the reading that the user asks for; texts that cannot be read so are missing, and said to be."""
        kind = self.kinds[name]
        odd = [text for text in known if reading is None or not all_read(reading, [text])]
        if reading is None or len(odd) == len(known):
            raise InvalidArgument(f"column {name!r}", f"hold {kind}s to be read as such", brief(next(iter(known), "")))
        if not odd:
            return reading, []
        reading = replace(reading, missing=tuple(sorted({text.strip(BLANKS) for text in odd})))
        return reading, [_odd_decision(name, reading, known)]


def texts_of(series: Series, mark: Decimal = ".") -> list[str | None] | None:
    """Return the texts of a column of text, or of text and numbers mixed as pandas may hold them; else None.

    Numbers are written with the decimal mark of the texts beside them.

    >>> import pandas as pd
    >>> texts_of(nw.from_native(pd.Series(["a", None]), series_only=True))
    ['a', None]
    """
    if series.dtype == nw.String:
        found = series.to_list()
        if set(map(type, found)) <= {str, NoneType}:
            return found
        return [text if isinstance(text, str) else None for text in found]
    if series.dtype != nw.Object:
        return None
    values = [None if is_missing(value) else value for value in series.to_list()]
    types = {type(value) for value in values}
    # To NumPy durations are integers.
    numbers = [one for one in types if issubclass(one, (Real, DecimalNumber)) and not issubclass(one, np.timedelta64)]
    if str not in types or not types <= {str, NoneType, *numbers}:
        return None
    return [_number_text(value, mark) if value is not None and type(value) in numbers else value for value in values]


def reading_for(column: TableColumn) -> TextReading:
    """Return how text is read for a column of a model that was learned from values of another type.

    >>> from idnf.columns.intervals import NumberColumn
    >>> reading_for(NumberColumn("age", "refused", cuts=(30.0,))).kind
    'number'
    """
    kind = column.fields[0].kind
    return TextReading(next(one for one in TEXT_KINDS if one == _READ_AS.get(kind, kind)))


def read_as(
    series: Series, column: TableColumn, reading: TextReading | None, missing: Collection[str]
) -> tuple[RawColumn, NDArray[np.bool_]]:
    """Read a column of a later table for a column of a model; also tell which texts cannot be read.

    Parameters
    ----------
    series : series
    column : TableColumn
    reading : TextReading, optional
        How the texts were read in training, if there were texts.
    missing : collection of str
        Texts that stand for a missing value everywhere.
    """
    found = reading or reading_for(column)
    texts = texts_of(series, found.decimal)
    # A number beside categories or durations is refused as it would be without them.
    mixed = series.dtype == nw.Object and found.kind in ("category", "duration")
    if texts is None or (mixed and not all(isinstance(one, str) or is_missing(one) for one in series.to_list())):
        raw = read_series(series)
        if reading is not None and reading.order == "compact" and raw.kind == "number":
            return reading.column(raw.name, _number_texts(raw))
        return raw, np.zeros(len(raw), dtype=bool)
    if missing:
        texts = [None if text is None or text.strip(BLANKS) in missing else text for text in texts]
    if found.kind == "category" and reading is None:
        return _read_categories(series, texts, missing), np.zeros(len(texts), dtype=bool)
    if column.fields[0].kind == "digit" and reading is None:
        texts = [None if text is None else _DIGITS.get(text.strip(BLANKS).lower(), text) for text in texts]
    return found.column(str(series.name), texts)


_READ_AS = {"digit": "number", "truth": "boolean", "text": "category", "any": "category"}
_DIGITS = {"true": "1", "false": "0"}


def _number_text(value: SupportsFloat, mark: Decimal) -> str:
    """Return a number as text; if there is a fraction, with an exponent, so that no point is one of thousands."""
    text = number_words(float(value))
    return text.replace(".", mark) + ("e0" if "." in text and "e" not in text else "")


def _number_texts(raw: RawColumn) -> list[str | None]:
    pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
    return [None if missing else number_words(value) for value, missing in pairs]


def _read_categories(series: Series, texts: Sequence[str | None], marks: Collection[str]) -> RawColumn:
    """Return texts as they are written; where other values are among them, the column is read again and refused."""
    # Later steps count these texts again: where equal texts are one object they need not be compared.
    one_of = {text: text for text in texts}
    missing = np.zeros(len(texts), dtype=bool)
    if None in one_of:
        missing[:] = [text is None for text in texts]
    if series.dtype != nw.String:
        raw = read_series(series)
        return replace(raw, kind="empty" if missing.all() else raw.kind, missing=missing) if marks else raw
    values = np.empty(len(texts), dtype=object)
    values[:] = list(map(one_of.__getitem__, texts))
    return RawColumn(str(series.name), "empty" if missing.all() else "category", values, missing)


def _in_order(raw: RawColumn, declared: str) -> RawColumn:
    """Return categories in the order declared for them, if one is."""
    if "<" not in declared or raw.kind == "empty":
        return raw
    order = tuple(text.strip(BLANKS) for text in declared.split("<"))
    values = stripped(raw)
    others = sorted(set(values.known.tolist()) - set(order), key=str)
    if others or len(set(order)) < len(order) or "" in order:
        got = f"{declared!r}" + (f" without {', '.join(map(brief, others[:3]))}" if others else "")
        raise InvalidArgument(f"kinds[{raw.name!r}]", "name every category of the column once, in order", got)
    return replace(values, kind="ordered", order=order)


def _numbers_decision(name: str, reading: TextReading, known: Counter[str], values: Sequence[str]) -> ColumnDecision:
    marks = _count(
        known, lambda text: text.strip(BLANKS) not in MISSING and text.strip(BLANKS) in MISSING_AMONG_NUMBERS
    )
    blanks = _count(known, lambda text: not text.strip(BLANKS))
    missing = f"; {listed_texts({**blanks, **marks})} counted as missing" if blanks or marks else ""
    how = []
    commas, points = (any(mark in text for text in values) for mark in ",.")
    if reading.decimal == "," and commas:
        how.append("decimal commas")
    opposite = "," if reading.decimal == "." else "."
    if any(mark in text for text in values[:10_000] for mark in (opposite, "'", "’")):
        how.append(
            f"{opposite} between thousands" if any(opposite in text for text in values) else "' between thousands"
        )
    if reading.unit:
        how.append(f"the unit {reading.unit}")
    words = "numbers written as text" + (f" with {' and '.join(how)}" if how else "")
    both = reading.decimal == "." and bool(how) and not reading.unit and is_open(reading, values)
    other = "," if both else "." if reading.decimal == "," and points and not commas else ""
    doubt = f"; the {'comma' if other == ',' else 'point'} may be a decimal mark" if other else ""
    plain = not how and not marks and not blanks
    return ColumnDecision(
        name,
        "plain text" if plain else "text",
        f"{words}, read as numbers{missing}{doubt}",
        "category",
        parameter="decimal" if other else "",
        value=other,
        grave=True,
    )


def _times_decision(name: str, reading: TextReading, values: Sequence[str]) -> ColumnDecision:
    if reading.order == "ymd":
        return ColumnDecision(name, "plain text", "dates written as text, read as dates", "category", grave=True)
    first = "day" if reading.order == "dmy" else "month"
    other = "month" if first == "day" else "day"
    doubt = f"; the {other} could come first as well" if is_open(reading, values) else ""
    words = f"dates written as text, read as dates with the {first} first{doubt}"
    return ColumnDecision(name, "text", words, "category", grave=True)


def _marks(name: str, texts: Sequence[str | None], held: Collection[str]) -> list[ColumnDecision]:
    """Return that blanks or question marks are taken as missing; an empty field or NA says so itself."""
    counts = Counter(text for text in texts if text and text.strip(BLANKS) in ("", "?") and text.strip(BLANKS) in held)
    return [ColumnDecision(name, "text", f"{listed_texts(counts)} counted as missing")] if counts else []


def _odd_decision(name: str, reading: TextReading, known: Counter[str]) -> ColumnDecision:
    odd = _count(known, lambda text: text.strip(BLANKS) in reading.missing)
    words = f"read as {reading.kind}s; {listed_texts(odd)} counted as missing"
    return ColumnDecision(name, "text", words, "category", grave=True)


def _count(known: Counter[str], held: Callable[[str], bool]) -> dict[str, int]:
    return {text: count for text, count in known.items() if held(text)}


def listed_texts(counts: Mapping[str, int]) -> str:
    """Return texts with the rows that hold them.

    >>> listed_texts({" ": 11, "-": 1})
    "' ' (11 rows) and '-' (1 row)"
    """
    shown = [f"{brief(text)} ({count:,} row{'s' * (count != 1)})" for text, count in sorted(counts.items())[:_MOST_ODD]]
    return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]
