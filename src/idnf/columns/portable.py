"""Columns for programs in other languages: tests and words as plain data, the same for every kind of column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from functools import reduce
from operator import or_

from idnf.columns.categories import ListedColumn
from idnf.columns.column import TableColumn
from idnf.columns.phrases import name_words
from idnf.columns.predicates import IsMissing, to_plain
from idnf.logic.boxes import Column, cells_of

MOST_PHRASES = 4096
"""The most sets of cells of an unordered column that are worded one by one."""


def portable_column(column: TableColumn, merged: Sequence[int]) -> dict[str, object]:
    """Return how the values of a column are read: a value lies in the first cell whose test holds.

    Parameters
    ----------
    column : TableColumn
    merged : sequence of int
        The number of each cell among those that a model tells apart.

    >>> from idnf.columns.intervals import NumberColumn
    >>> portable_column(NumberColumn("age", "refused", cuts=(30.0,)), (0, 1))["tests"]
    [['compare', ['age'], None, 30.0], ['compare', ['age'], 30.0, None]]
    """
    # Programs refuse missing values as they read them.
    refusals = [r for r in column.refusals if not isinstance(r.test, IsMissing)]
    return {
        "name": column.name,
        "fields": [[field.name, "text" if field.kind == "verbatim" else field.kind] for field in column.fields],
        "stripped": column.fields[0].kind == "text",
        "missing": column.has_missing_cell,
        "takes missing": column.takes_missing,
        "ordered": column.ordered,
        "merged": list(merged),
        "tests": [to_plain(column.test(1 << cell)) for cell in range(len(column.labels))],
        "refusals": [[to_plain(refusal.test), refusal.rule] for refusal in refusals],
        **column.portable(),
    }


def portable_words(column: TableColumn, merged: Column, members: Sequence[int]) -> dict[str, object]:
    """Return how sets of merged cells are said: as lists of labels, or each of them in words.

    Parameters
    ----------
    column : TableColumn
    merged : Column
        The cells that a model tells apart.
    members : sequence of int
        The cells of the column in each of those.
    """
    if isinstance(column, ListedColumn):
        kinds = {"rest": column.rest, "pair": column.had_two, "both": column.says_both}
        return {"name": name_words(column.name), "labels": column.listing_labels, **kinds}
    said = {}
    for mask in _intervals(merged) if merged.ordered else _sets(merged):
        said[str(mask)] = list(astuple(column.phrase(reduce(or_, (members[cell] for cell in cells_of(mask))))))
    return {"said": said}


def _sets(column: Column) -> range:
    if column.full > MOST_PHRASES:
        raise ValueError(
            f"column {column.name!r} must have few cells to be written elsewhere, or be ordered, or be said by a list "
            f"of labels; got {column.size} cells that the model tells apart."
        )
    return range(1, column.full)


def _intervals(column: Column) -> Iterator[int]:
    missing = 1 << column.size - 1 if column.missing else 0
    known = column.size - column.missing
    for low in range(known):
        for high in range(low, known):
            run = (1 << high + 1) - (1 << low)
            if run != column.full:
                yield run
            if missing and run | missing != column.full:
                yield run | missing
    if missing:
        yield missing
