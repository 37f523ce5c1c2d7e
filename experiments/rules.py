"""Rules for choosing a setting, compared on what experiments/trials.py wrote.

For k = 2, 3, 4: test accuracy and literals of the model that each rule would have taken, means over the data sets.
Prints a table; `python experiments/rules.py FOLDER > experiments/search/rules.md` keeps it.
"""

import argparse
from pathlib import Path
from statistics import fmean

import numpy as np
from trials import LONG

BOUNDS = (2, 3, 4)


def fixed(setting):
    """All of k with one objective."""
    return lambda _, k: (k - 1, setting)


def validated(settings, fraction):
    """The least error in cross-validation, or the shortest models within a fraction of a standard error of it."""

    def rule(trial, k):
        places = [(size, setting) for size in range(k) for setting in settings]
        wrong = np.array([trial["wrong"][place] for place in places], dtype=float)
        differences = wrong - wrong[wrong.mean(axis=1).argmin()]
        margins = fraction * differences.std(axis=1) / np.sqrt(wrong.shape[1])
        good = np.flatnonzero(differences.mean(axis=1) <= margins + 1e-12)
        return places[min(good, key=lambda i: (trial["lengths"][places[i]].mean(), wrong[i].mean()))]

    return rule


def hindsight(trial, k):
    """The best on the test rows: what no rule can know."""
    return np.unravel_index(trial["accuracy"][:k].argmax(), trial["accuracy"][:k].shape)


def line(name, rule, trials):
    accuracies = [100 * fmean(float(trial["accuracy"][rule(trial, k)]) for trial in trials) for k in BOUNDS]
    lengths = [fmean(float(trial["full_lengths"][rule(trial, k)]) for trial in trials) for k in BOUNDS]
    cells = [f"{value:.2f}" for value in accuracies] + [f"{value:.1f}" for value in lengths]
    print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    trials = [dict(np.load(path)) for path in sorted(options.folder.glob("*.npz"))]
    count = trials[0]["wrong"].shape[1]
    print(f"| {len(trials)} data sets | " + " | ".join(f"k = {k}" for k in BOUNDS), end=" | ")
    print(" | ".join(f"literals, k = {k}" for k in BOUNDS), "|")
    print("| --- " * 7 + "|")
    for setting in range(count):
        belief, factor, weight = LONG[setting]
        name = f"all of k, belief {belief:g}, price of noise times {factor:g}"
        line(name + (f", made-up examples of weight {weight:g}" if weight else ""), fixed(setting), trials)
    for settings in ([0], [0, 3], [2, 3], list(range(4))):
        for fraction in (0.0, 0.25, 0.5, 1.0):
            line(
                f"cross-validated over sizes and lines {settings}, within {fraction:g}",
                validated(settings, fraction),
                trials,
            )
    line("best in hindsight", hindsight, trials)
