"""What a model reads of a user's table: the fields of each column, and the values that it does not take."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.columns.column import TableColumn
from idnf.columns.predicates import Field, to_plain


@dataclass(frozen=True)
class ColumnInput:
    """A column that a model looks at.

    Attributes
    ----------
    name : str
    fields : tuple of Field
        What it reads of the user's table: one field, or several if 0/1 columns were grouped.
    unit : str
        What its numbers are measured in; empty if that is not known.
    refused : tuple of tests
        The values that it does not take, as tests (see ``ReadTable.holds``) of which none may hold.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> DNFClassifier.from_dnf("late").fitted_.inputs[0].fields
    (Field(name='late', kind='truth'),)
    """

    name: str
    fields: tuple[Field, ...]
    unit: str
    refused: tuple[list[object], ...]

    @classmethod
    def of(cls, column: TableColumn) -> ColumnInput:
        """Return what a column reads."""
        refused = tuple(to_plain(refusal.test) for refusal in column.refusals)
        return cls(column.name, column.fields, column.unit, refused)
