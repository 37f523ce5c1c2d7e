"""What the cells of a column mean in the user's table, and how a person would say them.

Every column has finitely many cells, "missing" last where it has that cell. A literal is a set of cells, held as a
bitmask; `words` writes any set of cells as a condition. On a missing value every literal is false except "is missing".
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import name_words
from idnf.columns.raw import KIND_WORDS, RawColumn, read_values
from idnf.logic.boxes import Box, Column, Space, cells_of

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKETED = re.compile(r"\([^()]*\)")

Missing = Literal["refused", "allowed", "seen"]
"""Whether a column takes missing values: no; yes, though training had none; yes, training had some."""


@dataclass(frozen=True)
class TableLiteral:
    """A literal offered by a column: its name and the cells in which it holds."""

    name: str
    mask: int


@dataclass(frozen=True)
class TableColumn(ABC):
    """A column of the user's table.

    Parameters
    ----------
    name : str
    missing : {"refused", "allowed", "seen"}
        Whether the column has a "missing" cell: not at all; because it was asked for; because training values were
        missing, in which case the column also offers the literal "is missing".
    """

    name: str
    missing: Missing

    @property
    @abstractmethod
    def known_labels(self) -> tuple[str, ...]:
        """The labels of the cells of known values, in order."""

    @property
    @abstractmethod
    def literals(self) -> tuple[TableLiteral, ...]:
        """The literals the column offers."""

    @abstractmethod
    def cells(self, *values: object) -> NDArray[np.intp]:
        """Return the cell of each value; a group takes the values of each of its columns."""

    @abstractmethod
    def known_words(self, mask: int, *, or_missing: bool) -> str:
        """Return the words for a set of cells that names some known cells but not all."""

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Return the column as plain data that JSON can hold; `column_from_dict` reads it back."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The columns of the user's table that this column reads."""
        return (self.name,)

    @property
    def ordered(self) -> bool:
        """Whether the known cells follow an order."""
        return False

    @property
    def has_missing_cell(self) -> bool:
        """Whether the last cell stands for a missing value."""
        return self.missing != "refused"

    @property
    def known_mask(self) -> int:
        """The cells of known values."""
        return (1 << len(self.known_labels)) - 1

    @property
    def missing_mask(self) -> int:
        """The missing cell, or nothing."""
        return 1 << len(self.known_labels) if self.has_missing_cell else 0

    @property
    def full(self) -> int:
        """All cells."""
        return self.known_mask | self.missing_mask

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of every cell."""
        return self.known_labels + (("missing",) if self.has_missing_cell else ())

    def words(self, mask: int) -> str:
        """Return how a person would say a set of cells of this column.

        >>> from idnf.columns.intervals import NumberColumn
        >>> age = NumberColumn("age", "seen", cuts=(30.0, 45.0))
        >>> age.words(0b0010), age.words(0b1110), age.words(0b1000), age.words(0b0111)
        ('30 < age <= 45', 'age > 30 or missing', 'age is missing', 'age is not missing')
        """
        if not 0 < mask <= self.full:
            raise ValueError(f"mask must name at least one of {len(self.labels)} cells; got {mask:b}.")
        name = name_words(self.name)
        if mask == self.full:
            return f"{name} is anything"
        if mask == self.missing_mask:
            return f"{name} is missing"
        if mask == self.known_mask:
            return f"{name} is not missing"
        return self.known_words(mask & self.known_mask, or_missing=bool(mask & self.missing_mask))

    def written(self, *values: object) -> list[str]:
        """Return values the way they are written, the label of its cell for each unless the column knows better."""
        labels = self.labels
        return [labels[cell] for cell in self.cells(*values).tolist()]

    def value_words(self, *values: object) -> str:
        """Return one value the way it is written; a group takes the value of each of its columns."""
        return self.written(*([value] for value in values))[0]

    def features(self, *values: object) -> NDArray[np.bool_]:
        """Return the truth of each literal on each value, shape (n_literals, n_values)."""
        held = np.zeros((len(self.literals), len(self.labels)), dtype=bool)
        for row, literal in enumerate(self.literals):
            held[row, list(cells_of(literal.mask))] = True
        return held[:, self.cells(*values)]

    def to_column(self) -> Column:
        """Return the column as the core sees it."""
        return Column(self.name, self.labels, ordered=self.ordered, missing=self.has_missing_cell)

    def checked(self, values: object, kinds: Sequence[str]) -> RawColumn:
        """Read values of this column; refuse other kinds of values, and missing ones where there is no such cell."""
        raw = read_values(self.name, values)
        if raw.kind not in kinds and raw.kind != "empty":
            example = raw.known[0]
            raise ValueError(
                f"column {self.name!r} must hold {KIND_WORDS[kinds[0]]}, as in training; "
                f"got {KIND_WORDS[raw.kind]} ({example!s})."
            )
        if not self.has_missing_cell and raw.missing.any():
            row = int(np.flatnonzero(raw.missing)[0])
            raise ValueError(
                f"column {self.name!r} must have no missing values, as in training; got one in row {row}. "
                "Fit with missing='allow' to accept them."
            )
        return raw

    def missing_literals(self) -> tuple[TableLiteral, ...]:
        """Return the literal "is missing" where training had missing values."""
        if self.missing != "seen":
            return ()
        return (TableLiteral(self.words(self.missing_mask), self.missing_mask),)


def box_words(columns: Sequence[TableColumn], box: Box) -> list[str]:
    """Return a box as conditions, one for each column it constrains.

    >>> from idnf.columns.intervals import NumberColumn
    >>> from idnf.columns.categories import CategoryColumn
    >>> columns = [NumberColumn("age", "refused", cuts=(30.0, 45.0)),
    ...            CategoryColumn("colour", "refused", values=("blue", "green", "red"))]
    >>> box_words(columns, (0b010, 0b0101))
    ['30 < age <= 45', 'colour is blue or red']
    """
    return [column.words(mask) for column, mask in zip(columns, box, strict=True) if mask != column.full]


def conjunction_words(conditions: Sequence[str]) -> str:
    """Return conditions joined by "and", those that say "or" in brackets.

    >>> conjunction_words(["age > 30 or missing", "debt is false", 'job is "this or that"'])
    '(age > 30 or missing) and debt is false and job is "this or that"'
    """
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(f"({words})" if says_or(words) else words for words in conditions)


def says_or(words: str) -> bool:
    """Tell whether a condition says "or" outside quotes and brackets, so that it could be misread beside others.

    >>> says_or("age > 30 or missing"), says_or("age is 40 (over 30 or missing)")
    (True, False)
    """
    return " or " in _BRACKETED.sub("", _QUOTED.sub("", words))


def space_of(columns: Sequence[TableColumn]) -> Space:
    """Return the space of some columns, with one literal entry per Boolean feature in their order."""
    literals = ((j, literal.mask) for j, column in enumerate(columns) for literal in column.literals)
    return Space(tuple(column.to_column() for column in columns), tuple(literals))


def literal_names(columns: Sequence[TableColumn]) -> tuple[str, ...]:
    """Return the names of all literals, each different.

    A Boolean column lends its literal its own name; where that reads like another literal, the condition is written
    out instead.

    >>> from idnf.columns.categories import BooleanColumn
    >>> from idnf.columns.intervals import NumberColumn
    >>> literal_names([NumberColumn("age", "refused", cuts=(30.0,)), BooleanColumn("age <= 30", "refused")])
    ('age <= 30', '"age <= 30" is true')
    """
    offered = [(column, literal) for column in columns for literal in column.literals]
    uses = Counter(literal.name for _, literal in offered)
    return tuple(literal.name if uses[literal.name] == 1 else column.words(literal.mask) for column, literal in offered)
