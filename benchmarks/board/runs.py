"""When, where and by what command cells were made."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from .methods import our_commit
from .text import machine

_COLUMNS = ("date", "machine", "commit", "groups", "command", "cells")


def read_runs(folder: Path) -> list[dict[str, str]]:
    """Return the runs that wrote into a folder of results."""
    path = folder / "runs.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def note_run(folder: Path, groups: Iterable[str], command: str, cells: int) -> None:
    """Add a run: the groups of data it looked at, and how many cells it set out to make."""
    folder.mkdir(parents=True, exist_ok=True)
    new = not (folder / "runs.csv").exists()
    with (folder / "runs.csv").open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(_COLUMNS)
        writer.writerow([f"{datetime.now(UTC):%Y-%m-%d}", machine(), our_commit(), " ".join(groups), command, cells])
