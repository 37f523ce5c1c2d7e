"""Several random states of one search: what the best of them by objective, and the one most like the others, are worth.

On the collection "choosing", k = 3 and 4, with half belief in labels and three times the price of noise. Appends to
experiments/search/restarts.csv, one line a data set and k: test accuracy of a single search (the mean of eight), of two
of them, of the best of four by training objective (two disjoint fours), and of the one of four that agrees most with
the others on the training rows.
"""

import argparse
import csv
from pathlib import Path

import numpy as np
from collection import division, names
from trials import learned, objectives

from idnf.learning.evaluation import holds

OUTPUT = Path(__file__).parent / "search" / "restarts.csv"
COLUMNS = ["data set", "k", "single (mean of eight)", "first", "fifth", "best of first four", "best of last four"]
COLUMNS += ["most agreeing of first four", "most agreeing of last four", "vote of eight"]


def accuracies(name, k):
    train, test, target, truth = division(name, 1)
    costs, inside, outside = [], [], []
    for seed in range(8):
        (objective,) = objectives(train, target, [(0.5, 3.0, 0.0)], seed)
        model = learned(objective, k, 1.0, seed)
        costs.append(objective(model))
        inside.append(holds(model, train))
        outside.append(holds(model, test))
    right = [100 * np.mean(values == truth) for values in outside]
    fours = (range(4), range(4, 8))
    best = [right[min(four, key=lambda i: costs[i])] for four in fours]
    agreeing = [
        right[max(four, key=lambda i, four=four: sum(np.mean(inside[i] == inside[j]) for j in four))] for four in fours
    ]
    vote = 100 * np.mean((np.mean(outside, axis=0) > 0.5) == truth)
    return [np.mean(right), right[0], right[4], *best, *agreeing, vote]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=10, help="how many data sets, drawn at random")
    options = parser.parse_args()
    every = names("choosing")
    with OUTPUT.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for place in np.random.default_rng(5).permutation(len(every))[: options.sets].tolist():
            for k in (3, 4):
                writer.writerow([every[place], k, *(f"{value:.2f}" for value in accuracies(every[place], k))])
                file.flush()
