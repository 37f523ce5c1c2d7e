"""How far the random state moves the default where rows are few, and what lowers that, on the data to choose on.

For data sets of the collection "choosing" with fewer than 500 training rows: mean accuracy on split 1 for four random
states, the standard deviation between states within a data set, and processor seconds; with votes of 40 or 160 trees
and one or four rounds of logistic regression, and folds drawn once or several times, all by the random state; and with
folds and votes that are the same for every random state, as the learner has them. Prints a line for each.
"""

import argparse
import warnings
from functools import partial
from time import process_time

import numpy as np
from collection import division, load, names

from idnf import DNFClassifier
from idnf.learning import path
from idnf.learning.belief import left_out_votes
from idnf.learning.logistic import left_out_chances

# Trees, rounds of logistic regression, examples below which folds are repeated, and how often.
VARIANTS = {
    "as it was": (40, 1, 200, 2),
    "more votes": (160, 4, 200, 2),
    "folds three times": (40, 1, 1000, 3),
    "folds six times": (40, 1, 1000, 6),
    "more votes, folds three times": (160, 4, 1000, 3),
    "more votes, folds twice below 500 rows": (160, 4, 500, 2),
    "more votes, folds four times below 500 rows": (160, 4, 500, 4),
    "as it is, folds and votes by the random state": (None, None, 200, 2),
    "as it is": (None, None, 200, 2),
}
STATES, SPLIT, MOST_ROWS = 4, 1, 500


USUAL = path._MORE_TREES, path._QUICK_TREES, path.ROUNDS, path._QUICK_ROUNDS


def set_variant(variant):
    trees, rounds, path._FEW, path._REPEATS = VARIANTS[variant]
    path._MORE_TREES, path._QUICK_TREES, path.ROUNDS, path._QUICK_ROUNDS = (trees, trees, rounds, rounds)
    if trees is None:
        path._MORE_TREES, path._QUICK_TREES, path.ROUNDS, path._QUICK_ROUNDS = USUAL


def set_seed(variant, state):
    drawn = 0 if variant == "as it is" else state
    path.FOLD_SEED = (drawn, 1)
    path.left_out_votes = partial(left_out_votes, random_state=drawn)
    path.left_out_chances = partial(left_out_chances, random_state=drawn)


def accuracies(name, k, variant):
    train, test, target, truth = division(name, SPLIT)
    found = []
    for state in range(STATES):
        set_seed(variant, state)
        model = DNFClassifier(k, random_state=state).fit(train, target)
        found.append(100 * np.mean(model.predict(test) == truth))
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=[*VARIANTS], metavar="VARIANT")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    small = [name for name in names("choosing") if 0.8 * len(load(name)[0]) < MOST_ROWS]
    for k in options.k:
        for variant in options.variants:
            set_variant(variant)
            start = process_time()
            found = np.array([accuracies(name, k, variant) for name in small])
            spread = np.sqrt(found.var(axis=1, ddof=1).mean())
            states = " ".join(f"{mean:.2f}" for mean in found.mean(axis=0))
            print(f"k = {k}, {variant}: {found.mean():.2f}, deviation {spread:.2f}, by state {states}", end=", ")
            print(f"{process_time() - start:.0f} s", flush=True)
