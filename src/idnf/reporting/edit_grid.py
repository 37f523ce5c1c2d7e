"""The grid of the page's editor: columns cut finely, and which rows lie in the same cells of all of them.

Rows travel as numbers of cells, rows that are alike once with their counts by label, in the order of their cells: no
identifier and no raw value is written. A column has the model's own cuts and, up to 64 cells, cuts between quantiles of
the rows; categories are cut as the model has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.fitted import Fitted
from idnf.columns.column import NO_CELL, TableColumn
from idnf.columns.eager_frames import as_frame
from idnf.columns.raw import RawTable
from idnf.logic.errors import InvalidArgument
from idnf.tables.cuts import CountedValues, common_unit, quantile_positions, readable_number, readable_time

MOST_CELLS = 64
"""The most cells of known values of a column."""

MOST_ROWS = 20_000
"""The most different rows that travel."""

MOST_COLUMNS = 40
"""The most columns that travel, unless the model looks at more."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Rows of a table on fine columns, each different one once.

    Attributes
    ----------
    columns : tuple of TableColumn
        The columns that the model looks at and others that may be used, in the model's order.
    left_out : tuple of str
        Columns of the model that are not carried.
    cells : uint8 array of shape (n_columns, n_distinct)
    counts : uint32 array of shape (n_classes, n_distinct)
        How many rows of each class are alike.
    groups : uint8 array of shape (n_distinct,) or None
        The subgroup of each.
    """

    columns: tuple[TableColumn, ...]
    left_out: tuple[str, ...]
    cells: NDArray[np.uint8]
    counts: NDArray[np.uint32]
    groups: NDArray[np.uint8] | None

    @classmethod
    def of(cls, fitted: Fitted, X: object, labels: NDArray[np.intp], groups: NDArray[np.intp] | None = None) -> Grid:
        """Return the grid of labelled rows for a model.

        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("'age <= 30'", columns={"age": [30], "late": bool}, classes=("no", "yes"))
        >>> grid = Grid.of(policy.fitted_, [[20, 0], [20, 0], [50, 1]], np.array([1, 0, 0]))
        >>> [column.labels for column in grid.columns], grid.cells.tolist(), grid.counts.tolist()
        ([('<= 30', '> 30'), ('false', 'true')], [[0, 1], [0, 1]], [[1, 1], [1, 0]])
        """
        numbers = np.zeros(len(labels), dtype=np.intp) if groups is None else groups
        distinct = _Distinct(numbers, MOST_ROWS)
        kept = _kept(fitted, X, distinct)
        carried = [kept[j] for j in sorted(kept)]
        first, alike = distinct.rows
        table = np.array([one.cells[first] for one in carried], dtype=np.uint8).reshape(len(carried), len(first))
        counts = [np.bincount(alike[labels == label], minlength=len(first)) for label in range(len(fitted.classes))]
        return cls(
            tuple(one.column for one in carried),
            tuple(column.name for j, column in enumerate(fitted.columns) if j not in kept),
            table,
            np.array(counts, dtype=np.uint32),
            None if groups is None else numbers[first].astype(np.uint8),
        )


@dataclass(frozen=True, eq=False)
class _Carried:
    """A column cut finely, and the cells of the rows in it."""

    column: TableColumn
    cells: NDArray[np.intp]


def _kept(fitted: Fitted, X: object, distinct: _Distinct) -> dict[int, _Carried]:
    """Return the columns that travel, by their places: those the model looks at, others while few rows differ."""
    kept: dict[int, _Carried] = {}
    for j, one in _carried(fitted, X):
        size = len(one.column.known_labels)
        fits = size <= MOST_CELLS and distinct.fits(one.cells)
        if j in fitted.used and not fits:
            raise InvalidArgument(
                "X",
                f"have at most {MOST_ROWS:,} different rows on {MOST_CELLS} cells per column, to be edited",
                f"more at column {one.column.name!r}",
                "Give fewer rows.",
            )
        if j in fitted.used or (fits and size > 1 and len(kept) < MOST_COLUMNS):
            distinct.split(one.cells)
            kept[j] = one
    return kept


class _Distinct:
    """Rows told apart column by column, as long as there are few different ones."""

    def __init__(self, numbers: NDArray[np.intp], most: int) -> None:
        self.alike = np.unique(numbers, return_inverse=True)[1]
        self.most = most

    def fits(self, cells: NDArray[np.intp]) -> bool:
        """Return whether there are still few different rows with one more column."""
        return len(np.unique(self._keys(cells))) <= self.most

    def split(self, cells: NDArray[np.intp]) -> None:
        """Tell rows apart by one more column."""
        self.alike = np.unique(self._keys(cells), return_inverse=True)[1]

    def _keys(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        keys: NDArray[np.intp] = self.alike * (MOST_CELLS + 2) + cells
        return keys

    @property
    def rows(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """A row of each kind, and the kind of each row."""
        return np.unique(self.alike, return_index=True)[1], self.alike


def _carried(fitted: Fitted, X: object) -> Iterator[tuple[int, _Carried]]:
    """Yield the columns that a table has, cut finely, with the cells of its rows: first those the model looks at."""
    used, frame = list(fitted.used), as_frame(X)
    others = [j for j in range(len(fitted.columns)) if j not in used]
    if frame is not None:
        others = [j for j in others if set(fitted.columns[j].sources) <= set(frame.columns)]
    table, problems = fitted.binariser.read_rows(X, [*used, *others])
    unread = {one.column for one in problems}
    ends = _ends(fitted)
    for j in [*used, *others]:
        if j in used or not unread & set(fitted.columns[j].sources):
            column = _finely_cut(fitted.columns[j], table, ends.get(j, set()))
            cells = column.placed(*table.of(column.sources))
            if j in used or not (cells == NO_CELL).any():
                yield j, _Carried(column, cells)


def _ends(fitted: Fitted) -> dict[int, set[float]]:
    """Return the cuts at which the model's own cells begin or end, by column."""
    frame = fitted.sides.frame
    return {
        j: {cut for cut, left, right in zip(fitted.columns[j].limits, groups, groups[1:]) if left != right}
        for j, groups in zip(frame.columns, frame.groups, strict=True)
    }


