"""Are the paper's figures for the monks what random ties give? 400 fits a cell against its means over 50 runs.

Cells without spread must be equal as printed; for the others the difference is told in standard errors, z, whose
squares should add up to about the number of cells. Writes reproduction/monks.csv.
"""

import csv
from itertools import product
from pathlib import Path
from statistics import fmean, pstdev

from idnf.counting.contract import SwappedClasses
from idnf.counting.packed import PackedTable
from idnf.datasets.loading import feature_names, load_paper
from idnf.learning.greedy import error_share, learn_greedy
from idnf.reproduction.printed import printed_figures
from idnf.reproduction.protocol import fit_seed

OUTPUT = Path(__file__).parent / "reproduction" / "monks.csv"
FITS, PAPER_RUNS = 400, 50


def accuracies(name, method, k):
    train, test = (PackedTable.from_arrays(X, y == 1) for X, y in (load_paper(name, part=p) for p in ("train", "test")))
    if method == "complement":
        train, test = SwappedClasses(train), SwappedClasses(test)
    seeds = (fit_seed("monks.py", name, k, method, fit) for fit in range(FITS))
    models = (learn_greedy(train, feature_names(name), k, random_state=seed).model for seed in seeds)
    return [100 * (1 - error_share(test.grid_histogram(model.matrix), model.prefixes)) for model in models]


if __name__ == "__main__":
    rows = []
    for name, method, k in product(("monks-1", "monks-2", "monks-3"), ("DNF", "complement"), range(2, 7)):
        found, paper = accuracies(name, method, k), printed_figures(2)[name, k, method]
        mean, spread = fmean(found), pstdev(found)
        error = spread * (1 / FITS + 1 / PAPER_RUNS) ** 0.5
        z = f"{(paper - mean) / error:.2f}" if spread > 1e-9 else ""
        rows.append([name, k, method, f"{mean:.2f}", f"{spread:.2f}", f"{paper:.2f}", z])
    with OUTPUT.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["dataset", "k", "method", "accuracy", "spread", "paper", "z"])
        writer.writerows(rows)
    fixed = [row for row in rows if not row[-1]]
    squares = [float(row[-1]) ** 2 for row in rows if row[-1]]
    print(f"{len(fixed)} cells without spread, {sum(row[3] == row[5] for row in fixed)} equal as printed")
    print(f"{len(squares)} others: sum of squared z {sum(squares):.1f}, largest |z| {max(squares) ** 0.5:.2f}")
