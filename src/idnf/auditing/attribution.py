"""Formal feature attribution: the share of a decision's reasons that each column is in.

The reasons are the AXps of at most k columns. There are at most k**k of them, all are found, and the shares are exact
(Yu and others, *On formal feature attribution and its approximation*, 2023, count all AXps, which is #P-hard).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.class_boxes import ClassBoxes
from idnf.auditing.outside_sets import Sets, as_set, columns_of, set_type
from idnf.auditing.reason_sets import Transversals, small_transversals
from idnf.auditing.row_answers import RowAnswers, contrast_families


@dataclass(frozen=True)
class PatternReasons:
    """The reasons of at most k columns of each pattern, sorted by pattern.

    Parameters
    ----------
    labels : int array of shape (patterns,)
        The class of each pattern, as an index.
    points : int array of shape (reasons,)
        The pattern each reason belongs to, ascending.
    sets : array of shape (reasons,)
        Its columns, as a set of columns of the frame.
    """

    labels: NDArray[np.intp]
    points: NDArray[np.intp]
    sets: Sets

    @classmethod
    def of(cls, model: ClassBoxes, patterns: NDArray[np.intp]) -> PatternReasons:
        """Return all reasons of at most k columns of some patterns."""
        labels = model.labels(patterns)
        found = [Transversals(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=set_type(model.frame.inner)))]
        for chosen, family in contrast_families(model, patterns, labels):
            part = small_transversals(family, model.k)
            found.append(Transversals(chosen[part.points], part.sets))
        points = np.concatenate([part.points for part in found])
        order = np.argsort(points, kind="stable")
        return cls(labels, points[order], np.concatenate([part.sets for part in found])[order])

    @property
    def totals(self) -> NDArray[np.intp]:
        """The number of reasons of each pattern."""
        return np.bincount(self.points, minlength=len(self.labels))

    def counts(self, groups: list[int]) -> NDArray[np.intp]:
        """Return, for each pattern and group of columns, given as a mask, how many reasons hold a column of it."""
        counts = np.zeros((len(self.labels), len(groups)), dtype=np.intp)
        for g, group in enumerate(groups):
            met = (self.sets & as_set(group, self.sets)) != 0
            counts[:, g] = np.bincount(self.points[met.astype(bool)], minlength=len(self.labels))
        return counts

    def of_pattern(self, pattern: int) -> list[int]:
        """Return the reasons of one pattern: fewest columns first, ties by column order."""
        begin, end = np.searchsorted(self.points, [pattern, pattern + 1]).tolist()
        sets = [int(reason) for reason in self.sets[begin:end].tolist()]
        return sorted(sets, key=lambda s: (s.bit_count(), [j for j in range(s.bit_length()) if s >> j & 1]))


class Attributions(RowAnswers[Mapping[str, float]]):
    """For each row and column the share of the row's reasons, of at most k columns, that the column is in.

    Attributes
    ----------
    columns : tuple of str
        The columns of the table.
    values : float array of shape (rows, columns)
        The shares. They do not add up to 1: a column in every reason has share 1.
    mean : mapping of str to float
        Their mean over the rows, largest first.
    """

    def __init__(self, model: ClassBoxes, cells: NDArray[np.integer]) -> None:
        patterns = model.patterns(cells)
        reasons = PatternReasons.of(model, patterns.cells)
        self.columns = tuple(column.name for column in model.space.columns)
        held = columns_of(reasons.sets, len(model.frame.columns))
        self._shares = np.zeros((len(patterns.cells), len(self.columns)))
        for j, column in enumerate(model.frame.columns):
            counts = np.bincount(reasons.points[held[:, j]], minlength=len(patterns.cells))
            self._shares[:, column] = counts / np.maximum(reasons.totals, 1)
        super().__init__(patterns.index, self._attribution)

    @property
    def values(self) -> NDArray[np.float64]:
        """The shares, shape (rows, columns)."""
        return self._shares[self._index]

    @property
    def mean(self) -> Mapping[str, float]:
        """The mean share of each column over the rows, largest first."""
        counts = np.bincount(self._index, minlength=len(self._shares))
        means = (counts @ self._shares / max(1, len(self))).tolist()
        ranked = sorted(zip(self.columns, means, strict=True), key=lambda pair: -pair[1])
        return MappingProxyType(dict(ranked))

    def _attribution(self, pattern: int) -> Mapping[str, float]:
        shares = zip(self.columns, self._shares[pattern].tolist(), strict=True)
        return MappingProxyType(dict(sorted((pair for pair in shares if pair[1]), key=lambda pair: -pair[1])))
