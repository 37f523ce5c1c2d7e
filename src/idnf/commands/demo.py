"""``idnf demo``: the main job on built-in data, from a table to a report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from idnf import exporting, reporting
from idnf.classifier.estimator import DNFClassifier
from idnf.commands.arguments import Commands, add_command
from idnf.commands.console import Console
from idnf.commands.table_files import require_polars
from idnf.explaining.line_proofs import prove_lines
from idnf.logic.analysis import analyse
from idnf.logic.constructions import majority
from idnf.logic.dnf import DNF

if TYPE_CHECKING:
    import polars as pl


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    what = "learn, explain, verify and report on built-in data"
    parser = add_command(commands, "demo", run, what=what, example="idnf demo --output demo")
    parser.add_argument("--output", default="demo", help="folder for the model and the report (default demo)")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Learn on breast cancer, explain three cases, verify, write the report; then analyse the paper's examples."""
    folder = Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    table = patients()
    X, y = table.drop("diagnosis"), table["diagnosis"].to_numpy().astype(str)
    train, test = train_test_split(np.arange(len(y)), test_size=0.25, random_state=0, stratify=y)
    classifier = DNFClassifier(3, progress=console.progress("learning")).fit(X[train], y[train])
    console.show(classifier.to_text(first="malignant"))
    console.show(f"\naccuracy on {len(test)} patients held out: {classifier.score(X[test], y[test]):.1%}\n")
    console.show("three of them, and why:")
    for explanation in classifier.explain(X[test[:3]]):
        console.show(explanation.to_text())
    certificate = classifier.double_dnf_.verify()
    console.show(f"\n{prove_lines(classifier.fitted_.explainer, first=1) or certificate}")
    exporting.to_json(classifier, folder / "model.json")
    title = "Breast cancer: malignant or benign"
    reporting.to_html(classifier, folder / "report.html", X[test], y[test], title=title, first="malignant")
    console.show("\nThe paper's running examples:")
    for formula in (DNF.parse("a & b | c & d"), majority(3)):
        console.show(f"\n{analyse(formula).to_text()}")
    console.show(f"\nwritten: {folder / 'model.json'}, {folder / 'report.html'} (open it in a browser)")
    console.show("next: idnf --help, or idnf fit your.csv --target COLUMN -o model.json")
    return 0


def patients() -> pl.DataFrame:
    """Return scikit-learn's breast cancer data as a table with readable columns, the diagnosis last."""
    require_polars()
    import polars as pl

    data = load_breast_cancer()
    names = [str(name) for name in data.feature_names]
    diagnosis = np.array(["malignant", "benign"])[data.target]
    return pl.DataFrame(data.data, schema=names).with_columns(diagnosis=pl.Series(diagnosis))
