"""Fits that could run away: every learner, family and option over tables that are hard on loops and on memory.

    python -m tests.awkward_fits                      one of each learner, family and option, and what was wrong once
    python -m tests.awkward_fits --part 3/10          a tenth of all fits
    python -m tests.awkward_fits --longest 60         that many seconds of the processor at most for a fit
    python -m tests.awkward_fits --memory 2048        with that many MiB more than there are once everything is imported

Each fit has a time limit of a second of the processor, so that a busy machine tries as much as an idle one. One that
raises, takes three, or breaks its caps is printed as such, and the exit status is then 1. `make sanitize` runs this
with the sanitised kernels.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from pathlib import Path

import numpy as np
import pandas as pd

from idnf import DNFBands, DNFClassifier
from idnf.choosing import Fairness, fit_fairly
from idnf.logic import deadlines

LIMIT, LONGEST = 1.0, 3.0
Examples = tuple[pd.DataFrame, np.ndarray]
RNG = np.random.default_rng


def flags(rows: int, columns: int, classes: int = 2) -> Examples:
    """Return Booleans without any pattern."""
    rng = RNG(0)
    X = pd.DataFrame(rng.random((rows, columns)) < 0.5, columns=[f"x{j}" for j in range(columns)])
    return X, np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])


def majority() -> Examples:
    """Return 14 Booleans of which at least 7 of the first 13 are asked for, more than six conditions can say."""
    X, _ = flags(3000, 14)
    return X, (X.iloc[:, :13].sum(axis=1) >= 7).to_numpy()


def mixed(classes: int) -> Examples:
    """Return numbers, words and missing values without any pattern: models of many terms, which caps cut down."""
    rng, holes = RNG(0), np.array([0.0, 1, 2, np.nan])
    columns = {"a": rng.integers(0, 4, 300), "b": rng.choice(["red", "blue", "lime"], 300)}
    X = pd.DataFrame({**columns, "c": holes[rng.integers(0, 4, 300)], "d": holes[rng.integers(0, 4, 300)]})
    return X, rng.integers(0, classes, 300)


def one_column() -> Examples:
    """Return a column of 9 values, of which the odd ones and the even ones differ."""
    return pd.DataFrame({"x": [*range(9)] * 2}), np.array([*range(9)] * 2) % 2


def categories(classes: int) -> Examples:
    """Return 300 categories, five rows each, and one text in all rows."""
    rng = RNG(0)
    X = pd.DataFrame({"code": [f"c{row % 300}" for row in range(1500)], "same": "a", "z": rng.integers(0, 7, 1500)})
    return X, (RNG(1).integers(0, classes, 300)[np.arange(1500) % 300] + (rng.random(1500) < 0.1)) % classes


def many_rows() -> Examples:
    """Return 30,000 rows of numbers that hardly repeat."""
    X = pd.DataFrame(RNG(0).normal(size=(30_000, 12)), columns=[f"n{j}" for j in range(12)])
    return X, (X["n0"] * X["n1"] + X["n2"] > 0).to_numpy()


TABLES: dict[str, Callable[[], Examples]] = {
    "mixed, missing": lambda: mixed(2),
    "mixed, four classes": lambda: mixed(4),
    "one column": one_column,
    "few rows, many columns": lambda: flags(5, 63),
    "nine Booleans": lambda: flags(400, 9),
    "seven of thirteen": majority,
    "300 categories": lambda: categories(2),
    "300 categories, three classes": lambda: categories(3),
    "a thousand columns": lambda: flags(60, 1000),
    "many rows": many_rows,
}
KS = (1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 1000)
LEARNERS, FAMILIES = ("search", "exact", "greedy"), ("any", "column-tree", "tree", "nested", "checklist")
OPTIONS: dict[str, Mapping[str, object]] = {
    "plain": {},
    "untuned": {"tune": False},
    "free": {"price": 0.0},
    "cheap, lines": {"price": 0.001, "max_terms": 2},
    "free, reasons": {"price": 0.0, "max_reasons": 20},
    "lines": {"max_terms": 1},
    "lines and reasons": {"max_terms": 3, "max_reasons": 9},
    "intervals": {"conditions": "intervals"},
    "sets": {"conditions": "sets"},
    "all": {"conditions": "all"},
    "auto": {"conditions": "auto"},
    "much effort": {"effort": 1e5},
    "balanced": {"class_weight": "balanced"},
    "costs": {"costs": True},
    "monotone": {"monotonic_cst": True},
    "threads": {"n_jobs": 2},
    "fair": {"fairness": True},
    "bands": {},
    "bands, lines": {"max_terms": 2},
    "bands, free": {"price": 0.0},
    "bands, untuned": {"tune": False, "boundaries": [0.3, 0.6]},
}


def is_legal(table: str, learner: str, family: str, option: str) -> bool:
    """Return whether a fit is not refused by rules that the documentation states."""
    several, settings = "classes" in table, OPTIONS[option]
    if option.startswith("bands"):
        return not several and (learner, family) == ("search", "any")
    if several and (family in ("nested", "checklist") or {"monotonic_cst", "fairness"} & {*settings}):
        return False
    if several and learner != "search" and {"price", "max_terms", "max_reasons"} & {*settings}:
        return False
    if family == "column-tree" and (learner != "search" or {"price", "monotonic_cst", "costs"} & {*settings}):
        return False
    if family == "checklist" and learner != "search":
        return False
    if learner == "greedy" and family != "nested" and "monotonic_cst" in settings:
        return False
    return learner == "search" or option != "auto"


def cases() -> Iterator[tuple[str, str, str, str, int]]:
    """Yield table, learner, family, option and k of every fit, k in turn."""
    ks = cycle(KS)
    for option in OPTIONS:
        for learner in LEARNERS:
            for family in FAMILIES:
                for table in TABLES:
                    if is_legal(table, learner, family, option):
                        k = next(ks)
                        yield table, learner, family, option, min(k, 10) if learner == "greedy" else k


CASES = tuple(cases())
ONCE_WRONG = (
    ("mixed, missing", "search", "any", "cheap, lines", 3),
    ("mixed, missing", "search", "any", "free, reasons", 3),
    ("mixed, missing", "exact", "any", "cheap, lines", 3),
    ("mixed, missing", "search", "any", "bands, lines", 3),
    ("one column", "search", "any", "plain", 1000),
    ("one column", "search", "any", "plain", 10**9),
    ("one column", "search", "any", "much effort", 2),
    ("few rows, many columns", "exact", "nested", "plain", 9),
    ("nine Booleans", "exact", "any", "plain", 10),
    ("nine Booleans", "exact", "any", "plain", 12),
    ("seven of thirteen", "search", "any", "plain", 7),
    ("seven of thirteen", "search", "any", "free", 8),
    ("seven of thirteen", "exact", "any", "plain", 8),
    ("seven of thirteen", "search", "checklist", "plain", 10),
    ("seven of thirteen", "search", "column-tree", "lines", 12),
    ("300 categories", "search", "any", "all", 2),
    ("300 categories", "search", "any", "auto", 2),
    ("a thousand columns", "greedy", "nested", "lines", 10),
    ("a thousand columns", "search", "tree", "fair", 7),
)
"""What ran away, ran out of memory or was refused before."""


def few() -> list[tuple[str, str, str, str, int]]:
    """Return what was wrong once, and one fit of each option and of each learner with each family, tables in turn."""
    chosen = [*ONCE_WRONG]
    for place, option in enumerate(OPTIONS):
        members = [case for case in CASES if case[3] == option]
        chosen.append(members[place * 3 % len(members)])
    for place, pair in enumerate(dict.fromkeys(case[1:3] for case in CASES)):
        members = [case for case in CASES if case[1:3] == pair and case[3] in ("plain", "free")]
        chosen.append(members[place * 3 % len(members)])
    return chosen


def fit(learner: str, family: str, option: str, k: int, examples: Examples) -> DNFClassifier | DNFBands:
    """Learn within the limit."""
    X, y = examples
    settings = dict(OPTIONS[option])
    if "monotonic_cst" in settings:
        settings["monotonic_cst"] = {X.columns[-1]: 1}
    if "costs" in settings:
        labels = np.unique(y).tolist()
        settings["costs"] = {(labels[0], labels[1]): 5}
    if option.startswith("bands"):
        return DNFBands(k=k, time_limit=LIMIT, **settings).fit(X, y)
    is_fair = settings.pop("fairness", False)
    clf = DNFClassifier(k=k, learner=learner, family=family, time_limit=LIMIT, **settings)
    if not is_fair:
        return clf.fit(X, y)
    groups = np.where(np.arange(len(X)) % 2, "even", "odd")
    return fit_fairly(clf, X.assign(group=groups), y, fairness=Fairness("group", "demographic_parity", 0.2))


def trouble(model: DNFClassifier | DNFBands, X: pd.DataFrame) -> str:
    """Return what is wrong with a model; nothing if nothing is."""
    caps = [(name, most) for name in ("max_terms", "max_reasons") if (most := getattr(model, name)) is not None]
    for name, most in caps if isinstance(model, DNFClassifier) else ():
        size = model.size_.terms if name == "max_terms" else model.size_.reasons
        if size > most:
            return f"{name} is {most}, got {size}"
    return "" if len(model.predict(X[:5])) == 5 else "no labels"


def memory_in_use() -> int:
    """Return the bytes of the address space of this process."""
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part")
    parser.add_argument("--memory", type=int)
    parser.add_argument("--longest", type=float, default=LONGEST)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    deadlines.monotonic = time.process_time
    made, wrong = {name: make() for name, make in TABLES.items()}, 0
    if options.memory:
        X, y = made["one column"]
        DNFClassifier(k=2, learner="exact", n_jobs=2).fit(X, y)
        most = memory_in_use() + (options.memory << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    part, parts = map(int, options.part.split("/")) if options.part else (0, 0)
    listed = CASES[part::parts] if options.part else few()
    for case in listed:
        start = time.process_time()
        try:
            model = fit(*case[1:], made[case[0]])
            taken = time.process_time() - start
            late = f"took {taken:.1f} s" if taken > options.longest else ""
            said = late or trouble(model, made[case[0]][0])
        except Exception as error:  # noqa: BLE001 - whatever is raised is what we look for
            said = f"{type(error).__name__}: {error}"
        wrong += bool(said)
        print(f"{time.process_time() - start:6.2f} s", *case, f"WRONG: {said}"[:300] * bool(said), sep=", ", flush=True)
    print(f"{len(listed)} fits, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
