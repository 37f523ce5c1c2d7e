"""Small benchmarks of single parts, kept over time, and two commits compared by ratio.

    python benchmarks/micro.py                          measure this tree, beside the last figures kept
    python benchmarks/micro.py --compare main~5         two commits (the second is HEAD if not given), in turns
    python benchmarks/micro.py --compare main~5 --keep  and keep both in benchmarks/results/micro.csv

Figures are the least processor seconds of some rounds. Those kept are multiples of a fixed piece of work of numpy and
Python measured in the same rounds, so that they mean something on another machine. Commits are measured by this file's
cases, each from a worktree of its own, with the kernels compiled here if their sources are the same, else with its own,
which pip builds; a part that a commit does not have is left out. The commits take turns, and what seems slower is
measured some more before it is said to be: other work on the machine only ever adds time. With --compare a part more
than 20 % slower makes the exit status 1.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ROOT / "benchmarks" / "results" / "micro.csv"
LIMIT = 1.2
ROUNDS = 5
MORE_ROUNDS = 10
REFERENCE = "reference"

Cases = dict[str, Callable[[], object]]
Measure = Callable[[Collection[str]], dict[str, float]]


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


def counting_cases() -> Cases:
    from idnf.counting.packed import PackedTable

    X, y = examples(200_000, 50)
    packed = PackedTable.from_arrays(X, y)
    return {
        "counting: pack": lambda: PackedTable.from_arrays(X, y),
        "counting: literal weights": lambda: [packed.literal_weights(row) for row in MATRIX],
        "counting: grid histogram": lambda: packed.grid_histogram(MATRIX),
    }


def greedy_case() -> Cases:
    from idnf.counting.packed import PackedTable
    from idnf.learning.greedy import learn_greedy

    packed = PackedTable.from_arrays(*examples(200_000, 50))
    names = tuple(f"x{j}" for j in range(50))
    return {"greedy, k = 4": lambda: learn_greedy(packed, names, 4)}


def search_case() -> Cases:
    from idnf import DNFClassifier

    X, y = examples(1000, 30)
    return {"search, k = 3": lambda: DNFClassifier(3, effort=0.02).fit(X, y)}


def exact_case() -> Cases:
    from idnf import DNFClassifier

    X, y = examples(1000, 30)
    return {"exact leaf, k = 2": lambda: DNFClassifier(2, learner="exact").fit(X, y)}


def explaining_cases() -> Cases:
    from idnf import DNFClassifier

    X, y = examples(200_000, 50)
    model = DNFClassifier(4, family="nested", learner="greedy").fit(X[:20_000], y[:20_000])
    return {"predict": lambda: model.predict(X), "explain": lambda: model.explain(X)}


MATRIX = [[0, 2, 8], [4, 7, 8], [10, 12, 14]]
PARTS = (lambda: {REFERENCE: reference}, counting_cases, greedy_case, search_case, exact_case, explaining_cases)


def measure(only: Collection[str] = ()) -> dict[str, float]:
    """Return the least processor seconds over a few calls of each part that this package has."""
    found = {}
    for part in PARTS:
        # Another commit may lack a name, or call it with other arguments.
        with suppress(ImportError, AttributeError, TypeError):
            for name, call in part().items():
                if not only or name in only or name == REFERENCE:
                    found[name] = least_seconds(call)
    return found


def least_seconds(call: Callable[[], object]) -> float:
    call()
    times: list[float] = []
    while len(times) < 3 or sum(times) < 0.5 and len(times) < 20:
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def measured_apart(source: Path, only: Collection[str] = ()) -> dict[str, float]:
    """Measure the package under a source folder in a process of its own: all parts, or some."""
    settings = {**os.environ, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--measure", *only]
    found = subprocess.run(command, check=True, env=settings, stdout=subprocess.PIPE, text=True)
    return json.loads(found.stdout)


def least(rounds: list[dict[str, float]]) -> dict[str, float]:
    """Return the least figure of each part; a round need not have all parts."""
    return {name: min(each[name] for each in rounds if name in each) for name in rounds[0]}


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


def in_turns(base: Measure, head: Measure) -> tuple[dict[str, float], dict[str, float]]:
    """Measure two packages in turns, so that both see the same machine; what seems slower is measured some more."""
    rounds: tuple[list[dict[str, float]], list[dict[str, float]]] = ([], [])
    for _ in range(ROUNDS):
        rounds[0].append(base(()))
        rounds[1].append(head(()))
    for _ in range(MORE_ROUNDS):
        doubtful = slower(least(rounds[0]), least(rounds[1]))
        if not doubtful:
            break
        rounds[0].append(base(doubtful))
        rounds[1].append(head(doubtful))
    return least(rounds[0]), least(rounds[1])


def compare(commits: list[str], *, keeping: bool) -> list[str]:
    """Compare two commits, each in a worktree of its own."""
    names = [commit(name) for name in (*commits, "HEAD")[:2]]
    with tempfile.TemporaryDirectory() as folder:
        trees = [Path(folder) / name for name in names]
        try:
            for name, tree in zip(names, trees):
                _git("worktree", "add", "--quiet", "--detach", str(tree), name)
                lend_kernels(tree)
            found = in_turns(*(partial(measured_apart, tree / "src") for tree in trees))
        finally:
            for tree in trees:
                if tree.exists():
                    _git("worktree", "remove", "--force", str(tree))
    print("  processor seconds")
    flagged = show((names[0], names[1]), *found)
    if keeping:
        for name, times in zip(names, found):
            keep(name, times)
    return flagged


def lend_kernels(tree: Path) -> None:
    """Give a worktree compiled kernels: those of this tree if its sources of them are the same, else its own."""
    if kernel_sources(tree) == kernel_sources(ROOT):
        copy_kernels(ROOT / "src", tree / "src")
        return
    with tempfile.TemporaryDirectory() as folder:
        words = ("install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", folder, str(tree))
        subprocess.run([sys.executable, "-m", "pip", *words], check=True)
        copy_kernels(Path(folder), tree / "src")


def kernel_sources(tree: Path) -> dict[str, bytes]:
    """Return the sources of the kernels in a tree, by their places."""
    source = tree / "src"
    endings = (".pyx", ".pxd", ".pxi", ".h")
    return {str(path.relative_to(source)): path.read_bytes() for path in source.rglob("*") if path.suffix in endings}


def copy_kernels(source: Path, into: Path) -> None:
    """Copy the compiled kernels of idnf from one folder of packages into another."""
    for path in [*source.glob("idnf/**/*.so"), *source.glob("idnf/**/*.pyd")]:
        shutil.copy(path, into / path.relative_to(source))


def commit(name: str) -> str:
    return _git("rev-parse", "--short", name)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def history() -> list[dict[str, str]]:
    """Return the figures kept, oldest commit first."""
    if not HISTORY.exists():
        return []
    with HISTORY.open(newline="") as file:
        return list(csv.DictReader(file))


def kept() -> tuple[str, dict[str, float]]:
    """Return the latest commit kept and its figures."""
    rows = history()
    if not rows:
        return "nothing kept", {}
    last = rows[-1]["commit"]
    return last, {row["part"]: float(row["times_reference"]) for row in rows if row["commit"] == last}


def keep(name: str, times: dict[str, float]) -> None:
    """Put the figures of a commit into the history, in place of any it has there."""
    about = {
        "commit": name,
        "date": _git("show", "-s", "--format=%cI", name),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    new = [
        {**about, "part": part, "seconds": f"{times[part]:.6f}", "times_reference": f"{multiple:.5g}"}
        for part, multiple in relative(times).items()
    ]
    rows = sorted([*(row for row in history() if row["commit"] != name), *new], key=lambda row: row["date"])
    HISTORY.parent.mkdir(parents=True, exist_ok=True)
    with HISTORY.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(new[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def this_tree() -> None:
    """Show the figures of this tree beside the last ones kept; those may come from another machine."""
    times = least([measured_apart(ROOT / "src") for _ in range(ROUNDS)])
    print("  multiples of the reference")
    last, before = kept()
    show((last, "this tree"), before, relative(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compare", nargs="+", metavar="COMMIT")
    parser.add_argument("--keep", action="store_true", help="with --compare: add both commits to the history")
    parser.add_argument("--measure", nargs="*", metavar="PART", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure is not None:
        print(json.dumps(measure(chosen.measure)))
    elif chosen.compare is None:
        this_tree()
    elif flagged := compare(chosen.compare[:2], keeping=chosen.keep):
        sys.exit(f"  more than {LIMIT - 1:.0%} slower: {', '.join(flagged)}")


if __name__ == "__main__":
    main()
