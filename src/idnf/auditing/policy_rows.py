"""Rows that show what rules do: a value for each column, whole numbers where a cell has one, sums that come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import ceil, floor, isfinite

from idnf.auditing.derived_columns import Derivation
from idnf.auditing.example_rows import row_values
from idnf.columns.cell_spans import cell_span, holds_numbers
from idnf.columns.column import TableColumn
from idnf.columns.predicates import Value
from idnf.logic.boxes import Box, Point


def policy_row(columns: tuple[TableColumn, ...], domain: Box, point: Point) -> dict[str, Value]:
    """Return a row at a point, with the values of derived columns worked out where that can be done.

    >>> from idnf.columns.intervals import NumberColumn
    >>> from idnf.columns.refinement import refined
    >>> age = refined(NumberColumn("age", "refused"), [("<", ["18"])])
    >>> policy_row((age,), (3,), (0,)), policy_row((age,), (3,), (1,))
    ({'age': 17.0}, {'age': 18.0})
    """
    cells = tuple(_allowed_cell(column, mask, cell) for column, mask, cell in zip(columns, domain, point, strict=True))
    row = row_values(columns, cells)
    places = {column.name: j for j, column in enumerate(columns)}
    for name, j in places.items():
        if holds_numbers(columns[j]) and row[name] is not None:
            row[name] = next(_values(columns[j], cells[j]))
    for name, j in places.items():
        made = Derivation.of(name)
        if made is not None and all(part in places for part in made.parts):
            row.update(_sum(columns, cells, places, made, j))
    return row


def _allowed_cell(column: TableColumn, allowed: int, cell: int) -> int:
    """Return a cell, or the nearest that is allowed: no value tells them apart."""
    if allowed >> cell & 1 or cell >= len(column.known_labels):
        return cell
    known = [other for other in range(len(column.known_labels)) if allowed >> other & 1]
    below = [other for other in known if other < cell]
    return (below[-1] if below else known[0]) if column.ordered else known[-1]


def _values(column: TableColumn, cell: int) -> Iterator[float]:
    """Yield numbers of a cell, those that read best first."""
    span = cell_span(column, cell)
    assert span is not None, "cells of numbers that are not missing are asked for"
    low, high = span
    whole = floor(low) + 1 if isfinite(low) else None
    if isfinite(high) and high.is_integer():
        yield high
    if whole is not None and whole <= high:
        yield float(whole)
    if isfinite(high) and floor(high) > low:
        yield float(floor(high))
    if isfinite(low) and isfinite(high):
        yield from (low + (high - low) * part for part in (0.5, 0.25, 0.75))
        yield high
    if isfinite(low) and isfinite(high):
        return
    start, sign = (float(floor(low)), 1) if isfinite(low) else (float(ceil(high)), -1) if isfinite(high) else (0.0, 1)
    steps = (start + sign * step for step in (0, 1, 10, 100, 1_000, 10_000))
    yield from (value for value in steps if low < value <= high)


def _sum(
    columns: Sequence[TableColumn], cells: Point, places: Mapping[str, int], made: Derivation, j: int
) -> dict[str, Value]:
    """Return values of two columns whose result lies in the cell of a third, and the result; nothing if none is met."""
    parts = [places[part] for part in made.parts]
    if not all(holds_numbers(columns[i]) and cell_span(columns[i], cells[i]) is not None for i in (*parts, j)):
        return {}
    for left, right in product(*(list(_values(columns[i], cells[i])) for i in parts)):
        low, high = made.span((left, left), (right, right))
        if low == high and columns[j].cells([low]).tolist() == [cells[j]]:
            return {made.left: left, made.right: right, made.name: low}
    return {}
