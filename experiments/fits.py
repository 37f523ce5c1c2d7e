"""Fits to compare: the default learner with other constants, in other families, and beside trees and forests.

A variant is a function of k and the random state that returns something with `fit` and `predict`; where it is about
constants of the learner, it sets them first.
"""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from time import process_time

import numpy as np
import pandas as pd
from collection import MOST_TRAINING, division, keel_folder, keel_rows
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier
from idnf.learning import label_noise, path, search_learner
from idnf.learning.checklist_search import checklists
from idnf.learning.label_noise import left_out_chances, left_out_votes
from idnf.learning.merged_cuts import SLIVER, with_merged_cuts
from idnf.learning.objective import Objective, with_better_branches
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Split

FIGURES = ("training accuracy", "test accuracy", "size used", "lines", "conditions", "reasons", "seconds")
DEFAULT = "idnf, default"
PRICES = (0.0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)


def fitted(divide, variants, name, split, state, k, variant):
    """What a variant makes of a division of a data set."""
    train, test, classes, truth = divide(name, split)
    model = variants[variant](k, state)
    start = process_time()
    model.fit(train, classes)
    seconds = process_time() - start
    right = [100 * float(np.mean(model.predict(X) == y)) for X, y in ((train, classes), (test, truth))]
    if not isinstance(model, DNFClassifier):
        return [*right, None, None, None, None, seconds]
    used = k if model.path_ is None else model.path_.chosen.size
    return [*right, used, model.size_.terms, model.size_.conditions, model.size_.reasons, seconds]


def default(k, state):
    return DNFClassifier(k, random_state=state)


class OnNumbers:
    """A method that takes 0 and 1 in place of Booleans."""

    def __init__(self, learn):
        self.learn = learn

    def fit(self, X, y):
        self.model = self.learn(np.asarray(X, dtype=int), np.asarray(y, dtype=int))

    def predict(self, X):
        return self.model.predict(np.asarray(X, dtype=int))


def lickety(k, price):
    from licketysplit import LicketySPLITClassifier

    return LicketySPLITClassifier(lambda_leaf=price, depth_budget=k, lookahead_k=min(2, k))


def streed(k, **options):
    from pystreed import STreeDClassifier

    task = "cost-complex-accuracy" if options else "accuracy"
    return STreeDClassifier(task, max_depth=k, max_num_nodes=2**k - 1, **options)


def with_best_price(learn, X, y):
    """The model of the price of a leaf that errs least in five folds, the largest of equals."""
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    right = [
        sum(np.sum(learn(price, X[train], y[train]).predict(X[test]) == y[test]) for train, test in folds)
        for price in PRICES
    ]
    best = max(range(len(PRICES)), key=lambda i: (right[i], i))
    return learn(PRICES[best], X, y)


def tuned_lickety(k, X, y):
    return with_best_price(lambda price, X, y: lickety(k, price).fit(X, y), X, y)


# Beside the learner on data that nothing was chosen on. pystreed's tuning ends the program where it runs out of time.
PEERS = {
    DEFAULT: default,
    "LicketySPLIT, tuned": lambda k, _: OnNumbers(partial(tuned_lickety, k)),
    "pystreed, tuned": lambda k, _: OnNumbers(streed(k, hyper_tune=True, random_seed=0).fit),
    "pystreed": lambda k, _: OnNumbers(streed(k).fit),
    "CART": lambda k, _: OnNumbers(DecisionTreeClassifier(max_depth=k, random_state=0).fit),
    "random forest": lambda *_: OnNumbers(RandomForestClassifier(random_state=0).fit),
}
KEEL = {
    "default": lambda k, _: DNFClassifier(k, tune=False),
    "CART": lambda k, _: DecisionTreeClassifier(max_depth=k, random_state=0),
    "forest": lambda *_: RandomForestClassifier(random_state=0),
}


def with_quick_folds(effort):
    """The effort of a search in the folds."""

    def variant(k, state):
        path._QUICK = effort
        return default(k, state)

    return variant


FOLDS = {f"{effort} of the effort": with_quick_folds(effort) for effort in (0.12, 0.08, 0.04, 0.02, 0.01)}


SEARCHED = search_learner._searched


def branch_models(branch, objective):
    """Constants, the two best literals and checklists, for the examples of a branch."""
    rows, names, k = objective.rows, branch.names, branch.k
    yield from (NestedDNF.constant(names, value, k) for value in (False, True))
    worths = (rows.positive - rows.negative) @ rows.features
    for code in (2 * int(worths.argmax()), 2 * int(worths.argmin()) + 1):
        yield NestedDNF(names, ((code,),), ((1,),), k)
    yield from checklists(rows, names, k, starts=1, most_points=2)


def searched_trees(rows, task):
    """What search finds, or a tree that costs less: one of the three questions of most gain above checklists."""
    learned, names, k = SEARCHED(rows, task), task.names, task.k
    objective = Objective(rows, learned.price)
    held = np.stack([rows.positive @ rows.features, rows.negative @ rows.features])
    sides = (held, np.array([[rows.positive.sum()], [rows.negative.sum()]]) - held)
    impurity = sum(side.prod(axis=0) / np.maximum(side.sum(axis=0), 1e-12) for side in sides)
    leaves = [Leaf.constant(names, label, k - 1) for label in (0, 1)]
    stumps = [NestedTree(names, Split(int(root), *leaves), k) for root in np.argsort(impurity, kind="stable")[:3]]
    trees = [with_better_branches(stump, objective, branch_models) for stump in stumps]
    best = min([learned.model, *trees], key=objective)
    return replace(learned, model=best, objective=objective(best))


