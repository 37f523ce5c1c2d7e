"""The exact learner on the paper's protocol: seconds, and training accuracy beside pystreed's optimal trees.

    IDNF_DATA=... OMP_NUM_THREADS=1 python benchmarks/exact.py > benchmarks/results/exact.csv

pystreed is installed into a throw-away environment, never into this one; `--peer` names the Python of an existing one.
Prints training accuracy over all splits, and the processor time of the slowest fit. Exits with an error where a pair
tree is worse than the optimal tree, or our optimal tree differs from pystreed's.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from idnf.counting.packed import PackedTable
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.families import family_of

MONKS = ("monks-1", "monks-2", "monks-3")
OTHERS = (
    "balance-scale", "banknote", "car-evaluation", "compas", "indians-diabetes", "iris", "lymph", "tic-tac-toe"
)  # fmt: skip
COLUMNS = ("data set", "k", "pair tree", "seconds", "optimal tree", "seconds", "pystreed", "the same")
Table = tuple[NDArray[np.int64], NDArray[np.int64]]


def training_tables(name: str) -> list[Table]:
    """Return the training parts of a data set: five random ones, or the one given."""
    from sklearn.model_selection import train_test_split

    folder = Path(os.environ["IDNF_DATA"]) / "paper"
    if name in MONKS:
        parts = [np.loadtxt(folder / f"{name}.train.dl8", dtype=np.int64)]
    else:
        data = np.loadtxt(folder / f"{name}.dl8", dtype=np.int64)
        parts = [train_test_split(data, test_size=0.2, random_state=seed)[0] for seed in range(5)]
    return [(part[:, 1:], part[:, 0]) for part in parts]


def optimal_tree_errors(python: str, tables: list[Table], depths: list[int]) -> list[list[int]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.npz"
        np.savez(path, **{f"{letter}{i}": part for i, table in enumerate(tables) for letter, part in zip("Xy", table)})
        script = Path(__file__).parent / "optimal_trees.py"
        command = [python, str(script), str(path), *map(str, depths)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [[int(word) for word in line.split()] for line in lines]


def peer_python(folder: str) -> str:
    venv.create(folder, with_pip=True)
    python = str(Path(folder) / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "pystreed", "numpy"], check=True)
    return python


def errors_and_seconds(table: Table, k: int, family: str) -> tuple[int, float, bool]:
    X, y = table
    rows = PackedTable.from_arrays(X.astype(bool), y.astype(bool)).distinct_rows()
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    start = time.process_time()
    found = exact(rows, names, k, options=ExactOptions(family=family_of(family)))
    return round(found.objective * len(y)), time.process_time() - start, found.optimal is not None


def compare(name: str, python: str, depths: list[int]) -> Iterator[list[str | int]]:
    tables = training_tables(name)
    peers = optimal_tree_errors(python, tables, depths)
    for column, k in enumerate(depths):
        ours = [errors_and_seconds(table, k, "any") for table in tables]
        trees = [errors_and_seconds(table, k, "tree") for table in tables]
        peer = [errors[column] for errors in peers]
        same = all(tree[0] == error for tree, error in zip(trees, peer))
        never_below = all(our[0] <= error for our, error in zip(ours, peer))
        proved = all(our[2] for our in [*ours, *trees])
        mine, tree, other = (
            f"{100 - 100 * sum(errors) / sum(len(y) for _, y in tables):.2f}"
            for errors in ([our[0] for our in ours], [tree[0] for tree in trees], peer)
        )
        seconds, tree_seconds = (f"{max(run[1] for run in runs):.2f}" for runs in (ours, trees))
        good = "ok" if same and never_below and proved else "WRONG"
        yield [name, k, mine, seconds, tree, tree_seconds, other, good]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="a Python that has pystreed; without it one is made")
    parser.add_argument("--k", nargs="+", type=int, default=[2, 3, 4])
    parser.add_argument("--data", nargs="+", default=[*OTHERS, *MONKS])
    arguments = parser.parse_args()
    good = True
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        python = arguments.peer or peer_python(folder)
        for name in arguments.data:
            for line in compare(name, python, arguments.k):
                writer.writerow(line)
                sys.stdout.flush()
                good = good and line[-1] == "ok"
    sys.exit(not good)


if __name__ == "__main__":
    main()
