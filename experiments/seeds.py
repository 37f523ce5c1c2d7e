"""How far the seed of the default search moves its mean test accuracy on the paper's data sets.

Splits as in families.py, each fitted with every random state. Writes seeds.csv, one line a random state and k with the
mean over all data sets, into experiments/search.
"""

import argparse
import csv
from itertools import product
from statistics import fmean

import numpy as np
from families import OUTPUT, divisions
from joblib import Parallel, delayed

from idnf import DNFClassifier
from idnf.datasets.loading import PAPER


def accuracy(name, k, random_state):
    """Test accuracy of the default learner in percent, the mean over the splits."""
    scores = []
    for train, test, train_target, test_target in divisions(name, 5):
        model = DNFClassifier(k, random_state=random_state).fit(train, train_target)
        scores.append(100 * np.mean(model.predict(test) == test_target))
    return fmean(scores)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cells = list(product(options.seeds, options.k, PAPER))
    found = Parallel(n_jobs=options.jobs)(delayed(accuracy)(name, k, seed) for seed, k, name in cells)
    with (OUTPUT / "seeds.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["random state", "k", "test accuracy"])
        for seed, k in product(options.seeds, options.k):
            here = [score for cell, score in zip(cells, found, strict=True) if cell[:2] == (seed, k)]
            writer.writerow([seed, k, f"{fmean(here):.2f}"])
            print(f"random state {seed}, k = {k}: {fmean(here):.2f}")
