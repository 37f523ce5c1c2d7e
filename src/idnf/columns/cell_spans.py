"""What numbers the cells of ordered columns hold."""

from __future__ import annotations

from math import inf

from idnf.columns.column import TableColumn
from idnf.columns.intervals import IntervalColumn, NumberColumn


def cell_span(column: TableColumn, cell: int) -> tuple[float, float] | None:
    """Return what the numbers of a cell are above, and what they are at most; None for missing values, or categories.

    >>> from idnf.columns.intervals import NumberColumn
    >>> cell_span(NumberColumn("age", "refused", cuts=(30.0, 45.0)), 1)
    (30.0, 45.0)
    """
    if not isinstance(column, IntervalColumn) or cell >= len(column.known_labels):
        return None
    return (-inf, *column.limits)[cell], (*column.limits, inf)[cell]


def holds_numbers(column: TableColumn) -> bool:
    """Return whether a column holds numbers, and not dates or categories.

    >>> holds_numbers(NumberColumn("age", "refused"))
    True
    """
    return isinstance(column, NumberColumn)
