"""How a condition on a column is said: alone, beside the example's own value, and as a change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from idnf.columns.column import says_or
from idnf.logic.boxes import Column, Space, cells_of, runs


class Wording(Protocol):
    """What explanations need to know to speak of a column."""

    @property
    def name(self) -> str:
        """The column's name."""
        ...

    def condition(self, mask: int) -> str:
        """Return a set of cells as a condition that stands alone: ``income <= 35000``."""
        ...

    def because(self, mask: int, value: str) -> str:
        """Return the example's own value and the condition it meets: ``income is 31000 (at most 35000)``."""
        ...

    def change(self, mask: int) -> str:
        """Return a set of cells as something to have instead: ``income over 35000``."""
        ...

    def said(self, mask: int) -> str:
        """Return a set of cells without the column's name: ``over 35000``."""
        ...

    def position_words(self, position: float) -> str:
        """Return a value of an ordered column, given as the number that orders it, the way it is written."""
        ...


class ColumnWords(Protocol):
    """A column of the user's table that can say sets of its cells."""

    @property
    def name(self) -> str:
        """The column's name."""
        ...

    def words(self, mask: int) -> str:
        """Return a set of cells as a condition that stands alone."""
        ...

    def to_column(self) -> Column:
        """Return the column's cells."""
        ...


@runtime_checkable
class HasBounds(Protocol):
    """A column cut into intervals ``(-inf, t1], (t1, t2], ..., (tm, inf)``."""

    @property
    def bounds(self) -> tuple[str, ...]:
        """The cuts, written."""
        ...

    def position_words(self, position: float) -> str:
        """Return a value, given as the number that orders it, the way it is written."""
        ...


class _NamedWording(ABC):
    """What wordings have in common that name the column and then say its cells."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The column's name."""

    @abstractmethod
    def said(self, mask: int) -> str:
        """Return a set of cells without the column's name."""

    def because(self, mask: int, value: str) -> str:
        """Return the example's own value and the condition it meets."""
        said = self.said(mask)
        is_said = value == said or value.endswith(f" (read as {said})")
        return f"{self.name} is {value}" if is_said else f"{self.name} is {value} ({said})"

    def change(self, mask: int) -> str:
        """Return a set of cells as something to have instead."""
        return f"{self.name} {self.said(mask)}"

    def position_words(self, position: float) -> str:
        """Return a number as it prints."""
        return f"{position:g}"


@dataclass(frozen=True)
class TableWording(_NamedWording):
    """The wording of a column of the user's table.

    Parameters
    ----------
    column : ColumnWords
        Has ``bounds`` and ``position_words(position)`` too where it is cut into intervals.
    """

    column: ColumnWords
    # The same few conditions are said of thousands of examples.
    _conditions: dict[int, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    _said: dict[int, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    def condition(self, mask: int) -> str:
        """Return a set of cells as a condition that stands alone."""
        if mask not in self._conditions:
            self._conditions[mask] = self.column.words(mask)
        return self._conditions[mask]

    def said(self, mask: int) -> str:
        """Return a set of cells without the column's name."""
        if mask not in self._said:
            self._said[mask] = self._without_name(mask)
        return self._said[mask]

    def position_words(self, position: float) -> str:
        """Return a value the way the table writes it."""
        return self.column.position_words(position) if isinstance(self.column, HasBounds) else f"{position:g}"

    def _without_name(self, mask: int) -> str:
        core = self.column.to_column()
        words = self.column.words(mask)
        # The name as it is written, in quotes where it could be misread.
        start = self.column.words(core.full).removesuffix("anything")
        if not isinstance(self.column, HasBounds) or words.startswith(start):
            return words.removeprefix(start)
        missing = 1 << core.size - 1 if core.missing else 0
        said = [_interval_said(self.column.bounds, low, high) for low, high in runs(mask & ~missing)]
        return " or ".join([*said, "missing"] if mask & missing else said)


def _interval_said(bounds: Sequence[str], low: int, high: int) -> str:
    upto, over = _comparatives(bounds[0])
    if low == 0:
        return f"{upto} {bounds[high]}"
    above = f"{over} {bounds[low - 1]}"
    return above if high == len(bounds) else f"{above} and {upto} {bounds[high]}"


def _comparatives(bound: str) -> tuple[str, str]:
    """Return what is said of numbers and durations, of dates, or of ordered categories, by the look of a cut."""
    if bound.lstrip("-")[:1].isdigit():
        is_date = bound[:4].isdigit() and bound[4:5] == "-"
        return ("up to", "after") if is_date else ("at most", "over")
    return "up to", "above"


@dataclass(frozen=True)
class CellWording(_NamedWording):
    """The wording of a column known only by the labels of its cells.

    >>> job = CellWording(Column("job", ("clerk", "nurse", "other")))
    >>> job.condition(0b101), job.because(0b011, "clerk"), job.change(0b100)
    ('job is clerk or other', 'job is clerk (clerk or nurse)', 'job other')
    """

    column: Column

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    def condition(self, mask: int) -> str:
        """Return a set of cells as a condition that stands alone."""
        return f"{self.name} is {self.said(mask)}"

    def said(self, mask: int) -> str:
        """Return the labels of the cells."""
        labels = [self.column.cells[cell] for cell in cells_of(mask)]
        return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} or {labels[-1]}"


@dataclass(frozen=True)
class FeatureWording:
    """The wording of a Boolean feature: what it says, and what its negation says.

    Parameters
    ----------
    name : str
        What holds in cell "1".
    fails : str, optional
        What holds in cell "0"; ``not name`` if not given.

    Examples
    --------
    >>> FeatureWording("a").because(0b01, "0"), FeatureWording("age <= 41", fails="age > 41").condition(0b01)
    ('not a', 'age > 41')
    """

    name: str
    fails: str | None = field(default=None, kw_only=True)

    def condition(self, mask: int) -> str:
        """Return the feature or its negation."""
        return self.name if mask == 0b10 else self.fails or f"not {self.name}"

    def because(self, mask: int, _value: str) -> str:
        """Return the condition; it says the value already."""
        return self.change(mask)

    def change(self, mask: int) -> str:
        """Return the condition, in brackets where it says "or"."""
        words = self.condition(mask)
        return f"({words})" if says_or(words) else words

    def said(self, mask: int) -> str:
        """Return the value, 0 or 1."""
        return "1" if mask == 0b10 else "0"

    def position_words(self, position: float) -> str:
        """Return a number as it prints."""
        return f"{position:g}"


def default_wordings(space: Space) -> tuple[Wording, ...]:
    """Return feature wording for columns of the two cells "0" and "1", and labels of the cells for all others.

    >>> [w.condition(1) for w in default_wordings(Space.boolean(["a", "b"]))]
    ['not a', 'not b']
    """
    return tuple(
        FeatureWording(column.name) if column.cells == ("0", "1") else CellWording(column) for column in space.columns
    )
