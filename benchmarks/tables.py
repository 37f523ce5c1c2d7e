"""Tables: the cost of cutting columns, and what coarse cuts cost in accuracy.

Run by ``make bench``, or alone: ``python benchmarks/tables.py``. Times are ratios of runs side by side in one process.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from idnf.classifier.estimator import DNFClassifier
from idnf.tables.binariser import TableBinariser

FINE_GRID = 100


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def speed(n_rows: int = 100_000, n_columns: int = 30, repeats: int = 5) -> None:
    X, y = make_classification(n_rows, n_columns, n_informative=n_columns // 3, random_state=0)
    greedy = DNFClassifier(k=4, family="nested", learner="greedy")
    ratios: dict[str, list[float]] = {"binarise": [], "greedy fit, k = 4": []}
    for _ in range(repeats):
        cart = seconds(lambda: DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y))
        ratios["binarise"].append(seconds(lambda: TableBinariser().fit(X, y).transform(X)) / cart)
        ratios["greedy fit, k = 4"].append(seconds(lambda: greedy.fit(X, y)) / cart)
    for name, values in ratios.items():
        print(f"{name}, {n_rows} x {n_columns} numbers, time / CART of depth 4 on the numbers: {median(values):.2f}")


def accuracy(learner: str = "greedy", family: str = "nested", seeds: int = 3) -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    for k in (3, 4):
        means = {}
        for most in (TableBinariser().max_literals_per_column, FINE_GRID):
            binariser = TableBinariser(max_literals_per_column=most, max_literals=10**6)
            classifier = DNFClassifier(k=k, family=family, learner=learner, binariser=binariser)
            folds = (StratifiedKFold(10, shuffle=True, random_state=seed) for seed in range(seeds))
            means[most] = 100 * np.mean([cross_val_score(classifier, X, y, cv=fold).mean() for fold in folds])
        said = ", ".join(f"{mean:.1f} with at most {most} cuts a column" for most, mean in means.items())
        print(f"breast cancer, k = {k}, {family} {learner}, accuracy over 10 folds x {seeds}: {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learner", default="greedy")
    parser.add_argument("--family", default="nested")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    speed()
    accuracy(options.learner, options.family, options.seeds)


if __name__ == "__main__":
    main()
