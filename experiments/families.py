"""What each family buys: nested, tree, nested tree and any, with the default search, on the paper's data sets.

Splits 80/20 with random states 0 to 4, monks as given. Writes families.csv, one line a data set, k and family with the
means over the splits, and families.md with the means over all data sets, into experiments/search.
"""

import argparse
import csv
from itertools import product
from pathlib import Path
from statistics import fmean
from time import perf_counter

import numpy as np
from sklearn.model_selection import train_test_split

from idnf.counting.packed import PackedTable
from idnf.datasets.loading import PAPER, load_paper
from idnf.learning.evaluation import holds
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions

OUTPUT = Path(__file__).parent / "search"
FAMILIES = ("nested", "tree", "nested-tree", "any")
COLUMNS = ["data set", "k", "family", "training accuracy", "test accuracy", "literals", "seconds"]


def divisions(name, splits):
    if name.startswith("monks"):
        (train, train_target), (test, test_target) = load_paper(name, part="train"), load_paper(name, part="test")
        yield train, test, train_target, test_target
        return
    features, target = load_paper(name)
    for split in range(splits):
        yield train_test_split(features, target, test_size=0.2, random_state=split)


def figures(name, k, family, options):
    """Training and test accuracy in percent, literals and seconds of a fit: means over the splits."""
    found = []
    for train, test, train_target, test_target in divisions(name, options.splits):
        features = np.asarray(train, dtype=bool)
        rows = PackedTable.from_arrays(features, np.asarray(train_target) == 1, None).distinct_rows()
        names = tuple(f"x{j}" for j in range(features.shape[1]))
        start = perf_counter()
        model = search(rows, names, k, options=SearchOptions(family=family, effort=options.effort)).model
        seconds = perf_counter() - start
        double = model if hasattr(model, "positive") else model.double()
        scores = [
            100 * np.mean(holds(model, np.asarray(part, dtype=bool)) == (np.asarray(truth) == 1))
            for part, truth in ((train, train_target), (test, test_target))
        ]
        found.append([*scores, double.positive.length, seconds])
    return [fmean(column) for column in zip(*found, strict=True)]


def summary(lines):
    """The means over all data sets as a Markdown table."""
    yield "| k | " + " | ".join(FAMILIES) + " |"
    yield "| --- |" + " --- |" * len(FAMILIES)
    for k in sorted({line[1] for line in lines}):
        cells = []
        for family in FAMILIES:
            chosen = [line for line in lines if line[1:3] == [k, family]]
            cells.append(f"{fmean(line[3] for line in chosen):.2f} / {fmean(line[4] for line in chosen):.2f}")
        yield f"| {k} | " + " | ".join(cells) + " |"


def winners(lines):
    """For each family, the data set and k where its test accuracy is furthest above that of every other one."""
    best = {}
    for name, k in sorted({(line[0], line[1]) for line in lines}):
        tests = {line[2]: line[4] for line in lines if line[:2] == [name, k]}
        for family, test in tests.items():
            lead = test - max(other for label, other in tests.items() if label != family)
            if family not in best or lead > best[family][0]:
                best[family] = (lead, f"{name}, k = {k}: {test:.2f}, {lead:+.2f} against the best of the others")
    for family in FAMILIES:
        yield f"- {family}: {best[family][1]}"


def read(path):
    """The lines of a run that was interrupted."""
    with path.open(newline="") as file:
        return [
            [name, int(k), family, *map(float, figures)] for name, k, family, *figures in list(csv.reader(file))[1:]
        ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument("--resume", action="store_true", help="keep the lines that are in families.csv")
    options = parser.parse_args()
    OUTPUT.mkdir(exist_ok=True)
    done = {tuple(line[:3]): line[3:] for line in read(OUTPUT / "families.csv")} if options.resume else {}
    lines = []
    with (OUTPUT / "families.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for k, name, family in product(options.k, PAPER, FAMILIES):
            found = done.get((name, k, family)) or figures(name, k, family, options)
            lines.append([name, k, family, *found])
            writer.writerow([*lines[-1][:3], *(f"{figure:.2f}" for figure in found)])
            file.flush()
    text = [
        "Mean training / test accuracy over the paper's data sets, in percent.\n",
        *summary(lines),
        "\nWhere each family leads:\n",
        *winners(lines),
    ]
    (OUTPUT / "families.md").write_text("\n".join(text) + "\n")
