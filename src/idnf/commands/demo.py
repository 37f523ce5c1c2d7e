"""``idnf demo``: the main job on built-in data, from a table to a report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from idnf import exporting, reporting
from idnf.classifier.estimator import DNFClassifier
from idnf.commands.output import Console
from idnf.commands.table_files import require_polars
from idnf.exporting.proving import prove_lines

if TYPE_CHECKING:
    import polars as pl


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Learn, explain, find a change, verify and report, on one screen."""
    folder = Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    X, y = _measured_patients()
    train, test = train_test_split(np.arange(len(y)), test_size=0.25, random_state=0, stratify=y)
    console.show(f"Breast cancer, as scikit-learn has it: {len(y)} patients, 30 measurements of a biopsy.\n")
    classifier = DNFClassifier(2, target="diagnosis", progress=console.progress("learning")).fit(X[train], y[train])
    console.show(classifier.to_text(first="malignant"))
    console.show(f"\nRight for {classifier.score(X[test], y[test]):.1%} of {len(test)} patients held out. One of them:")
    case = X[test[np.flatnonzero(classifier.predict(X[test]) == "malignant")[:1]]]
    console.show(f"  {classifier.explain(case)[0].to_text()}")
    console.show(f"  {classifier.recourse(case).to_text()}\n")
    certificate = classifier.double_dnf_.verify()
    console.show(str(prove_lines(classifier.fitted_.explainer, first=1) or certificate))
    exporting.to_json(classifier, folder / "model.json")
    title = "Breast cancer: malignant or benign"
    reporting.to_html(classifier, folder / "report.html", X[test], y[test], title=title, first="malignant")
    console.show(f"\nwritten: {folder / 'model.json'}, {folder / 'report.html'} (open it in a browser)")
    console.show("next: idnf fit your.csv --target COLUMN (pip install 'idnf[cli]'), idnf analyse 'a & b | c & d'")
    return 0


def _measured_patients() -> tuple[NDArray[np.void], NDArray[np.str_]]:
    """Return measurements with names, as an array that needs no library of tables, and diagnoses."""
    data = load_breast_cancer()
    table = np.empty(len(data.data), dtype=[(str(name), np.float64) for name in data.feature_names])
    for j, name in enumerate(data.feature_names):
        table[str(name)] = data.data[:, j]
    return table, np.array(["malignant", "benign"])[data.target]


def patients() -> pl.DataFrame:
    """Return scikit-learn's breast cancer data as a table with readable columns, the diagnosis last."""
    require_polars()
    import polars as pl

    table, diagnosis = _measured_patients()
    return pl.DataFrame({**{name: table[name] for name in table.dtype.names or ()}, "diagnosis": diagnosis})
