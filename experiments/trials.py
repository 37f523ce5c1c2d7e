"""What every size, price and objective is worth in cross-validation and on test rows, on the data to choose on.

For each data set of the collection "choosing" and each split one file is written: which held-out training rows the
quick models of each setting get wrong, and what the full search with that setting makes of the test rows. Rules for
choosing the setting are then compared by experiments/rules.py without learning anything anew.
"""

import argparse
from pathlib import Path
from time import process_time

import numpy as np
from collection import division, names

from idnf.counting.packed import PackedTable
from idnf.learning.belief import believed, left_out_errors, left_out_votes, unseen_share
from idnf.learning.evaluation import holds
from idnf.learning.local.search import SearchOptions, search
from idnf.learning.lookahead import lookahead_tree
from idnf.learning.objective import Objective, literal_count, noise_price

# Belief in the votes, and a factor on the price that goes with them.
OBJECTIVES = ((0.0, 0.0), (0.0, 0.5), (0.0, 1.0), (0.0, 3.0), (0.5, 0.5), (0.5, 1.0), (0.5, 3.0), (0.9, 1.0))
FOLDS = 5


def rows_of(features, target):
    return PackedTable.from_arrays(features, target, None).distinct_rows()


def objectives(rows, seed):
    """All objectives for some rows: the votes of trees are counted once."""
    votes = left_out_votes(rows, random_state=seed)
    unseen = unseen_share(rows.features)
    errors = unseen * left_out_errors(rows, votes)
    least, noisy = noise_price(rows, 0.0), noise_price(rows, errors)
    return [Objective(believed(rows, votes, b * unseen), least + f * (noisy - least)) for b, f in OBJECTIVES], votes


def votes_of(train, rows, votes):
    """The votes on each training example: distinct rows come in some order, each example has one of them."""
    places = {row.tobytes(): place for place, row in enumerate(rows.features)}
    return votes[[places[row.tobytes()] for row in train]]


def quick(objective, feature_names, size, sweeps, seed):
    """A model learned quickly: the better of a look-ahead tree and a nested DNF."""
    found = [lookahead_tree(objective.rows, feature_names, size, price=objective.price)]
    if not sweeps:
        return found[0]
    how = SearchOptions(family="nested", price=objective.price, effort=sweeps / 400, random_state=seed)
    found.append(search(objective.rows, feature_names, size, options=how).model)
    return min(found, key=objective)


def trial(name, split, sizes, options):
    train, test, target, truth = division(name, split)
    feature_names = tuple(f"x{j}" for j in range(train.shape[1]))
    generator = np.random.default_rng(split)
    folds = np.empty(len(train), dtype=int)
    for value in (False, True):
        places = np.flatnonzero(target == value)
        folds[generator.permutation(places)] = np.arange(len(places)) % FOLDS
    wrong = np.zeros((len(sizes), len(OBJECTIVES), len(train)), dtype=bool)
    lengths = np.zeros((len(sizes), len(OBJECTIVES), FOLDS))
    for fold in range(FOLDS):
        inside = folds != fold
        made, _ = objectives(rows_of(train[inside], target[inside]), 0)
        for s, size in enumerate(sizes):
            for o, objective in enumerate(made):
                model = quick(objective, feature_names, size, options.sweeps, fold)
                wrong[s, o, ~inside] = holds(model, train[~inside]) != target[~inside]
                lengths[s, o, fold] = literal_count(model)
    rows = rows_of(train, target)
    made, votes = objectives(rows, 0)
    accuracy = np.zeros((len(sizes), len(OBJECTIVES)))
    full_lengths = np.zeros((len(sizes), len(OBJECTIVES)))
    for s, size in enumerate(sizes):
        for o, objective in enumerate(made):
            if options.sweeps:
                how = SearchOptions(price=objective.price, effort=options.effort)
                model = search(objective.rows, feature_names, size, options=how).model
            else:
                model = quick(objective, feature_names, size, 0, 0)
            accuracy[s, o] = np.mean(holds(model, test) == truth)
            full_lengths[s, o] = literal_count(model)
    figures = {
        "wrong": wrong,
        "lengths": lengths,
        "accuracy": accuracy,
        "full_lengths": full_lengths,
        "votes": votes_of(train, rows, votes),
    }
    return {**figures, "folds": folds, "target": target}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--split", type=int, default=0)
    parser.add_argument(
        "--sweeps", type=int, default=60, help="in 400 of the effort of quick searches; 0 for look-ahead trees alone"
    )
    parser.add_argument("--effort", type=float, default=1.0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    every = names("choosing")
    for place in np.random.default_rng(0).permutation(len(every)).tolist():
        path = options.folder / f"{every[place].replace(' ', '_')}-{options.split}.npz"
        if not path.exists():
            start = process_time()
            np.savez_compressed(path, **trial(every[place], options.split, options.sizes, options))
            print(every[place], round(process_time() - start, 1), flush=True)
