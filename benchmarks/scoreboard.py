"""Accuracy, reasons, length and time: our learner beside its peers, on the same splits of many tables.

    python benchmarks/scoreboard.py                       what is missing, and the page, into benchmarks/results
    python benchmarks/scoreboard.py --quick               a few tables in minutes, into benchmarks/.work
    python benchmarks/scoreboard.py --tables              the page and the pictures again, from the results
    python benchmarks/scoreboard.py --tables --readme     the README's table as well
    python benchmarks/scoreboard.py --methods cart licketysplit-2 --data headline --k 2 3 --splits 0
    python benchmarks/scoreboard.py --again cart --methods cart --data sklearn-iris
    python benchmarks/scoreboard.py --rebuild cart        cells of one column anew, compared to the digit

Each heavy peer gets an environment of its own, `.venv-peers-*`; versions and settings are in peers/settings.toml. A run
that was interrupted goes on where it stopped. A cell is run again when the version or the settings of its method, its
data or, for ours, the commit of the library change, or when `--again` names its method.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from board.cells import SEEDED, read_cells, rounded
from board.data import GROUPS
from board.methods import METHODS, OURS, ROOT, RUN
from board.page import fill_readme, report
from board.running import Chosen, Runner
from board.runs import note_run

RESULTS = ROOT / "benchmarks" / "results"
WORK = ROOT / "benchmarks" / ".work"
QUICK = ["AER-SwissLabor", "carData-Salaries", "concept-301", "concept-304", "MASS-crabs", "openintro-hsb2"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="six tables, one split, k = 2 and 3, no slow peers")
    parser.add_argument("--tables", action="store_true", help="run nothing, write page and pictures")
    parser.add_argument("--readme", action="store_true", help="fill the README's table")
    parser.add_argument("--run-only", action="store_true", help="write no page")
    parser.add_argument("--rebuild", choices=METHODS, metavar="METHOD", help="compare cells run anew with the results")
    parser.add_argument("--methods", nargs="+", choices=["ours", "peers", *METHODS], metavar="METHOD")
    parser.add_argument("--again", nargs="+", choices=METHODS, default=[], metavar="METHOD")
    parser.add_argument("--data", nargs="+", metavar="NAME", help=f"tables, or of {', '.join(GROUPS)}")
    parser.add_argument("--k", nargs="+", type=int)
    parser.add_argument("--splits", nargs="+", type=int)
    parser.add_argument(
        "--seeds", nargs="+", type=int, default=[0], help="others than 0 for methods with chance in them"
    )
    chosen = parser.parse_args()
    defaults = (QUICK, [2, 3], [0]) if chosen.quick else (list(GROUPS), RUN["bounds"], [0, 1, 2, 3, 4])
    for name, default in zip(("data", "k", "splits"), defaults):
        if getattr(chosen, name) is None:
            setattr(chosen, name, default)
    chosen.data = [name for given in chosen.data for name in GROUPS.get(given, (given,))]
    words = {"ours": OURS, "peers": [name for name in METHODS if name not in OURS]}
    everyone = [name for name, method in METHODS.items() if not (chosen.quick and method.slow)]
    chosen.methods = [name for given in chosen.methods or everyone for name in words.get(given, (given,))]
    return chosen


def run(chosen: argparse.Namespace, results: Path) -> None:
    """Fit and measure what is missing, a line for each batch."""
    runner = Runner(results, WORK)
    what = Chosen(chosen.methods, chosen.data, chosen.k, chosen.splits, chosen.seeds)
    keys = runner.missing(what)
    again = [key for key in what.cells() if key[0] in chosen.again and key not in set(keys)]
    keys = [*keys, *again]
    print(f"{len(keys)} cells to run", flush=True)
    if keys:
        note_run(results, shlex.join(["python", "benchmarks/scoreboard.py", *sys.argv[1:]]), len(keys))
    for place, cell in enumerate(runner.run(keys), 1):
        said = f"{cell.accuracy:.1f}" if cell.accuracy is not None else f"{cell.status} {cell.message}"
        name = f"{cell.method} {cell.data} split {cell.split} k {cell.k} seed {cell.seed}"
        print(f"{place}/{len(keys)} {name}: {said}", flush=True)


def rebuild(method: str, chosen: argparse.Namespace, results: Path) -> None:
    """Run the cells of a method that the results have, and say where a figure differs."""
    wanted = set(Chosen([method], chosen.data, chosen.k, chosen.splits, chosen.seeds).cells())
    there = {cell.key: cell for cell in read_cells(results, [method]) if cell.key in wanted and cell.ok}
    differing = 0
    for cell in Runner(WORK / "rebuilt", WORK).run(sorted(there, key=lambda key: (key[2], key[3], key[1]))):
        found, known = rounded(cell), there[cell.key]
        fields = [name for name in SEEDED if getattr(found, name) != getattr(known, name)]
        differing += bool(fields)
        if fields:
            said = ", ".join(f"{name} {getattr(found, name)} instead of {getattr(known, name)}" for name in fields)
            print(f"{cell.data} split {cell.split} k {cell.k} seed {cell.seed}: {said}", flush=True)
    print(f"{method}: {len(there)} cells run anew, {differing} differ")
    sys.exit(1 if differing else 0)


def main() -> None:
    chosen = arguments()
    WORK.mkdir(exist_ok=True)
    (WORK / ".gitignore").write_text("*\n")
    results = WORK / "quick" if chosen.quick else RESULTS
    if chosen.rebuild:
        rebuild(chosen.rebuild, chosen, RESULTS)
    if not chosen.tables:
        run(chosen, results)
    if not chosen.run_only:
        print(report(results))
        if chosen.readme:
            fill_readme(results)


if __name__ == "__main__":
    main()
