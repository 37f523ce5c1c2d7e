"""Breast cancer: how many conditions a reason needs, a report page, and a surrogate of a random forest."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score, train_test_split

from idnf import DNFClassifier, reporting


def main(folder: Path) -> None:
    """Compare k by cross-validation, fit, report, and learn from a forest's answers."""
    data = load_breast_cancer(as_frame=True)
    labels = np.array(["malignant", "benign"])[data.target]
    X, X_test, y, y_test = train_test_split(data.data, labels, random_state=0, stratify=labels)
    for k in (1, 2, 3):
        scores = cross_val_score(DNFClassifier(k, tune=False), X, y, cv=5)
        print(f"k = {k}: {scores.mean():.3f} in cross-validation, standard deviation {scores.std():.3f}")

    clf = DNFClassifier(2, effort=0.1).fit(X, y)
    print(f"\n{clf.to_text(first='malignant')}\n")
    print(f"accuracy on {len(y_test)} patients held out: {clf.score(X_test, y_test):.3f}")
    print(clf.explain(X_test[:1])[0])
    reporting.to_html(clf, folder / "breast-cancer.html", X_test, y_test, title="Breast cancer", first="malignant")
    print(f"written: {folder / 'breast-cancer.html'}\n")

    forest = RandomForestClassifier(100, random_state=0).fit(X, y)
    surrogate = DNFClassifier(3, effort=0.1).fit(X, forest.predict(X))
    print(f"random forest: {forest.score(X_test, y_test):.3f}")
    print(f"surrogate of it: {surrogate.score(X_test, y_test):.3f}", end=", ")
    print(f"with a fidelity of {surrogate.score(X_test, forest.predict(X_test)):.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp()))
