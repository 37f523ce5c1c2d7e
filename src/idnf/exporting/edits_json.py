"""Files of edits: what a person changed in the lines of a model, as the page's editor saves it.

The model is the one whose file has the SHA-256 named. Its lines are those of one of its two labels, numbered from 1 in
the order in which they are printed; added lines have the numbers after them. A condition is the set of cells of a
column that a line allows, and null stands for all of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from idnf.columns.column import TableColumn
from idnf.exporting.column_json import MOST_COLUMNS
from idnf.exporting.documents import (
    BOOLEAN,
    MOST_BYTES,
    NUMBER,
    TEXT,
    Codec,
    DocumentError,
    Place,
    integer,
    parse_document,
    record,
    row,
    tagged,
)
from idnf.exporting.model_json import HASH, MOMENT, MOST_EDITS, NOTE
from idnf.logic.boxes import cells_of, runs
from idnf.logic.errors import InvalidArgument

FORMAT = "idnf-edits"
VERSION = 1
MOST_LINES = 10_000
MOST_CELLS = 10_000
MOST_INTERVALS = 100


@dataclass(frozen=True)
class ChosenIntervals:
    """Values over one number and at most another, None if there is no such limit, and perhaps missing ones.

    >>> from idnf.columns.intervals import NumberColumn
    >>> ChosenIntervals(((30.0, None),), missing=False).mask(NumberColumn("age", "refused", cuts=(18.0, 30.0)))
    4
    """

    kind: ClassVar[str] = "intervals"

    intervals: tuple[tuple[float | None, float | None], ...]
    missing: bool

    @property
    def cuts(self) -> set[float]:
        """The numbers at which they end."""
        return {end for pair in self.intervals for end in pair if end is not None}

    def mask(self, column: TableColumn) -> int:
        """Return the cells of a column that is cut at these numbers."""
        if not column.takes_cuts:
            raise InvalidArgument("cells", f"be given by their numbers for {column.name!r}", "intervals")
        place = {cut: number for number, cut in enumerate(column.limits, 1)}
        mask = column.missing_mask if self.missing else 0
        for low, high in self.intervals:
            first = 0 if low is None else place[low]
            last = len(column.limits) + 1 if high is None else place[high]
            if first >= last:
                raise InvalidArgument("intervals", "end above where they begin", f"{low} to {high}")
            mask |= (1 << last) - (1 << first)
        if self.missing and not column.missing_mask:
            raise InvalidArgument("missing", f"be false, since {column.name!r} has no cell for it", "true")
        return _some(mask, column)


@dataclass(frozen=True)
class ChosenCells:
    """ChosenCells of a column by their numbers, from 0.

    >>> from idnf.columns.categories import BooleanColumn
    >>> ChosenCells((1,)).mask(BooleanColumn("late", "refused"))
    2
    """

    kind: ClassVar[str] = "cells"
    cuts: ClassVar[frozenset[float]] = frozenset()

    cells: tuple[int, ...]

    def mask(self, column: TableColumn) -> int:
        """Return the cells of a column."""
        if column.takes_cuts:
            raise InvalidArgument("cells", f"be intervals, since {column.name!r} is cut at numbers", list(self.cells))
        if max(self.cells, default=0) >= len(column.labels):
            raise InvalidArgument("cells", f"be below {len(column.labels)} for {column.name!r}", max(self.cells))
        return _some(sum(1 << cell for cell in set(self.cells)), column)


def _some(mask: int, column: TableColumn) -> int:
    if not mask:
        raise InvalidArgument("cells", f"be at least one of those of {column.name!r}", "none")
    return mask


Chosen = ChosenIntervals | ChosenCells


def chosen_of(column: TableColumn, mask: int) -> Chosen | None:
    """Return some cells of a column as a file of edits names them, None for all of them.

    >>> from idnf.columns.intervals import NumberColumn
    >>> chosen_of(NumberColumn("age", "refused", cuts=(18.0, 30.0)), 0b110)
    ChosenIntervals(intervals=((18.0, None),), missing=False)
    """
    if mask == column.full:
        return None
    if not column.takes_cuts:
        return ChosenCells(tuple(cells_of(mask)))
    ends = (None, *column.limits, None)
    parts = tuple((ends[low], ends[high + 1]) for low, high in runs(mask & column.known_mask))
    return ChosenIntervals(parts, bool(mask & column.missing_mask))


@dataclass(frozen=True)
class ConditionEdit:
    """Another condition of a line on a column, or none; None stands for all cells."""

    kind: ClassVar[str] = "condition"

    line: int
    column: str
    old: Chosen | None
    new: Chosen | None
    note: str

    @property
    def chosen(self) -> list[tuple[str, Chosen]]:
        """The columns and the cells that the edit names."""
        return [(self.column, cells) for cells in (self.old, self.new) if cells is not None]


@dataclass(frozen=True)
class DroppedLine:
    """A line less."""

    kind: ClassVar[str] = "drop"
    chosen: ClassVar[tuple[tuple[str, Chosen], ...]] = ()

    line: int
    note: str


@dataclass(frozen=True)
class AddedLine:
    """A line more, with its number and its conditions by column."""

    kind: ClassVar[str] = "add"

    line: int
    conditions: tuple[tuple[str, Chosen], ...]
    note: str

    @property
    def chosen(self) -> tuple[tuple[str, Chosen], ...]:
        """The columns and the cells that the edit names."""
        return self.conditions


Edit = ConditionEdit | DroppedLine | AddedLine


@dataclass(frozen=True)
class Edits:
    """Edits of a model, in order.

    Parameters
    ----------
    model : str
        The SHA-256 of the model file.
    label : int
        The number of the label whose lines are edited.
    name : str
        Who edited.
    time : str
    edits : tuple
    """

    model: str
    label: int
    name: str
    time: str
    edits: tuple[Edit, ...]


_CHOSEN: Codec[Chosen] = tagged(
    {
        "intervals": record(
            ChosenIntervals,
            {"intervals": row(NUMBER.optional(), NUMBER.optional()).many(MOST_INTERVALS), "missing": BOOLEAN},
            beside=("kind",),
        ),
        "cells": record(ChosenCells, {"cells": integer(0, MOST_CELLS).many(MOST_CELLS)}, beside=("kind",)),
    }
)
_about_line = partial(record, beside=("kind",))
_LINE_NUMBER = integer(1, MOST_LINES)
_EDIT: Codec[Edit] = tagged(
    {
        "condition": _about_line(
            ConditionEdit,
            {
                "line": _LINE_NUMBER,
                "column": TEXT,
                "old": _CHOSEN.optional(),
                "new": _CHOSEN.optional(),
                "note": NOTE,
            },
        ),
        "drop": _about_line(DroppedLine, {"line": _LINE_NUMBER, "note": NOTE}),
        "add": _about_line(
            AddedLine,
            {"line": _LINE_NUMBER, "conditions": row(TEXT, _CHOSEN).many(MOST_COLUMNS), "note": NOTE},
        ),
    }
)
EDITS: Codec[Edits] = record(
    Edits,
    {
        "model": HASH,
        "label": integer(0, 1),
        "name": NOTE,
        "time": MOMENT,
        "edits": _EDIT.many(MOST_EDITS, least=1),
    },
    beside=("format", "version"),
)


def read_edits(path: str | os.PathLike[str]) -> Edits:
    """Return the edits in a file, which may come from anyone: nothing in it is run.

    Raises
    ------
    DocumentError
        A ValueError that says what is wrong, and where in the file.
    """
    with open(path, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    try:
        return _read(parse_document(data))
    except DocumentError as error:
        raise DocumentError(f"{os.fspath(path)} is not a file of edits: {error}") from error


def _read(document: Place) -> Edits:
    if not isinstance(document.value, dict) or document.value.get("format") != FORMAT:
        raise DocumentError(f"the document must be an object with format {FORMAT!r}.")
    document.key("version").integer(VERSION, VERSION)
    return EDITS.read(document)


def column_of(columns: Sequence[TableColumn], name: str) -> int:
    """Return the place of a column by its name."""
    for place, column in enumerate(columns):
        if column.name == name:
            return place
    raise InvalidArgument("column", "be one of the model's", f"{name!r}")


def edits_to_plain(edits: Edits) -> dict[str, Any]:
    """Return edits as the plain data of their file.

    >>> edits_to_plain(Edits("0" * 64, 1, "", "2026-01-02T10:00:00Z", (DroppedLine(2, ""),)))["edits"]
    [{'kind': 'drop', 'line': 2, 'note': ''}]
    """
    written: Any = EDITS.write(edits)
    return {"format": FORMAT, "version": VERSION, **written}
