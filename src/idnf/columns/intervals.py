"""Ordered columns: numbers, dates, durations and ordered categories, whose cells are intervals between cuts."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import TableColumn, TableLiteral
from idnf.columns.phrases import DAY, name_words, number_words, time_value, time_words
from idnf.columns.phrases import value_words as category_words
from idnf.columns.raw import Category, RawColumn
from idnf.logic.boxes import runs

Seen = tuple[tuple[float, float] | None, ...]
"""For each cell the smallest and the largest training value in it, None where there was none."""

TimeKind = Literal["date", "datetime", "datetime-utc", "duration"]


@dataclass(frozen=True)
class IntervalColumn(TableColumn):
    """An ordered column cut into intervals ``(-inf, t1], (t1, t2], ..., (tm, inf)``."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[str, ...]:
        """The cuts, written."""

    @property
    @abstractmethod
    def limits(self) -> tuple[float, ...]:
        """The cuts as numbers that order the values."""

    @abstractmethod
    def positions(self, raw: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return values as the numbers that `limits` cut, and where they are missing."""

    @abstractmethod
    def position_words(self, position: float) -> str:
        """Return a value, given as the number that orders it, the way it is written."""

    @property
    def ordered(self) -> bool:
        """Whether the known cells follow an order: always."""
        return True

    def written(self, *values: object) -> list[str]:
        """Return values the way they are written."""
        (column,) = values
        numbers, missing = self.positions(column)
        words = {number: self.position_words(number) for number in set(numbers[~missing].tolist())}
        pairs = zip(numbers.tolist(), missing.tolist(), strict=True)
        return ["missing" if is_missing else words[number] for number, is_missing in pairs]

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
        """``x <= t`` for each cut and, where training had missing values, ``x > t`` and ``x is missing``."""
        below = [(2 << cut) - 1 for cut in range(len(self.bounds))]
        above = [self.known_mask & ~mask for mask in below] if self.missing == "seen" else []
        return (*(TableLiteral(self.words(mask), mask) for mask in below + above), *self.missing_literals())

    def cells(self, *values: object) -> NDArray[np.intp]:
        """Return the interval of each value.

        >>> NumberColumn("age", "seen", cuts=(30.0, 45.0)).cells([30, 31, 99, None]).tolist()
        [0, 1, 2, 3]
        """
        (column,) = values
        numbers, missing = self.positions(column)
        cells = np.searchsorted(np.asarray(self.limits, dtype=np.float64), numbers, side="left")
        cells[missing] = len(self.bounds) + 1
        return cells

    def features(self, *values: object) -> NDArray[np.bool_]:
        """Return the truth of each literal on each value, by direct comparison with the cuts."""
        (column,) = values
        numbers, missing = self.positions(column)
        numbers = np.where(missing, np.nan, numbers) if missing.any() else numbers
        n_cuts = len(self.limits)
        held = np.empty((len(self.literals), len(numbers)), dtype=bool)
        for row, limit in enumerate(self.limits):
            np.less_equal(numbers, limit, out=held[row])
            if self.missing == "seen":
                np.greater(numbers, limit, out=held[n_cuts + row])
        if self.missing == "seen":
            held[-1] = missing
        return held

    def known_words(self, mask: int, *, or_missing: bool) -> str:
        """Return a set of intervals as comparisons."""
        parts = [self.interval_words(low, high) for low, high in runs(mask)]
        return " or ".join([*parts, "missing"] if or_missing else parts)

    def interval_words(self, low: int, high: int) -> str:
        """Return the cells from `low` to `high` as one comparison."""
        name, bounds = name_words(self.name), self.bounds
        if low == 0:
            return f"{name} <= {bounds[high]}"
        if high == len(bounds):
            return f"{name} > {bounds[low - 1]}"
        return f"{bounds[low - 1]} < {name} <= {bounds[high]}"


@dataclass(frozen=True)
class NumberColumn(IntervalColumn):
    """A column of numbers.

    Parameters
    ----------
    cuts : tuple of float
        Ascending.
    seen : tuple
        The smallest and largest training value of each interval.

    Examples
    --------
    >>> age = NumberColumn("age", "refused", cuts=(30.0, 45.0))
    >>> [literal.name for literal in age.literals]
    ['age <= 30', 'age <= 45']
    """

    cuts: tuple[float, ...] = ()
    seen: Seen = ()

    @cached_property
    def bounds(self) -> tuple[str, ...]:
        """The cuts, written as short decimals."""
        return tuple(number_words(cut) for cut in self.cuts)

    @property
    def limits(self) -> tuple[float, ...]:
        """The cuts."""
        return self.cuts

    def positions(self, raw: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the numbers, and where they are missing."""
        column = self.checked(raw, ("number", "boolean"))
        return column.values.astype(np.float64, copy=False), column.missing

    def position_words(self, position: float) -> str:
        """Return a number as it is written."""
        return number_words(position)

    def to_dict(self) -> dict[str, object]:
        """Return the column as plain data."""
        seen = [list(pair) if pair else None for pair in self.seen]
        return {"kind": "number", "name": self.name, "missing": self.missing, "cuts": list(self.cuts), "seen": seen}


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

    @cached_property
    def bounds(self) -> tuple[str, ...]:
        """The cuts, written as dates, times or durations."""
        return tuple(time_words(cut, self.kind) for cut in self.cuts)

    @property
    def limits(self) -> tuple[float, ...]:
        """The cuts in microseconds."""
        return self.cuts

    def positions(self, raw: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the microseconds; a column of dates reads a time as its day."""
        kinds = ("date", "datetime") if self.kind in ("date", "datetime") else (self.kind,)
        column = self.checked(raw, (self.kind, *kinds))
        values = column.values.astype(np.float64, copy=False)
        return (np.floor(values / DAY) * DAY if self.kind == "date" else values), column.missing

    def value_words(self, *values: object) -> str:
        """Return a date, time or duration as it is written; text is read as one first."""
        (value,) = values
        if isinstance(value, str):
            return time_words(time_value(value, self.kind), self.kind)
        return super().value_words(value)

    def position_words(self, position: float) -> str:
        """Return microseconds as a date, time or duration."""
        return time_words(position, self.kind)

    def to_dict(self) -> dict[str, object]:
        """Return the column as plain data, times written out."""
        seen = [[time_words(value, self.kind) for value in pair] if pair else None for pair in self.seen]
        plain = {"kind": self.kind, "name": self.name, "missing": self.missing}
        return {**plain, "cuts": list(self.bounds), "seen": seen}


@dataclass(frozen=True)
class OrderedColumn(IntervalColumn):
    """A column of categories with a declared order.

    Parameters
    ----------
    values : tuple
        The declared categories in order.
    cuts : tuple of int
        Cut c lies just above ``values[c]``.

    Examples
    --------
    >>> size = OrderedColumn("size", "refused", values=("small", "medium", "large"), cuts=(0, 1))
    >>> size.words(0b001), size.words(0b011), size.words(0b110)
    ('size is small', 'size <= medium', 'size > small')
    """

    values: tuple[Category, ...] = ()
    cuts: tuple[int, ...] = ()

    @cached_property
    def bounds(self) -> tuple[str, ...]:
        """The categories just below the cuts."""
        return tuple(category_words(self.values[cut]) for cut in self.cuts)

    @property
    def limits(self) -> tuple[float, ...]:
        """The ranks just below the cuts."""
        return tuple(map(float, self.cuts))

    def interval_words(self, low: int, high: int) -> str:
        """Return one category by its name, several as a comparison."""
        first = self.cuts[low - 1] + 1 if low else 0
        last = self.cuts[high] if high < len(self.cuts) else len(self.values) - 1
        if first == last:
            return f"{name_words(self.name)} is {category_words(self.values[first])}"
        return super().interval_words(low, high)

    def positions(self, raw: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the ranks of the categories."""
        column = self.checked(raw, ("ordered", "category", "number", "boolean"))
        return self._ranks(column), column.missing

    def _ranks(self, column: RawColumn) -> NDArray[np.float64]:
        rank_of = {value: float(rank) for rank, value in enumerate(self.values)}
        ranks = np.full(len(column), np.nan)
        for row in np.flatnonzero(~column.missing).tolist():
            value = column.values[row]
            if value not in rank_of:
                raise ValueError(
                    f"column {self.name!r} must be one of {', '.join(map(category_words, self.values))}; "
                    f"got {value!r} in row {row}. An ordered category must be declared before training."
                )
            ranks[row] = rank_of[value]
        return ranks

    def position_words(self, position: float) -> str:
        """Return the category of a rank."""
        return category_words(self.values[int(position)])

    def to_dict(self) -> dict[str, object]:
        """Return the column as plain data."""
        plain = {"kind": "ordered", "name": self.name, "missing": self.missing}
        return {**plain, "values": list(self.values), "cuts": list(self.cuts)}
