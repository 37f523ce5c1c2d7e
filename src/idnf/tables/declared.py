"""Columns declared by hand, for policies that are written instead of learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real

from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.intervals import NumberColumn
from idnf.columns.phrases import BLANKS
from idnf.tables.binariser import TableBinariser

Declared = Mapping[str, Sequence[float] | Sequence[str] | type[bool]]


def declared_columns(declared: Declared) -> tuple[TableColumn, ...]:
    """Return columns from their cut points, their categories, or ``bool``.

    >>> columns = declared_columns({"age": [30, 45], "job": ["clerk", "nurse"], "member": bool})
    >>> from idnf.columns.column import literal_names
    >>> literal_names(columns)
    ('age <= 30', 'age <= 45', 'job is clerk', 'job is nurse', 'member')
    """
    return tuple(_column(name, given) for name, given in declared.items())


def declared_binariser(columns: Sequence[TableColumn]) -> TableBinariser:
    """Return a binariser of the given columns, as if it had been fitted."""
    binariser = TableBinariser()
    binariser.take(columns, [name for column in columns for name in column.sources])
    return binariser


def _column(name: str, given: Sequence[float] | Sequence[str] | type[bool]) -> TableColumn:
    if isinstance(given, type):
        return BooleanColumn(name, "refused")
    if given and all(isinstance(value, str) for value in given):
        return CategoryColumn(name, "refused", values=tuple(dict.fromkeys(str(value).strip(BLANKS) for value in given)))
    if given and all(isinstance(value, Real) and not isinstance(value, bool) for value in given):
        return NumberColumn(name, "refused", cuts=tuple(sorted({float(value) for value in given})))
    raise ValueError(f"columns[{name!r}] must be a list of cut points, a list of categories, or bool; got {given!r}.")
