"""Cells of the scoreboard, one fitted model each, in one CSV file a method."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TextIO

Key = tuple[str, str, int, int, int]
"""Method, data, split, k and seed."""


@dataclass(frozen=True)
class Cell:
    """One fitted model, or why there is none; None where there is no such thing.

    Accuracies are in percent and seconds are of the processor. ``largest_reason`` and ``mean_reason`` are over the
    decisions on all rows, training and test, of all classes, in columns. ``reasons`` and ``conditions`` are what it
    takes to write the model as it is printed. Shares of rows, in percent: ``overlap`` more than one rule holds,
    ``conflict`` rules of several classes hold, ``gap`` none does (all rows, if the model has no conditions). ``auc`` is
    the mean over classes, one against the rest; ``brier`` half the squared distance of probabilities from what came, so
    that of two classes it is that of one; ``calibration`` how far the probability of the class given is from its share
    of right ones, mean over ten parts of the test rows. ``explain_seconds`` and ``ruler_seconds`` are for one row, by
    the method itself and by the scoreboard's own computation; ``cart_seconds`` is a fit of CART in the same process;
    ``cell_seconds`` all that the cell took. ``division`` is the checksum of the data; ``commit`` is that of the run.
    ``seed`` is 0 unless the spread over seeds is measured. ``to_spare`` counts what could be left out of a printed
    model of ours: see benchmarks/readable.py.
    """

    method: str
    data: str
    split: int
    k: int
    version: str
    commit: str
    division: str
    status: str
    message: str = ""
    accuracy: float | None = None
    balanced_accuracy: float | None = None
    log_loss: float | None = None
    train_accuracy: float | None = None
    largest_reason: int | None = None
    mean_reason: float | None = None
    reasons: int | None = None
    conditions: int | None = None
    overlap: float | None = None
    conflict: float | None = None
    gap: float | None = None
    fit_seconds: float | None = None
    explain_seconds: float | None = None
    ruler_seconds: float | None = None
    cart_seconds: float | None = None
    seed: int = 0
    to_spare: int | None = None
    auc: float | None = None
    brier: float | None = None
    calibration: float | None = None
    cell_seconds: float | None = None
    classes: int | None = None

    @property
    def key(self) -> Key:
        """What names the cell on the board."""
        return self.method, self.data, self.split, self.k, self.seed

    @property
    def made_from(self) -> tuple[str, str]:
        """What the figures depend on beside the key."""
        return self.version, self.division

    @property
    def ok(self) -> bool:
        """Return whether there is a model."""
        return self.status == "ok"


SEEDED = tuple(f.name for f in fields(Cell) if not f.name.endswith("_seconds") and f.name != "commit")
"""The fields that come out the same each time, to the digit."""
_WORDS = ("method", "data", "version", "commit", "division", "status", "message")
_WHOLE = ("split", "k", "largest_reason", "reasons", "conditions", "seed", "to_spare", "classes")
_COLUMNS = [f.name for f in fields(Cell) if f.name != "method"]
DIGITS, FEWEST_DIGITS = 6, 5
"""Of a figure in a file: six, in some cells five."""
_REPEATED = ("version", "commit")
"""What a file leaves out where it is as in the row above."""


def path_of(folder: Path, method: str) -> Path:
    """Return the file of a method's cells."""
    return folder / "cells" / f"{method}.csv"


def read_cells(folder: Path, methods: Iterable[str]) -> list[Cell]:
    """Return the cells of some methods; of a cell written twice the later row counts."""
    found: dict[Key, Cell] = {}
    for method in methods:
        path = path_of(folder, method)
        if path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                above = dict.fromkeys(_REPEATED, "")
                for row in csv.DictReader(file):
                    above = {name: row[name] or above[name] for name in _REPEATED}
                    cell = _cell({"method": method, **row, **above})
                    found[cell.key] = cell
    return list(found.values())


def append_cell(folder: Path, cell: Cell) -> None:
    """Add a cell to its file at once, so that an interrupted run goes on from there.

    A file with other columns, made when cells had others, is written anew first.
    """
    path = path_of(folder, cell.method)
    if not path.exists():
        write_cells(folder, cell.method, [])
    elif path.read_text("utf-8").partition("\n")[0] != ",".join(_COLUMNS):
        write_cells(folder, cell.method, read_cells(folder, [cell.method]))
    with path.open("a", newline="", encoding="utf-8") as file:
        _writer(file).writerow(_row(cell))


def write_cells(folder: Path, method: str, cells: Iterable[Cell]) -> None:
    """Write a method's file anew, in order and as short as can be."""
    path = path_of(folder, method)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = _writer(file)
        writer.writeheader()
        above: dict[str, str] = {}
        for cell in sorted(cells, key=lambda cell: cell.key):
            row = _row(cell)
            writer.writerow({**row, **{name: "" for name in _REPEATED if above.get(name) == row[name]}})
            above = row


def rounded(cell: Cell, digits: int = DIGITS) -> Cell:
    """Return the cell as a file keeps it."""
    return _cell({"method": cell.method, **_row(cell, digits)})


def _writer(file: TextIO) -> csv.DictWriter[str]:
    return csv.DictWriter(file, _COLUMNS, lineterminator="\n", extrasaction="ignore")


def _row(cell: Cell, digits: int = DIGITS) -> dict[str, str]:
    """Return the cell in words; times have three digits."""
    return {
        name: _text(value, 3 if name.endswith("_seconds") else digits) for name, value in asdict(cell).items()
    }  # fmt: skip


def _text(value: object, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def _cell(row: dict[str, str]) -> Cell:
    values: dict[str, object] = {}
    for name, text in row.items():
        number = int if name in _WHOLE else float
        values[name] = text if name in _WORDS else None if text == "" else number(text)
    return Cell(**values)
