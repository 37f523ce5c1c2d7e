"""The values of columns that are in groups, by number, for folds that group them anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import TableColumn
from idnf.columns.raw import RawColumn, RawTable, stripped
from idnf.columns.value_groups import GroupedColumn, grouped_columns
from idnf.counting.contract import DistinctRows
from idnf.learning.value_folds import GroupedValues, ValueFolds

MOST_EXAMPLES = 50_000
"""Of more examples than this, folds see a random part; the groups that they make are those of all."""


def value_folds(
    columns: Sequence[TableColumn],
    table: RawTable,
    features_of: Callable[[RawTable], NDArray[np.bool_]],
    weights: NDArray[np.float64],
) -> ValueFolds:
    """Return the examples of a table with the values of its grouped columns.

    Parameters
    ----------
    columns : sequence of TableColumn
    table : RawTable
        As it was read.
    features_of : callable
        Returns the features of a table.
    weights : float array of shape (rows, classes)
    """
    rows = np.flatnonzero(weights.any(axis=1))
    starts = np.cumsum([0, *(len(column.literals) for column in columns)]).tolist()
    grouped, codes = [], []
    for place, column in grouped_columns(columns).items():
        places, count = value_places(column, table.columns[column.name])
        sums = np.zeros((count, weights.shape[1]))
        np.add.at(sums, places[rows], weights[rows])
        sizes = np.bincount(places[rows], minlength=count).astype(np.float64)
        grouped.append(GroupedValues(column, starts[place], sizes, sums))
        codes.append(places)
    if len(rows) > MOST_EXAMPLES:
        rows = np.sort(np.random.default_rng(0).permutation(rows)[:MOST_EXAMPLES])
    examples = DistinctRows(features_of(table.at(rows)), weights[rows], complete=False)
    return ValueFolds.of(examples, np.column_stack(codes)[rows], grouped)


def value_places(column: GroupedColumn, raw: RawColumn) -> tuple[NDArray[np.intp], int]:
    """Return the place of each value among those in groups, and how many places there are.

    The last two places are those of missing values and of values in no group.

    >>> from idnf.columns.raw import read_values
    >>> column = GroupedColumn("zip", "seen", groups=(("1",), ("2", "3")), sets=(2,), orders=(1,))
    >>> value_places(column, read_values("zip", ["3", None, "4", "1"]))[0].tolist()
    [2, 3, 4, 0]
    """
    raw = stripped(raw)
    place_of = {value: place for place, value in enumerate(value for values in column.groups for value in values)}
    count = len(place_of)
    places = np.fromiter(map(place_of.get, raw.values.tolist(), repeat(count + 1)), np.intp, len(raw))
    places[raw.missing] = count
    return places, count + 2
