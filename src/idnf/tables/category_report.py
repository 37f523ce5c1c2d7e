"""What became of the categories of a table: a line for each column of which not every value has a cell of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idnf.columns.categories import CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.value_groups import GroupedColumn
from idnf.tables.column_check import ColumnDecision


def category_decisions(columns: Sequence[TableColumn], different: Mapping[str, int]) -> list[ColumnDecision]:
    """Return what became of categories that have no cell of their own.

    Parameters
    ----------
    columns : sequence of TableColumn
    different : mapping of str to int
        How many values each column of categories has.

    >>> colour = CategoryColumn("colour", "refused", values=("blue", "red"), rare=True)
    >>> print(category_decisions([colour], {"colour": 4})[0].text)
    2 of 4 values have no condition of their own and count together as other
    >>> print(category_decisions([CategoryColumn("shop", "refused")], {"shop": 90})[0].text)
    90 values, all rare, which tell no more of the label than chance would: not used
    """
    said = {column.name: _line(column, different.get(column.name, 0)) for column in columns}
    return [ColumnDecision(name, "categories", text) for name, text in said.items() if text]


def _line(column: TableColumn, different: int) -> str:
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
    return f"{different - spelled:,} of {different:,} values have no condition of their own and count together as other"
