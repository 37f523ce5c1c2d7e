"""Commands for the researcher: formulas analysed, the data sets; and the demo.

A formula is analysed in pure Python; what tables need is imported where it is used.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from idnf.commands.output import Console, output_table
from idnf.logic.analysis import analyse
from idnf.logic.dnf import DNF

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray


def run_analyse(arguments: argparse.Namespace, console: Console) -> int:
    """Print the analysis of one formula."""
    analysis = analyse(DNF.parse(arguments.formula))
    console.show(json.dumps(analysis.to_dict(), indent=2) if arguments.json else analysis.to_text())
    return 0


def run_datasets(arguments: argparse.Namespace, console: Console) -> int:
    """List the data sets, or load one."""
    from idnf import datasets
    from idnf.commands.table_files import require_polars

    if arguments.load is None:
        console.show(json.dumps(datasets.names()) if arguments.json else "\n".join(datasets.names()))
        return 0
    require_polars()
    table = _table(arguments.load)
    target = table.columns[-1]
    labels = [str(label) for label in table[target].unique().sort().to_list()]
    if arguments.json:
        size = {"rows": table.height, "columns": table.width - 1, "target": target, "labels": labels}
        console.show(json.dumps({"name": arguments.load, **size}, ensure_ascii=False))
    else:
        words = f"{arguments.load}: {table.height} rows, {table.width - 1} columns"
        console.show(f"{words}; target {target}, {' or '.join(labels)}")
    if arguments.output is not None:
        with output_table(arguments.output) as write:
            write(table)
        console.remark(f"written to {arguments.output}")
    return 0


def _table(name: str) -> pl.DataFrame:
    """Return a data set as a table whose last column is its target."""
    import numpy as np
    import polars as pl

    from idnf import datasets
    from idnf.datasets.loans import loan_table

    if name == "loans":
        loans = loan_table()
        days = pl.col("employed").dt.total_days().alias("days employed")
        decision = np.where(loans.approved, "approved", "declined")
        return loans.to_polars().with_columns(days).drop("employed").with_columns(decision=pl.Series(decision))
    if name == "breast-cancer":
        measured, diagnosis = _measured_patients()
        return pl.DataFrame({**{name: measured[name] for name in measured.dtype.names or ()}, "diagnosis": diagnosis})
    X, y = datasets.load(name)
    if isinstance(X, np.ndarray):
        table = pl.DataFrame(X.astype(np.int8), schema=list(datasets.feature_names(name)))
        return table.with_columns(pl.Series("class", np.asarray(y)))
    columns = {column: X[column].to_numpy() for column in X.columns}
    return pl.DataFrame(columns).with_columns(pl.Series("class", np.asarray(y).tolist()))


def run_demo(arguments: argparse.Namespace, console: Console) -> int:
    """Learn, explain, find a change, verify and report, on one screen."""
    import numpy as np
    from sklearn.model_selection import train_test_split

    from idnf import exporting, reporting
    from idnf.classifier.estimator import DNFClassifier
    from idnf.explaining.printed_lines import prove_lines

    folder = Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    X, y = _measured_patients()
    train, test = train_test_split(np.arange(len(y)), test_size=0.25, random_state=0, stratify=y)
    console.show(f"Breast cancer, as scikit-learn has it: {len(y)} patients, 30 measurements of a biopsy.\n")
    classifier = DNFClassifier(2, progress=console.progress("learning")).fit(X[train], y[train])
    # What a biopsy shows cannot be changed.
    classifier = classifier.with_settings(target="diagnosis", immutable="all")
    console.show(classifier.fitted_.to_text(first="malignant"))
    console.show(f"\nRight for {classifier.score(X[test], y[test]):.1%} of {len(test)} patients held out. One of them:")
    case = X[test[np.flatnonzero(classifier.predict(X[test]) == "malignant")[:1]]]
    console.show(f"  {classifier.explain(case)[0].to_text()}\n")
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
    import numpy as np
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    table = np.empty(len(data.data), dtype=[(str(name), np.float64) for name in data.feature_names])
    for j, name in enumerate(data.feature_names):
        table[str(name)] = data.data[:, j]
    return table, np.array(["malignant", "benign"])[data.target]
