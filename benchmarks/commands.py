"""What it costs to start, beside `import numpy`; time and memory of `idnf predict` and `idnf explain` on long CSVs.

A CSV of a million rows is set against one a tenth as long: memory that grows with the table would show as a ratio near
10; commands that stream hold about the same. `python benchmarks/commands.py start` leaves that out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

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


FIT = """
import numpy as np
from idnf import DNFClassifier
X = np.random.default_rng(0).random((200, 4))
DNFClassifier(2).fit(X, X[:, 0] > 0.5)
"""
STARTS = {
    "import numpy": ("-c", "import numpy"),
    "python": ("-c", "pass"),
    "import idnf": ("-c", "import idnf"),
    "idnf --version": ("-m", "idnf", "--version"),
    "idnf --help": ("-m", "idnf", "--help"),
    "idnf fit --help": ("-m", "idnf", "fit", "--help"),
    "idnf --no-such": ("-m", "idnf", "--no-such"),
    "idnf analyse": ("-m", "idnf", "analyse", "a & b | c & d"),
    "import sklearn.tree": ("-c", "import sklearn.tree"),
    "first fit": ("-c", FIT),
}
TIMES = 10


def measured(folder: Path, *arguments: str) -> tuple[float, float]:
    """Run a command and return its seconds and its peak memory in MB."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "idnf.cli", *arguments], cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: idnf {' '.join(arguments)}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def processor_seconds(arguments: tuple[str, ...]) -> float:
    """Return the processor time of one run of Python; what it says is dropped."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, *arguments], stdout=quiet, stderr=quiet)
    usage = os.wait4(process.pid, 0)[2]
    return usage.ru_utime + usage.ru_stime


def print_starts() -> None:
    """Print the median over runs that take turns, so that what else the machine does falls on all alike."""
    runs = [{words: processor_seconds(arguments) for words, arguments in STARTS.items()} for _ in range(TIMES + 1)]
    unit = median(run["import numpy"] for run in runs[1:])
    print(f"{'start':20} {'processor s':>11} {'numpy ratio':>11}")
    for words in STARTS:
        seconds = median(run[words] for run in runs[1:])
        print(f"{words:20} {seconds:11.3f} {seconds / unit:11.2f}", flush=True)


def write_tables(folder: Path) -> None:
    for rows in ROWS:
        loans = loan_table(rows, random_state=1)
        table = loans.to_polars().with_columns(pl.col("employed").dt.total_days())
        table.with_columns(decision=pl.Series(np.where(loans.approved, "yes", "no"))).write_csv(folder / f"{rows}.csv")
    learned = pl.read_csv(folder / f"{ROWS[0]}.csv", try_parse_dates=True)[:2000]
    classifier = DNFClassifier(3, learner="greedy").fit(learned.drop("decision"), learned["decision"].to_numpy())
    exporting.to_json(classifier, folder / "model.json")


if __name__ == "__main__":
    print_starts()
    if sys.argv[1:] == ["start"]:
        sys.exit()
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
