"""What docs/reproduction.md says of the paper's figures beside ours: `python experiments/paper.py NAME`.

- agreement: how close `make tables` comes to the printed figures; reads reproduction/*.csv, writes agreement.csv.
- means: are the paper's figures what random ties give? 200 fits of every cell of its Tables 2 and 3 on each split, of
  which it has ten. Cells without spread must be equal as printed. For the others, z is the difference of the paper's
  figure to the mean of ours in standard errors of both, and "chance" the share of draws of ten fits per split, out of
  ours, whose mean is at least as far away. Writes means.csv, a line per cell, and means-by-column.csv.
- splits: which random states did the paper split with? CART of depth 2 and 3 on candidate sets of five, against its
  Table 2. The candidates are arithmetic sequences, the usual habit; the DNF columns take no part in the choice. Writes
  the mean absolute difference of every candidate to splits.csv, best first.
- other-splits: its tables on splits of our own, random states 0 to 4: how much its figures owe to its splits.
- best-of-ten: which of ten runs does its Table 3 take? The mean size on the monks under five rules, beside its figures;
  400 fits a cell in groups of ten. Writes best-of-ten.csv.
"""

import csv
import os
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
from reproduction.paper_tables import printed_figures, write
from reproduction.protocol import PAPER_SPLITS, Experiment, fit_seed, run, run_parts
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from idnf.counting.packed import PackedTable
from idnf.datasets.loading import PAPER, feature_names, load_paper
from idnf.learning.greedy import error_share, learn_greedy

FOLDER = Path(__file__).parent / "reproduction"
MONKS = ("monks-1", "monks-2", "monks-3")
FITS = 400
# Groups of ten fits for each split of the paper; draws of ten fits per split; half a unit of the last digit printed.
GROUPS, DRAWS, ROUNDED = 20, 20_000, 0.005
METHODS, SIZES = ("CART", "DNF", "complement"), {"CART": "leaves", "DNF": "terms"}
COLUMNS = [*(("test accuracy", method) for method in METHODS), *((figure, method) for method, figure in SIZES.items())]
STARTS, STEPS, DEPTHS = range(60), (1, 2, 5, 10), (2, 3)
RULES = {
    "test": lambda fit: fit[0],
    "training": lambda fit: fit[1],
    "test, then training": lambda fit: fit[:2],
    "test, then fewest terms": lambda fit: (fit[0], fit[2]),
    "test, then most terms": lambda fit: (fit[0], -fit[2]),
}