def _finely_cut(column: TableColumn, table: RawTable, needed: set[float]) -> TableColumn:
    """Return a column with more cuts, between quantiles of its values, if it takes any."""
    if not column.takes_cuts:
        return column
    placed = column.positions(*table.of(column.sources))
    assert placed is not None, "columns that are cut at numbers have positions"
    values = placed[0][~placed[1] & np.isfinite(placed[0])]
    own = _thinned(column.limits, needed, MOST_CELLS - 1)
    if not len(values):
        return column.cut_at(own)
    counted = CountedValues.from_examples(values, np.zeros(len(values), np.intp), np.ones(len(values)), n_classes=1)
    gaps = [counted.gap(p) for p in quantile_positions(counted, MOST_CELLS - 1 - len(own))]
    kind, whole = column.fields[0].kind, bool((values == np.floor(values)).all())
    unit = common_unit(values) if kind == "duration" else 1
    # A gap that the model cuts already is cut once.
    open_gaps = [(low, high) for low, high in gaps if not any(low <= cut < high for cut in own)]
    cuts = [
        readable_number(low, high, whole=whole) if kind == "number" else readable_time(low, high, kind, unit=unit)
        for low, high in open_gaps
    ]
    return column.cut_at([*own, *(cut for cut in cuts if column.can_cut_at(cut))])


def _thinned(cuts: Sequence[float], needed: set[float], most: int) -> list[float]:
    """Return at most that many cuts, evenly drawn, those needed among them.

    >>> _thinned([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], {2.0}, 3)
    [1.0, 2.0, 6.0]
    """
    spare = [cut for cut in cuts if cut not in needed]
    room = most - len(needed)
    if len(spare) > room:
        spare = [spare[round(place)] for place in np.linspace(0, len(spare) - 1, max(0, room))]
    return sorted({*needed, *spare})
