"""Cells of the scoreboard, one fitted model each, in one CSV file a method."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

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
        """Tell whether there is a model."""
        return self.status == "ok"


SEEDED = tuple(f.name for f in fields(Cell) if not f.name.endswith("_seconds") and f.name != "commit")
"""The fields that come out the same each time, to the digit."""
_WORDS = ("method", "data", "version", "commit", "division", "status", "message")
_WHOLE = ("split", "k", "largest_reason", "reasons", "conditions", "seed", "to_spare", "classes")
_COLUMNS = [f.name for f in fields(Cell)]


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
                found.update((cell.key, cell) for cell in map(_cell, csv.DictReader(file)))
    return list(found.values())


def append_cell(folder: Path, cell: Cell) -> None:
    """Add a cell to its file at once, so that an interrupted run goes on from there.

    A file with other columns, made when cells had others, is written anew first.
    """
    path = path_of(folder, cell.method)
    new = not path.exists()
    if not new and path.read_text("utf-8").partition("\n")[0] != ",".join(_COLUMNS):
        write_cells(folder, cell.method, read_cells(folder, [cell.method]))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow({name: _text(value) for name, value in asdict(cell).items()})


def write_cells(folder: Path, method: str, cells: Iterable[Cell]) -> None:
    """Write a method's file anew, in order."""
    path_of(folder, method).unlink(missing_ok=True)
    for cell in sorted(cells, key=lambda cell: cell.key):
        append_cell(folder, cell)


def rounded(cell: Cell) -> Cell:
    """Return the cell as a file keeps it."""
    return _cell({name: _text(value) for name, value in asdict(cell).items()})


def _text(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _cell(row: dict[str, str]) -> Cell:
    values: dict[str, object] = {}
    for name, text in row.items():
        number = int if name in _WHOLE else float
        values[name] = text if name in _WORDS else None if text == "" else number(text)
    return Cell(**values)
