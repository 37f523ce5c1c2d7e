"""Rules for choosing a setting, compared on what experiments/settings.py wrote.

For k = 2, 3, 4: test accuracy of the model each rule takes, the mean over data sets of means over splits, the
difference to the first rule with its standard error over data sets, and literals. Only splits that all settings of the
rules have are read. `python experiments/choices.py FOLDER > experiments/search/choices.md` keeps the table.
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
    return lambda _, k: (setting, k - 1)


def from_two(k):
    return range(min(k, 2), k + 1)


def validated(settings, fraction, sizes=from_two):
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
    print(f"| {len(found[splits[0]])} data sets, splits {', '.join(map(str, splits))} | ", end="")
    print(" | ".join(f"k = {k}" for k in BOUNDS), end=" | ")
    print(" | ".join(f"literals, k = {k}" for k in BOUNDS), "|")
    print("| --- " * 7 + "|")
    first = None
    for name, rule in rules.items():
        accuracy, literals = results(rule, found, splits)
        first = accuracy if first is None else first
        differences = accuracy - first
        errors = differences.std(axis=0) / np.sqrt(len(differences))
        means = zip(accuracy.mean(axis=0), differences.mean(axis=0), errors, strict=True)
        cells = [f"{mean:.2f} ({difference:+.2f} ± {error:.2f})" for mean, difference, error in means]
        print(f"| {name} | {' | '.join(cells)} | {' | '.join(f'{value:.1f}' for value in literals.mean(axis=0))} |")


PLAIN, VOTES, MIXTURE, STRICT = "any:0:0", "any:0.5:3", "any:B0.75:1", "any:B0.75:3"
RULES = {
    "plain and votes of trees, sizes from 1, within 0.25": validated([PLAIN, VOTES], 0.25, lambda k: range(1, k + 1)),
    "plain and votes of trees, within 0.25": validated([PLAIN, VOTES], 0.25),
    "all of k, plain": fixed(PLAIN),
    "all of k, votes of trees": fixed(VOTES),
    "all of k, mixture": fixed(MIXTURE),
    "plain alone, within 0.25": validated([PLAIN], 0.25),
    "mixture alone, within 0.25": validated([MIXTURE], 0.25),
    "plain and mixture, within 0": validated([PLAIN, MIXTURE], 0.0),
    "plain and mixture, within 0.25": validated([PLAIN, MIXTURE], 0.25),
    "plain and mixture, within 0.5": validated([PLAIN, MIXTURE], 0.5),
    "plain and mixture, within 1": validated([PLAIN, MIXTURE], 1.0),
    "plain and mixture at three times the price, within 0.25": validated([PLAIN, STRICT], 0.25),
    "plain, votes and mixture, within 0.25": validated([PLAIN, VOTES, MIXTURE], 0.25),
    "best in hindsight": hindsight([PLAIN, VOTES, MIXTURE]),
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    trials = read(options.folder, options.repeats)
    wanted = {PLAIN, VOTES, MIXTURE, STRICT}
    shared = [split for split in sorted(trials) if all(wanted <= set(each) for each in trials[split].values())]
    table(RULES, trials, shared)
