"""A value of the user's table for each cell of a column: what a witness is made of."""

from __future__ import annotations

from collections.abc import Mapping

from idnf.columns.column import TableColumn
from idnf.columns.examples import Value


def row_values(columns: tuple[TableColumn, ...], point: tuple[int, ...]) -> dict[str, Value]:
    """Return a row of the user's table at a point, by the names of its columns."""
    row: dict[str, Value] = {}
    for column, cell in zip(columns, point, strict=True):
        row.update(zip(column.sources, column.example(cell), strict=True))
    return row


def row_words(row: Mapping[str, Value]) -> str:
    """Return a row in words.

    >>> row_words({"income": 35.0, "late": True, "age": None})
    'income = 35, late = true, age = missing'
    """
    return ", ".join(f"{name} = {_said(value)}" for name, value in row.items())


def _said(value: Value) -> str:
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def plain_value(value: Value) -> str | float | bool | None:
    """Return a value as JSON can hold it: times as they are written."""
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)
