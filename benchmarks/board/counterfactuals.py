"""Counterfactuals of a tree over a table, checked: does the class change, inside the columns, by how many changes?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from idnf import DNF, DNFClassifier
from idnf.columns.column import literal_names
from idnf.columns.groups import declared_columns
from idnf.explaining.recourse import Recourses

Row = Mapping[str, object]


@dataclass(frozen=True)
class Task:
    """A table with labels 0 and 1, and a tree of depth 4 fitted to it.

    ``frame`` has columns of numbers, then columns of words; ``fixed`` names columns that may not change.
    """

    name: str
    frame: pd.DataFrame
    labels: NDArray[np.int64]
    fixed: tuple[str, ...] = ()

    @cached_property
    def numbers(self) -> list[str]:
        """The columns of numbers."""
        return [name for name in self.frame if pd.api.types.is_numeric_dtype(self.frame[name])]

    @cached_property
    def categories(self) -> dict[str, list[str]]:
        """The columns of words and their values."""
        return {name: sorted(set(self.frame[name])) for name in self.frame if name not in self.numbers}

    @property
    def free(self) -> list[str]:
        """The columns that may change."""
        return [name for name in self.frame if name not in self.fixed]

    def encoded(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """Return numbers as they are and words one-hot coded."""
        words = [np.asarray(frame[name] == value) for name in self.categories for value in self.categories[name]]
        return np.column_stack([*(frame[name].astype(float) for name in self.numbers), *words]).astype(float)

    @cached_property
    def tree(self) -> DecisionTreeClassifier:
        """The model that is explained."""
        return DecisionTreeClassifier(max_depth=4, random_state=0).fit(self.encoded(self.frame), self.labels)

    def predict(self, rows: Sequence[Row]) -> NDArray[np.int64]:
        """Return the tree's labels."""
        return self.tree.predict(self.encoded(pd.DataFrame(rows)))

    @cached_property
    def cuts(self) -> dict[str, list[float]]:
        """The thresholds of the tree by column of numbers; a column without one is cut at its least value."""
        inner = self.tree.tree_.feature >= 0
        pairs = list(zip(self.tree.tree_.feature[inner], self.tree.tree_.threshold[inner]))
        return {
            name: sorted({float(cut) for j, cut in pairs if j == place}) or [float(self.frame[name].min())]
            for place, name in enumerate(self.numbers)
        }

    @cached_property
    def classifier(self) -> DNFClassifier:
        """The same model as ours: the paths to class 1 are the terms."""
        columns = {**self.cuts, **self.categories}
        names = literal_names(declared_columns(columns))
        dnf = DNF.from_codes(names, [codes for codes, label in self._leaves(0, ()) if label])
        return DNFClassifier.from_dnf(dnf, columns=columns)

    def _leaves(self, node: int, path: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
        tree = self.tree.tree_
        feature = int(tree.feature[node])
        if feature < 0:
            return [(path, int(self.tree.classes_[tree.value[node][0].argmax()]))]
        below = 2 * self._literal(feature, float(tree.threshold[node]))
        # The left branch is "at most the threshold", which of a one-hot column means that the value is another one.
        left, right = (below, below + 1) if feature < len(self.numbers) else (below + 1, below)
        return [
            *self._leaves(tree.children_left[node], (*path, left)),
            *self._leaves(tree.children_right[node], (*path, right)),
        ]

    def _literal(self, feature: int, threshold: float) -> int:
        """Return the number of the literal that a split of the tree asks for."""
        sizes = [len(cuts) for cuts in self.cuts.values()]
        if feature < len(sizes):
            return sum(sizes[:feature]) + self.cuts[self.numbers[feature]].index(threshold)
        return sum(sizes) + feature - len(sizes)

    def changes(self, row: Row, changed: Row) -> list[str]:
        """Return the columns whose values differ."""
        return [name for name in row if not _same(row[name], changed[name])]

    def is_valid(self, row: Row, changed: Row) -> bool:
        """Return whether the class changes, no fixed column does, and every value is one that the columns have."""
        inside = all(
            self.frame[name].min() <= float(changed[name]) <= self.frame[name].max() for name in self.numbers
        ) and all(changed[name] in self.categories[name] for name in self.categories)
        if not inside or set(self.changes(row, changed)) & set(self.fixed):
            return False
        before, after = self.predict([row, changed])
        return bool(before != after)

    def realised(self, row: Row, ways: Recourses) -> Row | None:
        """Return the row after our change, with values that occur in the table, nearest first; None without a way."""
        if not ways:
            return None
        changed = dict(row)
        cells = dict(zip([*self.numbers, *self.categories], ways[0].point))
        for name in (change.column for change in ways[0].changes):
            if name in self.categories:
                changed[name] = self.categories[name][cells[name]]
            else:
                seen = self.frame[name].to_numpy(dtype=float)
                there = seen[np.searchsorted(self.cuts[name], seen) == cells[name]]
                changed[name] = float(there[np.abs(there - float(row[name])).argmin()])
        return changed


def _same(old: object, new: object) -> bool:
    if isinstance(old, str):
        return old == new
    return bool(np.isclose(float(old), float(new), rtol=1e-6))
