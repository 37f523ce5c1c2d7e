"""Conditions over the columns of a table: the cuts and categories they need, and the boxes that they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from idnf.auditing.conditions import All, ColumnTest, Condition, ConditionError, Not, column_tests
from idnf.columns.column import TableColumn
from idnf.columns.stated import guessed_column, is_met, refined
from idnf.logic.boxes import Box, intersection, outermost


def columns_needed(conditions: Iterable[Condition], known: Mapping[str, TableColumn]) -> tuple[TableColumn, ...]:
    """Return the columns that conditions name, with the cuts and categories they need.

    Parameters
    ----------
    conditions : iterable of Condition
    known : mapping of str to TableColumn
        The columns of the table by name; what a column must be is guessed from its tests where it is empty.

    Examples
    --------
    >>> from idnf.auditing.conditions import parse_condition
    >>> [column.labels for column in columns_needed([parse_condition("age < 30 or job is nurse")], {})]
    [('<= 29.999999999999996', '> 29.999999999999996'), ('nurse', 'other')]
    """
    by_column: dict[str, list[ColumnTest]] = {}
    for condition in conditions:
        for test in column_tests(condition):
            by_column.setdefault(test.column, []).append(test)
    unknown = [name for name in by_column if known and name not in known]
    if unknown:
        raise ConditionError(f"conditions must name columns of the model ({', '.join(known)}); got {unknown[0]!r}.")
    _refuse_ambiguous(by_column, {*known, *by_column})
    return tuple(_needed(name, known.get(name), tests) for name, tests in by_column.items())


def _refuse_ambiguous(by_column: Mapping[str, Sequence[ColumnTest]], names: Collection[str]) -> None:
    """Refuse ``job is clerk or late`` where late is a column: it could be one more job."""
    for test in (test for tests in by_column.values() for test in tests):
        for value in test.loose:
            if value in names:
                one = f"{test.column} is {test.values[0]}"
                raise ConditionError(
                    f"'{one} or {value}' must not name a column as a value; {value!r} is one. "
                    f"Write '{value} is true or {one}', or quote the value."
                )


def _needed(name: str, column: TableColumn | None, tests: Sequence[ColumnTest]) -> TableColumn:
    """Return a column cut so that every test is true on a whole cell or false on it."""
    stated = [(test.operator, test.values) for test in tests]
    try:
        column = column or guessed_column(name, stated)
        if any(test.operator == "missing" for test in tests) and not column.has_missing_cell:
            raise ConditionError(f"column {column.name!r} must take missing values for a test of them; it takes none.")
        return refined(column, stated)
    except ValueError as error:
        raise ConditionError(str(error)) from error


def condition_boxes(condition: Condition, columns: Sequence[TableColumn], *, holds: bool = True) -> list[Box]:
    """Return boxes that together are a condition, or its negation.

    Every test must be true on a whole cell or false on it, as on columns that `columns_needed` gave or finer ones.

    >>> from idnf.auditing.conditions import parse_condition
    >>> condition = parse_condition("age <= 30 and job is nurse")
    >>> condition_boxes(condition, columns_needed([condition], {}))
    [(1, 1)]
    """
    if isinstance(condition, Not):
        return condition_boxes(condition.part, columns, holds=not holds)
    if isinstance(condition, ColumnTest):
        return _test_boxes(condition, columns, holds)
    parts = [condition_boxes(part, columns, holds=holds) for part in condition.parts]
    if isinstance(condition, All) == holds:
        boxes = [tuple(column.full for column in columns)]
        for part in parts:
            met = (intersection(a, b) for a in boxes for b in part)
            boxes = outermost(list(dict.fromkeys(box for box in met if box is not None)))
        return boxes
    return outermost(list(dict.fromkeys(box for part in parts for box in part)))


def _test_boxes(test: ColumnTest, columns: Sequence[TableColumn], holds: bool) -> list[Box]:
    place = next(j for j, column in enumerate(columns) if column.name == test.column)
    column = columns[place]
    mask = sum(1 << cell for cell in range(len(column.labels)) if _is_met(test, column, cell))
    if not holds:
        mask = column.full & ~mask
    return [tuple(mask if j == place else other.full for j, other in enumerate(columns))] if mask else []


def _is_met(test: ColumnTest, column: TableColumn, cell: int) -> bool:
    is_missing = column.has_missing_cell and cell == len(column.known_labels)
    if test.operator == "missing" or is_missing:
        return is_missing and test.operator == "missing"
    try:
        return is_met(column, cell, test.operator, test.values)
    except ValueError as error:
        raise ConditionError(str(error)) from error
