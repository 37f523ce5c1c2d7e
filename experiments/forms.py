"""Conditions to read in the printed form, beside trees of the same depth pruned by cross-validation.

    python experiments/forms.py                  the list "elsewhere" of experiments/collection.py, split 0, without
                                                 the tables that something was chosen on since
    python experiments/forms.py --every 6        every sixth table of it

A line for each k: tables, accuracy of both on the rows held out, conditions as lines, conditions in the form that is
printed, splits of the tree, and how often each form is printed. Binary features are the same for both.
"""

import argparse
from collections import Counter
from statistics import mean

import collection
import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier

PRUNING = {"ccp_alpha": [0, 0.001, 0.003, 0.01, 0.03]}


def beside(name, k):
    """Accuracies, conditions as lines and as printed, splits of the tree; and the name of the form."""
    train, test, y, truth = (np.asarray(part) for part in collection.division(name, 0))
    model = DNFClassifier(k, random_state=0).fit(train.astype(bool), y.astype(int))
    size = model.size_
    tree = GridSearchCV(DecisionTreeClassifier(max_depth=k, random_state=0), PRUNING, cv=5).fit(train, y.astype(int))
    right = model.score(test.astype(bool), truth.astype(int)), tree.score(test, truth.astype(int))
    printed = size.conditions if size.printed is None else size.printed
    return (*right, size.conditions, printed, int(tree.best_estimator_.get_n_leaves()) - 1), size.form


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    names = [name for name in collection.names("elsewhere") if name not in collection.MARKED][:: options.every]
    print("k,tables,accuracy,tree's accuracy,lines,printed,tree's splits,forms")
    for k in options.k:
        rows, forms = zip(*(beside(name, k) for name in names), strict=True)
        means = [mean(column) for column in zip(*rows, strict=True)]
        print(
            k,
            len(rows),
            *(f"{value:.3f}" for value in means[:2]),
            *(f"{value:.1f}" for value in means[2:]),
            sep=",",
            end=",",
        )
        print(" ".join(f"{count} {form}" for form, count in Counter(forms).most_common()), flush=True)


if __name__ == "__main__":
    main()
