"""The tour on the landing page works as it is written; other examples run as doctests."""

from __future__ import annotations

import csv
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_tour_from_a_csv_to_a_report(tmp_path: Path, command: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "index.md").read_text("utf-8"), re.DOTALL)
    commands = [line for block in blocks for line in block.strip().splitlines()]
    assert [line.split()[:2] for line in commands] == [
        ["idnf", "datasets"],
        ["idnf", "fit"],
        ["idnf", "explain"],
        ["idnf", "report"],
    ]
    path = f"{command}{os.pathsep}{os.environ['PATH']}"
    for line in commands:
        subprocess.run(line, shell=True, check=True, cwd=tmp_path, env={**os.environ, "PATH": path})
    with open(tmp_path / "explained.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 250
    assert all(row["reason"] for row in rows)
    assert sum(row["predicted"] == row["decision"] for row in rows) > 225
    assert "Try a case" in (tmp_path / "report.html").read_text("utf-8")
