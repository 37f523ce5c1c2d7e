"""How explanations speak of a column: of the user's table, of cells that have labels only, of a Boolean feature."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from idnf.columns.phrases import Phrase, listed, said
from idnf.logic.boxes import Column, Space, cells_of


class Wording(Protocol):
    """What explanations need to know to speak of a column."""

    @property
    def name(self) -> str:
        """The column's name."""
        ...

    def phrase(self, mask: int) -> Phrase:
        """Return a set of cells in words."""
        ...

    def because(self, mask: int, value: str) -> str:
        """Return the example's own value and the condition it meets: ``income is 31000 (35000 or less)``."""
        ...

    def change(self, mask: int) -> str:
        """Return a set of cells as something to have instead: ``income over 35000``."""
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

    def phrase(self, mask: int) -> Phrase:
        """Return a set of cells in words."""
        ...

    def position_words(self, position: float) -> str:
        """Return a value, given as the number that orders it, the way it is written."""
        ...


@dataclass(frozen=True)
class TableWording:
    """The wording of a column of the user's table, which decides it; the same few conditions are said of many examples.

    >>> from idnf.columns.intervals import NumberColumn
    >>> income = TableWording(NumberColumn("income", "refused", cuts=(35.0,)))
    >>> income.because(0b01, "31"), income.change(0b10)
    ('income is 31 (35 or less)', 'income over 35')
    """

    column: ColumnWords
    _phrases: dict[int, Phrase] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    def phrase(self, mask: int) -> Phrase:
        """Return a set of cells in words."""
        if mask not in self._phrases:
            self._phrases[mask] = self.column.phrase(mask)
        return self._phrases[mask]

    def because(self, mask: int, value: str) -> str:
        """Return the example's own value and the condition it meets."""
        return self.phrase(mask).because(self.name, value)

    def change(self, mask: int) -> str:
        """Return a set of cells as something to have instead."""
        return self.phrase(mask).change(self.name)

    def position_words(self, position: float) -> str:
        """Return a value the way the table writes it."""
        return self.column.position_words(position)


@dataclass(frozen=True)
class LabelledCells:
    """A column known only by the labels of its cells.

    >>> job = LabelledCells(Column("job", ("clerk", "nurse", "other")))
    >>> job.phrase(0b101).condition, job.phrase(0b011).because("job", "clerk"), job.phrase(0b100).change("job")
    ('job is clerk or other', 'job is clerk (clerk or nurse)', 'job other')
    """

    column: Column

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    def phrase(self, mask: int) -> Phrase:
        """Return the labels of the cells."""
        labels = [self.column.cells[cell] for cell in cells_of(mask)]
        return said(self.name, listed(labels, "or"), alternatives=len(labels) > 1, exact=len(labels) == 1)

    def position_words(self, position: float) -> str:
        """Return a number as it prints."""
        return f"{position:g}"


@dataclass(frozen=True)
class FeatureWording:
    """The wording of a Boolean feature: what it says, and what its negation says.

    Parameters
    ----------
    name : str
        What holds in cell "1".
    fails : Phrase, optional
        What holds in cell "0"; ``not name`` if not given.

    Examples
    --------
    >>> FeatureWording("a").because(0b01, "0"), FeatureWording("a").phrase(0b10).condition
    ('not a', 'a')
    """

    name: str
    fails: Phrase | None = field(default=None, kw_only=True)

    def phrase(self, mask: int) -> Phrase:
        """Return the feature or its negation; its values are 0 and 1."""
        if mask == 0b10:
            return Phrase(self.name, "1", "1")
        if self.fails is None:
            return Phrase(f"not {self.name}", "0", "0")
        return Phrase(self.fails.condition, "0", "0", alternatives=self.fails.alternatives)

    def because(self, mask: int, _value: str) -> str:
        """Return the condition, which says the value already, in brackets where it says "or"."""
        phrase = self.phrase(mask)
        return f"({phrase.condition})" if phrase.alternatives else phrase.condition

    def change(self, mask: int) -> str:
        """Return the condition."""
        return self.phrase(mask).condition

    def position_words(self, position: float) -> str:
        """Return a number as it prints."""
        return f"{position:g}"


def default_wordings(space: Space) -> tuple[Wording, ...]:
    """Return feature wording for columns of the two cells "0" and "1", and labels of the cells for all others.

    >>> [w.phrase(1).condition for w in default_wordings(Space.boolean(["a", "b"]))]
    ['not a', 'not b']
    """
    return tuple(
        FeatureWording(column.name) if column.cells == ("0", "1") else TableWording(LabelledCells(column))
        for column in space.columns
    )
