"""A value of the user's table for each cell of a column: what a witness is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, timedelta

from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup
from idnf.columns.intervals import IntervalColumn, OrderedColumn, TimeColumn
from idnf.columns.phrases import EPOCH

Value = str | float | bool | date | datetime | timedelta | None


def cell_values(column: TableColumn, cell: int) -> tuple[Value, ...]:
    """Return values in a cell, one for each column of the table that the column reads.

    >>> from idnf.columns.intervals import NumberColumn
    >>> age = NumberColumn("age", "seen", cuts=(30.0, 45.0))
    >>> [cell_values(age, cell) for cell in range(4)]
    [(30.0,), (45.0,), (46.0,), (None,)]
    """
    if column.has_missing_cell and cell == len(column.known_labels):
        return (None,) * len(column.sources)
    if isinstance(column, IntervalColumn):
        return (_interval_value(column, cell),)
    if isinstance(column, CategoryColumn):
        return (column.values[cell] if cell < len(column.values) else _unlisted(column),)
    if isinstance(column, BooleanColumn):
        return (float(cell) if column.digits else bool(cell),)
    assert isinstance(column, GroupColumn), "there are no other kinds of columns"
    if isinstance(column, OneHotGroup):
        return tuple(int(i == cell) for i in range(len(column.members)))
    return tuple(int(i >= cell) for i in range(len(column.members)))


def _interval_value(column: IntervalColumn, cell: int) -> Value:
    if isinstance(column, OrderedColumn):
        return column.values[column.cuts[cell] if cell < len(column.cuts) else -1]
    limits = column.limits
    if not limits:
        position = 0.0
    elif cell < len(limits):
        position = limits[cell]
    else:
        position = max(limits[-1] + 1, math.nextafter(limits[-1], math.inf))
    return _moment(column, position, cell) if isinstance(column, TimeColumn) else position


def _moment(column: TimeColumn, position: float, cell: int) -> Value:
    if column.kind == "duration":
        return timedelta(microseconds=position)
    moment = EPOCH + timedelta(microseconds=position)
    if column.kind != "date":
        return moment
    return moment.date() + timedelta(days=int(cell == len(column.cuts) > 0))


def _unlisted(column: CategoryColumn) -> str:
    """Return a value that is not listed, which is what falls in the cell "other"."""
    names = (f"other{mark}" for mark in ("", *range(2, len(column.values) + 3)))
    return next(name for name in names if name not in column.values)


def row_values(columns: tuple[TableColumn, ...], point: tuple[int, ...]) -> dict[str, Value]:
    """Return a row of the user's table at a point, by the names of its columns."""
    row: dict[str, Value] = {}
    for column, cell in zip(columns, point, strict=True):
        row.update(zip(column.sources, cell_values(column, cell), strict=True))
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
