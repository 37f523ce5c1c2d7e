"""The data of the scoreboard as 0/1 arrays: the paper's eleven sets, and scikit-learn's tables made Boolean."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import train_test_split

from idnf import TableBinariser
from idnf.datasets.loading import PAPER, load_paper

DIGITS = ((1, 7), (3, 8), (4, 9))
TABLES = ("breast-cancer", *(f"wine-{label}" for label in range(3)), *(f"digits-{a}-{b}" for a, b in DIGITS))
"""Wine: one class against the rest; digits: the first of a pair against the second."""

Part = tuple[NDArray[np.float64], NDArray[np.int64]]


def splits_of(name: str, splits: int) -> range:
    """Return the random states of the splits; the monks have the one they come with."""
    return range(1 if name.startswith("monks") else splits)


def table(name: str) -> Part:
    """Return a table of numbers and its labels."""
    if name == "breast-cancer":
        return load_breast_cancer(return_X_y=True)
    kind, *labels = name.split("-")
    if kind == "wine":
        X, y = load_wine(return_X_y=True)
        return X, (y == int(labels[0])).astype(int)
    X, y = load_digits(return_X_y=True)
    first, second = map(int, labels)
    chosen = np.isin(y, (first, second))
    return X[chosen], (y[chosen] == first).astype(int)


def division(name: str, split: int) -> dict[str, NDArray[np.uint8]]:
    """Return training and test parts; of a table the literals are chosen on the training part alone."""
    if name.startswith("monks"):
        parts = [load_paper(name, part=part) for part in ("train", "test")]
        arrays = [parts[0][0], parts[1][0], parts[0][1], parts[1][1]]
    else:
        X, y = load_paper(name) if name in PAPER else table(name)
        arrays = train_test_split(X, y, test_size=0.2, random_state=split)
    if name not in PAPER:
        # A column of numbers that happens to have no value but 0 and 1 in the training part is a number all the same.
        plain = {f"x{j}": [0] for j, column in enumerate(arrays[0].T) if set(column) <= {0, 1}}
        binariser = TableBinariser(cut_points=plain).fit(arrays[0], arrays[2])
        arrays[:2] = (np.asarray(binariser.transform(part)) for part in arrays[:2])
    return dict(zip(("train_X", "test_X", "train_y", "test_y"), (np.asarray(a).astype(np.uint8) for a in arrays)))


def save_division(folder: Path, name: str, split: int) -> Path:
    """Write a division where workers find it; what was there may come from an older way of making literals."""
    path = folder / f"{name}-{split}.npz"
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(path, **division(name, split))
    return path


def checksum(arrays: dict[str, NDArray[np.uint8]]) -> str:
    """Return a few digits that name a division: methods are compared on the same one only.

    >>> checksum({"train_X": np.zeros((2, 3), dtype=np.uint8)})
    'e7454844'
    """
    digest = sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()[:8]