def save(name, lines):
    with (FOLDER / f"{name}.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def lines(name):
    with (FOLDER / f"{name}.csv").open() as file:
        return [line for line in csv.DictReader(file) if line["paper"]]


def summary(table, method):
    """Cells, equal as printed, within 0.5, further above, further below, mean and largest difference with its cell."""
    found = [line for line in lines(table) if line["method"] == method]
    signed = [round(float(line[table]) - float(line["paper"]), 6) for line in found]
    differences = list(zip(map(abs, signed), found, strict=True))
    largest, line = max(differences, key=lambda pair: pair[0])
    return [
        len(found),
        sum(line[table] == line["paper"] for line in found),
        sum(difference <= 0.5 for difference, _ in differences),
        sum(difference > 0.5 for difference in signed),
        sum(difference < -0.5 for difference in signed),
        f"{sum(difference for difference, _ in differences) / len(found):.2f}",
        f"{largest:.2f}",
        f"{line['dataset']} k={line['k']}",
    ]


def agreement():
    columns = ("accuracy", "CART"), ("accuracy", "DNF"), ("accuracy", "complement"), ("size", "CART"), ("size", "DNF")
    rows = [[table, method, *summary(table, method)] for table, method in columns]
    counts = ["cells", "equal", "within 0.5", "above", "below"]
    save("agreement", [["table", "method", *counts, "mean", "largest", "where"], *rows])
    for row in rows:
        print(*row)


def means():
    cells, last = defaultdict(list), None
    for (name, k, index), scores in run_parts(Experiment(splits=[s for s in PAPER_SPLITS for _ in range(GROUPS)])):
        if name != last:
            print(last := name, flush=True)
        for method, ten in scores.items():
            cells[name, k, method, PAPER_SPLITS[index // GROUPS]].append(ten)
    rows = []
    for name, k, method in product(PAPER, range(2, 7), METHODS):
        splits = [cells[name, k, method, split] for split in PAPER_SPLITS]
        accuracies = [[score.accuracy for ten in tens for score in ten] for tens in splits]
        rows.append(["test accuracy", name, k, method, *compared(accuracies, 10, printed_figures(2)[name, k, method])])
        if method != "complement":
            sizes = [[best_of(ten).size for ten in tens] for tens in splits]
            rows.append([SIZES[method], name, k, method, *compared(sizes, 1, printed_figures(3)[name, k, method])])
    save("means", [["figure", "dataset", "k", "method", "ours", "paper", "z", "chance"], *rows])
    by_column = [[figure, method, *summed(rows, figure, method)] for figure, method in COLUMNS]
    counts = ["cells", "without spread", "equal as printed", "others", "chance below 5 %", "below 1 %", "least chance"]
    save("means-by-column", [["figure", "method", *counts, "mean z", "sum of squared z"], *by_column])
    for row in by_column:
        print(*row)


def best_of(ten):
    """The model that Table 3 counts, as the protocol chooses it."""
    return max(ten, key=lambda score: (score.accuracy, score.training))


def compared(splits, runs, paper):
    """Our mean, the paper's, their difference in standard errors and how often chance alone makes it as large."""
    splits = np.array(splits)
    mean, paper = splits.mean(), float(paper)
    error = (splits.var(axis=1) * (1 / runs + 1 / splits.shape[1])).sum() ** 0.5 / len(splits)
    if error < 1e-9:
        return [f"{mean:.2f}", f"{paper:.2f}", "", ""]
    rng = np.random.default_rng(0)
    # The mean of ours is uncertain as well, though less.
    differences = -rng.normal(0, (splits.var(axis=1).sum() / splits.shape[1]) ** 0.5 / len(splits), DRAWS)
    differences += sum(rng.choice(split, (DRAWS, runs)).mean(axis=1) for split in splits) / len(splits) - mean
    further = np.abs(differences) >= abs(paper - mean) - ROUNDED
    return [f"{mean:.2f}", f"{paper:.2f}", f"{(paper - mean) / error:.2f}", f"{further.mean():.3f}"]


def summed(rows, figure, method):
    """How many cells of a column have no spread and are equal, how rare the others are, and their z together."""
    here = [row for row in rows if row[0] == figure and row[3] == method]
    fixed, others = [row for row in here if not row[6]], [row for row in here if row[6]]
    chances, z = [float(row[7]) for row in others], [float(row[6]) for row in others]
    rarest = min(others, key=lambda row: float(row[7]))
    return [
        *(len(here), len(fixed), sum(row[4] == row[5] for row in fixed), len(others)),
        *(sum(chance < level for chance in chances) for level in (0.05, 0.01)),
        f"{rarest[7]} ({rarest[1]} k={rarest[2]})",
        f"{fmean(z):+.2f} ± {len(z) ** -0.5:.2f}",
        f"{sum(one * one for one in z):.1f}",
    ]


def monks_tables(name, label):
    return [PackedTable.from_arrays(X, y == label) for X, y in (load_paper(name, part=p) for p in ("train", "test"))]


def cart_accuracies(name, depth):
    """Test accuracy in percent by random state of the split."""
    X, y = load_paper(name)
    found = []
    for random_state in range(max(STARTS) + 4 * max(STEPS) + 1):
        train_X, test_X, train_y, test_y = train_test_split(X, y, test_size=0.2, random_state=random_state)
        tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(train_X, train_y)
        found.append(100 * tree.score(test_X, test_y))
    return found


def splits():
    names = [name for name in PAPER if not name.startswith("monks")]
    found = {(name, depth): cart_accuracies(name, depth) for name, depth in product(names, DEPTHS)}
    candidates = [[start + step * i for i in range(5)] for start, step in product(STARTS, STEPS)]
    differences = [
        fmean(
            abs(fmean(found[name, depth][state] for state in states) - printed_figures(2)[name, depth, "CART"])
            for name, depth in found
        )
        for states in candidates
    ]
    ranked = sorted(zip(differences, candidates, strict=True))
    rows = [(" ".join(map(str, states)), f"{difference:.3f}") for difference, states in ranked]
    save("splits", [["random states", "mean absolute difference"], *rows])
    for states, difference in rows[:3]:
        print(f"{states}: {difference}")


def other_splits():
    cells = run(Experiment(splits=range(5)), jobs=os.cpu_count() or 1)
    for path in write(cells, FOLDER.with_name("other-splits")):
        print(path)


def fits(name, k):
    """Test error, training error and number of terms of 400 fits."""
    train, test = monks_tables(name)
    found = []
    for fit in range(FITS):
        seed = fit_seed("best_of_ten.py", name, k, fit)
        learned = learn_greedy(train, feature_names(name), k, random_state=seed)
        error = error_share(test.grid_histogram(learned.model.matrix), learned.model.prefixes)
        found.append((error, learned.objective, len(learned.model.prefixes)))
    return found


def best_of_ten():
    distance, rows = dict.fromkeys(RULES, 0.0), []
    for name, k in product(MONKS, range(2, 7)):
        found, paper = fits(name, k), printed_figures(3)[name, k, "DNF"]
        tens = [found[first : first + 10] for first in range(0, len(found), 10)]
        sizes = {rule: fmean(min(ten, key=key)[2] for ten in tens) for rule, key in RULES.items()}
        rows.append([name, k, *(f"{size:.2f}" for size in sizes.values()), paper])
        for rule, size in sizes.items():
            distance[rule] += abs(size - paper) / 15
    save("best-of-ten", [["dataset", "k", *RULES, "paper"], *rows])
    for rule, mean in distance.items():
        print(f"{rule}: mean absolute difference {mean:.2f}")


PARTS = {
    "agreement": agreement,
    "means": means,
    "splits": splits,
    "other-splits": other_splits,
    "best-of-ten": best_of_ten,
}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PARTS:
        raise SystemExit(f"NAME must be one of {', '.join(PARTS)}; got {' '.join(sys.argv[1:]) or 'nothing'}.")
    PARTS[sys.argv[1]]()
