"""What every setting is worth in cross-validation and on test rows, on the data to choose on.

A setting is a family of models, a belief in the guesses of others, a factor on the price of noise, and a size 1..4. For
each split and each setting one file is written: for every data set of the collection "choosing", which held-out
training rows the quick models get wrong, and what the full search makes of the test rows. Rules are then compared by
experiments/choices.py, pair by pair on the same splits and folds, without learning anything anew.

A setting is written like "any:B0.5:3": family ("tree" for look-ahead trees), whose guesses replace labels (V votes of
trees, L logistic regression, A the mean of both, B the best mixture), the part of each label replaced, and the factor
on the price of noise. On all training rows search has two fifths of its effort.
"""

import argparse
import pickle
from pathlib import Path
from time import process_time

import numpy as np
from collection import division, names

from idnf.counting.contract import DistinctRows
from idnf.learning.belief import believed, left_out_errors, left_out_votes, unseen_share
from idnf.learning.evaluation import holds
from idnf.learning.local.quick_search import models_by_size
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.logistic import left_out_chances
from idnf.learning.lookahead import lookahead_trees
from idnf.learning.model_size import term_count
from idnf.learning.objective import Objective, noise_price

MOST = 4
FOLDS = 5
QUICK = 0.12


def distinct(features, target):
    """The examples as distinct rows with weights."""
    found, places = np.unique(features, axis=0, return_inverse=True)
    ones = np.bincount(places.ravel(), target, len(found))
    return DistinctRows(found, ones, np.bincount(places.ravel(), minlength=len(found)) - ones, True)


def brier(rows, chances):
    return float(np.nansum(rows.positive * (1 - chances) ** 2 + rows.negative * chances**2))


def objective_of(rows, teacher, belief, noise, seed=0):
    """What a setting minimises."""
    votes, unseen = left_out_votes(rows, random_state=seed), unseen_share(rows.features)
    if teacher != "V":
        chances = left_out_chances(rows, random_state=seed)
        known = np.where(np.isnan(votes), chances, votes)
        if teacher == "A":
            chances = (known + chances) / 2
        elif teacher == "B":
            mixed = [(1 - part) * known + part * chances for part in (0.0, 0.25, 0.5, 0.75, 1.0)]
            chances = min(mixed, key=lambda each: brier(rows, each))
        votes = np.where(np.isnan(chances), votes, chances)
    least, noisy = noise_price(rows, 0.0), noise_price(rows, unseen * left_out_errors(rows, votes))
    return Objective(believed(rows, votes, belief * unseen), least + noise * (noisy - least))


def names_of(rows):
    return tuple(f"x{j}" for j in range(rows.features.shape[1]))


def quick_models(family, objective, seed):
    """A model of every size, found with little effort."""
    rows = objective.rows
    if family == "tree":
        return lookahead_trees(rows, names_of(rows), range(1, MOST + 1), price=objective.price)
    how = SearchOptions(family=family, effort=QUICK, random_state=seed)
    return models_by_size(objective, names_of(rows), MOST, how)


def full_model(family, objective, size):
    """The model of a whole search; of trees, a look-ahead tree."""
    rows = objective.rows
    if family == "tree":
        return lookahead_trees(rows, names_of(rows), [size], price=objective.price)[0]
    how = SearchOptions(family=family, price=objective.price, effort=0.4)
    return search(rows, names_of(rows), size, options=how).model


def drawn_folds(target, generator):
    """The fold of each example, class by class in equal parts."""
    folds = np.empty(len(target), dtype=int)
    for value in (False, True):
        places = np.flatnonzero(target == value)
        folds[generator.permutation(places)] = np.arange(len(places)) % FOLDS
    return folds


def trial(name, split, setting, repeats):
    """Held-out errors, lengths and test errors of all sizes."""
    family, belief, noise = setting.split(":")
    teacher, belief = belief[0] if belief[0] in "VLAB" else "V", belief.lstrip("VLAB")
    train, test, target, truth = division(name, split)
    start = process_time()
    wrong = np.zeros((MOST, repeats, len(train)), dtype=bool)
    lengths = np.zeros((MOST, repeats * FOLDS))
    for repeat in range(repeats):
        folds = drawn_folds(target, np.random.default_rng([split, repeat]))
        for fold in range(FOLDS):
            inside = folds != fold
            objective = objective_of(distinct(train[inside], target[inside]), teacher, float(belief), float(noise))
            for s, model in enumerate(quick_models(family, objective, repeat * FOLDS + fold)):
                wrong[s, repeat, ~inside] = holds(model, train[~inside]) != target[~inside]
                lengths[s, repeat * FOLDS + fold] = model.literal_count
    seconds = process_time() - start
    objective = objective_of(distinct(train, target), teacher, float(belief), float(noise))
    models = [full_model(family, objective, size) for size in range(1, MOST + 1)]
    return {
        "wrong": wrong,
        "lengths": lengths.mean(axis=1),
        "test wrong": np.array([holds(model, test) != truth for model in models]),
        "full lengths": np.array([model.literal_count for model in models]),
        "terms": np.array([term_count(model) for model in models]),
        "seconds": (seconds, process_time() - start - seconds),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("settings", nargs="+")
    parser.add_argument("--splits", type=int, nargs="+", default=[0])
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for split in options.splits:
        for setting in options.settings:
            path = options.folder / f"{setting.replace(':', '_')}-{split}-{options.repeats}.pickle"
            if path.exists():
                continue
            start = process_time()
            found = {name: trial(name, split, setting, options.repeats) for name in names("choosing")}
            path.write_bytes(pickle.dumps(found))
            print(split, setting, round(process_time() - start, 1), flush=True)
