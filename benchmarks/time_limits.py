"""How well `time_limit` holds, from the table to the model: `python benchmarks/time_limits.py`.

Every learner on tables that take long: 2 000 columns, 100 000 rows, many categories, several classes. A limit holds
where the fit ends within a second of it or within a tenth of it, whichever is more. A machine with other work to do
shows longer times; the processor time beside them tells.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from idnf import DNFClassifier, TableWarning

Table = tuple[object, NDArray[np.intp]]

LEARNERS: dict[str, dict[str, object]] = {
    "greedy": {"learner": "greedy"},
    "search, tuned": {"learner": "search"},
    "search": {"learner": "search", "tune": False},
    "exact": {"learner": "exact"},
}


def numbers(rows: int, columns: int, *, classes: int = 2, seed: int = 0) -> Table:
    """Return columns of numbers, labels by the first three of them, a tenth of them wrong."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    y = np.clip((X[:, 0] + X[:, 1] * X[:, 2] + classes / 2).astype(np.intp), 0, classes - 1)
    wrong = rng.random(rows) < 0.1
    y[wrong] = rng.integers(0, classes, int(wrong.sum()))
    return X, y


def as_frame(table: Table) -> Table:
    """Return the same table as pandas has it."""
    X, y = table
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(np.shape(X)[1])]), y


def categories(rows: int, columns: int, values: int) -> Table:
    """Return columns of very many categories."""
    rng = np.random.default_rng(0)
    names = np.array([f"value {v}" for v in range(values)], dtype=object)
    X = pd.DataFrame({f"c{j}": names[rng.integers(0, values, rows)] for j in range(columns)})
    return X, rng.integers(0, 2, rows)


def truths(rows: int, columns: int) -> Table:
    """Return columns of Booleans and labels that have nothing to do with them."""
    rng = np.random.default_rng(0)
    return rng.random((rows, columns)) < 0.5, rng.integers(0, 2, rows)


TABLES: dict[str, Callable[[], Table]] = {
    "2000 columns x 20000": lambda: numbers(20_000, 2000),
    "2000 columns x 20000, pandas": lambda: as_frame(numbers(20_000, 2000)),
    "100 columns x 100000": lambda: numbers(100_000, 100),
    "50 columns x 20000": lambda: numbers(20_000, 50),
    "100 columns of 5000 categories x 20000": lambda: categories(20_000, 100, 5000),
    "2000 truths x 20000": lambda: truths(20_000, 2000),
    "30 truths x 5000": lambda: truths(5000, 30),
    "100 columns x 100000, 4 classes": lambda: numbers(100_000, 100, classes=4),
    "2000 columns x 20000, 4 classes": lambda: numbers(20_000, 2000, classes=4),
}


@dataclass(frozen=True)
class Timed:
    """A fit under a limit: what it took by the clock and of the processor."""

    table: str
    learner: str
    limit: float
    seconds: float
    processor: float
    right: float

    @property
    def holds(self) -> bool:
        """Whether the fit ended within a second or a tenth of its limit."""
        return self.seconds <= self.limit + max(1.0, 0.1 * self.limit)

    def __str__(self) -> str:
        numbers = f"{self.limit:6.1f} {self.seconds:8.2f} {self.processor:10.2f} {self.right:9.1%}"
        return f"{self.table:40s} {self.learner:14s} {numbers}  {'yes' if self.holds else 'NO'}"


def timed(table: str, given: Table, learner: str, limit: float, k: int) -> Timed:
    """Fit once."""
    X, y = given
    clf = DNFClassifier(k, time_limit=limit, **LEARNERS[learner])
    clock, processor = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        clf.fit(X, y)
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    return Timed(table, learner, limit, clock, processor, float(np.mean(clf.predict(X) == y)))


def results(arguments: argparse.Namespace) -> Iterator[Timed]:
    """Fit every table that was asked for with every learner."""
    for table in (name for name in TABLES if arguments.table in name):
        given = TABLES[table]()
        for learner in (name for name in LEARNERS if arguments.learner in ("", name)):
            for limit in arguments.limits:
                yield timed(table, given, learner, limit, arguments.k)


def main() -> None:
    """Print a line for each fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default="", metavar="TEXT", help="tables whose name has this in it")
    parser.add_argument("--learner", default="", choices=["", *LEARNERS], help="one learner (default: all)")
    parser.add_argument("--limits", type=float, nargs="+", default=[1.0, 5.0], metavar="SECONDS", help="time limits")
    parser.add_argument("-k", type=int, default=4, help="bound on the size of a reason")
    arguments = parser.parse_args()
    DNFClassifier(2).fit(*numbers(100, 4))  # what is imported late is not part of a fit
    print(f"{'table':40s} {'learner':14s} {'limit':>6s} {'seconds':>8s} {'processor':>10s} {'accuracy':>9s}  holds")
    held = []
    for one in results(arguments):
        print(one, flush=True)
        held.append(one.holds)
    print(f"{sum(held)} of {len(held)} within a second or a tenth of the limit")


if __name__ == "__main__":
    main()
