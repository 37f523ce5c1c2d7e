"""Explainers of others beside ours, on the same trees and rows: PyXAI and SHAP, and DiCE, in environments of their own.

Every answer of a peer is checked here, against the tree itself; how small an answer can be is what ours proves.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, median

import numpy as np
import pandas as pd
import sklearn
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from idnf import __version__, datasets
from idnf.datasets.loading import load_paper
from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Space
from idnf.logic.trees import NestedTree

from .counterfactuals import Row, Task
from .methods import SCRIPTS, Worker

# The trees are fitted on either side: one version of scikit-learn makes sure that they are the same.
_SAME = f"scikit-learn=={sklearn.__version__}"
FORMAL = Worker("formal.py", "formal", ("pyxai==2.0.1", "shap==0.51.0", _SAME, "pandas"))
DICE = Worker("dice.py", "dice", ("dice-ml==0.12", _SAME))
METHODS = ("random", "kdtree", "genetic")
COMPAS = "compas, 25 features"
COMPAS_GROUPS = (2, 5, 6, 2, 2, 2, 4, 2)
"""compas is eight columns, one-hot coded."""


@dataclass(frozen=True)
class Answered:
    """How one explainer did on one question; None where a figure does not apply.

    Of ``rows`` asked, ``possible`` have an answer at all. ``answered`` is the share of the rows for which the explainer
    gave one; ``right``, of the possible ones, the share with an answer that is true of the tree, and ``smallest`` that
    with a true one as small as can be. ``size`` is the mean size of the true ones, ``least`` that of the smallest
    possible for the same rows, ``times_ours`` processor time a row as a multiple of ours in the same run.
    """

    model: str
    explainer: str
    question: str
    seconds: float
    times_ours: float
    rows: int
    possible: int
    answered: float = 1.0
    right: float | None = None
    smallest: float | None = None
    size: float | None = None
    least: float | None = None
    errors: str = ""


def asked(worker: Worker, folder: Path) -> dict:
    """Let a peer answer what lies in a folder, on one core."""
    one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [worker.python(), SCRIPTS / worker.script, folder]
    told = subprocess.run(command, cwd=folder, env={**os.environ, **one_core}, capture_output=True, text=True)
    if told.returncode:
        raise SystemExit(f"{worker.script} failed:\n{told.stderr[-3000:]}")
    return json.loads((folder / "answer.json").read_text())


def seconds_of(call: Callable[[], object], *, repeats: int = 5) -> float:
    """Return the median processor seconds of some calls."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return median(taken)


def is_sufficient(tree: DecisionTreeClassifier, row: NDArray[np.integer], kept: set[int]) -> bool:
    """Return whether the tree gives one class whatever the 0/1 features outside ``kept`` are."""
    nodes, labels = [0], set()
    while nodes:
        node = nodes.pop()
        feature = tree.tree_.feature[node]
        below = (tree.tree_.children_left[node], tree.tree_.children_right[node])
        if feature < 0:
            labels.add(int(tree.tree_.value[node][0].argmax()))
        else:
            nodes += [below[int(row[feature])]] if feature in kept else below
    return len(labels) == 1


def reasons(folder: Path, *, quick: bool) -> list[Answered]:
    """Ask PyXAI for smallest AXps and CXps, and SHAP for values, of a tree over compas."""
    X, y = (np.asarray(part).astype(int) for part in load_paper("compas"))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    rows = np.unique(X, axis=0)[:: 10 if quick else 1]
    many = rows[np.random.default_rng(0).integers(0, len(rows), 20_000)]
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "given.npz", X=X, y=y, rows=rows, many=many)
    told = asked(FORMAL, folder)
    assert told["labels"] == tree.predict(rows).tolist(), "the peer must explain the same tree"
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    model = NestedTree.from_sklearn(tree.tree_, names, 4)
    mine = Explainer.of(model, Space.boolean(names)).explain(rows)
    ours = {
        len(part): seconds_of(lambda part=part: Explainer.of(model, Space.boolean(names)).explain(part)) / len(part)
        for part in (rows, many)
    }
    row = partial(_formal_row, told, ours[len(rows)])
    ranked = [set(order[:size]) for order, size in zip(told["ranking"], mine.axp_sizes.tolist())]
    enough = fmean(is_sufficient(tree, x, kept) for x, kept in zip(rows, ranked))
    seconds = told["seconds"]["shap"]
    shap = Answered(
        COMPAS, f"SHAP {_version(FORMAL, 'shap')}", "attribution", seconds, seconds / ours[len(many)],
        rows=len(rows), possible=len(rows), right=enough, least=fmean(mine.axp_sizes.tolist()),
    )  # fmt: skip
    return [row("axp", "smallest AXp", mine.axp_sizes), row("cxp", "smallest CXp", mine.cxp_sizes), shap]


