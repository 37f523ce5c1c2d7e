"""Time and peak memory of `idnf predict` and `idnf explain` on a CSV of a million rows, against one a tenth as long.

Memory that grows with the table would show as a ratio near 10; commands that stream hold about the same.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from idnf import DNFClassifier, exporting
from idnf.datasets.loans import loan_table

ROWS = (100_000, 1_000_000)
COMMANDS = {
    "predict to CSV": ("predict", "out.csv"),
    "predict to Parquet": ("predict", "out.parquet"),
    "explain to CSV": ("explain", "out.csv"),
    "explain to Parquet": ("explain", "out.parquet"),
}


def measured(folder: Path, *arguments: str) -> tuple[float, float]:
    """Run a command and return its seconds and its peak memory in MB."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "idnf.cli", *arguments], cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: idnf {' '.join(arguments)}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def write_tables(folder: Path) -> None:
    for rows in ROWS:
        loans = loan_table(rows, random_state=1)
        table = loans.to_polars().with_columns(pl.col("employed").dt.total_days())
        table.with_columns(decision=pl.Series(np.where(loans.approved, "yes", "no"))).write_csv(folder / f"{rows}.csv")
    learned = pl.read_csv(folder / f"{ROWS[0]}.csv", try_parse_dates=True)[:2000]
    classifier = DNFClassifier(3, learner="greedy").fit(learned.drop("decision"), learned["decision"].to_numpy())
    exporting.to_json(classifier, folder / "model.json")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder)
        print(f"{'command':20} {'rows':>9} {'seconds':>8} {'peak MB':>8} {'MB ratio':>9}")
        for words, (command, output) in COMMANDS.items():
            first = None
            for rows in ROWS:
                seconds, peak = measured(folder, command, "model.json", f"{rows}.csv", "-o", output)
                first = first or peak
                print(f"{words:20} {rows:9,} {seconds:8.1f} {peak:8.0f} {peak / first:9.2f}", flush=True)
