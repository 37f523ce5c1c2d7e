"""Training and test parts of every data set, written where the workers of all environments find them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from idnf.datasets.loading import PAPER, load_paper

from .collection import MARKED, UNMARKED, sources
from .encoding import Encoding, distinct_features

GROUPS = {"headline": UNMARKED, "marked": MARKED, "paper": PAPER}
MOST_ROWS, MOST_TRAINING, LEAST_OF_A_CLASS = 3000, 600, 10
Arrays = dict[str, NDArray]


def splits_of(name: str, splits: int) -> range:
    """Return the random states of the splits; the monks have the one they come with."""
    return range(1 if name.startswith("monks") else splits)


def parts_of(name: str, split: int) -> tuple[pd.DataFrame, pd.DataFrame, NDArray[np.int64], NDArray[np.int64]]:
    """Return a table's training and test rows and their classes as numbers.

    70 % of at most 3000 rows are for training, and at most 600; a class of fewer than ten rows is left out.
    """
    frame, target = sources()[name].load()
    counts = target.value_counts()
    kept = np.flatnonzero(target.isin(counts.index[counts >= LEAST_OF_A_CLASS]))
    if len(kept) > MOST_ROWS:
        kept = np.sort(np.random.default_rng(0).choice(kept, MOST_ROWS, replace=False))
    frame = frame.iloc[kept].reset_index(drop=True)
    classes = np.unique(target.iloc[kept].astype(str), return_inverse=True)[1]
    share = min(0.7, MOST_TRAINING / len(kept))
    return tuple(train_test_split(frame, classes, train_size=share, random_state=split, stratify=classes))


@cache
def division(name: str, split: int) -> Arrays:
    """Return the parts as arrays: classes, 0/1 features and numbers. The paper's data sets are 0/1 as they come."""
    if name not in PAPER:
        train, test, train_y, test_y = parts_of(name, split)
        encoding = Encoding.of(train)
        boolean = encoding.boolean(train)
        places = distinct_features(boolean)
        features = [boolean[:, places], encoding.boolean(test)[:, places]]
        numbers = [encoding.numbers(part) for part in (train, test)]
    else:
        if name.startswith("monks"):
            halves = [load_paper(name, part=part) for part in ("train", "test")]
            (train, train_y), (test, test_y) = halves
        else:
            X, y = load_paper(name)
            train, test, train_y, test_y = train_test_split(X, y, test_size=0.2, random_state=split)
        features = [np.asarray(part).astype(np.uint8) for part in (train, test)]
        numbers = [part.astype(np.float32) for part in features]
    return {
        **dict(zip(("train_boolean", "test_boolean"), features)),
        **dict(zip(("train_numbers", "test_numbers"), numbers)),
        "train_y": np.asarray(train_y).astype(np.int64),
        "test_y": np.asarray(test_y).astype(np.int64),
    }


def save_division(folder: Path, name: str, split: int) -> None:
    """Write a division where workers find it, and the table itself for the learner that takes it as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / f"{name}-{split}.npz", **division(name, split))
    if name not in PAPER:
        train, test, *_ = parts_of(name, split)
        pd.to_pickle((train, test), folder / f"{name}-{split}.pkl")


def checksum(arrays: Arrays) -> str:
    """Return a few digits that name a division: methods are compared on the same one only.

    >>> checksum({"train_X": np.zeros((2, 3), dtype=np.uint8)})
    'e7454844'
    """
    digest = sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()[:8]
