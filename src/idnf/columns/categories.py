"""Columns without an order: categories with an "other" cell, and Booleans."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import TableColumn, TableLiteral
from idnf.columns.phrases import listed, name_words, number_words
from idnf.columns.phrases import value_words as category_words
from idnf.columns.raw import Category, RawColumn, read_values
from idnf.logic.boxes import cells_of

HALF = 0.5
"""A number above this is nearer to 1 than to 0."""


@dataclass(frozen=True)
class CategoryColumn(TableColumn):
    """A column of unordered categories: a cell for each frequent value, and one for all others.

    Values that were rare in training and values never seen fall in the "other" cell.

    Parameters
    ----------
    values : tuple
        The frequent values, in their natural order.
    rare : bool
        Whether the "other" cell is a literal of its own, because training rows fell in it.

    Examples
    --------
    >>> colour = CategoryColumn("colour", "seen", values=("blue", "red"), rare=True)
    >>> [literal.name for literal in colour.literals]
    ['colour is blue', 'colour is red', 'colour is neither blue, red nor missing', 'colour is missing']
    >>> colour.words(0b1101), colour.words(0b1010), colour.cells(["red", "mauve", None]).tolist()
    ('colour is not red, or missing', 'colour is red or missing', [1, 2, 3])
    """

    values: tuple[Category, ...] = ()
    rare: bool = False

    @property
    def known_labels(self) -> tuple[str, ...]:
        """The frequent values and "other"."""
        return (*map(category_words, self.values), "other")

    @cached_property
    def literals(self) -> tuple[TableLiteral, ...]:
        """``c is v`` for each frequent value, "other" where training had such, ``c is missing`` likewise."""
        n_named = len(self.values) + self.rare
        named = (TableLiteral(self.words(1 << cell), 1 << cell) for cell in range(n_named))
        return (*named, *self.missing_literals())

    def cells(self, *values: object) -> NDArray[np.intp]:
        """Return the cell of each value; values that are not listed go to the "other" cell."""
        (given,) = values
        text = all(isinstance(value, str) for value in self.values)
        kinds = ("category", "ordered") if text else ("category", "ordered", "number", "boolean")
        raw = self.checked(given, kinds if self.values else (*kinds, "number", "boolean", "date", "datetime"))
        cell_of = {value: cell for cell, value in enumerate(self.values)}
        other = len(self.values)
        cells = np.fromiter((cell_of.get(value, other) for value in raw.values.tolist()), np.intp, len(raw))
        cells[raw.missing] = other + 1
        return cells

    def known_words(self, mask: int, *, or_missing: bool) -> str:
        """Return a set of categories as a list of values, or of exceptions when it takes in "other"."""
        name = name_words(self.name)
        other = 1 << len(self.values)
        if not mask & other:
            named = [category_words(self.values[cell]) for cell in cells_of(mask)]
            return f"{name} is {listed([*named, 'missing'] if or_missing else named, 'or')}"
        excepted = [category_words(self.values[cell]) for cell in cells_of(self.known_mask & ~mask)]
        if self.has_missing_cell and not or_missing:
            excepted.append("missing")
        kept_out = f"not {excepted[0]}" if len(excepted) == 1 else f"neither {listed(excepted, 'nor')}"
        return f"{name} is {kept_out}" + (", or missing" if or_missing else "")

    def written(self, *values: object) -> list[str]:
        """Return categories as they are written, listed or not."""
        (given,) = values
        raw = read_values(self.name, given)
        words = {value: category_words(value) for value in set(raw.known.tolist())}
        pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
        return ["missing" if missing else words[value] for value, missing in pairs]

    def to_dict(self) -> dict[str, object]:
        """Return the column as plain data."""
        plain = {"kind": "category", "name": self.name, "missing": self.missing}
        return {**plain, "values": list(self.values), "rare": self.rare}


@dataclass(frozen=True)
class BooleanColumn(TableColumn):
    """A column of true and false, or of numbers that were all 0 or 1 in training.

    A column of Booleans refuses other values. A column of numbers takes any number, as every column of numbers does: it
    is read as the nearer of 0 and 1, so that a count or a measurement may be larger than it ever was in training. An
    explanation is about the number as it is read, and says so.

    Parameters
    ----------
    digits : bool
        Whether the values are numbers, written 0 and 1, rather than Booleans.

    Examples
    --------
    >>> married = BooleanColumn("married", "seen")
    >>> [literal.name for literal in married.literals]
    ['married', 'married is false', 'married is missing']
    >>> married.words(0b101), married.cells([True, False, None]).tolist()
    ('married is false or missing', [1, 0, 2])
    >>> claims = BooleanColumn("claims", "refused", digits=True)
    >>> claims.words(0b10), claims.cells([0, 1, 3]).tolist(), claims.written([0, 1, 3])
    ('claims is 1', [0, 1, 1], ['0', '1', '3 (read as 1)'])
    """

    digits: bool = False

    @property
    def known_labels(self) -> tuple[str, ...]:
        """False, then true."""
        return ("0", "1") if self.digits else ("false", "true")

    @property
    def ordered(self) -> bool:
        """Whether the known cells follow an order: false comes before true."""
        return True

    @cached_property
    def literals(self) -> tuple[TableLiteral, ...]:
        """The column itself and, where training had missing values, its being false and its being missing."""
        itself = TableLiteral(self.name, 0b10)
        if self.missing != "seen":
            return (itself,)
        return (itself, TableLiteral(self.words(0b01), 0b01), *self.missing_literals())

    def cells(self, *values: object) -> NDArray[np.intp]:
        """Return 0 for false, 1 for true."""
        raw = self._read(*values)
        if not self.digits and raw.kind != "boolean":
            self._refuse_others(raw)
        cells = (raw.values.astype(np.float64) > HALF).astype(np.intp)
        cells[raw.missing] = 2
        return cells

    def written(self, *values: object) -> list[str]:
        """Return true, false or missing; a number other than 0 and 1 as it is written and as it is read."""
        raw = self._read(*values)
        words = super().written(raw)
        if raw.kind == "number":
            for row in np.flatnonzero(~raw.missing & (raw.values != 0) & (raw.values != 1)).tolist():
                words[row] = f"{number_words(float(raw.values[row]))} (read as {words[row]})"
        return words

    def features(self, *values: object) -> NDArray[np.bool_]:
        """Return the truth of each literal on each value."""
        cells = self.cells(*values)
        return np.stack([cells == 1, cells == 0, cells == 2][: len(self.literals)])

    def _read(self, given: object) -> RawColumn:
        return self.checked(given, ("number", "boolean") if self.digits else ("boolean", "number"))

    def _refuse_others(self, raw: RawColumn) -> None:
        wrong = ~raw.missing & (raw.values != 0) & (raw.values != 1)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"column {self.name!r} must be true or false, or 1 or 0, as in training; "
                f"got {raw.values[row]:g} in row {row}."
            )

    def known_words(self, mask: int, *, or_missing: bool) -> str:
        """Return which of the two values the column has."""
        return f"{name_words(self.name)} is {self.known_labels[mask >> 1]}" + (" or missing" if or_missing else "")

    def to_dict(self) -> dict[str, object]:
        """Return the column as plain data."""
        return {"kind": "boolean", "name": self.name, "missing": self.missing, "digits": self.digits}
