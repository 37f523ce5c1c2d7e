"""What became of the categories of a table: a line for each column of which not every value has a cell of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idnf.columns.categories import CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.value_groups import GroupedColumn
from idnf.tables.column_check import ColumnDecision

_SHOWN = 3


def category_decisions(
    columns: Sequence[TableColumn], different: Mapping[str, int], examples: Mapping[str, Sequence[object]] | None = None
) -> list[ColumnDecision]:
    """Return what became of categories that have no cell of their own.

    Parameters
    ----------
    columns : sequence of TableColumn
    different : mapping of str to int
        How many values each column of categories has.
    examples : mapping of str to sequence, optional
        Some of the values that count as "other".

    >>> colour = CategoryColumn("colour", "refused", values=("blue", "red"), rare=True)
    >>> print(category_decisions([colour], {"colour": 4}, {"colour": ["mauve", "pink"]})[0].text)
    2 of 4 values are too rare to be named and count together as other: mauve, pink
    >>> print(category_decisions([CategoryColumn("shop", "refused")], {"shop": 90})[0].text)
    90 values, all rare, which tell no more of the label than chance would: not used
    """
    said = {one.name: _line(one, different.get(one.name, 0), (examples or {}).get(one.name, ())) for one in columns}
    return [ColumnDecision(name, "categories", text) for name, text in said.items() if text]


def _line(column: TableColumn, different: int, others: Sequence[object]) -> str:
    if isinstance(column, GroupedColumn):
        count = sum(map(len, column.groups))
        left = f"; {different - count:,} rarer ones count as never seen" if different > count else ""
        return f"{count:,} values in {len(column.groups)} groups, made by the labels of their rows{left}"
    if not isinstance(column, CategoryColumn) or different < 2:
        return ""
    spelled = sum(map(len, column.spellings)) if column.spellings else len(column.values)
    if not column.values:
        return f"{different:,} values, all rare, which tell no more of the label than chance would: not used"
    if spelled >= different:
        return ""
    shown = ", ".join(map(str, others[:_SHOWN])) + (", ..." if len(others) > _SHOWN else "")
    how = f"{different - spelled:,} of {different:,} values are too rare to be named and count together as other"
    return f"{how}: {shown}" if shown else how
