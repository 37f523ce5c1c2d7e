"""Accuracy against the size of reasons: our learners beside their peers, on the same splits.

    python benchmarks/scoreboard.py                  a few minutes; results under benchmarks/.work
    python benchmarks/scoreboard.py --full           the whole protocol; results under benchmarks/results
    python benchmarks/scoreboard.py --full --tables  the tables again, from the results that are there
    python benchmarks/scoreboard.py --full --tables --readme          the README's table as well
    python benchmarks/scoreboard.py --full --again ours               our own cells anew, and all that are missing
    python benchmarks/scoreboard.py --full --methods cart --again cart --data iris --k 3    some cells anew

Each heavy peer gets an environment of its own, `.venv-peers-*`. A run that was interrupted goes on where it stopped:
cells already in the results are skipped, unless `--again` names their method; then the cells that --data, --k and
--splits choose are forgotten first. The quick version always does ours anew.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from board.data import PAPER, TABLES, save_division
from board.methods import METHODS, ROOT, cells_of
from board.reporting import fill_readme, record, report
from board.results import Key, answers, append_result, measured, read_results, write_results

BUILD = ROOT / "benchmarks" / ".work"
OURS = [method for method in METHODS if method.startswith("idnf")]
BATCH = 50
QUICK = ["banknote", "car-evaluation", "monks-1", "tic-tac-toe"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="all data sets, five splits, k = 2 to 6")
    parser.add_argument("--tables", action="store_true", help="run nothing, write tables and picture")
    parser.add_argument("--readme", action="store_true", help="fill the README's table")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="METHOD")
    parser.add_argument("--again", nargs="+", choices=["ours", *METHODS], default=[], metavar="METHOD")
    parser.add_argument("--data", nargs="+", choices=[*PAPER, *TABLES], metavar="NAME")
    parser.add_argument("--k", nargs="+", type=int)
    parser.add_argument("--splits", type=int)
    chosen = parser.parse_args()
    if "ours" in chosen.again or not chosen.full:
        chosen.again = [*OURS, *chosen.again]
    defaults = ([*PAPER, *TABLES], [2, 3, 4, 5, 6], 5) if chosen.full else (QUICK, [2, 3], 1)
    for name, default in zip(("data", "k", "splits"), defaults):
        if getattr(chosen, name) is None:
            setattr(chosen, name, default)
    return chosen


def forget(results: Path, keys: set[Key]) -> None:
    """Remove cells from the results."""
    write_results(results, [result for result in read_results(results) if result.key not in keys])


def run(method: str, chosen: argparse.Namespace, results: Path) -> None:
    """Fit what is missing, then measure the reasons of what was fitted."""
    cells = cells_of(method, chosen.data, chosen.k, chosen.splits)
    if method in chosen.again:
        forget(results, {(method, *cell) for cell in cells})
    done = {result.key for result in read_results(results)}
    missing = [cell for cell in cells if (method, *cell) not in done]
    if not missing:
        return
    print(f"{method}: {len(missing)} fits", flush=True)
    command = shlex.join(["python", "benchmarks/scoreboard.py", *sys.argv[1:]])
    record(results.parent, method, command, anew=not any(key[0] == method for key in done))
    divisions = {cell: save_division(BUILD / "data", *cell) for cell in dict.fromkeys(cell[:2] for cell in missing)}
    written = BUILD / "answers" / f"{method}.csv"
    written.parent.mkdir(parents=True, exist_ok=True)
    # A few at a time: what was measured before an interruption stays.
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        written.unlink(missing_ok=True)
        METHODS[method].worker.run(written, BUILD / "data", [":".join(map(str, (method, *cell))) for cell in batch])
        found = answers(written)
        for cell in batch:
            append_result(results, measured(found[method, *cell], divisions[cell[:2]]))


def main() -> None:
    chosen = arguments()
    BUILD.mkdir(exist_ok=True)
    (BUILD / ".gitignore").write_text("*\n")
    folder = ROOT / "benchmarks" / "results" if chosen.full else BUILD
    results = folder / "scoreboard.csv"
    if not chosen.tables:
        for method in chosen.methods:
            run(method, chosen, results)
    print(report(folder, command=f"python benchmarks/scoreboard.py{' --full' if chosen.full else ''}"))
    if chosen.readme:
        fill_readme(folder)


if __name__ == "__main__":
    main()
