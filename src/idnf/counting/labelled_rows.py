"""Training examples of any number of classes: the questions of :mod:`idnf.counting.contract`, a weight per class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.logic.literals import feature_of, is_negated


class ClassCounts(Protocol):
    """What a learner of several classes may ask. Literals are codes ``2 * feature + negated``."""

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""

    @property
    def class_totals(self) -> Weights:
        """Weight of all examples of each class."""

    def labelled_rows(self, limit: int | None = None, random_state: int = 0) -> DistinctRows:
        """Return the distinct examples with their weights; more than `limit` of them are sampled class by class."""

    def covered_by_class(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        """Return, for each list of terms, the weight of each class where some term holds."""


@dataclass(frozen=True)
class ClassTable:
    """Boolean examples of several classes in memory.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool
    labels : ndarray of shape (n_examples,), dtype=intp
        The class of each example, from 0.
    n_classes : int
    weight : ndarray of shape (n_examples,), optional
        The weight of each example; weight 0 leaves one out.
    whole : bool
        Whether these are all examples there are, not a sample of them.

    Examples
    --------
    >>> table = ClassTable(np.array([[1, 0], [1, 1], [0, 1]], dtype=bool), np.array([2, 0, 2]), 3)
    >>> table.class_totals.tolist()
    [1.0, 0.0, 2.0]
    >>> table.covered_by_class([[[0], [2]], [[1]]]).tolist()
    [[1.0, 0.0, 2.0], [0.0, 0.0, 1.0]]
    """

    features: NDArray[np.bool_]
    labels: NDArray[np.intp]
    n_classes: int
    weight: Weights | None = None
    whole: bool = True

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""
        return int(self.features.shape[1])

    @cached_property
    def _weight(self) -> Weights:
        return np.ones(len(self.labels)) if self.weight is None else self.weight

    @cached_property
    def class_totals(self) -> Weights:
        """Weight of all examples of each class."""
        return self._summed(np.arange(len(self.labels)))

    def labelled_rows(self, limit: int | None = None, random_state: int = 0) -> DistinctRows:
        """Return the distinct examples with their weights; more than `limit` of them are sampled class by class."""
        used = np.flatnonzero(self._weight > 0)
        packed = np.packbits(self.features[used], axis=1, bitorder="little")
        if packed.shape[1]:
            # In the order in which rows of two classes come: the last feature counts most.
            order = np.lexsort(packed.T)
            new = np.ones(len(used), dtype=np.bool_)
            new[1:] = (packed[order][1:] != packed[order][:-1]).any(axis=1)
        else:
            order = np.arange(len(used))
            new = order == 0
        group = np.cumsum(new) - 1
        weights = np.zeros((int(new.sum()), self.n_classes))
        np.add.at(weights, (group, self.labels[used][order]), self._weight[used][order])
        found = DistinctRows(self.features[used[order[new]]], weights, complete=self.whole)
        return found if limit is None else found.sampled(limit, random_state)

    def covered_by_class(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        """Return, for each list of terms, the weight of each class where some term holds."""
        found = np.zeros((len(models), self.n_classes))
        for place, terms in enumerate(models):
            covered = np.zeros(len(self.labels), dtype=np.bool_)
            for term in terms:
                covered |= self._satisfied(term)
            found[place] = self._summed(np.flatnonzero(covered))
        return found

    def _satisfied(self, conjunction: Sequence[int]) -> NDArray[np.bool_]:
        held = np.ones(len(self.labels), dtype=np.bool_)
        for code in conjunction:
            column = self.features[:, feature_of(code)]
            held &= ~column if is_negated(code) else column
        return held

    def _summed(self, chosen: NDArray[np.intp]) -> Weights:
        sums = np.bincount(self.labels[chosen], weights=self._weight[chosen], minlength=self.n_classes)
        return sums.astype(np.float64)
