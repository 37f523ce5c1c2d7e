"""How the shares of a classifier rank and how sure they are, beside the shares of its reasons, trees and bands.

On the Boolean tables of the optimal-tree literature (`data/suite/*.dl8` in the folder that IDNF_DATA names), divided
70 to 30, at most 2000 rows for training. The strength of shares by the set of reasons that hold was chosen on biodeg,
ionosphere, titanic, hypothyroid, vehicle, adult, and on compas, indians-diabetes and lymph of the paper; those tables
are marked in the file, the others judge.

    python experiments/scores.py           write experiments/scores.csv; its figures are those of --k 3 5 and --only the
                                           first six named above but adult, and audiology, kr-vs-kp and segment
    python experiments/scores.py --table   its means as a table
"""

import argparse
import csv
import os
import warnings
from pathlib import Path
from time import process_time
from unittest.mock import patch

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFBands, DNFClassifier

WRITTEN = Path(__file__).with_suffix(".csv")
FIELDS = ("table", "judges", "k", "split", "method", "auc", "log loss", "brier", "accuracy", "seconds")
CHOSEN_ON = {"biodeg-bin", "ionosphere", "titanic-un", "hypothyroid", "vehicle", "adult_discretized"}
MOST = 2000


def loaded(path):
    """Boolean features and labels of a table whose first column is the class."""
    table = np.loadtxt(path, dtype=int)
    return table[:, 1:].astype(bool), table[:, 0]


def smoothed_tree(k, X, y):
    """CART of depth k, its pruning chosen by the log loss on five folds, an example of each class added to leaves."""
    grid = {"ccp_alpha": [0.0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02]}
    search = GridSearchCV(DecisionTreeClassifier(max_depth=k, random_state=0), grid, scoring="neg_log_loss", cv=5)
    tree = search.fit(X, y).best_estimator_
    leaves = tree.apply(X)
    counts = {leaf: np.bincount(y[leaves == leaf], minlength=2) + 1 for leaf in np.unique(leaves)}
    return lambda rows: np.array([counts[leaf][1] / counts[leaf].sum() for leaf in tree.apply(rows)])


def scores(k, X, y, tests):
    """For each method the share of label 1 of each row for testing, the labels that it gives, and its seconds."""
    start = process_time()
    clf = DNFClassifier(k, n_jobs=1).fit(X, y)
    seconds = process_time() - start
    yield "classifier", clf.predict_proba(tests)[:, 1], clf.predict(tests), seconds
    confidence, explained = clf.fitted_.confidence, clf.explain(tests)
    frame = clf.fitted_.sides.frame
    by_reason = [confidence.of_reason(one.side, frame.box(one.box))[1] for one in explained]
    yield "classifier, by the reason alone", np.array(by_reason), clf.predict(tests), seconds
    start = process_time()
    tree = smoothed_tree(k, X, y)
    share = tree(tests)
    yield "CART, pruned and smoothed", share, (share > 0.5).astype(int), process_time() - start
    start = process_time()
    bands = DNFBands(k=k, n_jobs=1).fit(X, y)
    yield "bands through its function", bands.predict_proba(tests)[:, 1], bands.predict(tests), process_time() - start
    start = process_time()
    with patch("idnf.classifier.bands._boundary_of", lambda *_: None):
        free = DNFBands(k=k, n_jobs=1).fit(X, y)
    yield "bands without it", free.predict_proba(tests)[:, 1], free.predict(tests), process_time() - start
    start = process_time()
    line = LogisticRegression(solver="newton-cholesky").fit(X.astype(float), y)
    yield (
        "logistic regression",
        line.predict_proba(tests.astype(float))[:, 1],
        line.predict(tests.astype(float)),
        (process_time() - start),
    )


def figures(path, ks, splits):
    """The lines of a table."""
    X, y = loaded(path)
    for split in range(splits):
        division = train_test_split(X, y, test_size=0.3, random_state=split, stratify=y)
        train, tests, labels, truth = division[0][:MOST], division[1][:6000], division[2][:MOST], division[3][:6000]
        for k in ks:
            for method, share, given, seconds in scores(k, train, labels, tests):
                share = np.clip(share, 1e-6, 1 - 1e-6)
                found = roc_auc_score(truth, share), log_loss(truth, share), brier_score_loss(truth, share)
                judges = path.stem not in CHOSEN_ON
                yield path.stem, judges, k, split, method, *found, float(np.mean(given == truth)), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="print the means of what was written")
    parser.add_argument("--only", nargs="*", help="tables by name")
    parser.add_argument("--k", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("--splits", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.table:
        print(means(list(csv.DictReader(WRITTEN.open(encoding="utf-8")))))
        return
    warnings.filterwarnings("ignore")
    folder = Path(os.environ["IDNF_DATA"]) / "suite"
    with WRITTEN.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(FIELDS)
        for path in sorted(folder.glob("*.dl8")):
            if not arguments.only or path.stem in arguments.only:
                for line in figures(path, arguments.k, arguments.splits):
                    out.writerow([f"{one:.4f}" if isinstance(one, float) else one for one in line])
                    stream.flush()


def means(lines):
    """The mean AUC, log loss and accuracy of each method by k, over the tables that judge and over all."""
    text = ["| tables | method | k | AUC | log loss | Brier | accuracy |", "| --- " * 7 + "|"]
    for part, chosen in (("judging", [one for one in lines if one["judges"] == "True"]), ("all", lines)):
        for method in dict.fromkeys(one["method"] for one in chosen):
            for k in sorted({one["k"] for one in chosen}):
                some = [one for one in chosen if one["method"] == method and one["k"] == k]
                if some:
                    values = [np.mean([float(one[name]) for one in some]) for name in FIELDS[5:9]]
                    text.append(f"| {part} | {method} | {k} | " + " | ".join(f"{v:.3f}" for v in values) + " |")
    return "\n".join(text)


if __name__ == "__main__":
    main()
