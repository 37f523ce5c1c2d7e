"""Training and test parts of every data set, written where the workers of all environments find them.

A data set is a table at a size: "AER-HMDA" has at most 600 training rows, "AER-HMDA@3000" at most 3,000.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from idnf.datasets.loading import PAPER, load_paper

from .collection import MARKED, UNMARKED, Frame, sources
from .encoding import Encoding, distinct_features
from .fresh import fresh_tables

GENERATED = tuple(name for name in UNMARKED if sources()[name].home == "generated")
GROUPS = {
    "fresh": tuple(fresh_tables()),
    "checked": tuple(name for name in UNMARKED if name not in GENERATED),
    "generated": GENERATED,
    "marked": MARKED,
    "paper": PAPER,
}
SIZES = (600, 3_000, 20_000)
MOST_ROWS, TEST_SHARE, MOST_TESTING, LEAST_OF_A_CLASS, LEAST_SHARE = 30_000, 0.3, 6_000, 10, 0.005
Arrays = dict[str, NDArray]


def at_size(table: str, size: int) -> str:
    """Return the name of a table at a size.

    >>> at_size("AER-HMDA", 600), at_size("AER-HMDA", 3_000)
    ('AER-HMDA', 'AER-HMDA@3000')
    """
    return table if size == SIZES[0] else f"{table}@{size}"


def table_and_size(name: str) -> tuple[str, int]:
    """Return the table of a data set and its largest number of training rows."""
    table, _, size = name.partition("@")
    return table, int(size or SIZES[0])


def group_of(name: str) -> str:
    """Return the group that a data set's table belongs to."""
    table, _ = table_and_size(name)
    return next(group for group, tables in GROUPS.items() if table in tables)


def drawn(tables: Iterable[str], count: int) -> list[str]:
    """Return a sample that depends on nothing but names; a smaller one is part of a larger one.

    >>> drawn(["c", "a", "b"], 2), drawn(["a", "b", "c"], 1)
    (['c', 'b'], ['c'])
    """
    return sorted(tables, key=lambda name: sha256(name.encode()).hexdigest())[:count]


def splits_of(name: str, splits: int) -> range:
    """Return the random states of the splits; the monks have the one they come with."""
    return range(1 if name.startswith("monks") else splits)


def has_size(table: str, size: int) -> bool:
    """Return whether a table has more training rows than the size below; the paper's data sets are as they are."""
    if size == SIZES[0]:
        return True
    before = SIZES[SIZES.index(size) - 1]
    return table not in PAPER and (1 - TEST_SHARE) * _rows(table) > before


def _rows(table: str) -> int:
    registered = fresh_tables().get(table)
    return registered.rows if registered else len(_loaded(table)[1])


@cache
def _loaded(table: str) -> Frame:
    registered = fresh_tables().get(table)
    return (registered.table if registered else sources()[table]).load()


def parts_of(name: str, split: int) -> tuple[pd.DataFrame, pd.DataFrame, NDArray[np.int64], NDArray[np.int64]]:
    """Return a table's training and test rows and their classes as numbers.

    30 % of at most 30,000 rows, and at most 6,000, are for testing, the same at every size. Of the others the size says
    how many are for training. Classes of fewer than ten rows or half a percent are left out, unless fewer than two
    would remain.
    """
    table, size = table_and_size(name)
    frame, target = _loaded(table)
    counts = target.value_counts()
    enough = counts.index[counts >= max(LEAST_OF_A_CLASS, LEAST_SHARE * len(target))]
    kept = np.flatnonzero(target.isin(enough if len(enough) > 1 else counts.index[:2]))
    if len(kept) > MOST_ROWS:
        kept = np.sort(np.random.default_rng(0).choice(kept, MOST_ROWS, replace=False))
    frame = frame.iloc[kept].reset_index(drop=True)
    classes = np.unique(target.iloc[kept].astype(str), return_inverse=True)[1]
    share = min(TEST_SHARE, MOST_TESTING / len(kept))
    train, test = train_test_split(np.arange(len(kept)), test_size=share, random_state=split, stratify=classes)
    if len(train) > size:
        train, _ = train_test_split(train, train_size=size, random_state=split, stratify=classes[train])
    return frame.iloc[train], frame.iloc[test], classes[train], classes[test]


@lru_cache(128)
def division(name: str, split: int) -> Arrays:
    """Return the parts as arrays: classes, 0/1 features and numbers, each with its column.

    The paper's data sets are 0/1 as they come.
    """
    if name not in PAPER:
        train, test, train_y, test_y = parts_of(name, split)
        encoding = Encoding.of(train)
        boolean = encoding.boolean(train)
        places = distinct_features(boolean)
        features = [boolean[:, places], encoding.boolean(test)[:, places]]
        numbers = [encoding.numbers(part) for part in (train, test)]
        columns = encoding.columns(boolean=True)[places], encoding.columns(boolean=False)
    else:
        if name.startswith("monks"):
            halves = [load_paper(name, part=part) for part in ("train", "test")]
            (train, train_y), (test, test_y) = halves
        else:
            X, y = load_paper(name)
            train, test, train_y, test_y = train_test_split(X, y, test_size=0.2, random_state=split)
        features = [np.asarray(part).astype(np.uint8) for part in (train, test)]
        numbers = [part.astype(np.float32) for part in features]
        columns = (np.arange(features[0].shape[1]),) * 2
    return {
        **dict(zip(("train_boolean", "test_boolean"), features)),
        **dict(zip(("train_numbers", "test_numbers"), numbers)),
        **dict(zip(("boolean_columns", "numbers_columns"), columns)),
        "train_y": np.asarray(train_y).astype(np.int64),
        "test_y": np.asarray(test_y).astype(np.int64),
    }


def save_division(folder: Path, name: str, split: int) -> None:
    """Write a division where workers find it, and the table itself for the learner that takes it as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    # Two processes may write the same one: each has a file of its own until it is whole.
    mine = folder / f".{os.getpid()}.npz"
    np.savez(mine, **division(name, split))
    mine.replace(folder / f"{name}-{split}.npz")
    if name not in PAPER:
        train, test, *_ = parts_of(name, split)
        pd.to_pickle((train, test), mine.with_suffix(".pkl"))
        mine.with_suffix(".pkl").replace(folder / f"{name}-{split}.pkl")


@cache
def checksum_of(name: str, split: int) -> str:
    """Return the checksum of a division."""
    return checksum(division(name, split))


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
