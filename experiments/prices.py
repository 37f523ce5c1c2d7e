"""Scikit-learn's and generated data for prices of a literal, and what such a price does to accuracy."""

from functools import cache
from statistics import fmean

import numpy as np
import studies
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.model_selection import train_test_split
from studies import numbers, where

from idnf.counting.packed import PackedTable
from idnf.learning.local.search import search
from idnf.learning.objective import holds
from idnf.learning.task import LearningTask

# In examples: a literal must win that many. "default" is an objective chosen by cross-validation.
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


def generated(seed=7):
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


@cache
def data():
    """Features and target by the name of a data set."""
    return {name: (features, target) for name, features, target in (*built_in(), *generated())}


DATA = (
    *("breast cancer", "wine 0", "wine 1", "wine 2", "digits 3 or 8", "digits 1 or 7", "digits 4 or 9", "digit 8"),
    *("diabetes", "three of eight", "equal or and", "equal or and, noisy", "majority", "linear", "products"),
    "overlapping",
)


def price_figures(name, k, price):
    """Training and test accuracy in percent, means over three splits."""
    features, target = data()[name]
    found = []
    for split in range(3):
        parts = train_test_split(features, target, test_size=0.3, random_state=split, stratify=target)
        train, test, train_target, test_target = parts
        rows = PackedTable.from_arrays(train, train_target.astype(bool), None).distinct_rows()
        names = tuple(f"x{j}" for j in range(features.shape[1]))
        share = None if price == "default" else float(price) / len(train)
        model = search(rows, LearningTask(names, k, price=share)).model
        pairs = ((train, train_target), (test, test_target))
        found.append([100 * np.mean(holds(model, part) == truth) for part, truth in pairs])
    return [f"{fmean(column):.2f}" for column in zip(*found, strict=True)]


def draw_prices(lines):
    from board.pictures import plt, save

    ks = numbers(lines, "k")
    figure, axes = plt.subplots(1, len(ks), figsize=(4.5 * len(ks), 3.5), squeeze=False)
    for axis, k in zip(axes[0], ks, strict=True):
        for part in ("training", "test"):
            cells = [where(lines, k=k, variant=price) for price in (*PRICES, "default")]
            *means, usual = [fmean(float(line[f"{part} accuracy"]) for line in each) for each in cells]
            (curve,) = axis.plot(range(len(PRICES)), means, marker="o", label=part)
            axis.axhline(usual, color=curve.get_color(), linestyle=":", label=f"{part}, default price")
        axis.set_xticks(range(len(PRICES)), [f"{price:g}" for price in PRICES])
        axis.set(xlabel="price of a literal, in examples", ylabel="mean accuracy, %", title=f"k = {k}")
    axes[0][0].legend(fontsize=7)
    figure.tight_layout()
    save(figure, studies.FOLDER / "price.svg")
