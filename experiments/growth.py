"""How the time of search grows with rows and with literals, on generated data.

    python experiments/growth.py          writes experiments/search/growth.csv and growth.svg

The data are Boolean; class 1 is ``x0 & x1 | x2 & x3 | x4 & x5 & x6`` with one label in ten flipped; k = 3.
"""

from __future__ import annotations

import csv
from pathlib import Path
from time import process_time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from idnf import DNFClassifier

FOLDER = Path(__file__).parent / "search"
ROWS = (1_000, 10_000, 100_000, 1_000_000)
LITERALS = (20, 60, 200, 600, 2_000)


def seconds(rows, features):
    generator = np.random.default_rng(0)
    X = generator.random((rows, features)) < 0.5
    y = X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3] | X[:, 4] & X[:, 5] & X[:, 6]
    y ^= generator.random(rows) < 0.1
    start = process_time()
    model = DNFClassifier(3).fit(X, y)
    return process_time() - start, model.training_data_


def main():
    FOLDER.mkdir(exist_ok=True)
    lines = []
    for rows, features in [*((r, 20) for r in ROWS), *((2_000, n // 2) for n in LITERALS)]:
        time, seen = seconds(rows, features)
        lines.append((rows, 2 * features, round(time, 2), seen))
        print(f"{rows:9} rows, {2 * features:5} literals: {time:6.1f} s of processor time, {seen}", flush=True)
    with (FOLDER / "growth.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("rows", "literals", "seconds", "learned from"), *lines])
    draw(lines[: len(ROWS)], lines[len(ROWS) :])


def draw(by_rows, by_literals):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
    for axis, lines, place, name in zip(axes, (by_rows, by_literals), (0, 1), ("rows", "literals")):
        axis.loglog([line[place] for line in lines], [line[2] for line in lines], marker="o")
        axis.set_xlabel(name)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("seconds, k = 3")
    axes[0].set_title("40 literals")
    axes[1].set_title("2000 rows")
    figure.tight_layout()
    figure.savefig(FOLDER / "growth.svg")


if __name__ == "__main__":
    main()
