"""When, where and by what command cells were made."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from .text import machine

Run = dict[str, str | int]


def read_runs(folder: Path) -> list[Run]:
    """Return the runs that wrote into a folder of results."""
    path = folder / "runs.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else []


def note_run(folder: Path, command: str, cells: int) -> None:
    """Add a run; ``cells`` is how many it set out to make."""
    run = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine(), "command": command, "cells": cells}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "runs.json").write_text(json.dumps([*read_runs(folder), run], indent=1) + "\n", encoding="utf-8")
