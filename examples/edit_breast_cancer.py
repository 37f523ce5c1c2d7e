"""A doctor edits a model: the page she is sent, the file she sends back, and the model made of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import idnf
from idnf import DNFClassifier, exporting, reporting


def doctors_file(clf: DNFClassifier) -> dict[str, object]:
    """Return what the page saves when she lowers a cut: line 2 from a worst radius of 16.8 to one of 15.5."""
    over = [{"kind": "intervals", "intervals": [[cut, None]], "missing": False} for cut in (16.8, 15.5)]
    note = "rather one call too many than a tumour missed"
    edit = {"kind": "condition", "line": 2, "column": "worst radius", "old": over[0], "new": over[1], "note": note}
    return {
        **{"format": "idnf-edits", "version": 1, "model": exporting.model_hash(clf), "label": 1},
        **{"name": "Dr Lee", "time": "2026-01-02T10:00:00Z", "edits": [edit]},
    }


def main(folder: Path) -> None:
    """Fit, write the page with its editor, adopt the edits, and write the edited model."""
    data = load_breast_cancer(as_frame=True)
    labels = np.array(["malignant", "benign"])[data.target]
    X, X_test, y, y_test = train_test_split(data.data, labels, random_state=0, stratify=labels)
    clf = DNFClassifier(2, effort=0.1).fit(X, y)
    print(f"{clf.to_text(first='malignant', form='lines')}\n")
    reporting.to_html(clf, folder / "page.html", X_test, y_test, first="malignant", editable=True)
    (folder / "edits.json").write_text(json.dumps(doctors_file(clf)), "utf-8")
    adopted = idnf.adopt(clf, folder / "edits.json", X_test, y_test)
    print(f"{adopted}\n\n{adopted.classifier.to_text(first='malignant', form='lines')}")
    exporting.to_json(adopted.classifier, folder / "edited.json")
    print(f"written: {folder / 'page.html'} and {folder / 'edited.json'}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp()))
