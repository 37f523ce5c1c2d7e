"""A table in the two forms that learners take, made on the training part alone.

"boolean": a number is compared with its quantiles, a category gives one feature each, a missing value makes every
feature of its column false but "is missing". "numbers": numbers with the median in place of a missing value, beside
the same features for categories and for missing values. The encoding is the scoreboard's own, so that figures of peers
do not change with our library.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

MOST_CATEGORIES = 10


@dataclass(frozen=True)
class Encoding:
    """What the training part says of each column: quantiles of a number, values of a category."""

    cuts: dict[str, NDArray[np.float64]]
    values: dict[str, list[str]]
    medians: dict[str, float]
    missing: list[str]

    @classmethod
    def of(cls, train: pd.DataFrame) -> Encoding:
        """Learn from the training part.

        >>> encoding = Encoding.of(pd.DataFrame({"a": [1, 2, 3, None], "b": ["x", "y", "x", "y"]}))
        >>> encoding.cuts["a"].tolist(), encoding.values["b"], encoding.missing
        ([1.5, 2.5], ['x', 'y'], ['a'])
        """
        count = 4 if train.shape[1] < 30 else 2
        cuts, values, medians = {}, {}, {}
        for name in train:
            column = train[name].dropna()
            if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
                cuts[name] = _cuts(column.to_numpy(dtype=float), count)
                medians[name] = float(column.median()) if len(column) else 0.0
            else:
                counts = column.astype(str).value_counts()
                values[name] = sorted(counts.index[:MOST_CATEGORIES])
        return cls(cuts, values, medians, [name for name in train if train[name].isna().any()])

    def boolean(self, frame: pd.DataFrame) -> NDArray[np.uint8]:
        """Return the 0/1 features."""
        parts = [frame[name].to_numpy(dtype=float) <= cut for name, cuts in self.cuts.items() for cut in cuts]
        return np.column_stack([*parts, *self._words(frame)]).astype(np.uint8)

    def numbers(self, frame: pd.DataFrame) -> NDArray[np.float32]:
        """Return numbers without gaps; float32, as trees compare them."""
        parts = [frame[name].astype(float).fillna(median) for name, median in self.medians.items()]
        return np.column_stack([*parts, *self._words(frame)]).astype(np.float32)

    def columns(self, *, boolean: bool) -> NDArray[np.int64]:
        """Return the number of the column that each 0/1 feature, or each of the numbers, is about.

        >>> encoding = Encoding.of(pd.DataFrame({"a": [1, 2, 3, None], "b": ["x", "y", "z", "z"]}))
        >>> encoding.columns(boolean=True).tolist(), encoding.columns(boolean=False).tolist()
        ([0, 0, 1, 1, 1, 0], [0, 1, 1, 1, 0])
        """
        numbers = [name for name, cuts in self.cuts.items() for _ in (cuts if boolean else [0])]
        words = [name for name, values in self.values.items() for _ in self._chosen(name, values)]
        place = {name: i for i, name in enumerate([*self.cuts, *self.values])}
        return np.array([place[name] for name in (*numbers, *words, *self.missing)], dtype=np.int64)

    def _chosen(self, name: str, values: list[str]) -> list[str]:
        """Return the values that get a feature: of two the second, unless a value can be missing."""
        return values[1:] if len(values) == 2 and name not in self.missing else values

    def _words(self, frame: pd.DataFrame) -> list[NDArray[np.bool_]]:
        found = []
        for name, values in self.values.items():
            column = frame[name].astype(str).to_numpy()
            known = frame[name].notna().to_numpy()
            found += [known & (column == value) for value in self._chosen(name, values)]
        return found + [frame[name].isna().to_numpy() for name in self.missing]


def _cuts(numbers: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Midpoints between neighbours where there are few values, quantiles where there are many."""
    distinct = np.unique(numbers)
    if len(distinct) <= count + 1:
        return (distinct[1:] + distinct[:-1]) / 2
    return np.unique(np.quantile(numbers, np.linspace(0, 1, count + 2)[1:-1]))


def distinct_features(train: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the places of features that are not constant, one of those that are equal or opposite on all rows.

    >>> distinct_features(np.array([[0, 1, 0, 1], [1, 0, 0, 1], [1, 0, 0, 0]], dtype=np.uint8)).tolist()
    [0, 3]
    """
    flipped = np.where(train[:1] == 1, 1 - train, train)
    _, first = np.unique(flipped, axis=1, return_index=True)
    places = np.sort(first)
    return places[flipped[:, places].any(axis=0)]