def with_checklists(made, searched=SEARCHED, family="any"):
    """The checklists that the default considers last, or what takes the place of its last step."""

    def variant(k, state):
        search_learner.checklists, search_learner._searched = made, searched
        return DNFClassifier(k, family=family, random_state=state)

    return variant


CHECKLISTS = {
    "at least m of n as candidates (the learner)": with_checklists(checklists),
    "no checklists": with_checklists(lambda *_, **__: iter(())),
    "points of 1 and 2 too": with_checklists(partial(checklists, most_points=2)),
    "trees with checklists at their leaves too": with_checklists(checklists, searched_trees),
    "the family of checklists": with_checklists(checklists, family="checklist"),
}


def with_votes(trees=None, rounds=None, few=200, repeats=2, *, by_state=True):
    """Trees and rounds of logistic regression, examples below which folds are repeated and how often.

    Folds and votes are drawn by the random state, or from one seed.
    """

    def variant(k, state):
        path._FEW, path._REPEATS = few, repeats
        drawn = state if by_state else 0
        path.FOLD_SEED = (drawn, 1)
        given = {"random_state": drawn}
        label_noise.left_out_votes = partial(left_out_votes, **given)
        if trees:
            label_noise.left_out_votes = lambda rows, **others: left_out_votes(
                rows, **{**others, **given, "trees": trees}
            )
        label_noise.left_out_chances = partial(left_out_chances, **given, **({"rounds": rounds} if rounds else {}))
        return default(k, state)

    return variant


SEEDS = {
    "40 trees, one round": with_votes(40, 1),
    "160 trees, four rounds": with_votes(160, 4),
    "folds three times": with_votes(40, 1, 1000, 3),
    "folds six times": with_votes(40, 1, 1000, 6),
    "160 trees, folds three times": with_votes(160, 4, 1000, 3),
    "160 trees, folds twice below 500 rows": with_votes(160, 4, 500, 2),
    "160 trees, folds four times below 500 rows": with_votes(160, 4, 500, 4),
    "as it is, folds and votes by the random state": with_votes(),
    "as it is": with_votes(by_state=False),
}


def table_division(name, split):
    """A division of one of KEEL's tables as it is, numbers as numbers."""
    frame = pd.DataFrame(keel_rows(keel_folder("balanced") / f"{name.split(' ', 1)[1]}.dat"))
    classes = frame.pop(frame.columns[-1])
    frame.columns = [f"x{place}" for place in range(frame.shape[1])]
    for column in frame:
        values = pd.to_numeric(frame[column], errors="coerce")
        frame[column] = frame[column] if values.isna().any() else values
    labels, counts = np.unique(classes, return_counts=True)
    target = np.isin(classes, labels[np.argsort(-counts)[::2]])
    return train_test_split(frame, target, train_size=min(0.8, MOST_TRAINING / len(frame)), random_state=split)


def close_pairs(model, rows, columns, share):
    """How many neighbouring cuts of one column in a model part less than a share of the examples."""
    used, weights = model.features(), rows.positive + rows.negative
    return sum(
        weights[rows.features[:, one] != rows.features[:, other]].sum() < share * weights.sum()
        for column in columns
        for one, other in pairwise(j for j in column if j in used)
    )


COST = Objective.__call__
PAIRS = {}


def with_close_cuts(price, share, *, merged):
    """Charge so many examples for each pair of cuts that part less than a share of the rows; make cuts one or not.

    The columns of cuts are known by the names of their features.
    """

    def cost(objective, model):
        columns = {}
        for place, feature in enumerate(model.names):
            if " <= " in feature:
                columns.setdefault(feature.split(" ")[0], []).append(place)
        rows = objective.rows
        unit = rows.example / (rows.positive + rows.negative).sum()
        return COST(objective, model) + price * unit * close_pairs(model, rows, columns.values(), share)

    def kept(learned, rows, columns, **options):
        found = with_merged_cuts(learned, rows, columns, **options) if merged else learned
        PAIRS["close"] = int(close_pairs(found.model, rows, columns, SLIVER))
        return found

    def variant(k, state):
        PAIRS["close"] = 0
        Objective.__call__ = cost if price else COST
        search_learner.with_merged_cuts = kept
        return default(k, state)

    return variant


CLOSE_CUTS = {
    "cuts made one (the learner)": with_close_cuts(0.0, 0.0, merged=True),
    "cuts left as found": with_close_cuts(0.0, 0.0, merged=False),
    "one example below a hundredth": with_close_cuts(1.0, 0.01, merged=False),
    "one example below a twentieth": with_close_cuts(1.0, 0.05, merged=False),
    "three examples below a twentieth": with_close_cuts(3.0, 0.05, merged=False),
    "one example below a twentieth, cuts made one": with_close_cuts(1.0, 0.05, merged=True),
}


def fitted_cuts(*cell):
    return [*fitted(table_division, CLOSE_CUTS, *cell), PAIRS["close"]]


on_tables = partial(fitted, division)
