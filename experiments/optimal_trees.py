"""Training errors of search with price 0 beside the optimal tree of depth k, on the paper's data sets.

`python experiments/optimal_trees.py --peer` writes the errors of pystreed's proved optimal trees (it needs an
environment with pystreed), without it those of search are added, to experiments/search/optimal-trees.csv. Only training
examples are looked at. Ends with an error where a tree errs less.
"""

import argparse
import csv
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.model_selection import train_test_split

from idnf.datasets.loading import PAPER, load_paper

OUTPUT = Path(__file__).parent / "search" / "optimal-trees.csv"
COLUMNS = ("data set", "split", "k", "examples", "optimal tree", "search", "seconds of search")


def cells(ks):
    for k in ks:
        for name in PAPER:
            for split in range(1 if name.startswith("monks") else 5):
                yield name, split, k


def training_part(name, split):
    if name.startswith("monks"):
        return load_paper(name, part="train")
    X, y = load_paper(name)
    return train_test_split(X, y, test_size=0.2, random_state=split)[::2]


def optimal_errors(X, y, k):
    from pystreed import STreeDClassifier

    tree = STreeDClassifier("accuracy", max_depth=k, max_num_nodes=2**k - 1).fit(X.astype(int), y)
    return int(np.sum(tree.predict(X.astype(int)) != y))


def search_errors(X, y, k):
    from idnf import DNFClassifier

    start = process_time()
    model = DNFClassifier(k, price=0).fit(X, y)
    return int(np.sum(model.predict(X) != y)), round(process_time() - start, 3)


def read():
    with OUTPUT.open(newline="") as file:
        return {tuple(line[:3]): line for line in list(csv.reader(file))[1:]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--behind", action="store_true", help="only the cells in which a tree was ahead")
    options = parser.parse_args()
    known = {} if options.peer else read()
    lines, ahead = [], []
    for name, split, k in cells(options.k):
        old = known.get((name, str(split), str(k)))
        if options.behind and (not old[5] or int(old[5]) <= int(old[4])):
            lines.append(old)
            continue
        X, y = training_part(name, split)
        if options.peer:
            lines.append([name, split, k, len(y), optimal_errors(X, y, k), "", ""])
        else:
            optimal = int(known[name, str(split), str(k)][4])
            found, seconds = search_errors(X, y, k)
            lines.append([name, split, k, len(y), optimal, found, seconds])
            ahead += [(name, split, k, optimal, found)] * (found > optimal)
            print(*lines[-1], flush=True)
    with OUTPUT.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *lines])
    if ahead:
        raise SystemExit(f"a tree errs less than search in {len(ahead)} cells: {ahead}")
