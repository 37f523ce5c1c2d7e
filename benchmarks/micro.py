"""Small benchmarks of single parts, kept over time, and two commits compared by ratio.

    python benchmarks/micro.py                     measure this tree, beside the last figures kept
    python benchmarks/micro.py --keep              and keep them in benchmarks/results/micro.csv
    python benchmarks/micro.py --compare main~5    two commits (the second is HEAD if not given), in turns

Figures are the least processor seconds of some rounds. Those kept are multiples of a fixed piece of work of numpy and
Python measured in the same round, so that they mean something on another machine. Commits are measured by this file's
cases, each from a worktree of its own. A part more than 20 % slower is named, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ROOT / "benchmarks" / "results" / "micro.csv"
LIMIT = 1.2
ROUNDS = 3
REFERENCE = "reference"


def examples(count: int, features: int, *, seed: int = 0):
    generator = np.random.default_rng(seed)
    X = generator.random((count, features)) < 0.4
    y = ((X[:, 0] & X[:, 1]) | (X[:, 2] & ~X[:, 3] & X[:, 4])) ^ (generator.random(count) < 0.1)
    return X, y


def reference() -> None:
    """Work that no commit changes."""
    words = np.arange(1_000_000, dtype=np.uint64)
    for _ in range(5):
        np.bitwise_count(words & words[::-1]).sum()
    sum(i * i for i in range(200_000))


def cases() -> dict[str, Callable[[], object]]:
    """The parts, each ready to be called; what they need is made beforehand."""
    from idnf import DNFClassifier
    from idnf.counting.packed import PackedTable
    from idnf.learning.exact import ExactOptions, exact
    from idnf.learning.greedy import learn_greedy
    from idnf.learning.search import SearchOptions, search

    X, y = examples(200_000, 50)
    packed = PackedTable.from_arrays(X, y)
    names = tuple(f"x{j}" for j in range(50))
    few = PackedTable.from_arrays(X[:1000, :30], y[:1000]).distinct_rows()
    matrix = [[0, 2, 8], [4, 7, 8], [10, 12, 14]]
    model = DNFClassifier(4, family="nested", learner="greedy").fit(X[:20_000], y[:20_000])
    step = SearchOptions(family="any", effort=0.02, price=0.001)
    return {
        REFERENCE: reference,
        "counting: pack": lambda: PackedTable.from_arrays(X, y),
        "counting: literal weights": lambda: [packed.literal_weights(row) for row in matrix],
        "counting: grid histogram": lambda: packed.grid_histogram(matrix),
        "greedy, k = 4": lambda: learn_greedy(packed, names, 4),
        "search step, k = 3": lambda: search(few, names[:30], 3, options=step),
        "exact leaf, k = 2": lambda: exact(few, names[:30], 2, options=ExactOptions(family="any")),
        "predict": lambda: model.predict(X),
        "explain": lambda: model.explain(X),
    }


def measure() -> dict[str, float]:
    """Return the least processor seconds of each part over a few calls."""
    found = {}
    for name, call in cases().items():
        call()
        times = []
        while len(times) < 3 or sum(times) < 0.5 and len(times) < 20:
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
        found[name] = min(times)
    return found


def measured_apart(source: Path) -> dict[str, float]:
    """Measure the package under a source folder in a process of its own."""
    settings = {**os.environ, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--measure"]
    found = subprocess.run(command, check=True, env=settings, stdout=subprocess.PIPE, text=True)
    return json.loads(found.stdout)


def least(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: min(each[name] for each in rounds) for name in rounds[0]}


def relative(times: dict[str, float]) -> dict[str, float]:
    """Return times as multiples of the reference."""
    return {name: value / times[REFERENCE] for name, value in times.items() if name != REFERENCE}


def slower(before: dict[str, float], after: dict[str, float]) -> list[str]:
    """Return the parts that take more than the limit allows."""
    return [name for name in after if name in before and after[name] > LIMIT * before[name]]


def show(titles: tuple[str, str], before: dict[str, float], after: dict[str, float]) -> list[str]:
    """Print both and their ratio; return the parts that became slower."""
    flagged = slower(before, after)
    print(f"  {'':<28} {titles[0]:>14} {titles[1]:>14}    ratio")
    for name, value in after.items():
        if name in before:
            mark = "  SLOWER" if name in flagged else ""
            print(f"  {name:<28} {before[name]:14.4f} {value:14.4f} {value / before[name]:8.2f}{mark}")
        else:
            print(f"  {name:<28} {'':>14} {value:14.4f}")
    return flagged


def compare(commits: list[str]) -> list[str]:
    """Measure two commits in turns, so that both see the same machine."""
    base, head = (commit(name) for name in (*commits, "HEAD")[:2])
    with tempfile.TemporaryDirectory() as folder:
        trees = {name: Path(folder) / name for name in (base, head)}
        try:
            for name, tree in trees.items():
                _git("worktree", "add", "--quiet", "--detach", str(tree), name)
            rounds: dict[str, list[dict[str, float]]] = {name: [] for name in trees}
            for _ in range(ROUNDS):
                for name, tree in trees.items():
                    rounds[name].append(measured_apart(tree / "src"))
        finally:
            for tree in trees.values():
                if tree.exists():
                    _git("worktree", "remove", "--force", str(tree))
    print("  processor seconds")
    return show((base, head), least(rounds[base]), least(rounds[head]))


def commit(name: str) -> str:
    return _git("rev-parse", "--short", name)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def kept() -> tuple[str, dict[str, float]]:
    """Return the commit kept last and its figures."""
    if not HISTORY.exists():
        return "nothing kept", {}
    with HISTORY.open(newline="") as file:
        rows = list(csv.DictReader(file))
    last = rows[-1]["commit"]
    return last, {row["part"]: float(row["times_reference"]) for row in rows if row["commit"] == last}


def keep(times: dict[str, float]) -> None:
    new = not HISTORY.exists()
    HISTORY.parent.mkdir(parents=True, exist_ok=True)
    with HISTORY.open("a", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if new:
            rows.writerow(["commit", "date", "python", "numpy", "part", "seconds", "times_reference"])
        about = [commit("HEAD"), f"{datetime.now(UTC):%Y-%m-%d}", platform.python_version(), np.__version__]
        for name, multiple in relative(times).items():
            rows.writerow([*about, name, f"{times[name]:.6f}", f"{multiple:.5g}"])


def this_tree(*, keeping: bool) -> list[str]:
    times = least([measured_apart(ROOT / "src") for _ in range(ROUNDS)])
    print("  multiples of the reference")
    last, before = kept()
    flagged = show((last, "this tree"), before, relative(times))
    if keeping:
        keep(times)
    return flagged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--compare", nargs="+", metavar="COMMIT")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        print(json.dumps(measure()))
        return
    flagged = compare(chosen.compare[:2]) if chosen.compare else this_tree(keeping=chosen.keep)
    if flagged:
        sys.exit(f"  more than {LIMIT - 1:.0%} slower: {', '.join(flagged)}")


if __name__ == "__main__":
    main()
