"""The proved optimal trees for several classes beside pystreed's: the same training errors at every depth.

Prints, for each data set and depth, the errors of `DNFClassifier(family="tree", learner="exact")` with what is proved,
those of pystreed, and the processor time of both. Needs an environment with pystreed.
"""

import argparse
from time import process_time

import numpy as np
from pystreed import STreeDClassifier

from idnf import DNFClassifier, TableBinariser, datasets

DATA = ("iris-three", "wine-three", "balance-scale-three")


def compared(name, depth):
    X, y = datasets.load(name)
    features = TableBinariser(max_literals_per_column=5).fit(X, y).transform(X)
    target = np.unique(y, return_inverse=True)[1]
    start = process_time()
    ours = DNFClassifier(k=depth, family="tree", learner="exact").fit(features, target)
    middle = process_time()
    theirs = STreeDClassifier("accuracy", max_depth=depth, max_num_nodes=2**depth - 1).fit(features.astype(int), target)
    end = process_time()
    errors = [
        int((model.predict(part) != target).sum()) for model, part in ((ours, features), (theirs, features.astype(int)))
    ]
    proved = ours.optimal_ == "tree"
    return errors, proved, (middle - start, end - middle)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depths", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    for name in DATA:
        for depth in options.depths:
            (ours, theirs), proved, (mine, other) = compared(name, depth)
            said = "the same" if ours == theirs else "DIFFERENT"
            print(
                f"{name:20} depth {depth}: {ours} errors, {'proved' if proved else 'not proved'}; pystreed {theirs}: "
                f"{said} ({mine:.2f} s, {other:.2f} s)"
            )
