"""Accuracy against the size of reasons: our learners beside their peers, on the same splits.

    python benchmarks/scoreboard.py                  a few minutes; results under benchmarks/.work
    python benchmarks/scoreboard.py --full           the whole protocol; results under benchmarks/results
    python benchmarks/scoreboard.py --full --tables  the tables again, from the results that are there
    python benchmarks/scoreboard.py --full --tables --readme    the README's table as well

Each heavy peer gets an environment of its own, `.venv-peers-*`. A run that was interrupted goes on where it stopped:
cells already in the results are skipped, unless `--again` names their method.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from board.data import PAPER, TABLES, save_division
from board.methods import METHODS, ROOT, cells_of
from board.reporting import fill_readme, record, report
from board.results import answers, append_result, measured, read_results, write_results

BUILD = ROOT / "benchmarks" / ".work"
COMMAND = shlex.join(["python", "benchmarks/scoreboard.py", *sys.argv[1:]])
QUICK = ["banknote", "car-evaluation", "monks-1", "tic-tac-toe"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="all data sets, five splits, k = 2 to 6")
    parser.add_argument("--tables", action="store_true", help="run nothing, write tables and picture")
    parser.add_argument("--readme", action="store_true", help="fill the README's table")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="METHOD")
    parser.add_argument("--again", nargs="+", choices=METHODS, default=[], metavar="METHOD", help="forget their cells")
    parser.add_argument("--data", nargs="+", choices=[*PAPER, *TABLES], metavar="NAME")
    parser.add_argument("--k", nargs="+", type=int)
    parser.add_argument("--splits", type=int)
    chosen = parser.parse_args()
    defaults = ([*PAPER, *TABLES], [2, 3, 4, 5, 6], 5) if chosen.full else (QUICK, [2, 3], 1)
    for name, default in zip(("data", "k", "splits"), defaults):
        if getattr(chosen, name) is None:
            setattr(chosen, name, default)
    return chosen


def run(method: str, chosen: argparse.Namespace, results: Path) -> None:
    """Fit what is missing, then measure the reasons of what was fitted."""
    cells = cells_of(method, chosen.data, chosen.k, chosen.splits)
    written, done = BUILD / "answers" / f"{method}.csv", {result.key for result in read_results(results)}
    if method in chosen.again:
        written.unlink(missing_ok=True)
        done = {key for key in done if key[0] != method}
        write_results(results, [result for result in read_results(results) if result.key in done])
    wanted = [cell for cell in cells if (method, *cell) not in done]
    known = answers(written)
    divisions = {(name, split): save_division(BUILD / "data", name, split) for name, split, _ in wanted}
    missing = [cell for cell in wanted if (method, *cell) not in known]
    if missing:
        print(f"{method}: {len(missing)} fits", flush=True)
        written.parent.mkdir(parents=True, exist_ok=True)
        names = [":".join(map(str, (method, *cell))) for cell in missing]
        METHODS[method].worker.run(written, BUILD / "data", names)
        record(results.parent, method, COMMAND)
        known = answers(written)
    for name, split, k in wanted:
        append_result(results, measured(known[method, name, split, k], divisions[name, split]))


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
