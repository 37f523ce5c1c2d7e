"""What the cells of a column mean in the user's table, and how a person would say them.

Every column has finitely many cells, "missing" last if it has that cell. A literal is a set of cells, held as a
bitmask; `test` gives any set of cells as a tree of tests, `phrase` in words. On a missing value every literal is false
except "is missing". To add a kind of column, write one class; CONTRIBUTING says how.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import MISSING, Phrase, brief, name_words, number_words, said, together
from idnf.columns.predicates import (
    ALWAYS,
    FIELD_KINDS,
    Field,
    IsMissing,
    OneOf,
    Predicate,
    Value,
    any_of,
    example,
    field_values,
    holds,
    typed,
)
from idnf.columns.raw import KIND_WORDS, Kind, RawColumn, read_values
from idnf.logic.boxes import Box, Column, Space, cells_of
from idnf.logic.errors import InvalidArgument

Missing = Literal["refused", "counted", "allowed", "seen"]
"""Whether a column takes missing values: no; yes, as the last of the other cells; yes, in a cell of their own, though
training had none; yes, training had some."""

NO_CELL = -1
"""The cell of a value that has none: unreadable, missing although none was in training, or an undeclared category."""


@dataclass(frozen=True)
class TableLiteral:
    """A literal offered by a column: its name and the cells in which it holds."""

    name: str
    mask: int


@dataclass(frozen=True)
class Refusal:
    """Values that a column does not take: a test that holds for them, the rule that they break, and what to do."""

    test: Predicate
    rule: str
    remedy: str = ""


@dataclass(frozen=True)
class RowProblem:
    """A value that has no cell.

    Parameters
    ----------
    row : int
        From 0.
    column : str
        Of the user's table.
    why : str
        As a sentence without its full stop.
    message : str
        For whoever refuses the whole table.
    """

    row: int
    column: str
    why: str
    message: str

    @classmethod
    def at(cls, row: int, column: str, why: str, remedy: str = "") -> RowProblem:
        """Return a problem whose message names the row.

        >>> RowProblem.at(2, "age", "column 'age' must be 18 or more; got 3").message
        "column 'age' must be 18 or more; got 3 in row 3."
        """
        return cls(row, column, why, f"{why} in row {row + 1}.{remedy and ' '}{remedy}")


Checked = TypeVar("Checked")


def without_problems(value: Checked, problems: Sequence[RowProblem]) -> Checked:
    """Return a value; if there are problems, refuse it and name the first."""
    if problems:
        raise ValueError(problems[0].message)
    return value


@dataclass(frozen=True)
class TableColumn(ABC):
    """A column of the user's table.

    Parameters
    ----------
    name : str
    missing : {"refused", "counted", "allowed", "seen"}
        What becomes of a missing value. It is refused; or, training had none, it counts as the cell in which no
        condition such as "at most" or "is" holds; or it has a cell of its own, because that was asked for or because
        training values were missing, in which case the column also offers the literal "is missing".
    """

    name: str
    missing: Missing

    ordered: ClassVar[bool] = False
    """Whether the known cells follow an order."""

    fixed: ClassVar[bool] = False
    """Whether its literals are its fields themselves, so that there was nothing to choose."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """What model files call this kind of column."""

    @property
    @abstractmethod
    def fields(self) -> tuple[Field, ...]:
        """The fields of the user's table that this column reads, and how."""

    @property
    @abstractmethod
    def known_labels(self) -> tuple[str, ...]:
        """The labels of the cells of known values, in order."""

    @property
    @abstractmethod
    def literals(self) -> tuple[TableLiteral, ...]:
        """The literals the column offers."""

    @abstractmethod
    def known_test(self, mask: int) -> Predicate:
        """Return the test for a set of cells of known values, some but not all."""

    @abstractmethod
    def known_phrase(self, mask: int) -> Phrase:
        """Return the words for a set of cells that names some known cells but not all, and perhaps the missing one."""

    @property
    def wide(self) -> tuple[int, ...]:
        """The literals that are intervals between two cuts or sets of categories, as sets of cells."""
        return ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(field.name for field in self.fields)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of values that the column reads, the one it was made for first."""
        return FIELD_KINDS[self.fields[0].kind]

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Values that the column does not take, though they are of its kind."""
        rule = "must have no missing values, as in training"
        remedy = "Fit with TableBinariser(missing='allow') to accept them."
        return () if self.takes_missing else tuple(Refusal(IsMissing(field), rule, remedy) for field in self.fields)

    @property
    def unlisted(self) -> OneOf | None:
        """The test for values that are none of those listed; None if no values are."""
        return None

    def outside(self, _low: float, _high: float) -> Predicate | None:
        """Return the test for values out of a range of positions; None if values have none to compare."""
        return None

    def rounded_up(self, _sets: Sequence[int]) -> str:
        """Return the name if some sets of cells are said in whole numbers, as which other numbers are read."""
        return ""

    @property
    def has_missing_cell(self) -> bool:
        """Whether the last cell stands for a missing value."""
        return self.missing in ("allowed", "seen")

    @property
    def takes_missing(self) -> bool:
        """Whether a missing value has a cell, its own or another one."""
        return self.missing != "refused"

    @property
    def stand_in(self) -> int:
        """The cell that a missing value counts as if it has none of its own: above all cuts, or "other"."""
        return len(self.known_labels) - 1

    @property
    def missing_cell(self) -> int:
        """The cell of a missing value, -1 if it is refused."""
        if self.missing == "counted":
            return self.stand_in
        return len(self.known_labels) if self.has_missing_cell else NO_CELL

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
        return self.known_labels + ((MISSING,) if self.has_missing_cell else ())

    def test(self, mask: int) -> Predicate:
        """Return what a set of cells means as a tree of tests.

        >>> from idnf.columns.intervals import NumberColumn
        >>> NumberColumn("age", "refused", cuts=(30.0, 45.0)).test(0b010)
        Compare(value=Field(name='age', kind='number'), over=30.0, upto=45.0)
        """
        if mask == self.full:
            return ALWAYS
        known = mask & self.known_mask
        parts: list[Predicate] = []
        if known:
            parts = [IsMissing(self.fields[0], negated=True) if known == self.known_mask else self.known_test(known)]
        or_missing = self.takes_missing and mask >> self.missing_cell & 1
        return any_of([*parts, IsMissing(self.fields[0])] if or_missing else parts)

    def phrase(self, mask: int) -> Phrase:
        """Return how a person would say a set of cells of this column."""
        if not 0 < mask <= self.full:
            raise InvalidArgument("mask", f"name at least one of {len(self.labels)} cells", f"{mask:b}")
        name = name_words(self.name)
        if mask == self.full:
            return said(name, "anything")
        if mask == self.missing_mask:
            return said(name, MISSING, exact=True)
        return said(name, f"not {MISSING}") if mask == self.known_mask else self.known_phrase(mask)

    def words(self, mask: int) -> str:
        """Return a set of cells as a condition that stands alone.

        >>> from idnf.columns.intervals import NumberColumn
        >>> age = NumberColumn("age", "seen", cuts=(30.0, 45.0))
        >>> age.words(0b0010), age.words(0b1110), age.words(0b1000), age.words(0b0111)
        ('30 < age <= 45', 'age > 30 or missing', 'age is missing', 'age is not missing')
        """
        return self.phrase(mask).condition

    def read(self, *values: object) -> dict[str, RawColumn]:
        """Return the values of each field as its kind is read; numbers and times have NaN where they are missing."""
        pairs = zip(self.fields, values, strict=True)
        return {field.name: field_values(field, self.checked(given, field.name)) for field, given in pairs}

    def cells(self, *values: object) -> NDArray[np.intp]:
        """Return the cell of each value; a column of several fields takes the values of each. Refuse one without."""
        return without_problems(*self.examined(*values))

    def examined(self, *values: object) -> tuple[NDArray[np.intp], list[RowProblem]]:
        """Return the cell of each value, -1 if there is none, and why there is none.

        >>> from idnf.columns.intervals import NumberColumn
        >>> cells, problems = NumberColumn("age", "refused", cuts=(30.0,)).examined([25, None, 40])
        >>> cells.tolist(), problems[0].why
        ([0, -1, 1], "column 'age' must have no missing values, as in training; got one")
        """
        raws = [read_values(name, given) for name, given in zip(self.sources, values, strict=True)]
        wrong, rows = next(filter(None, map(self._other_kind, raws)), None), len(raws[0])
        if wrong is not None:
            return np.full(rows, NO_CELL), [RowProblem(i, self.sources[0], wrong, f"{wrong}.") for i in range(rows)]
        cells = self.placed(*raws)
        refused = np.flatnonzero(cells == NO_CELL)
        return cells, self._problems(refused, raws) if len(refused) else []

    def placed(self, *raws: RawColumn) -> NDArray[np.intp]:
        """Return the cell of each value, the one whose test holds; -1 if there is none.

        Kinds of columns may override this with something faster.
        """
        read = self.read(*raws)
        cells = np.zeros(len(raws[0]), dtype=np.intp)
        for cell in range(1, len(self.labels)):
            cells[holds(self.test(1 << cell), read)] = cell
        for refusal in self.refusals:
            cells[holds(refusal.test, read)] = NO_CELL
        return cells

    def _problems(self, rows: NDArray[np.intp], raws: Sequence[RawColumn]) -> list[RowProblem]:
        """Return why rows have no cell: the first refusal that holds for each."""
        read = self.read(*(raw.at(rows) for raw in raws))
        refusals = self.refusals
        broken = np.argmax([holds(refusal.test, read) for refusal in refusals], axis=0)
        given = zip(*(raw.values.tolist() for raw in read.values()), strict=True)
        found = []
        for row, refusal, values in zip(rows.tolist(), (refusals[b] for b in broken), given, strict=True):
            name, subject, got = self.broken_by(refusal.test, dict(zip(self.sources, values, strict=True)))
            found.append(RowProblem.at(row, name, f"{subject} {refusal.rule}; got {got}", refusal.remedy))
        return found

    def broken_by(self, test: Predicate, values: Mapping[str, object]) -> tuple[str, str, str]:
        """Return which column of the table breaks a rule, the same as a subject, and what it holds instead."""
        match test:
            case IsMissing(Field(name)):
                return name, f"column {name!r}", "one"
            case OneOf(Field(name)):
                return name, f"column {name!r}", _got(values[name])
            case _:
                return self.name, f"column {self.name!r}", ", ".join(map(_got, values.values()))

    def positions(self, *_values: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]] | None:
        """Return values as numbers that order them, and where they are missing; None for columns that have none."""
        return None

    def position_cell(self, _position: float) -> int | None:
        """Return the cell of a value given as the number that orders it; None for columns that have no such numbers."""
        return None

    def without_rows(self) -> Self:
        """Return the column without values of rows that its cells do not need."""
        return self

    def position_words(self, position: float) -> str:
        """Return a value, given as the number that orders it, the way it is written."""
        return f"{position:g}"

    def proposed_words(self, _cell: int, seen: float, *, upwards: bool) -> str:
        """Return a value to have instead, in a cell where one was seen, for whoever comes from below or from above."""
        del upwards
        return self.position_words(seen)

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

    def example(self, cell: int) -> tuple[Value, ...]:
        """Return values in a cell, one for each field, found by its test.

        >>> from idnf.columns.intervals import NumberColumn
        >>> age = NumberColumn("age", "seen", cuts=(30.0, 45.0))
        >>> [age.example(cell) for cell in range(4)]
        [(30.0,), (45.0,), (46.0,), (None,)]
        """
        values = example(self.test(1 << cell))
        return tuple(values.get(field, typed(field, 0.0)) for field in self.fields)

    @property
    def unit(self) -> str:
        """What values are written with in explanations, such as "€"."""
        return ""

    def with_unit(self, _unit: str) -> TableColumn:
        """Return the column with values said in a unit, if they are numbers."""
        return self

    @property
    def limits(self) -> tuple[float, ...]:
        """The numbers that its cells end with; none if cells do not end with numbers."""
        return ()

    @property
    def takes_cuts(self) -> bool:
        """Whether it can be cut at numbers other than its own."""
        return False

    def can_cut_at(self, _cut: float) -> bool:
        """Return whether the column can be cut at a number."""
        return False

    def cut_at(self, cuts: Collection[float]) -> TableColumn:
        """Return the column cut at some numbers instead of its own."""
        if set(cuts) != set(self.limits):
            raise InvalidArgument(
                f"cuts of column {self.name!r}", "be left out, since its cells are fixed", sorted(cuts)
            )
        return self

    def with_all_literals(self) -> TableColumn:
        """Return the column with a literal for every cell that a condition may single out."""
        return replace(self, missing="seen") if self.has_missing_cell else self

    def portable(self) -> dict[str, object]:
        """Return, as plain data, what programs elsewhere need beside the tests and the words.

        ``own`` is what the values of each known cell are called, or None if a value is written as its field is.
        ``order``, if there, is what orders values: ``"value"`` for their own order, or a list of them. ``choices``, if
        there, are pairs of a label and a value for each field, for a form.
        """
        return {"own": list(self.known_labels)}

    def listed(self) -> dict[str, object] | None:
        """Return, as plain data, how sets of cells are said by lists of labels; None if they are said otherwise."""
        return None

    def remark(self, _different: int) -> str:
        """Return what became of values without a cell of their own, given how many values there are; or nothing."""
        return ""

    def to_column(self) -> Column:
        """Return the column as the core sees it."""
        return Column(self.name, self.labels, ordered=self.ordered, missing=self.has_missing_cell)

    def checked(self, values: object, name: str | None = None) -> RawColumn:
        """Read values of a field; refuse other kinds of values."""
        raw = read_values(self.name if name is None else name, values)
        wrong = self._other_kind(raw)
        if wrong is not None:
            raise ValueError(f"{wrong}.")
        return raw

    def _other_kind(self, raw: RawColumn) -> str | None:
        """Return that values are of another kind than in training; None if they are not."""
        if raw.kind in self.kinds or raw.kind == "empty":
            return None
        expected, got = KIND_WORDS[self.kinds[0]], KIND_WORDS[raw.kind]
        return f"column {raw.name!r} must hold {expected}, as in training; got {got} ({str(raw.known[0])[:80]})"

    def missing_literals(self) -> tuple[TableLiteral, ...]:
        """Return the literal "is missing" if training had missing values."""
        if self.missing != "seen":
            return ()
        return (TableLiteral(self.words(self.missing_mask), self.missing_mask),)


