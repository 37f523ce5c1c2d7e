"""Conditions to read in the printed form, beside trees of the same depth pruned by cross-validation.

    python experiments/forms.py                      the list "elsewhere" of experiments/collection.py, split 0, without
                                                     the tables that something was chosen on since
    python experiments/forms.py --every 6            every sixth table of it
    python experiments/forms.py --family checklist   models of that family, such as checklists
    python experiments/forms.py --near               the models within one point of the best in place of that

A line for each k: tables, accuracy of both on the rows held out, conditions as lines, conditions in the form that is
printed, splits of the tree, and how often each form is printed. Binary features are the same for both. With --near:
how many models `near_optimal_models` lists (its mean, its median, and on how many tables there are several), the share
of rows to which all of them give one label, the fewest conditions among them beside those of the best one, and the
processor time beside that of the fit.
"""

import argparse
from collections import Counter
from statistics import mean, median
from time import process_time

import collection
import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier
from idnf.choosing import near_optimal_models

PRUNING = {"ccp_alpha": [0, 0.001, 0.003, 0.01, 0.03]}


def beside(name, k, family):
    """Accuracies, conditions as lines and as printed, splits of the tree; and the name of the form."""
    train, test, y, truth = (np.asarray(part) for part in collection.division(name, 0))
    model = DNFClassifier(k, family=family, random_state=0).fit(train.astype(bool), y.astype(int))
    size = model.size_
    tree = GridSearchCV(DecisionTreeClassifier(max_depth=k, random_state=0), PRUNING, cv=5).fit(train, y.astype(int))
    right = model.score(test.astype(bool), truth.astype(int)), tree.score(test, truth.astype(int))
    printed = size.conditions if size.printed is None else size.printed
    return (*right, size.conditions, printed, int(tree.best_estimator_.get_n_leaves()) - 1), size.form


def near(name, k):
    """Models within one point, share of rows settled, conditions of the best and of the shortest; seconds of both."""
    train, _, y, _ = (np.asarray(part) for part in collection.division(name, 0))
    start = process_time()
    model = DNFClassifier(k, random_state=0).fit(train.astype(bool), y.astype(int))
    fitted = process_time()
    found = near_optimal_models(model, train.astype(bool), y.astype(int), within=0.01, count=1000, resamples=0)
    seconds = fitted - start, process_time() - fitted
    return len(found), found.settled.mean(), found[0].conditions, found.shortest.conditions, *seconds


def print_near(names, k):
    counts, settled, best, shortest, fitting, listing = zip(*(near(name, k) for name in names), strict=True)
    print(k, len(names), f"{mean(counts):.1f}", median(counts), sum(count > 1 for count in counts), sep=",", end=",")
    print(f"{mean(settled):.3f}", f"{mean(best):.1f}", f"{mean(shortest):.1f}", sep=",", end=",")
    print(f"{mean(fitting):.2f}", f"{mean(listing):.2f}", sep=",", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--family", default="any")
    parser.add_argument("--near", action="store_true", help="the models that are as good")
    options = parser.parse_args()
    names = [name for name in collection.names("elsewhere") if name not in collection.MARKED][:: options.every]
    if options.near:
        print("k,tables,models,median,several,settled,conditions,fewest conditions,seconds of the fit,seconds")
        for k in options.k:
            print_near(names, k)
        return
    print("k,tables,accuracy,tree's accuracy,lines,printed,tree's splits,forms")
    for k in options.k:
        rows, forms = zip(*(beside(name, k, options.family) for name in names), strict=True)
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
