"""The default learner on the paper's data sets for several random states: mean test accuracy and how far it moves.

Splits 80/20 with random states 0 to 4, monks as given. Appends to experiments/search/states.csv, one line a random
state, k, data set and split, and goes on where it stopped; then writes states.md.
"""

import argparse
import csv
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from time import process_time

import numpy as np
from families import divisions

from idnf import DNFClassifier
from idnf.datasets.loading import PAPER

OUTPUT = Path(__file__).parent / "search"
COLUMNS = ("random state", "k", "data set", "split", "test accuracy", "size used", "lines", "conditions", "seconds")


def fitted(k, random_state, division):
    train, test, train_target, test_target = division
    start = process_time()
    model = DNFClassifier(k, random_state=random_state).fit(train, train_target)
    seconds = process_time() - start
    accuracy = 100 * np.mean(model.predict(test) == test_target)
    used = k if model.path_ is None else model.path_.chosen.size
    return [f"{accuracy:.3f}", used, model.size_.terms, model.size_.conditions, f"{seconds:.3f}"]


def read(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


def table(lines):
    """Means over data sets of means over splits, by k and random state."""
    groups = defaultdict(lambda: defaultdict(list))
    for state, k, name, _, accuracy, *_ in lines:
        groups[k, state][name].append(float(accuracy))
    means = {
        place: fmean(fmean(part) for part in sets.values()) for place, sets in groups.items() if len(sets) == len(PAPER)
    }
    states = sorted({state for _, state in means})
    text = "| k | " + " | ".join(f"random state {state}" for state in states) + " | mean | spread |\n"
    text += "| --- " * (len(states) + 3) + "|\n"
    for k in sorted({k for k, _ in means}):
        here = [means.get((k, state)) for state in states]
        known = [mean for mean in here if mean is not None]
        cells = ["" if mean is None else f"{mean:.2f}" for mean in here]
        # One state says nothing about the spread.
        spread = f"{max(known) - min(known):.2f}" if len(known) > 1 else ""
        text += f"| {k} | {' | '.join(cells)} | {fmean(known):.2f} | {spread} |\n"
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--states", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--output", type=Path, default=OUTPUT / "states.csv")
    options = parser.parse_args()
    done = {tuple(line[:4]) for line in read(options.output)} if options.output.exists() else set()
    with options.output.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not done:
            writer.writerow(COLUMNS)
        for state in options.states:
            for k in options.k:
                for name in PAPER:
                    for split, division in enumerate(divisions(name, 5)):
                        if (str(state), str(k), name, str(split)) not in done:
                            writer.writerow([state, k, name, split, *fitted(k, state, division)])
                            file.flush()
    options.output.with_suffix(".md").write_text(table(read(options.output)))
