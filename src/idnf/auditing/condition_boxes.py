"""Conditions over the columns of a table: the cuts and categories they need, and the boxes that they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from idnf.auditing.cell_values import Value, cell_values
from idnf.auditing.conditions import All, ColumnTest, Condition, ConditionError, Not, column_tests
from idnf.auditing.strict_numbers import StrictNumberColumn, just_below
from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import Missing, TableColumn
from idnf.columns.groups import OneHotGroup
from idnf.columns.intervals import NumberColumn, OrderedColumn, TimeColumn
from idnf.columns.phrases import DAY, microseconds_since_epoch, time_value
from idnf.columns.phrases import value_words as category_words
from idnf.logic.boxes import Box, intersection, outermost

_TRUTH = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False, "1.0": True, "0.0": False}


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
    return tuple(_needed(known.get(name) or _guessed(name, tests), tests) for name, tests in by_column.items())


def _guessed(name: str, tests: Sequence[ColumnTest]) -> TableColumn:
    """Return an empty column of the kind the tests speak of."""
    missing: Missing = "allowed" if any(test.operator == "missing" for test in tests) else "refused"
    values = [value for test in tests for value in test.values]
    if values and all(value.lower() in ("true", "false") for value in values):
        return BooleanColumn(name, missing)
    if all(_as_number(value) is not None for value in values):
        return NumberColumn(name, missing)
    if all(test.operator in ("=", "in", "missing") for test in tests):
        return CategoryColumn(name, missing)
    try:
        for value in values:
            time_value(value, "datetime")
    except ValueError as error:
        raise ConditionError(f"column {name!r} must be compared with numbers or dates; got {values}.") from error
    return TimeColumn(name, missing, kind="date")


def _needed(column: TableColumn, tests: Sequence[ColumnTest]) -> TableColumn:
    """Return a column cut so that every test is true on a whole cell or false on it."""
    if any(test.operator == "missing" for test in tests) and not column.has_missing_cell:
        raise ConditionError(f"column {column.name!r} must take missing values for a test of them; it takes none.")
    values = [value for test in tests for value in test.values]
    if isinstance(column, CategoryColumn):
        return replace(column, values=tuple(dict.fromkeys(_category(column, value) for value in values)), rare=False)
    if isinstance(column, NumberColumn):
        cuts = {cut for test in tests for cut in _cuts(test, [_number(column, v) for v in test.values], just_below)}
        return StrictNumberColumn(column.name, column.missing, cuts=tuple(sorted(cuts)))
    if isinstance(column, TimeColumn):
        step = DAY if column.kind == "date" else 1
        cuts = {
            cut
            for test in tests
            for cut in _cuts(test, [_moment(column, v) for v in test.values], lambda moment: moment - step)
        }
        return replace(column, cuts=tuple(sorted(cuts)), seen=())
    if isinstance(column, OrderedColumn):
        return replace(column, cuts=tuple(range(len(column.values) - 1)))
    return column


def _cuts(test: ColumnTest, values: Sequence[float], below: Callable[[float], float]) -> list[float]:
    under = [below(value) for value in values]
    if test.operator in ("<=", ">"):
        return list(values)
    return under if test.operator in ("<", ">=") else [*values, *under]


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
    if isinstance(column, OneHotGroup):
        return _compared(test, column.known_labels[cell], list(test.values))
    value = cell_values(column, cell)[0]
    if isinstance(column, CategoryColumn):
        return _compared(test, value, [_category(column, given) for given in test.values])
    if isinstance(column, OrderedColumn):
        rank = {category_words(value): i for i, value in enumerate(column.values)}
        return _compared(test, rank[category_words(column.values[column.values.index(value)])], _ranks(column, test))
    if isinstance(column, TimeColumn):
        return _compared(test, _position(value), [_moment(column, given) for given in test.values])
    if isinstance(column, BooleanColumn):
        return _compared(test, bool(value), [_truth(column, given) for given in test.values])
    if isinstance(column, NumberColumn):
        return _compared(test, value, [_number(column, given) for given in test.values])
    raise ConditionError(f"conditions must be about single columns; got the ordered group {column.name!r}.")


def _compared(test: ColumnTest, value: object, given: Sequence[object]) -> bool:
    if test.operator in ("=", "in"):
        return value in given
    if isinstance(value, str):
        raise ConditionError(f"column {test.column!r} has no order; it must be compared with =; got {test.operator}.")
    (other,) = given
    if test.operator in ("<", "<="):
        return value < other or (test.operator == "<=" and value == other)  # type: ignore[operator]
    return value > other or (test.operator == ">=" and value == other)  # type: ignore[operator]


def _ranks(column: OrderedColumn, test: ColumnTest) -> list[int]:
    names = [category_words(value) for value in column.values]
    for given in test.values:
        if given not in names:
            raise ConditionError(f"column {column.name!r} must be one of {', '.join(names)}; got {given!r}.")
    return [names.index(given) for given in test.values]


def _category(column: CategoryColumn, given: str) -> str | float | bool:
    """Return a value as the column holds it: as one of its own where it is written alike."""
    known = next((value for value in column.values if given in (value, category_words(value))), None)
    if known is not None:
        return known
    number = _as_number(given)
    is_text = not column.values or any(isinstance(value, str) for value in column.values)
    return given if is_text or number is None else number


def _as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _number(column: TableColumn, text: str) -> float:
    number = _as_number(text)
    if number is None:
        raise ConditionError(f"column {column.name!r} must be compared with numbers; got {text!r}.")
    return number


def _truth(column: TableColumn, text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise ConditionError(f"column {column.name!r} must be compared with true or false; got {text!r}.")
    return _TRUTH[text.lower()]


def _moment(column: TimeColumn, text: str) -> float:
    moment = time_value(text, column.kind)
    return math.floor(moment / DAY) * DAY if column.kind == "date" else moment


def _position(value: Value) -> float:
    if isinstance(value, timedelta):
        return float(value // timedelta(microseconds=1))
    assert isinstance(value, date), "a cell of a column of times holds times"
    return microseconds_since_epoch(value if isinstance(value, datetime) else datetime(*value.timetuple()[:3]))
