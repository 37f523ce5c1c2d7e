"""Rows of the user's table as audits show them: values at a point, in words, and as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from idnf.columns.column import TableColumn
from idnf.columns.phrases import one_line
from idnf.columns.predicates import Value
from idnf.explaining.wording import label_words


def row_values(columns: tuple[TableColumn, ...], point: tuple[int, ...]) -> dict[str, Value]:
    """Return a row of the user's table at a point, by the names of its columns."""
    row: dict[str, Value] = {}
    for column, cell in zip(columns, point, strict=True):
        row.update(zip(column.sources, column.example(cell), strict=True))
    return row


def row_words(row: Mapping[str, object]) -> str:
    """Return a row in words.

    >>> row_words({"income": 35.0, "late": True, "age": None})
    'income = 35, late = true, age = missing'
    """
    return ", ".join(f"{one_line(name)} = {one_line(_value_words(value))}" for name, value in row.items())


def row_lines(labels: Sequence[object], rows: Sequence[Mapping[str, Value]]) -> list[str]:
    """Return rows in words, a line each, after their classes."""
    return [f"  {label_words(label)}: {row_words(row)}" for label, row in zip(labels, rows, strict=True)]


def _value_words(value: object) -> str:
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def plain_rows(labels: Sequence[object], rows: Sequence[Mapping[str, Value]]) -> list[dict[str, object]]:
    """Return rows with their classes as JSON can hold them: times as they are written."""
    return [
        {"label": label, "row": {name: str(v) if isinstance(v, (date, timedelta)) else v for name, v in row.items()}}
        for label, row in zip(labels, rows, strict=True)
    ]
