"""Accuracy, reasons, length and time: our learners beside their peers, on the same splits of many tables.

    python benchmarks/scoreboard.py                       what is missing, and the page, into benchmarks/results
    python benchmarks/scoreboard.py --quick               a few tables in minutes, into benchmarks/.work
    python benchmarks/scoreboard.py --expect              how many cells and processor hours that would be
    python benchmarks/scoreboard.py --tables              the page and the pictures again, from the results
    python benchmarks/scoreboard.py --tables --readme     the README's table as well
    python benchmarks/scoreboard.py --methods cart licketysplit --data checked --sizes 600 --k 2 3 --splits 0
    python benchmarks/scoreboard.py --again cart --methods cart --data sklearn-iris
    python benchmarks/scoreboard.py --rebuild cart        cells of one column anew, compared to the digit

The fresh tables are looked at only if `--data fresh` says so, or a name of one. Each heavy peer gets an environment of
its own, `.venv-peers-*`; versions and settings are in peers/settings.toml, with the samples of tables that sizes and
slow methods get. A run that was interrupted goes on where it stopped. A cell is run again when the version or the
settings of its method or its data change, for ours the sources that learn, or when `--again` names its method.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from board.cells import read_cells, write_cells
from board.data import GROUPS, SIZES, group_of
from board.methods import METHODS, OURS, ROOT, RUN
from board.page import boards, report
from board.readme import fill_readme
from board.running import Chosen, Runner, expected_hours, rebuilt
from board.runs import note_run

RESULTS = ROOT / "benchmarks" / "results"
WORK = ROOT / "benchmarks" / ".work"
QUICK = ["AER-SwissLabor", "carData-Salaries", "concept-301", "concept-304", "MASS-crabs", "openintro-hsb2"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="six tables, one split, k = 2 and 3, no slow peers")
    parser.add_argument("--expect", action="store_true", help="run nothing, say what there is to run")
    parser.add_argument("--tables", action="store_true", help="run nothing, write page and pictures")
    parser.add_argument("--readme", action="store_true", help="fill the README's table")
    parser.add_argument("--run-only", action="store_true", help="write no page")
    parser.add_argument("--rebuild", choices=METHODS, metavar="METHOD", help="compare cells run anew with the results")
    parser.add_argument("--methods", nargs="+", choices=["ours", "peers", *METHODS], metavar="METHOD")
    parser.add_argument("--again", nargs="+", choices=METHODS, default=[], metavar="METHOD")
    parser.add_argument("--data", nargs="+", metavar="NAME", help=f"tables, or of {', '.join(GROUPS)}")
    parser.add_argument("--sizes", nargs="+", type=int, choices=SIZES, help="largest numbers of training rows")
    parser.add_argument("--k", nargs="+", type=int)
    parser.add_argument("--splits", nargs="+", type=int, help="by default as many as the settings say")
    parser.add_argument(
        "--seeds", nargs="+", type=int, default=[0], help="others than 0 for methods with chance in them"
    )
    parser.add_argument("--processes", type=int, default=1)
    return parser.parse_args()


def chosen_by(given: argparse.Namespace) -> Chosen:
    """Return the cells that the command line is about."""
    tables = [group for group in GROUPS if group != "fresh"]
    data, bounds, splits, sizes = (
        (QUICK, [2, 3], [0], SIZES[:1]) if given.quick else (tables, RUN["bounds"], None, SIZES)
    )
    words = {"ours": OURS, "peers": [name for name in METHODS if name not in OURS]}
    everyone = [name for name, method in METHODS.items() if not (given.quick and method.slow)]
    methods = [name for word in given.methods or everyone for name in words.get(word, (word,))]
    return Chosen(
        methods, given.data or data, given.k or bounds, given.splits or splits, given.seeds, given.sizes or sizes
    )


def run(given: argparse.Namespace, results: Path) -> None:
    """Fit and measure what is missing, a line for each cell."""
    runner, chosen = Runner(results, WORK, given.processes), chosen_by(given)
    keys = runner.missing(chosen)
    keys += [key for key in chosen.cells() if key[0] in given.again and key not in set(keys)]
    known = [*read_cells(RESULTS, METHODS), *read_cells(WORK / "quick", METHODS)]
    print(f"{len(keys)} cells to run, about {expected_hours(keys, known):.2f} processor hours", flush=True)
    if given.expect or not keys:
        return
    groups = sorted({group_of(key[1]) for key in keys})
    note_run(results, groups, shlex.join(["python", "benchmarks/scoreboard.py", *sys.argv[1:]]), len(keys))
    for place, cell in enumerate(runner.run(keys), 1):
        said = f"{cell.accuracy:.1f}" if cell.accuracy is not None else f"{cell.status} {cell.message}"
        name = f"{cell.method} {cell.data} split {cell.split} k {cell.k} seed {cell.seed}"
        print(f"{place}/{len(keys)} {name}: {said}", flush=True)
    for method in {key[0] for key in keys}:
        write_cells(results, method, read_cells(results, [method]))


def rebuild(given: argparse.Namespace) -> bool:
    """Run the cells of a method that the results have, say every figure that differs, and tell whether one does."""
    given.methods = [given.rebuild]
    count, differing = 0, 0
    for cell, said in rebuilt(chosen_by(given), RESULTS, Runner(WORK / "rebuilt", WORK, given.processes)):
        count, differing = count + 1, differing + bool(said)
        if said:
            print(f"{cell.data} split {cell.split} k {cell.k} seed {cell.seed}: {', '.join(said)}", flush=True)
    print(f"{given.rebuild}: {count} cells run anew, {differing} differ")
    return bool(differing or not count)


def main() -> None:
    given = arguments()
    WORK.mkdir(exist_ok=True)
    (WORK / ".gitignore").write_text("*\n")
    results = WORK / "quick" if given.quick else RESULTS
    if given.rebuild:
        sys.exit(rebuild(given))
    if not given.tables:
        run(given, results)
    if not given.run_only and not given.expect:
        found = boards(results)
        print(report(results, found))
        if given.readme:
            fill_readme(results, found)


if __name__ == "__main__":
    main()
