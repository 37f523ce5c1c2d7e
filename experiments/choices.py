"""Rules for choosing a setting, compared on what experiments/settings.py wrote.

For k = 2, 3, 4: test accuracy of the model each rule takes, the mean over data sets of means over splits, the difference
to the first rule with its standard error over data sets, and literals.
`python experiments/choices.py FOLDER > experiments/search/choices.md` keeps the table.
"""

import argparse
import pickle
from collections import defaultdict
from pathlib import Path

import numpy as np

BOUNDS = (2, 3, 4)


def read(folder, repeats):
    """Trials by split, data set and setting; of settings that all splits read have."""
    found = defaultdict(lambda: defaultdict(dict))
    for path in sorted(folder.glob(f"*-{repeats}.pickle")):
        setting, split, _ = path.stem.rsplit("-", 2)
        for name, trial in pickle.loads(path.read_bytes()).items():
            found[int(split)][name][setting.replace("_", ":")] = trial
    return found


def fixed(setting):
    """All of k with one setting."""
    return lambda trials, k: (setting, k - 1)


def validated(settings, fraction, sizes=lambda k: range(1, k + 1), bonus=0.0):
    """The least error in cross-validation, or the shortest models within a fraction of a standard error of it."""

    def rule(trials, k):
        places = [(setting, size - 1) for setting in settings for size in sizes(k)]
        wrong = np.array([trials[setting]["wrong"][size].mean(axis=0) for setting, size in places])
        differences = wrong - wrong[wrong.mean(axis=1).argmin()]
        margins = fraction * differences.std(axis=1) / np.sqrt(wrong.shape[1])
        good = np.flatnonzero(differences.mean(axis=1) <= margins + 1e-12)
        return places[min(good, key=lambda i: (trials[places[i][0]]["lengths"][places[i][1]], wrong[i].mean()))]

    return rule


def hindsight(settings):
    """The best on the test rows: what no rule can know."""

    def rule(trials, k):
        places = [(setting, size) for setting in settings for size in range(k)]
        return min(places, key=lambda place: trials[place[0]]["test wrong"][place[1]].mean())

    return rule


def results(rule, found, splits):
    """Accuracy and literals, data sets times splits times bounds."""
    names = sorted(found[splits[0]])
    accuracy, literals = np.zeros((2, len(names), len(splits), len(BOUNDS)))
    for i, name in enumerate(names):
        for j, split in enumerate(splits):
            for b, k in enumerate(BOUNDS):
                setting, size = rule(found[split][name], k)
                trial = found[split][name][setting]
                accuracy[i, j, b] = 100 * (1 - trial["test wrong"][size].mean())
                literals[i, j, b] = trial["full lengths"][size]
    return accuracy.mean(axis=1), literals.mean(axis=1)


def table(rules, found, splits):
    first = None
    for name, rule in rules.items():
        accuracy, literals = results(rule, found, splits)
        first = accuracy if first is None else first
        differences = accuracy - first
        errors = differences.std(axis=0) / np.sqrt(len(differences))
        cells = [f"{a:.2f} ({d:+.2f} ± {e:.2f})" for a, d, e in zip(accuracy.mean(axis=0), differences.mean(axis=0), errors)]
        print(f"| {name} | {' | '.join(cells)} | {' | '.join(f'{value:.1f}' for value in literals.mean(axis=0))} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--splits", type=int, nargs="+", default=[0])
    options = parser.parse_args()
    found = read(options.folder, options.repeats)
    have = sorted(set.intersection(*(set(next(iter(found[s].values()))) for s in options.splits)))
    any_ = [s for s in have if s.startswith("any")]
    tree = [s for s in have if s.startswith("tree")]
    rules = {}
    base = [s for s in ("any:0:0", "any:0.5:3") if s in have]
    rules["default"] = validated(base, 0.25)
    for s in have: rules["all of k " + s] = fixed(s)
    for f in (0, .25, .5, 1):
        rules[f"base {f}"] = validated(base, f)
        rules[f"trees {f}"] = validated(tree, f)
        rules[f"any {f}"] = validated(any_, f)
        rules[f"base+trees {f}"] = validated(base + tree, f)
        rules[f"all {f}"] = validated(have, f)
    rules["hindsight base"] = hindsight(base)
    rules["hindsight tree"] = hindsight(tree)
    rules["hindsight all"] = hindsight(have)
    table(rules, found, options.splits)