def _formal_row(told: dict, ours: float, key: str, question: str, sizes: NDArray[np.integer]) -> Answered:
    same = fmean(size == least for size, least in zip(told[f"{key}s"], sizes.tolist()))
    seconds = told["seconds"][key]
    return Answered(
        COMPAS, f"PyXAI {_version(FORMAL, 'pyxai')}", question, seconds, seconds / ours, rows=len(sizes),
        possible=len(sizes), smallest=same, size=fmean(told[f"{key}s"]), least=fmean(sizes.tolist()),
    )  # fmt: skip


def counterfactual_tasks() -> list[Task]:
    """Return a table of words, and one of numbers and words, free and with columns that may not change."""
    X, y = (np.asarray(part).astype(int) for part in load_paper("compas"))
    ends = np.cumsum(COMPAS_GROUPS)
    words = {
        f"column {g + 1}": [f"value {c + 1}" for c in X[:, end - size : end].argmax(axis=1)]
        for g, (end, size) in enumerate(zip(ends, COMPAS_GROUPS))
    }
    loans, decisions = datasets.load("loans")
    numbers = loans[["income", "amount"]].astype(float).assign(employed=loans["employed"].dt.days)
    mixed = numbers.join(loans[["region", "education", "debt", "guarantor"]])
    whole = mixed.notna().all(axis=1)
    mixed = mixed[whole].astype(dict.fromkeys(("region", "education", "debt", "guarantor"), str)).reset_index(drop=True)
    approved = (np.asarray(decisions)[whole] == "approved").astype(int)
    fixed = ("income", "region", "education", "debt")
    return [
        Task("compas, 8 columns", pd.DataFrame(words), y),
        Task("loans, 7 columns", mixed, approved),
        Task(f"loans, {', '.join(fixed)} fixed", mixed, approved, fixed),
    ]


def counterfactuals(folder: Path, task: Task, *, quick: bool) -> list[Answered]:
    """Ask DiCE, by each of its methods, and ourselves for a way into the other class."""
    count, methods = (5, METHODS[:2]) if quick else (25, METHODS)
    chosen = np.random.default_rng(0).permutation(len(task.frame.drop_duplicates()))[:count]
    rows: list[Row] = task.frame.drop_duplicates().iloc[chosen].to_dict("records")
    folder.mkdir(parents=True, exist_ok=True)
    task.frame.assign(label=task.labels).to_csv(folder / "table.csv", index=False)
    pd.DataFrame(rows).to_csv(folder / "rows.csv", index=False)
    given = {"numbers": task.numbers, "categories": task.categories, "free": task.free}
    (folder / "task.json").write_text(json.dumps({**given, "methods": methods}))
    told = asked(DICE, folder)
    assert told["labels"] == task.predict(rows).tolist(), "the peer must explain the same tree"
    classifier = task.classifier
    assert classifier.predict(task.frame).tolist() == task.predict(task.frame.to_dict("records")).tolist()
    ways = [classifier.recourse(row, immutable=task.fixed) for row in rows]
    seconds = seconds_of(lambda: [classifier.recourse(row, immutable=task.fixed) for row in rows]) / len(rows)
    least = [len(found[0].changes) if found else None for found in ways]
    mine = [[changed] if (changed := task.realised(row, found)) else [] for row, found in zip(rows, ways)]
    answers = {f"idnf {__version__}": (mine, seconds)}
    for method in methods:
        answers[f"DiCE {_version(DICE, 'dice-ml')}, {method}"] = told["found"][method], told["seconds"][method]
    return [
        Answered(task.name, explainer, "counterfactual", seconds=taken, times_ours=taken / seconds,
                 **judged(task, rows, least, found))
        for explainer, (found, taken) in answers.items()
    ]  # fmt: skip


def judged(task: Task, rows: Sequence[Row], least: Sequence[int | None], found: Sequence[list[Row] | str]) -> dict:
    """Return the figures of some answers; of several for a row the true one of fewest changes counts.

    ``least`` is the fewest changes that can be enough, None where none are. A word in place of answers is an error.
    """
    lists = [[] if isinstance(answers, str) else answers for answers in found]
    true = [
        [len(task.changes(row, each)) for each in answers if task.is_valid(row, each)]
        for row, answers in zip(rows, lists)
    ]
    sizes = {i: min(each) for i, each in enumerate(true) if each}
    possible = sum(size is not None for size in least)
    return {
        "rows": len(rows),
        "possible": possible,
        "answered": fmean(map(bool, lists)),
        "right": len(sizes) / possible,
        "smallest": sum(size == least[i] for i, size in sizes.items()) / possible,
        "size": fmean(sizes.values()) if sizes else None,
        "least": fmean(least[i] or 0 for i in sizes) if sizes else None,
        "errors": ", ".join(f"{n} {name}" for name, n in Counter(e for e in found if isinstance(e, str)).items()),
    }


def _version(worker: Worker, package: str) -> str:
    return worker.versions((package,))[package]
