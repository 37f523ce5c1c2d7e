"""What every size, price and objective is worth in cross-validation and on test rows, on the data to choose on.

For each data set of the collection "choosing" one file is written: which held-out training rows the quick models of
each setting get wrong, and what the full search with that setting makes of the test rows. Rules for choosing the
setting are then compared by experiments/rules.py without learning anything anew.

A setting is a size and an objective: the belief in the out-of-bag votes of a forest, a factor on the price of noise,
and the weight of made-up examples. These are crossings of a training row with one of its five nearest rows, labelled by
the forest (Bucila, Caruana, Niculescu-Mizil, Model Compression, KDD 2006).
"""

import argparse
from pathlib import Path
from time import process_time

import numpy as np
from collection import division, names
from sklearn.ensemble import RandomForestClassifier

from idnf.counting.contract import DistinctRows
from idnf.learning.evaluation import holds
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.lookahead import lookahead_tree
from idnf.learning.objective import Objective

SHORT = ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.5, 1.0, 0.0), (0.5, 3.0, 0.0))
LONG = (*SHORT, (0.5, 1.0, 1.0), (0.0, 1.0, 1.0))
FOLDS, TIMES = 5, 2


def crossed(features, generator):
    """Every row crossed with near ones, several times."""
    numbers = features.astype(np.float32)
    sums = numbers.sum(axis=1)
    distances = sums[:, None] + sums[None] - 2 * numbers @ numbers.T + 0.1 * generator.random((len(sums), len(sums)))
    np.fill_diagonal(distances, np.inf)
    near = np.argpartition(distances, 5, axis=1)[:, :5]
    made = []
    for _ in range(TIMES):
        other = features[near[np.arange(len(features)), generator.integers(0, 5, len(features))]]
        made.append(np.where(generator.random(features.shape) < 0.5, other, features))
    return np.concatenate(made)


def objectives(features, target, settings, seed=0):
    """The objective of each setting."""
    forest = RandomForestClassifier(50, oob_score=True, random_state=seed).fit(features, target)
    votes = forest.oob_decision_function_[:, 1]
    votes = np.where(np.isnan(votes), target, votes)
    noise = min(np.mean((votes > 0.5) != target), 0.45)
    extra = crossed(features, np.random.default_rng(seed)) if any(setting[2] for setting in settings) else features[:0]
    shares = forest.predict_proba(extra)[:, 1] if len(extra) else np.zeros(0)
    made = []
    for belief, factor, weight in settings:
        positive, rows = (1 - belief) * target + belief * votes, features
        negative = 1 - positive
        if weight:
            rows = np.concatenate([features, extra])
            positive = np.concatenate([positive, weight / TIMES * shares])
            negative = np.concatenate([negative, weight / TIMES * (1 - shares)])
        distinct, places = np.unique(rows, axis=0, return_inverse=True)
        sums = (np.bincount(places.ravel(), part) for part in (positive, negative))
        price = (0.05 + factor * 1.2 * noise * (1 - noise) / (1 - 2 * noise)) / len(features) / (1 + weight)
        made.append(Objective(DistinctRows(distinct, *sums, True), price))
    return made


def learned(objective, size, effort, seed=0):
    """The model of a search of some effort; of effort 0, a look-ahead tree."""
    feature_names = tuple(f"x{j}" for j in range(objective.rows.features.shape[1]))
    if not effort:
        return lookahead_tree(objective.rows, feature_names, size, price=objective.price)
    how = SearchOptions(price=objective.price, effort=effort, random_state=seed)
    return search(objective.rows, feature_names, size, options=how).model


def drawn_folds(target, generator):
    folds = np.empty(len(target), dtype=int)
    for value in (False, True):
        places = np.flatnonzero(target == value)
        folds[generator.permutation(places)] = np.arange(len(places)) % FOLDS
    return folds


def trial(name, options):
    train, test, target, truth = division(name, options.split)
    settings, sizes = (LONG if options.long else SHORT), options.sizes
    folds = drawn_folds(target, np.random.default_rng(options.split))
    wrong = np.zeros((len(sizes), len(settings), len(train)), dtype=bool)
    shape = (len(sizes), len(settings))
    lengths, accuracy, full_lengths = np.zeros((*shape, FOLDS)), np.zeros(shape), np.zeros(shape)
    for fold in range(FOLDS):
        inside = folds != fold
        for o, objective in enumerate(objectives(train[inside], target[inside], settings)):
            for s, size in enumerate(sizes):
                model = learned(objective, size, options.quick, fold)
                wrong[s, o, ~inside] = holds(model, train[~inside]) != target[~inside]
                lengths[s, o, fold] = model.literal_count
    for o, objective in enumerate(objectives(train, target, settings)):
        for s, size in enumerate(sizes):
            model = learned(objective, size, options.effort)
            accuracy[s, o], full_lengths[s, o] = np.mean(holds(model, test) == truth), model.literal_count
    return {"wrong": wrong, "lengths": lengths, "accuracy": accuracy, "full_lengths": full_lengths}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--split", type=int, default=0)
    parser.add_argument("--quick", type=float, default=0.25, help="effort in the folds; 0 for look-ahead trees")
    parser.add_argument("--effort", type=float, default=1.0, help="effort on all training rows")
    parser.add_argument("--long", action="store_true", help="with made-up examples too")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    every = names("choosing")
    for place in np.random.default_rng(0).permutation(len(every)).tolist():
        path = options.folder / f"{every[place].replace(' ', '_')}-{options.split}.npz"
        if not path.exists():
            start = process_time()
            np.savez_compressed(path, **trial(every[place], options))
            print(every[place], round(process_time() - start, 1), flush=True)
