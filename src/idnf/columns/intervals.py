"""Ordered columns: numbers, dates, durations and ordered categories, whose cells are intervals between cuts."""

from __future__ import annotations

import math
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_FLOOR, Decimal
from functools import cached_property
from math import ceil, inf, nextafter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import NO_CELL, TableColumn, TableLiteral
from idnf.columns.phrases import (
    DAY,
    MISSING,
    Phrase,
    measured_words,
    name_words,
    number_words,
    said,
    time_value,
    time_words,
)
from idnf.columns.predicates import Compare, Field, Predicate, any_of, example, field_values, typed
from idnf.columns.raw import RawColumn
from idnf.logic.boxes import runs
from idnf.logic.errors import InvalidArgument

MOST_COUNTED = 20
"""Whole numbers up to this are said as people count; beyond it, round cuts read better than their neighbours."""

# Decimals that a value to have instead may have beyond those of the cut.
_MOST_DECIMALS = 4

Seen = tuple[tuple[float, float] | None, ...]
"""For each cell the smallest and the largest training value in it, None if there was none."""

TimeKind = Literal["date", "datetime", "datetime-utc", "duration"]


@dataclass(frozen=True)
class IntervalColumn(TableColumn):
    """An ordered column cut into intervals ``(-inf, t1], (t1, t2], ..., (tm, inf)``.

    Parameters
    ----------
    inner : tuple of (int, int)
        Intervals between two cuts that are literals too: the first and the last cell of each.
    """

    ordered = True

    inner: tuple[tuple[int, int], ...] = field(default=(), kw_only=True)

    @property
    @abstractmethod
    def cuts(self) -> tuple[float, ...]:
        """What the cells end with, ascending."""

    @cached_property
    def limits(self) -> tuple[float, ...]:
        """The cuts as numbers that order the values."""
        return tuple(map(float, self.cuts))

    @cached_property
    def bounds(self) -> tuple[str, ...]:
        """The cuts, written."""
        return tuple(map(self.position_words, self.limits))

    @property
    def comparatives(self) -> tuple[str, str, str]:
        """How the values up to a cut are said beside a value and as something to have, and how those above it are."""
        return "{} or less", "at most {}", "over {}"

    @abstractmethod
    def positions(self, *values: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return values as the numbers that `limits` cut, NaN for missing ones, and which are missing."""

    def written(self, *values: object) -> list[str]:
        """Return values the way they are written."""
        numbers, missing = self.positions(*values)
        words = {number: self.own_words(number) for number in set(numbers[~missing].tolist())}
        pairs = zip(numbers.tolist(), missing.tolist(), strict=True)
        return [MISSING if is_missing else words[number] for number, is_missing in pairs]

    def own_words(self, position: float) -> str:
        """Return a row's own value, given as the number that orders it, the way it is written and read."""
        return self.position_words(position)

    @cached_property
    def known_labels(self) -> tuple[str, ...]:
        """The labels of the intervals."""
        bounds = self.bounds
        if not bounds:
            return ("any",)
        inner = (f"({low}, {high}]" for low, high in zip(bounds, bounds[1:], strict=False))
        return (f"<= {bounds[0]}", *inner, f"> {bounds[-1]}")

    @cached_property
    def literals(self) -> tuple[TableLiteral, ...]:
        """``x <= t`` for each cut and, if training had missing values, ``x > t`` and ``x is missing``.

        >>> column = NumberColumn("x", "refused", cuts=(1.0, 2.0, 3.0), inner=((1, 1), (1, 2)))
        >>> [literal.name for literal in column.literals]
        ['x <= 1', 'x <= 2', 'x <= 3', '1 < x <= 2', '1 < x <= 3']
        """
        last = len(self.bounds)
        ends = [(0, cut) for cut in range(last)]
        if self.missing == "seen":
            ends += [(cut + 1, last) for cut in range(last)]
        ends += self.inner
        named = (TableLiteral(self.comparison(*end).condition, (2 << end[1]) - (1 << end[0])) for end in ends)
        return (*named, *self.missing_literals())

    @property
    def wide(self) -> tuple[int, ...]:
        """The literals that are intervals between two cuts."""
        return tuple((2 << high) - (1 << low) for low, high in self.inner)

    def placed(self, *raws: RawColumn) -> NDArray[np.intp]:
        """Return the interval of each value.

        >>> NumberColumn("age", "seen", cuts=(30.0, 45.0)).cells([30, 31, 99, None]).tolist()
        [0, 1, 2, 3]
        """
        numbers, missing = self.positions(*raws)
        cells = np.searchsorted(np.asarray(self.limits, dtype=np.float64), numbers, side="left")
        cells[np.isnan(numbers)] = NO_CELL
        cells[missing] = self.missing_cell
        return cells

    def position_cell(self, position: float) -> int | None:
        """Return the interval of a value given as the number that orders it.

        >>> NumberColumn("age", "refused", cuts=(30.0, 45.0)).position_cell(30.0)
        0
        """
        return bisect_left(self.limits, position)

    def features(self, *values: object) -> NDArray[np.bool_]:
        """Return the truth of each literal on each value, by direct comparison with the cuts."""
        numbers, missing = self.positions(*values)
        numbers = np.where(missing, np.nan, numbers) if missing.any() else numbers
        if np.count_nonzero(np.isnan(numbers)) > (np.count_nonzero(missing) if self.takes_missing else 0):
            self.cells(*values)  # refuses them
        n_cuts = len(self.limits)
        held = np.empty((len(self.literals), len(numbers)), dtype=bool)
        for row, limit in enumerate(self.limits):
            np.less_equal(numbers, limit, out=held[row])
            if self.missing == "seen":
                np.greater(numbers, limit, out=held[n_cuts + row])
        if self.missing == "seen":
            held[-1] = missing
        first = len(held) - len(self.inner) - (self.missing == "seen")
        for row, (low, high) in enumerate(self.inner, first):
            held[row] = held[high] & ~held[low - 1]
        return held

    def portable(self) -> dict[str, object]:
        """Return that values are written and ordered elsewhere as their fields are read."""
        return {"own": None, "order": "value"}

    def outside(self, low: float, high: float) -> Predicate | None:
        """Return the test for values below one or over another."""
        return any_of([Compare(self.fields[0], upto=nextafter(low, -inf)), Compare(self.fields[0], over=high)])

    def known_test(self, mask: int) -> Predicate:
        """Return a set of intervals as comparisons."""
        limits = (None, *self.limits, None)
        return any_of(Compare(self.fields[0], limits[low], limits[high + 1]) for low, high in runs(mask))

    def known_phrase(self, mask: int) -> Phrase:
        """Return a set of intervals as comparisons."""
        parts = [self.interval(low, high) for low, high in runs(mask & self.known_mask)]
        missing = [MISSING] if mask & self.missing_mask else []
        if len(parts) == 1 and not missing:
            return parts[0]
        # "30 or less, or missing" and "0, or 10 or more", but "over 30 or missing".
        comma = ", or " if any(one.alternatives or one.beside != one.instead for one in parts) else " or "
        return Phrase(
            " or ".join([part.condition for part in parts] + missing),
            comma.join([part.beside for part in parts] + missing),
            " or ".join(part.instead for part in parts),
            alternatives=True,
            choice=len(parts) > 1 or parts[0].choice,
        )

    def interval(self, low: int, high: int) -> Phrase:
        """Return the cells from `low` to `high`, not all, as a person would say them."""
        return self.comparison(low, high)

    def comparison(self, low: int, high: int) -> Phrase:
        """Return the cells from `low` to `high`, not all, as one comparison with the cuts."""
        name, bounds = name_words(self.name), self.bounds
        beside, instead, over = self.comparatives
        after = f" {self.unit}" if self.unit else ""
        if low == 0:
            bound = bounds[high]
            return Phrase(f"{name} <= {bound}", beside.format(bound + after), instead.format(bound + after))
        above = over.format(bounds[low - 1] + after)
        if high == len(bounds):
            return Phrase(f"{name} > {bounds[low - 1]}", above, above)
        within = f"{above} and {instead.format(bounds[high] + after)}"
        return Phrase(f"{bounds[low - 1]} < {name} <= {bounds[high]}", within, within)


def _past(cut: float, seen: float, *, whole: bool, upwards: bool) -> float:
    """Return the number nearest to a cut, above it or up to it, that has few decimals and is no farther than another.

    >>> _past(910.0, 913.0, whole=True, upwards=True), _past(1.39, 1.395, whole=False, upwards=True)
    (911.0, 1.391)
    """
    exact, farthest = Decimal(repr(cut)), Decimal(repr(seen))
    first = 0 if whole else max(0, -int(exact.normalize().as_tuple().exponent))
    for digits in range(first, first + _MOST_DECIMALS):
        step = Decimal(1).scaleb(-digits)
        near = ((exact / step).to_integral_value(ROUND_FLOOR) + int(upwards)) * step
        if near <= farthest if upwards else near >= farthest:
            return float(near)
    return seen


@dataclass(frozen=True)
class NumberColumn(IntervalColumn):
    """A column of numbers.

    Parameters
    ----------
    cuts : tuple of float
        Ascending.
    seen : tuple
        The smallest and largest training value of each interval.
    whole : bool
        Whether all training values were whole numbers, so that small ones are said as people count. A fraction is
        rounded up to the next whole number, as the cuts do, and an explanation says so.
    unit : str
        What the numbers are written with, such as "€"; said in conditions and explanations.

    Examples
    --------
    >>> age = NumberColumn("age", "refused", cuts=(30.0, 45.0))
    >>> [literal.name for literal in age.literals]
    ['age <= 30', 'age <= 45']
    >>> late = NumberColumn("late", "refused", cuts=(0.0, 1.0, 3.0, 9.0), seen=((0.0, 0.0),), whole=True)
    >>> late.words(0b00001), late.words(0b00110), late.words(0b01000), late.words(0b11000), late.written([2.5])
    ('late is 0', '1 <= late <= 3', '4 <= late <= 9', 'late >= 4', ['2.5 (read as 3)'])
    >>> fee = NumberColumn("fee", "refused", cuts=(5.0, 9.0), unit="€")
    >>> fee.words(0b001), fee.words(0b010), fee.literals[0].name
    ('fee <= 5 €', '5 € < fee <= 9 €', 'fee <= 5')
    """

    kind = "number"

    cuts: tuple[float, ...] = ()
    seen: Seen = ()
    whole: bool = False
    unit: str = ""

    @property
    def fields(self) -> tuple[Field, ...]:
        """One number."""
        return (Field(self.name, "number"),)

    @cached_property
    def bounds(self) -> tuple[str, ...]:
        """The cuts, written as short decimals."""
        return tuple(number_words(cut) for cut in self.cuts)

    @cached_property
    def least(self) -> int | None:
        """The least value of a count or a code, 0 or 1, if the first cut lies at most one above it."""
        if not (self.whole and self.cuts and self.seen and self.seen[0]):
            return None
        least = int(self.seen[0][0])
        return least if least in (0, 1) and self.cuts[0] <= least + 1 else None

    def interval(self, low: int, high: int) -> Phrase:
        """Return a comparison, of small whole numbers with the first and the last, one or two of them by name."""
        if self.unit:
            compared = self.comparison(low, high)
            inside = low > 0 and high < len(self.cuts)
            signs = compared.condition.replace(" <", f" {self.unit} <", 1) if inside else compared.condition
            return replace(compared, condition=f"{signs} {self.unit}")
        first = int(self.cuts[low - 1]) + 1 if low else self.least
        if not self.whole or first is None or max(first, *self.cuts[high : high + 1], 0) > MOST_COUNTED:
            return self.comparison(low, high)
        name = name_words(self.name)
        if high == len(self.cuts):
            return Phrase(f"{name} >= {first}", f"{first} or more", f"at least {first}")
        last = int(self.cuts[high])
        one = first == last
        if low == 0 and not one:
            return self.comparison(low, high)
        if last - first > 1:
            within = f"{first} to {last}"
            return Phrase(f"{first} <= {name} <= {last}", within, within)
        return said(name, str(first) if one else f"{first} or {last}", alternatives=not one, exact=one)

    def rounded_up(self, sets: Sequence[int]) -> str:
        """Return the name, with the least number that others are read as, if some sets are said as people count.

        >>> late = NumberColumn("late", "refused", cuts=(0.0, 3.0, 90.0), seen=((0.0, 0.0),), whole=True)
        >>> late.rounded_up([0b0001, 0b1110]), late.rounded_up([0b0011, 0b1100]), late.rounded_up([0b0111, 0b1000])
        ('late (from 0)', 'late', '')
        """
        some = (mask & self.known_mask for mask in sets)
        counted = [
            low
            for mask in some
            if mask != self.known_mask
            for low, high in runs(mask)
            if self.interval(low, high) != self.comparison(low, high)
        ]
        if self.unit or not counted:
            return ""
        return name_words(self.name) + ("" if 0 not in counted else f" (from {self.least})")

    def positions(self, *values: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the numbers, and where they are missing."""
        (given,) = values
        column = self.checked(given)
        return column.values.astype(np.float64, copy=False), column.missing

    def position_words(self, position: float) -> str:
        """Return a number as it is written."""
        return measured_words(position) + (f" {self.unit}" if self.unit else "")

    @property
    def takes_cuts(self) -> bool:
        """Any number is a cut; of whole numbers, a whole one."""
        return True

    def can_cut_at(self, cut: float) -> bool:
        """Return whether the number is whole if all values are."""
        return not self.whole or cut == int(cut)

    def cut_at(self, cuts: Collection[float]) -> NumberColumn:
        """Return the column cut at some numbers instead of its own.

        >>> NumberColumn("age", "refused", cuts=(30.0,)).cut_at([18.0, 30.0]).labels
        ('<= 18', '(18, 30]', '> 30')
        """
        broken = [cut for cut in cuts if not self.can_cut_at(cut)]
        if broken:
            raise InvalidArgument(f"cuts of column {self.name!r}, of whole numbers,", "be whole", broken)
        ends = tuple(sorted(set(cuts)))
        return self if ends == self.cuts else replace(self, cuts=ends, seen=_seen_between(self.seen, ends), inner=())

    def own_words(self, position: float) -> str:
        """Return a number as it is written; if only whole numbers are expected, also the one it is read as."""
        read = position
        if self.whole and not self.unit and position < MOST_COUNTED:
            read = ceil(position) if self.least is None else max(ceil(position), self.least)
        return self.position_words(position) + ("" if read == position else f" (read as {number_words(read)})")

    def without_rows(self) -> NumberColumn:
        """Return the column without the values seen; the least value of a count says how it is written."""
        least = None if self.least is None else (float(self.least), float(self.least))
        return replace(self, seen=() if least is None else (least, *[None] * len(self.cuts)))

    def proposed_words(self, cell: int, seen: float, *, upwards: bool) -> str:
        """Return the value just past the cut with no more decimals than it needs, at most as far as the one seen.

        >>> age = NumberColumn("age", "refused", cuts=(30.5, 45.0), whole=True)
        >>> age.proposed_words(1, 33.0, upwards=True), age.proposed_words(0, 28.0, upwards=False)
        ('31', '30')
        >>> NumberColumn("rate", "refused", cuts=(0.25,)).proposed_words(1, 0.2531, upwards=True)
        '0.251'
        """
        place = cell - 1 if upwards else cell
        if not 0 <= place < len(self.cuts):
            return self.position_words(seen)
        return self.position_words(_past(self.cuts[place], seen, whole=self.whole, upwards=upwards))

    def with_unit(self, unit: str) -> NumberColumn:
        """Return the column with its values said in a unit."""
        return replace(self, unit=unit) if unit else self

    def portable(self) -> dict[str, object]:
        """Return how values are written and ordered elsewhere."""
        whole = [self.least, MOST_COUNTED] if self.whole and not self.unit else None
        return {**super().portable(), "whole": whole, "unit": self.unit}


@dataclass(frozen=True)
class TimeColumn(IntervalColumn):
    """A column of dates, times or durations, held in microseconds and written as dates, times or durations.

    Examples
    --------
    >>> opened = TimeColumn("opened", "refused", kind="date", cuts=(time_value("2019-12-31", "date"),))
    >>> opened.words(0b10), opened.value_words("2020-02-01")
    ('opened > 2019-12-31', '2020-02-01')
    """

    kind: TimeKind = "date"
    cuts: tuple[float, ...] = ()
    seen: Seen = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """One date, time or duration."""
        return (Field(self.name, self.kind),)

    @property
    def takes_cuts(self) -> bool:
        """Any moment is a cut; of dates, a day."""
        return True

    def cut_at(self, cuts: Collection[float]) -> TimeColumn:
        """Return the column cut at some microseconds instead of its own.

        >>> opened = TimeColumn("opened", "refused", kind="date", cuts=(time_value("2019-12-31", "date"),))
        >>> opened.cut_at([time_value(day, "date") for day in ("2019-12-31", "2020-06-30")]).words(0b010)
        '2019-12-31 < opened <= 2020-06-30'
        """
        for cut in cuts:
            if not self.can_cut_at(cut):
                raise InvalidArgument(f"cuts of column {self.name!r}", f"be a {self.kind} in microseconds", cut)
        ends = tuple(sorted(set(cuts)))
        return self if ends == self.cuts else replace(self, cuts=ends, seen=_seen_between(self.seen, ends), inner=())

    def can_cut_at(self, cut: float) -> bool:
        """Return whether the cut can be written as a date, time or duration, and there is a later one."""
        if cut != int(cut) or (self.kind == "date" and cut % DAY):
            return False
        (field,) = self.fields
        try:
            time_words(cut, self.kind)
            typed(field, cut), example(Compare(field, over=cut))
        except (OverflowError, ValueError):
            return False
        return True

    @property
    def comparatives(self) -> tuple[str, str, str]:
        """Durations are compared as numbers are, dates and times by earlier and later."""
        return super().comparatives if self.kind == "duration" else ("up to {}", "up to {}", "after {}")

    def positions(self, *values: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the microseconds; a column of dates reads a time as its day."""
        (given,) = values
        column = field_values(self.fields[0], self.checked(given))
        return column.values.astype(np.float64, copy=False), column.missing

    def outside(self, low: float, high: float) -> Predicate:
        """Return the test for times before one or after another."""
        step = DAY if self.kind == "date" else 1
        return any_of([Compare(self.fields[0], upto=low - step), Compare(self.fields[0], over=high)])

    def value_words(self, *values: object) -> str:
        """Return a date, time or duration as it is written; text is read as one first."""
        (value,) = values
        if isinstance(value, str):
            return time_words(time_value(value, self.kind), self.kind)
        return super().value_words(value)

    def without_rows(self) -> TimeColumn:
        """Return the column without the values seen."""
        return replace(self, seen=())

    def position_words(self, position: float) -> str:
        """Return microseconds as a date, time or duration."""
        return time_words(position, self.kind)


@dataclass(frozen=True)
class StrictNumberColumn(NumberColumn):
    """A column of numbers some of whose cuts are the last number below a shorter one.

    Examples
    --------
    >>> age = StrictNumberColumn("age", "refused", cuts=(just_below(18.0), 65.0))
    >>> age.words(0b001), age.words(0b010), age.words(0b110)
    ('age < 18', '18 <= age <= 65', 'age >= 18')
    """

    def with_all_literals(self) -> NumberColumn:
        """Return a column of the same cuts whose literals are named by them."""
        return NumberColumn(self.name, "seen" if self.has_missing_cell else self.missing, cuts=self.cuts)

    def comparison(self, low: int, high: int) -> Phrase:
        """Return the cells from `low` to `high` as one comparison."""
        above = None if low == 0 else _written_cut(self.cuts[low - 1])
        below = None if high == len(self.cuts) else _written_cut(self.cuts[high])
        name = name_words(self.name)
        signs, words = [name], []
        if above is not None:
            signs = [f"{above[0]} {'<=' if above[1] else '<'}", name]
            words = [f"{'at least' if above[1] else 'over'} {above[0]}"]
        if below is not None:
            signs.append(f"{'<' if below[1] else '<='} {below[0]}")
            words.append(f"{'under' if below[1] else 'at most'} {below[0]}")
        elif above is not None:
            signs = [name, f"{'>=' if above[1] else '>'} {above[0]}"]
        return Phrase(" ".join(signs), " and ".join(words), " and ".join(words))


def _seen_between(seen: Seen, cuts: Sequence[float]) -> Seen:
    """Return the values known to have been seen, the first and the last of each cell, over other cells.

    >>> _seen_between(((1.0, 4.0), None), (2.0, 3.0))
    ((1.0, 1.0), None, (4.0, 4.0))
    """
    if not seen:
        return ()
    values = [value for pair in seen if pair is not None for value in pair]
    inside = ([v for v in values if low < v <= high] for low, high in zip((-inf, *cuts), (*cuts, inf)))
    return tuple((min(some), max(some)) if some else None for some in inside)


def just_below(value: float) -> float:
    """Return the last number below a value.

    >>> just_below(18.0)
    17.999999999999996
    """
    return math.nextafter(value, -math.inf)


def _written_cut(cut: float) -> tuple[str, bool]:
    """Return a cut as it is written, and whether it lies just below what is written."""
    above, own = number_words(math.nextafter(cut, math.inf)), number_words(cut)
    return (above, True) if len(above) < len(own) - 4 else (own, False)
