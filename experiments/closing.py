"""The paper's closing question: optimal nested k-DNFs beside optimal trees of depth k.

    IDNF_DATA=... OMP_NUM_THREADS=1 python experiments/closing.py            run what is missing, then make the tables
    python experiments/closing.py --table                                   the tables alone

Training errors of trees are optimal: proved here, or by pystreed (search/optimal-trees.csv) where the proof takes long.
Those of nested k-DNFs, either class, are optimal at k = 2; beyond they are the best of several searches: a witness,
which decides wherever it beats the optimal tree. Cells go to experiments/closing/cells.csv, tables beside them.
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import numpy as np
from collection import paper_division
from studies import Study, read

from idnf.counting.packed import PackedTable
from idnf.datasets.loading import PAPER
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import NestedTree

FOLDER = Path(__file__).parent / "closing"
STATES, EFFORT, SECONDS = range(8), 4.0, 8.0
KS = (2, 3, 4, 5, 6)
FIGURES = ("examples", "tree", "tree proved by", "tree test", "leaves")
FIGURES += ("nested", "nested proved", "nested test", "terms", "literals")


def held(codes, X):
    """The rows in which every literal holds."""
    return np.all([X[:, code // 2] != bool(code % 2) for code in codes], axis=0) & np.ones(len(X), dtype=bool)


def given(node, X):
    """What a tree of splits and nested DNFs gives to rows, counted here from its literals alone."""
    if hasattr(node, "feature"):
        return np.where(X[:, node.feature], given(node.if_true, X), given(node.if_false, X))
    matrix, prefixes = node.nested.matrix, node.nested.prefixes
    terms = [[code for row, length in zip(matrix, r, strict=True) for code in row[:length]] for r in prefixes]
    met = np.any([held(term, X) for term in terms], axis=0) & np.ones(len(X), dtype=bool)
    return np.where(met, node.label, node.otherwise)


def errors(model, X, y):
    return int(np.sum(given(NestedTree.of(model.nested_form).root, X) != y))


def best_tree(rows, names, k, seconds=SECONDS):
    """A tree of depth k, and whether no other has fewer training errors."""
    start = search(rows, names, k, options=SearchOptions(family="tree", price=0.0))
    options = ExactOptions(family="tree", start=start, deadline=Deadline.after(seconds))
    found = exact(rows, names, k, options=options)
    return found.model, found.optimal == "tree"


def best_nested(rows, names, k, states=STATES):
    """A nested k-DNF of either class, and whether no other has fewer training errors."""
    if k == 2:
        found = exact(rows, names, k, options=ExactOptions(family="nested"))
        return found.model, found.optimal == "nested"
    tried = [SearchOptions(family="nested", price=0.0, random_state=state, effort=EFFORT) for state in states]
    best = min((search(rows, names, k, options=options) for options in tried), key=lambda one: one.objective)
    return best.model, False


def compared(X, y, k):
    """The best tree and the best nested DNF of a table, each with whether it is proved."""
    rows = PackedTable.from_arrays(X, y).distinct_rows()
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return best_tree(rows, names, k), best_nested(rows, names, k)


def figures(name, split, k):
    """What FIGURES names, of one split of a data set."""
    train, test, classes, truth = paper_division(name, split)
    (X, y), (X_test, y_test) = (
        (np.asarray(a, dtype=bool), np.asarray(b, dtype=int)) for a, b in ((train, classes), (test, truth))
    )
    (tree, proved), (nested, exactly) = compared(X, y.astype(bool), k)
    known = proved_by_pystreed(name, split, k)
    least = errors(tree, X, y)
    assert not proved or least == known, f"{name}, split {split}, k = {k}: {least} is not pystreed's {known}"
    found = least == known
    by = "both" if proved else "pystreed"
    leaf = NestedTree.of(nested.nested_form).leaf()
    right = [100 * (1 - errors(model, X_test, y_test) / len(y_test)) for model in (tree, nested)]
    leaves = sum(1 for _ in NestedTree.of(tree.nested_form).leaves())
    terms = [sum(prefix) for prefix in leaf.nested.prefixes]
    return [
        *(len(y), known, by, right[0] if found else None, leaves if found else None),
        *(errors(nested, X, y), "yes" if exactly else "", right[1], len(terms), sum(terms)),
    ]


def proved_by_pystreed(name, split, k):
    """The training errors of the optimal tree, as experiments/searching.py optimal-trees keeps them."""
    path = Path(__file__).parent / "search" / "optimal-trees.csv"
    (line,) = (one for one in read(path) if (one["data set"], one["split"], one["k"]) == (name, str(split), str(k)))
    return int(line["optimal tree"])


def tables(lines):
    """Wins, ties and losses in training by k, the means, and each data set at each k."""
    by_k, by_set = [], []
    for k in KS:
        here = [line for line in lines if int(line["k"]) == k]
        groups = defaultdict(list)
        for line in here:
            groups[line["data set"]].append(line)
        sums = {
            name: [sum(int(one[kind]) for one in group) for kind in ("nested", "tree")]
            for name, group in groups.items()
        }
        tested = [line for line in here if line["tree test"]]
        by_k.append(
            [
                k,
                *counted((int(one["tree"]) - int(one["nested"])) for one in here),
                *counted(t - n for n, t in sums.values()),
            ]
        )
        by_k[-1] += [sum(bool(one["nested proved"]) for one in here), *training(groups), *means(groups, tested)]
        by_k[-1] += [f"{fmean(float(one[figure]) for one in tested):.1f}" for figure in ("terms", "leaves")]
        for name, group in groups.items():
            by_set.append([name, k, sum(int(one["examples"]) for one in group), *sums[name]])
            by_set[-1] += [" ".join(map(str, counted(int(one["tree"]) - int(one["nested"]) for one in group)))]
    splits, sets = ("splits won", "tied", "lost"), ("data sets won", "tied", "lost")
    save(
        "by-k",
        [
            [
                "k",
                *splits,
                *sets,
                "nested proved",
                "nested training",
                "tree training",
                "cells tested",
                "nested test",
                "tree test",
                "terms",
                "leaves",
            ],
            *by_k,
        ],
    )
    save("by-data-set", [["data set", "k", "examples", "nested errors", "tree errors", "won tied lost"], *by_set])


def counted(differences):
    signs = [int(np.sign(difference)) for difference in differences]
    return [signs.count(1), signs.count(0), signs.count(-1)]


def training(groups):
    """Mean training accuracy over data sets, of nested DNFs and of trees."""

    def share(group, kind):
        return fmean(int(one[kind]) / int(one["examples"]) for one in group)

    return [f"{100 - 100 * fmean(share(group, kind) for group in groups.values()):.2f}" for kind in ("nested", "tree")]


def means(groups, tested):
    """How many splits have the test accuracy of an optimal tree, and the means over data sets of both there."""
    found = [[one for one in group if one in tested] for group in groups.values()]
    both = [
        f"{fmean(fmean(float(one[kind]) for one in group) for group in found if group):.2f}"
        for kind in ("nested test", "tree test")
    ]
    return [len(tested), *both]


def save(name, lines):
    with (FOLDER / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)
    for line in lines:
        print(*line, sep=" | ")


if __name__ == "__main__":
    study = Study(
        "the paper's closing question", {"data set": PAPER, "split": range(5), "k": KS}, FIGURES, figures, tables,
        lambda name, split, *_: split == 0 or not name.startswith("monks"),
    )  # fmt: skip
    if "--table" not in sys.argv:
        study.run(FOLDER / "cells.csv", {})
    tables(read(FOLDER / "cells.csv"))
