"""Columns at least as fine as those of several models, so that the models can be compared cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from idnf.columns.categories import HALF, BooleanColumn, CategoryColumn
from idnf.columns.column import Missing, TableColumn
from idnf.columns.groups import GroupColumn
from idnf.columns.intervals import IntervalColumn, NumberColumn, OrderedColumn, TimeColumn
from idnf.columns.strict_numbers import StrictNumberColumn


def common_ground(tables: Sequence[Sequence[TableColumn]]) -> tuple[tuple[TableColumn, ...], tuple[str, ...]]:
    """Return columns at least as fine as those of every table, and remarks on what is left out.

    A missing value is on common ground only where every table that has the column takes one.

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
        if len({column.has_missing_cell for column in columns}) > 1
    )
    return tuple(map(_finest, by_name.values())), remarks


def _finest(columns: Sequence[TableColumn]) -> TableColumn:
    first = columns[0]
    missing: Missing = first.missing if all(column.has_missing_cell for column in columns) else "refused"
    if all(isinstance(column, (NumberColumn, BooleanColumn)) for column in columns):
        return _finest_number(columns, missing)
    kinds = {type(column) for column in columns}
    if len(kinds) > 1:
        got = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise ValueError(f"column {first.name!r} must be of one kind in both; got {got}.")
    if isinstance(first, CategoryColumn):
        values = dict.fromkeys(v for column in columns if isinstance(column, CategoryColumn) for v in column.values)
        return replace(first, missing=missing, values=tuple(values), rare=False, pair=False)
    if isinstance(first, OrderedColumn):
        _refuse_differences(columns, [c.values for c in columns if isinstance(c, OrderedColumn)])
        return replace(first, missing=missing, cuts=tuple(map(int, _cuts(columns))))
    if isinstance(first, TimeColumn):
        _refuse_differences(columns, [column.fields[0].kind for column in columns])
        return replace(first, missing=missing, cuts=_cuts(columns), seen=())
    alike = [c.members if isinstance(c, GroupColumn) else replace(c, missing=missing) for c in columns]
    _refuse_differences(columns, alike)
    return first


def _finest_number(columns: Sequence[TableColumn], missing: Missing) -> TableColumn:
    first = columns[0]
    if all(isinstance(column, BooleanColumn) for column in columns):
        return replace(first, missing=missing)
    extra = (HALF,) if any(isinstance(column, BooleanColumn) for column in columns) else ()
    cuts = sorted({*_cuts([c for c in columns if isinstance(c, NumberColumn)]), *extra})
    kind = StrictNumberColumn if any(isinstance(c, StrictNumberColumn) for c in columns) else NumberColumn
    return kind(first.name, missing, cuts=tuple(cuts))


def _cuts(columns: Sequence[TableColumn]) -> tuple[float, ...]:
    return tuple(sorted({cut for c in columns if isinstance(c, IntervalColumn) for cut in c.limits}))


def _refuse_differences(columns: Sequence[TableColumn], said: Sequence[object]) -> None:
    for other in said[1:]:
        if other != said[0]:
            raise ValueError(f"column {columns[0].name!r} must be declared alike in both; got {said[0]} and {other}.")
