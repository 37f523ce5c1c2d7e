"""What a price for every literal does to training and test accuracy.

Scikit-learn's and generated data only; the paper's data sets take no part. The price is given in examples: a literal
must win that many. "default" is an objective chosen by cross-validation (idnf.learning.validation). Writes price.csv,
one line a data set, k and price with the means over the splits, and price.png into experiments/search.
"""

import argparse
import csv
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.model_selection import train_test_split

from idnf.counting.packed import PackedTable
from idnf.learning.evaluation import holds
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions

OUTPUT = Path(__file__).parent / "search"
PRICES = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def thresholds(table, count):
    """Every column compared with `count` of its quantiles; equal and constant comparisons go."""
    columns = [
        table[:, j] <= cut
        for j in range(table.shape[1])
        for cut in np.unique(np.quantile(table[:, j], np.linspace(0, 1, count + 2)[1:-1]))
    ]
    distinct = np.unique(np.array(columns).T, axis=1)
    return distinct[:, distinct.any(axis=0) & ~distinct.all(axis=0)]


def indicators(table):
    """One feature for each value of each column."""
    return np.array([table[:, j] == value for j in range(table.shape[1]) for value in np.unique(table[:, j])]).T


def built_in():
    """Data that comes with scikit-learn."""
    cancer, wine, digits, diabetes = load_breast_cancer(), load_wine(), load_digits(), load_diabetes()
    yield "breast cancer", thresholds(cancer.data, 2), cancer.target
    for label in range(3):
        yield f"wine {label}", thresholds(wine.data, 3), wine.target == label
    for first, second in ((3, 8), (1, 7), (4, 9)):
        chosen = np.isin(digits.target, (first, second))
        yield f"digits {first} or {second}", thresholds(digits.data[chosen], 1), digits.target[chosen] == first
    yield "digit 8", thresholds(digits.data, 1), digits.target == 8
    yield "diabetes", thresholds(diabetes.data, 4), diabetes.target > np.median(diabetes.target)


def generated(seed):
    """Rules over categories and over numbers, without noise, with some, and with classes that overlap."""
    generator = np.random.default_rng(seed)
    cells = generator.integers(0, 3, (500, 8))
    yield "three of eight", indicators(cells), (cells == 1).sum(axis=1) >= 3
    cells = generator.integers(0, 3, (500, 6))
    rule = (cells[:, 0] == cells[:, 1]) | ((cells[:, 2] == 2) & (cells[:, 3] != 1))
    yield "equal or and", indicators(cells), rule
    yield "equal or and, noisy", indicators(cells), rule ^ (generator.random(500) < 0.1)
    bits = generator.integers(0, 2, (400, 10)).astype(bool)
    yield "majority", bits, bits[:, :5].sum(axis=1) >= 3
    numbers = generator.normal(size=(600, 6))
    score = numbers @ generator.normal(size=6)
    yield "linear", thresholds(numbers, 3), score + 0.5 * generator.normal(size=600) > 0
    numbers = generator.random((800, 4))
    yield "products", thresholds(numbers, 4), numbers[:, 0] * numbers[:, 1] > numbers[:, 2] * numbers[:, 3]
    numbers = generator.normal(size=(1000, 8))
    share = 1 / (1 + np.exp(-(numbers[:, 0] + 0.7 * numbers[:, 1] - 0.5 * numbers[:, 2] * numbers[:, 3])))
    yield "overlapping", thresholds(numbers, 3), generator.random(1000) < share


def accuracies(features, target, k, price, options):
    """Training and test accuracy in percent, means over the splits."""
    found = []
    for split in range(options.splits):
        parts = train_test_split(features, target, test_size=0.3, random_state=split, stratify=target)
        train, test, train_target, test_target = parts
        rows = PackedTable.from_arrays(train, train_target.astype(bool), None).distinct_rows()
        names = tuple(f"x{j}" for j in range(features.shape[1]))
        share = None if price == "default" else price / len(train)
        learned = search(rows, names, k, options=SearchOptions(price=share, effort=options.effort))
        pairs = ((train, train_target), (test, test_target))
        found.append([100 * np.mean(holds(learned.model, part) == truth) for part, truth in pairs])
    return [fmean(column) for column in zip(*found, strict=True)]


def plot(lines, ks):
    figure, axes = plt.subplots(1, len(ks), figsize=(4.5 * len(ks), 3.5), squeeze=False)
    for axis, k in zip(axes[0], ks, strict=True):
        for part, column in (("training", 3), ("test", 4)):
            means = [fmean(line[column] for line in lines if line[1:3] == [k, price]) for price in (*PRICES, "default")]
            (curve,) = axis.plot(range(len(PRICES)), means[:-1], marker="o", label=part)
            axis.axhline(means[-1], color=curve.get_color(), linestyle=":", label=f"{part}, default price")
        axis.set_xticks(range(len(PRICES)), [f"{price:g}" for price in PRICES])
        axis.set_xlabel("price of a literal, in examples")
        axis.set_ylabel("mean accuracy, %")
        axis.set_title(f"k = {k}")
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(OUTPUT / "price.png", dpi=120)


def read(path):
    """Training and test accuracy by data set, k and price, from a run that was interrupted."""
    with path.open(newline="") as file:
        return {(name, int(k), price): [float(a), float(b)] for name, k, price, a, b in list(csv.reader(file))[1:]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[3, 4])
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=7, help="of the generated data")
    parser.add_argument("--resume", action="store_true", help="keep the lines that are in price.csv")
    options = parser.parse_args()
    OUTPUT.mkdir(exist_ok=True)
    done = read(OUTPUT / "price.csv") if options.resume else {}
    lines = []
    with (OUTPUT / "price.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["data set", "k", "price", "training accuracy", "test accuracy"])
        for name, features, target in (*built_in(), *generated(options.seed)):
            for k in options.k:
                for price in (*PRICES, "default"):
                    figures = done.get((name, k, str(price))) or accuracies(features, target, k, price, options)
                    lines.append([name, k, price, *figures])
                    writer.writerow([name, k, price, *(f"{figure:.2f}" for figure in figures)])
                    file.flush()
    plot(lines, options.k)
