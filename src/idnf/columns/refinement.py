"""Columns made finer: as rules need them, which state constants as text, and as fine as those of several models."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from idnf.columns.categories import HALF, BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import Missing, TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup
from idnf.columns.intervals import IntervalColumn, NumberColumn, StrictNumberColumn, TimeColumn, just_below
from idnf.columns.phrases import DAY, time_value
from idnf.columns.phrases import value_words as category_words
from idnf.columns.raw import Category
from idnf.columns.value_groups import GroupedColumn
from idnf.logic.errors import InvalidArgument

Stated = tuple[str, Sequence[str]]
"""A comparison: ``<= < >= > =``, "in" or "missing", and the constants as they are written."""

_TRUTH = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False, "1.0": True, "0.0": False}


def common_ground(tables: Sequence[Sequence[TableColumn]]) -> tuple[tuple[TableColumn, ...], tuple[str, ...]]:
    """Return columns at least as fine as those of every table, and remarks on what is left out.

    A missing value is on common ground only if every table that has the column takes one.

    >>> one, two = (NumberColumn("age", "refused", cuts=(cut,)) for cut in (30.0, 45.0))
    >>> [column.labels for column in common_ground([[one], [two]])[0]]
    [('<= 30', '(30, 45]', '> 45')]
    """
    by_name: dict[str, list[TableColumn]] = {}
    for table in tables:
        for column in table:
            by_name.setdefault(column.name, []).append(column)
    remarks = tuple(
        f"missing values of {name} are left out: not every model takes them"
        for name, columns in by_name.items()
        if any(column.takes_missing for column in columns) and _common_missing(columns) == "refused"
    )
    return tuple(map(_finest, by_name.values())), remarks


def _finest(columns: Sequence[TableColumn]) -> TableColumn:
    first = columns[0]
    missing = _common_missing(columns)
    if all(isinstance(column, (NumberColumn, BooleanColumn)) for column in columns):
        return _finest_number(columns, missing)
    if any(isinstance(column, GroupedColumn) for column in columns) and all(
        isinstance(column, (GroupedColumn, CategoryColumn)) for column in columns
    ):
        return _finest_groups(first.name, list(map(_listed_values, columns)), missing)
    kinds = {type(column) for column in columns}
    if len(kinds) > 1:
        got = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise InvalidArgument(f"column {first.name!r}", "be of one kind in both", got)
    if isinstance(first, CategoryColumn):
        values = dict.fromkeys(v for column in columns if isinstance(column, CategoryColumn) for v in column.values)
        return replace(first, missing=missing, values=tuple(values), rare=False, pair=False, accepted=(), spellings=())
    if isinstance(first, OrderedColumn):
        _refuse_differences(columns, [c.values for c in columns if isinstance(c, OrderedColumn)])
        return replace(first, missing=missing, cuts=tuple(map(int, _common_cuts(columns))))
    if isinstance(first, TimeColumn):
        _refuse_differences(columns, [column.fields[0].kind for column in columns])
        return replace(first, missing=missing, cuts=_common_cuts(columns), seen=())
    alike = [c.members if isinstance(c, GroupColumn) else replace(c, missing=missing) for c in columns]
    _refuse_differences(columns, alike)
    return first


def _listed_values(column: TableColumn) -> list[tuple[Category, ...]]:
    """Return the values of each cell of a column of categories, without the cell of all others."""
    if isinstance(column, GroupedColumn):
        return list(column.groups)
    assert isinstance(column, CategoryColumn), "values are those of categories"
    return list(column.spellings) or [(value,) for value in column.values]


def _finest_groups(name: str, listed: Sequence[Sequence[Sequence[Category]]], missing: Missing) -> GroupedColumn:
    """Return the groups of values that several lists of groups distinguish; a value may be in no group of a list.

    >>> _finest_groups("shop", [[("a", "b"), ("c",)], [("b", "c", "d")]], "refused").groups
    (('a',), ('b',), ('c',), ('d',))
    """
    places = [{value: cell for cell, values in enumerate(groups) for value in values} for groups in listed]
    alike: dict[tuple[int, ...], list[Category]] = {}
    for value in dict.fromkeys(value for groups in listed for values in groups for value in values):
        alike.setdefault(tuple(place.get(value, -1) for place in places), []).append(value)
    return GroupedColumn(name, missing, tuple(tuple(sorted(values)) for values in alike.values()))


def _common_missing(columns: Sequence[TableColumn]) -> Missing:
    """Return what becomes of a missing value in several columns: it is refused if they do not agree."""
    if all(column.has_missing_cell for column in columns):
        return columns[0].missing
    kinds = {NumberColumn if isinstance(column, NumberColumn) else type(column) for column in columns}
    counted = all(column.missing == "counted" for column in columns) and len(kinds) == 1
    return "counted" if counted else "refused"


def _finest_number(columns: Sequence[TableColumn], missing: Missing) -> TableColumn:
    first = columns[0]
    if all(isinstance(column, BooleanColumn) for column in columns):
        return replace(first, missing=missing)
    extra = (HALF,) if any(isinstance(column, BooleanColumn) for column in columns) else ()
    cuts = sorted({*_common_cuts([c for c in columns if isinstance(c, NumberColumn)]), *extra})
    kind = StrictNumberColumn if any(isinstance(c, StrictNumberColumn) for c in columns) else NumberColumn
    return kind(first.name, missing, cuts=tuple(cuts))


def _common_cuts(columns: Sequence[TableColumn]) -> tuple[float, ...]:
    return tuple(sorted({cut for c in columns if isinstance(c, IntervalColumn) for cut in c.limits}))


def _refuse_differences(columns: Sequence[TableColumn], said: Sequence[object]) -> None:
    for other in said[1:]:
        if other != said[0]:
            raise InvalidArgument(
                f"column {columns[0].name!r}", "be declared the same way in both", f"{said[0]} and {other}"
            )


def guessed_column(name: str, stated: Sequence[Stated]) -> TableColumn:
    """Return an empty column of the kind that some comparisons need.

    >>> type(guessed_column("age", [("<=", ["30"])])).__name__, type(guessed_column("job", [("=", ["nurse"])])).__name__
    ('NumberColumn', 'CategoryColumn')
    """
    missing: Missing = "allowed" if any(operator == "missing" for operator, _ in stated) else "refused"
    texts = [text for _, constants in stated for text in constants]
    if texts and all(text.lower() in ("true", "false") for text in texts):
        return BooleanColumn(name, missing)
    if all(_as_number(text) is not None for text in texts):
        return NumberColumn(name, missing)
    if all(operator in ("=", "in", "missing") for operator, _ in stated):
        return CategoryColumn(name, missing)
    try:
        for text in texts:
            time_value(text, "datetime")
    except ValueError as error:
        raise InvalidArgument(f"column {name!r}", "be compared with numbers or dates", texts) from error
    return TimeColumn(name, missing, kind="date")


def refined(column: TableColumn, stated: Sequence[Stated]) -> TableColumn:
    """Return a column cut so that every comparison is true on a whole cell or false on it.

    >>> refined(NumberColumn("age", "refused"), [("<=", ["30"]), (">", ["45"])]).labels
    ('<= 30', '(30, 45]', '> 45')
    """
    if isinstance(column, CategoryColumn):
        values = dict.fromkeys(_category(column, text) for _, constants in stated for text in constants)
        return replace(column, values=tuple(values), rare=False, pair=False, accepted=(), spellings=())
    if isinstance(column, GroupedColumn):
        sets = [[tuple(_category(column, text) for text in constants)] for _, constants in stated if constants]
        return _finest_groups(column.name, [column.groups, *sets], column.missing)
    if isinstance(column, NumberColumn):
        return StrictNumberColumn(column.name, column.missing, cuts=_cuts(column, stated, just_below))
    if isinstance(column, TimeColumn):
        step = DAY if column.kind == "date" else 1
        return replace(column, cuts=_cuts(column, stated, lambda moment: moment - step), seen=())
    if isinstance(column, OrderedColumn):
        return replace(column, cuts=tuple(range(len(column.values) - 1)))
    return column


def _cuts(column: TableColumn, stated: Sequence[Stated], below: Callable[[float], float]) -> tuple[float, ...]:
    cuts: set[float] = set()
    for operator, constants in stated:
        values = [float(str(_constant(column, text))) for text in constants]
        cuts.update(values if operator not in ("<", ">=") else ())
        cuts.update(map(below, values) if operator not in ("<=", ">") else ())
    return tuple(sorted(cuts))


def is_met(column: TableColumn, cell: int, operator: str, constants: Sequence[str]) -> bool:
    """Return whether the values of a cell of known values meet a comparison.

    >>> [is_met(NumberColumn("age", "refused", cuts=(30.0,)), cell, "<=", ["30"]) for cell in (0, 1)]
    [True, False]
    """
    value, others = _comparable(column, cell), [_constant(column, text) for text in constants]
    if operator in ("=", "in"):
        return value in others
    if isinstance(value, str):
        raise ValueError(f"column {column.name!r} has no order; it must be compared with =; got {operator}.")
    number, other = float(value), float(others[0])
    return {"<": number < other, "<=": number <= other, ">": number > other, ">=": number >= other}[operator]


def _comparable(column: TableColumn, cell: int) -> Category:
    """Return what represents the values of a cell in comparisons."""
    if isinstance(column, OneHotGroup):
        return column.known_labels[cell]
    if isinstance(column, BooleanColumn):
        return bool(cell)
    (value,) = column.example(cell)
    if isinstance(column, IntervalColumn):
        return float(column.positions([value])[0][0])
    if isinstance(column, (CategoryColumn, GroupedColumn)) and isinstance(value, (str, int, float)):
        return value
    raise InvalidArgument("conditions", "be about single columns whose values are compared", f"{column.name!r}")


def _constant(column: TableColumn, text: str) -> Category:
    """Return a constant as what stands for the values of a cell is compared with it."""
    if isinstance(column, OneHotGroup):
        return text
    if isinstance(column, (CategoryColumn, GroupedColumn)):
        return _category(column, text)
    if isinstance(column, OrderedColumn):
        names = [category_words(value) for value in column.values]
        if text not in names:
            raise InvalidArgument(f"column {column.name!r}", f"be one of {', '.join(names)}", f"{text!r}")
        return float(names.index(text))
    if isinstance(column, TimeColumn):
        moment = time_value(text, column.kind)
        return math.floor(moment / DAY) * DAY if column.kind == "date" else moment
    if isinstance(column, BooleanColumn):
        if text.lower() not in _TRUTH:
            raise InvalidArgument(f"column {column.name!r}", "be compared with true or false", f"{text!r}")
        return _TRUTH[text.lower()]
    number = _as_number(text)
    if number is None:
        raise InvalidArgument(f"column {column.name!r}", "be compared with numbers", f"{text!r}")
    return number


def _category(column: CategoryColumn | GroupedColumn, text: str) -> Category:
    """Return a value as the column holds it: as one of its own if it is written alike."""
    own = [value for values in _listed_values(column) for value in values]
    known = next((value for value in own if text in (value, category_words(value))), None)
    if known is not None:
        return known
    number = _as_number(text)
    is_text = not own or any(isinstance(value, str) for value in own)
    return text if is_text or number is None else number


def _as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
