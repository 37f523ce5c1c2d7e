"""A larger price on cuts that few examples separate, on the tables of numbers to choose on.

The default learner on KEEL's balanced tables as they are, with cuts of its own, four fifths for training (800 rows at
most), two splits: test accuracy, conditions, and pairs of cuts of one column in a model that part less than one row in
a hundred. In the variants every comparison of models, in the folds and at the end, charges so many examples for each
pair of neighbouring cuts of one column that part less than some share of the rows, beside the usual price of a literal,
and cuts are made one afterwards (idnf.learning.merging) or not. Prints a line for each.
"""

import argparse
import csv
import warnings
from itertools import pairwise
from time import process_time

import numpy as np
import pandas as pd
from collection import _keel, names
from elsewhere import MOST_TRAINING
from sklearn.model_selection import train_test_split

from idnf import DNFClassifier
from idnf.learning import learners
from idnf.learning.local.masks import weight_unit
from idnf.learning.merging import SLIVER, with_merged_cuts
from idnf.learning.objective import Objective

# The price of a pair of close cuts in examples, the share of the rows that is close, and whether cuts are made one.
VARIANTS = {
    "cuts made one (the learner)": (0.0, 0.0, True),
    "cuts left as found": (0.0, 0.0, False),
    "one example below a hundredth": (1.0, 0.01, False),
    "one example below a twentieth": (1.0, 0.05, False),
    "three examples below a twentieth": (3.0, 0.05, False),
    "one example below a twentieth, cuts made one": (1.0, 0.05, True),
}
COST = Objective.__call__


def table(name):
    """A table with numbers as numbers, and a Boolean target as in elsewhere.py."""
    with (_keel("balanced") / f"{name.split(' ', 1)[1]}.dat").open(newline="") as file:
        lines = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    frame = pd.DataFrame([line for line in lines if "?" not in line and "<null>" not in line])
    classes = frame.pop(frame.columns[-1])
    frame.columns = [f"x{place}" for place in range(frame.shape[1])]
    for column in frame:
        numbers = pd.to_numeric(frame[column], errors="coerce")
        frame[column] = frame[column] if numbers.isna().any() else numbers
    labels, counts = np.unique(classes, return_counts=True)
    return frame, np.isin(classes, labels[np.argsort(-counts)[::2]])


def close_pairs(model, features, weights, columns, share):
    """How many neighbouring cuts of one column in a model part less than a share of the examples."""
    used = model.features()
    total = weights.sum()
    return sum(
        weights[features[:, one] != features[:, other]].sum() < share * total
        for column in columns
        for one, other in pairwise(j for j in column if j in used)
    )


def set_variant(price, share, merge):
    """Charge for close cuts, whose columns are known by the names of their features, and make cuts one or not."""

    def cost(objective, model):
        columns = {}
        for place, feature in enumerate(model.names):
            if " <= " in feature:
                columns.setdefault(feature.split(" ")[0], []).append(place)
        rows = objective.rows
        weights = rows.positive + rows.negative
        pairs = close_pairs(model, rows.features, weights, columns.values(), share)
        return COST(objective, model) + price * min(1.0, weight_unit(rows)) / weights.sum() * pairs

    Objective.__call__ = cost if price else COST
    learners.with_merged_cuts = with_merged_cuts if merge else lambda learned, *_, **__: learned


def figures(name, split, k):
    """Test accuracy, conditions and close pairs of cuts."""
    frame, target = table(name)
    share = min(0.8, MOST_TRAINING / len(frame))
    train, test, classes, truth = train_test_split(frame, target, train_size=share, random_state=split)
    seen = {}

    def kept(learned, rows, columns, **options):
        merged = merge(learned, rows, columns, **options)
        weights = rows.positive + rows.negative
        seen["pairs"] = close_pairs(merged.model, rows.features, weights, columns, SLIVER)
        return merged

    merge, learners.with_merged_cuts = learners.with_merged_cuts, kept
    model = DNFClassifier(k).fit(train, classes)
    learners.with_merged_cuts = merge
    return 100 * np.mean(model.predict(test) == truth), model.size_.conditions, seen.get("pairs", 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[3, 4])
    parser.add_argument("--splits", type=int, default=2)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    keel = [name for name in names("choosing") if name.startswith("keel ")]
    for k in options.k:
        first = None
        for variant, setting in VARIANTS.items():
            set_variant(*setting)
            start = process_time()
            found = np.array([[figures(name, split, k) for split in range(options.splits)] for name in keel]).mean(
                axis=1
            )
            first = found if first is None else first
            differences = (found - first)[:, 0]
            error = differences.std(ddof=1) / len(keel) ** 0.5
            mean, conditions, pairs = found.mean(axis=0)
            print(f"k = {k}, {variant}: {mean:.2f} ({differences.mean():+.2f}, standard error {error:.2f})", end=", ")
            print(f"{conditions:.1f} conditions, {pairs:.2f} close pairs, {process_time() - start:.0f} s", flush=True)
