"""What to minimise for several classes, and how much of k to use: settings tried on the data to choose on.

For each data set of the list "choosing" of several_classes.py: look-ahead trees of each size under each objective,
learned from all training rows and tried on the test rows, and what five-fold cross-validation within the training rows
says of each. A line "default" is the objective that fit chooses for that k. Appends to
experiments/search/class-settings.csv and goes on where it stopped; --summary prints the means.
"""

import argparse
import csv
from collections import defaultdict
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
from several_classes import DATA, division, splits_of

from idnf.counting.labelled_rows import ClassTable
from idnf.learning.class_lookahead import class_lookahead_tree
from idnf.learning.class_path import class_learning_path, class_objectives
from idnf.learning.evaluation import labels_of
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.path import Caution

OUTPUT = Path(__file__).parent / "search" / "class-settings.csv"
MOST_K = 5
CAUTIONS = tuple(Caution(*one) for one in ((0, 0), (0.5, 0.5), (0.75, 0.5), (0.75, 1), (1, 0), (1, 0.5), (1, 1)))


def lines_of(name, split):
    """Size, belief, noise, held-out and test accuracy of every setting, then those of the default for each k."""
    train, test, classes, truth = division(name, split)
    rows = ClassTable(train.astype(bool), classes, int(max(classes.max(), truth.max())) + 1).labelled_rows()
    names = tuple(f"x{j}" for j in range(train.shape[1]))
    right = {}
    for caution, objective in zip(CAUTIONS, class_objectives(rows, CAUTIONS), strict=True):
        price = objective.price * rows.total
        for size in range(1, MOST_K + 1):
            tree = class_lookahead_tree(objective.rows, names, size, price=price)
            right[size, caution] = 100 * np.mean(labels_of(tree, test.astype(bool)) == truth)
    path = class_learning_path(rows, names, MOST_K, SearchOptions(), cautions=CAUTIONS)
    held_out = {(point.size, point.caution): 100 * point.accuracy for point in path.points}
    for (size, caution), accuracy in right.items():
        yield [size, caution.belief, caution.noise, f"{held_out[size, caution]:.3f}", f"{accuracy:.3f}"]
    for k in range(2, MOST_K + 1):
        chosen = class_learning_path(rows, names, k, SearchOptions()).chosen
        key = chosen.size, chosen.caution
        yield [k, "default", "default", f"{100 * chosen.accuracy:.3f}", f"{right[key]:.3f}"]


def summary(path):
    """Print the mean test accuracy of each objective with all of k, and with the size that cross-validation chooses."""
    found = defaultdict(dict)
    with path.open(newline="") as file:
        for line in csv.DictReader(file):
            key = line["belief"], line["noise"]
            found[line["data set"], line["split"]][int(line["size"]), key] = line
    kinds = list(dict.fromkeys(key for one in found.values() for _, key in one))
    print(f"{len(found)} splits of {len({name for name, _ in found})} data sets, k = 2 to {MOST_K}")
    for kind in kinds:
        whole = [fmean(float(one[k, kind]["test"]) for one in found.values()) for k in range(2, MOST_K + 1)]
        print(f"  {' '.join(kind):16} all of k ", *(f"{mean:6.2f}" for mean in whole), end="")
        if kind[0] != "default":
            print("   size chosen ", *(f"{_sized(found, kind, k):6.2f}" for k in range(2, MOST_K + 1)), end="")
        print()


def _sized(found, kind, k):
    """The mean test accuracy where the size of the least held-out error is taken, the smallest of equals."""
    best = [max(range(2, k + 1), key=lambda s: (float(one[s, kind]["held out"]), -s)) for one in found.values()]
    return fmean(float(one[size, kind]["test"]) for one, size in zip(found.values(), best, strict=True))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.summary:
        summary(options.output)
        raise SystemExit
    done = set()
    if options.output.exists():
        with options.output.open(newline="") as file:
            done = {tuple(line[:2]) for line in csv.reader(file)}
    with options.output.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not done:
            writer.writerow(["data set", "split", "size", "belief", "noise", "held out", "test"])
        for split, name in product(options.splits, DATA["choosing"]):
            if (name, str(split)) not in done and split < splits_of(name):
                writer.writerows([name, split, *line] for line in lines_of(name, split))
                file.flush()
