"""How many modules of idnf a user's question walks through: fit, explain, report.

    python benchmarks/walk.py              the table
    python benchmarks/walk.py --modules    with the names of the modules of each step

A module is touched if Python runs a function of it: `sys.setprofile` (and `threading.setprofile`, for searches in
threads) reports every call, and the file of the code called names the module. What a module runs while it is imported
is not counted, so lazy imports are made by one unmeasured round; compiled kernels have no frames and are not counted.
Tables have 150 rows of numbers, categories and truths, with missing values; lazy ones are polars' and have no report.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import numpy as np
import polars as pl

import idnf
from idnf import DNFClassifier, reporting

SOURCE = Path(idnf.__file__).parent
ROWS = 150
STEPS = ("fit", "explain", "report")
WAYS = {"2 classes": (2, False), "3 classes": (3, False), "polars lazy, 2": (2, True), "polars lazy, 3": (3, True)}
Touched = dict[str, set[str]]


def loans(classes: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Return rows and labels."""
    rng = np.random.default_rng(0)
    income, late, member = rng.normal(40, 15, ROWS).round(1), rng.poisson(1.2, ROWS), rng.random(ROWS) < 0.4
    region = rng.choice(["north", "south", "east", "west"], ROWS)
    frame = pl.DataFrame({"income": income, "late": late, "member": member, "region": region})
    frame = frame.with_columns(income=pl.when(pl.col("late") != 3).then("income"))
    numbers = 1 * ((income > 38) & (late < 2)) + (member & (region != "north")) * (classes - 1)
    numbers = np.where(rng.random(ROWS) < 0.1, rng.integers(0, classes, ROWS), np.minimum(numbers, classes - 1))
    return frame, np.array(["bronze", "gold", "silver"][:classes])[numbers]


def touched(act: Callable[[], object]) -> set[str]:
    """Return the modules whose functions run during an act, as files below the package."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {Path(file).relative_to(SOURCE).as_posix() for file in files if Path(file).is_relative_to(SOURCE)}


def walk(classes: int, lazy: bool, folder: Path) -> Touched:
    """Return the modules touched by each step."""
    frame, y = loans(classes)
    clf = DNFClassifier(k=3)
    if lazy:
        table = frame.with_columns(label=pl.Series(y)).lazy()
        acts = {
            "fit": lambda: clf.fit(table, "label"),
            "explain": lambda: clf.explain(table).collect(),
        }
    else:
        acts = {
            "fit": lambda: clf.fit(frame, y),
            "explain": lambda: [one.to_text() for one in clf.explain(frame)],
            "report": lambda: reporting.to_html(clf, folder / "report.html", frame, y),
        }
    return {step: touched(act) for step, act in acts.items()}


def lines(found: dict[str, Touched], *, modules: bool) -> Iterator[str]:
    yield f"{'':16}" + "".join(f"{step:>9}" for step in (*STEPS, "all"))
    for way, steps in found.items():
        counts = [str(len(steps[step])) if step in steps else "" for step in STEPS]
        every = set().union(*steps.values())
        yield f"{way:16}" + "".join(f"{count:>9}" for count in (*counts, len(every)))
    if modules:
        for way, steps in found.items():
            for step, files in steps.items():
                yield f"\n{way}, {step}:\n  " + "\n  ".join(sorted(files))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", action="store_true", help="name the modules")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        for way in WAYS.values():
            walk(*way, Path(name))
        walks = {way: walk(*settings, Path(name)) for way, settings in WAYS.items()}
    print(*lines(walks, modules=options.modules), sep="\n")