def _got(value: object) -> str:
    return number_words(value) if isinstance(value, float) else brief(value)


def box_phrases(columns: Sequence[TableColumn], box: Box) -> list[Phrase]:
    """Return a box as phrases, one for each column it constrains."""
    return [column.phrase(mask) for column, mask in zip(columns, box, strict=True) if mask != column.full]


def box_text(columns: Sequence[TableColumn], box: Box) -> str:
    """Return a box as one condition, "always" if it constrains nothing.

    >>> from idnf.columns.intervals import NumberColumn
    >>> from idnf.columns.categories import BooleanColumn
    >>> columns = [NumberColumn("age", "seen", cuts=(30.0,)), BooleanColumn("debt", "refused")]
    >>> box_text(columns, (0b110, 0b01))
    '(age > 30 or missing) and debt is false'
    """
    return together(box_phrases(columns, box)) or "always"


def space_of(columns: Sequence[TableColumn]) -> Space:
    """Return the space of some columns, with one literal entry per Boolean feature in their order."""
    literals = ((j, literal.mask) for j, column in enumerate(columns) for literal in column.literals)
    return Space(tuple(column.to_column() for column in columns), tuple(literals))


def literal_names(columns: Sequence[TableColumn]) -> tuple[str, ...]:
    """Return the names of all literals, each different.

    A Boolean column lends its literal its own name; if that reads like another literal, the condition is written
    out instead.

    >>> from idnf.columns.categories import BooleanColumn
    >>> from idnf.columns.intervals import NumberColumn
    >>> literal_names([NumberColumn("age", "refused", cuts=(30.0,)), BooleanColumn("age <= 30", "refused")])
    ('age <= 30', '"age <= 30" is true')
    """
    offered = [(column, literal) for column in columns for literal in column.literals]
    uses = Counter(literal.name for _, literal in offered)
    return tuple(literal.name if uses[literal.name] == 1 else column.words(literal.mask) for column, literal in offered)
