"""Nested 3-DNFs on the first split of the paper's protocol: the best found, and what no nested 3-DNF can beat.

    IDNF_DATA=... OMP_NUM_THREADS=1 python benchmarks/exact_nested.py > benchmarks/results/exact-nested.csv

The search learner gives the model to begin with. Prints training errors, both polarities.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time

from exact import MONKS, OTHERS, training_tables

from idnf.counting.packed import PackedTable
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.families import family_of
from idnf.learning.local.search import search
from idnf.learning.task import LearningTask
from idnf.logic.deadlines import Deadline

COLUMNS = ("data set", "examples", "search", "exact", "bound", "proved in seconds")


def line(name: str, limit: float) -> list[str | int]:
    X, y = training_tables(name)[0]
    rows = PackedTable.from_arrays(X.astype(bool), y.astype(bool)).distinct_rows()
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    start = search(rows, LearningTask(names, 3, family=family_of("nested"), price=0.0))
    clock = time.perf_counter()
    found = exact(
        rows, names, 3, options=ExactOptions(family=family_of("nested"), start=start, deadline=Deadline.after(limit))
    )
    errors = [round(len(y) * share) for share in (start.objective, found.objective, found.bound or 0.0)]
    return [name, len(y), *errors, f"{time.perf_counter() - clock:.1f}" if found.optimal else ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=40.0, help="seconds for each data set")
    parser.add_argument("--data", nargs="+", default=[*OTHERS, *MONKS])
    arguments = parser.parse_args()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name in arguments.data:
        writer.writerow(line(name, arguments.limit))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
