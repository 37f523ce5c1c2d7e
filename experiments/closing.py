"""The paper's closing question: optimal nested k-DNFs beside optimal trees of depth k.

    IDNF_DATA=... OMP_NUM_THREADS=1 python experiments/closing.py            run what is missing, then make the tables
    python experiments/closing.py --table                                   the tables alone

Training errors of trees are optimal: proved here, or by pystreed (search/optimal-trees.csv) where the proof takes long.
Those of nested k-DNFs, either class, are optimal at k = 2; beyond they are the best of several searches: a witness,
which decides if it beats the optimal tree. If it does not, a bound may: at k = 3 all nested DNFs are searched
(nested_optimum.py). Cells go to experiments/closing/cells.csv, bounds to bounds.csv, tables beside them.
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from time import process_time

import numpy as np
from collection import paper_division
from nested_optimum import least_errors
from studies import Study, read

from idnf.counting.packed import PackedTable
from idnf.datasets.loading import PAPER
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.families import family_of
from idnf.learning.local.search import search
from idnf.learning.task import LearningTask
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import NestedTree

FOLDER = Path(__file__).parent / "closing"
CELLS, BOUNDS = FOLDER / "cells.csv", FOLDER / "bounds.csv"
# Of the search for nested DNFs; seconds for the proof of a tree, and for that of a nested 3-DNF of one class.
STATES, EFFORT = range(8), 4.0
SECONDS, LIMIT = 8.0, 5.0
KS = (2, 3, 4, 5, 6)
FIGURES = ("examples", "tree", "tree proved by", "tree test", "leaves")
FIGURES += ("nested", "nested proved", "nested test", "terms", "literals")
LENGTHS = ("leaves", "terms", "literals in terms")


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
    start = search(rows, LearningTask(names, k, family=family_of("tree"), price=0.0))
    options = ExactOptions(family=family_of("tree"), start=start, deadline=Deadline.after(seconds))
    found = exact(rows, names, k, options=options)
    return found.model, found.optimal == "tree"


def best_nested(rows, names, k, states=STATES):
    """A nested k-DNF of either class, and whether no other has fewer training errors."""
    if k == 2:
        found = exact(rows, names, k, options=ExactOptions(family=family_of("nested")))
        return found.model, found.optimal == "nested"
    tried = [
        LearningTask(names, k, family=family_of("nested"), price=0.0, random_state=state, effort=EFFORT)
        for state in states
    ]
    best = min((search(rows, task) for task in tried), key=lambda one: one.objective)
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


def bounds(name, split, k):
    """What no nested k-DNF of either class can beat, what says so, and the seconds it took.

    No function gets equal examples with different labels right. At k = 3, if the best model found does not beat the
    tree, all nested 3-DNFs are searched.
    """
    X, _, y, _ = (np.asarray(part) for part in paper_division(name, split))
    (line,) = (one for one in read(CELLS) if (one["data set"], one["split"], one["k"]) == (name, str(split), str(k)))
    least, best = floor(X, y), int(line["nested"])
    if k > 3 or best == least or best < int(line["tree"]):
        return [least, "any function", 0.0]
    start = process_time()
    found = [least_errors(X, y == label, best, seconds=LIMIT)[1] for label in (1, 0)]
    return [max(least, min(found)), "nested 3-DNFs", process_time() - start]


def floor(X, y):
    """The errors of the best function of all."""
    _, which = np.unique(np.asarray(X, dtype=bool), axis=0, return_inverse=True)
    counts = np.zeros((which.max() + 1, 2), dtype=int)
    np.add.at(counts, (which.ravel(), y.astype(int)), 1)
    return int(counts.min(axis=1).sum())


OUTCOMES = ("won", "tied", "tied or won", "open", "lost")


def outcome(line, bound):
    """What is proved of the optimal nested DNF beside the optimal tree, by the best one found and the bound."""
    nested, tree = int(line["nested"]), int(line["tree"])
    least = nested if line["nested proved"] else bound
    if nested < tree:
        return "won"
    if nested == tree:
        return "tied" if least == tree else "tied or won"
    return "lost" if least > tree else "open"


def tables(lines):
    """Outcomes and means by k, and each data set at each k."""
    bound = {(one["data set"], one["split"], one["k"]): int(one["bound"]) for one in read(BOUNDS)}
    by_k, by_set, of_sets = [], [], []
    for k in KS:
        here = [line for line in lines if int(line["k"]) == k]
        for line in here:
            least = bound.get((line["data set"], line["split"], line["k"]), 0)
            line["outcome"] = outcome(line, least)
            line["nested proved"] = line["nested proved"] or ("yes" if int(line["nested"]) == least else "")
        groups = defaultdict(list)
        for line in here:
            groups[line["data set"]].append(line)
        outcomes = [line["outcome"] for line in here]
        by_k.append([k, len(here), *map(outcomes.count, OUTCOMES), sum(bool(one["nested proved"]) for one in here)])
        tested = [line for line in here if line["tree test"]]
        lengths = [f"{fmean(float(one[figure]) for one in tested):.1f}" for figure in ("leaves", "terms", "literals")]
        of_sets.append([k, *training(groups), *means(groups, tested), *lengths])
        for name, group in groups.items():
            sums = [sum(int(one[figure]) for one in group) for figure in ("examples", "tree", "nested")]
            least = sum(bound.get((name, one["split"], one["k"]), int(one["nested"])) for one in group)
            found = [one["outcome"] for one in group]
            words = ", ".join(f"{found.count(kind)} {kind}" for kind in OUTCOMES if kind in found)
            by_set.append([name, k, *sums, least, words, *means({name: group}, group)[1:]])
    save("outcomes", [["k", "splits", *OUTCOMES, "optimum proved"], *by_k])
    accuracies = [f"{kind}, {part}" for part in ("training", "test") for kind in ("nested", "tree")]
    save("accuracy", [["k", *accuracies[:2], "splits tested", *accuracies[2:], *LENGTHS], *of_sets])
    save("data-sets", [["data set", "k", "examples", "tree", "nested", "bound", "outcomes", *accuracies[2:]], *by_set])


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


def is_a_split(name, split, *_):
    """The monks are divided in one way."""
    return split == 0 or not name.startswith("monks")


if __name__ == "__main__":
    grid = {"data set": PAPER, "split": range(5)}
    cells = Study("errors and test accuracy", {**grid, "k": KS}, FIGURES, figures, tables, is_a_split)
    proofs = Study("bounds", {**grid, "k": KS[1:]}, ("bound", "of", "seconds"), bounds, tables, is_a_split)
    if "--table" not in sys.argv:
        cells.run(CELLS, {})
        proofs.run(BOUNDS, {})
    tables(read(CELLS))
