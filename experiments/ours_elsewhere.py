"""The default learner on the collection "elsewhere", and beside the tuned trees of peers_elsewhere.py.

Appends to experiments/search/ours-elsewhere.csv, one line a data set, split and k, and goes on where it stopped; with
`--table` writes elsewhere-means.md: means over the data sets, and Wilcoxon's signed-rank test of the difference to each
peer on the data sets and splits both have. No constant was chosen on these data.
"""

import argparse
import csv
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median
from time import process_time

import numpy as np
from collection import division, names
from scipy.stats import wilcoxon

from idnf import DNFClassifier

OUTPUT = Path(__file__).parent / "search"
COLUMNS = ("data set", "split", "k", "test accuracy", "size used", "lines", "conditions", "reasons", "seconds")
OURS = "idnf, default"


def cell(name, split, k):
    train, test, classes, truth = division(name, split)
    start = process_time()
    model = DNFClassifier(k).fit(train, classes)
    seconds = process_time() - start
    accuracy = 100 * np.mean(model.predict(test) == truth)
    used = k if model.path_ is None else model.path_.chosen.size
    size = model.size_
    return [name, split, k, f"{accuracy:.3f}", used, size.terms, size.conditions, size.reasons, f"{seconds:.3f}"]


def lines_of(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


def accuracies(ours, peers):
    """By method and k, the accuracy in each data set and split."""
    found = defaultdict(dict)
    for line in ours:
        found[OURS, line[2]][line[0], line[1]] = float(line[3])
    for name, split, k, method, accuracy, _ in peers:
        found[method, k][name, split] = float(accuracy)
    return found


def by_data_set(values, places):
    grouped = defaultdict(list)
    for place in places:
        grouped[place[0]].append(values[place])
    return {name: fmean(part) for name, part in grouped.items()}


def table(ours, peers):
    found = accuracies(ours, peers)
    text = "| k | method | data sets | its mean | ours on the same | p |\n| --- | --- | --- | --- | --- | --- |\n"
    for k in sorted({k for _, k in found}):
        for method in sorted({m for m, bound in found if bound == k and m != OURS}):
            places = sorted(set(found[method, k]) & set(found[OURS, k]))
            if not places:
                continue
            theirs, mine = (by_data_set(found[name, k], places) for name in (method, OURS))
            differences = [round(mine[name] - theirs[name], 6) for name in mine]
            p = wilcoxon(differences).pvalue if any(differences) else 1.0
            means = f"{fmean(theirs.values()):.2f} | {fmean(mine.values()):.2f}"
            text += f"| {k} | {method} | {len(mine)} | {means} | {p:.3f} |\n"
    text += "\n| k | mean accuracy | median lines | median conditions | median reasons | median seconds |\n"
    text += "| --- | --- | --- | --- | --- | --- |\n"
    for k in sorted({line[2] for line in ours}):
        here = [line for line in ours if line[2] == k]
        mean = fmean(by_data_set(found[OURS, k], found[OURS, k]).values())
        medians = [median(float(line[i]) for line in here if line[i]) for i in (5, 6, 7, 8)]
        text += f"| {k} | {mean:.2f} | {medians[0]:g} | {medians[1]:g} | {medians[2]:g} | {medians[3]:.2f} |\n"
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--splits", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--output", type=Path, default=OUTPUT / "ours-elsewhere.csv")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.table:
        (OUTPUT / "elsewhere-means.md").write_text(
            table(lines_of(options.output), lines_of(OUTPUT / "peers-elsewhere.csv"))
        )
        raise SystemExit
    done = {tuple(line[:3]) for line in lines_of(options.output)} if options.output.exists() else set()
    with options.output.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not done:
            writer.writerow(COLUMNS)
        for split in options.splits:
            for name in names("elsewhere"):
                for k in options.k:
                    if (name, str(split), str(k)) not in done:
                        writer.writerow(cell(name, split, k))
                        file.flush()
