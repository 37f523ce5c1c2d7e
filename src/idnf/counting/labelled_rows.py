"""Training examples of any number of classes: the questions of :mod:`idnf.counting.contract`, a weight per class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.counting.tallies import systematic_draws
from idnf.logic.literals import feature_of, is_negated


@dataclass(frozen=True)
class LabelledRows:
    """The distinct examples with the weight of each class, or a sample of them.

    Parameters
    ----------
    features : ndarray of shape (n_distinct, n_features), dtype=bool
    weights : ndarray of shape (n_distinct, n_classes), dtype=float64
        They sum to the weights of the classes in the whole table, for a sample as well.
    complete : bool
        False when the rows are a sample.

    Examples
    --------
    >>> rows = LabelledRows(np.eye(2, dtype=bool), np.array([[1.0, 0, 2], [0, 3, 0]]), True)
    >>> rows.n_classes, rows.total, rows.against_rest(2).negative.tolist()
    (3, 6.0, [1.0, 3.0])
    """

    features: NDArray[np.bool_]
    weights: Weights
    complete: bool

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.weights.shape[1])

    @cached_property
    def total(self) -> float:
        """Weight of all examples."""
        return float(self.weights.sum())

    @cached_property
    def unit(self) -> float:
        """About the weight of one example: the lower quartile of what distinct rows weigh."""
        weights = self.weights.sum(axis=1)
        positive = weights[weights > 0]
        return float(np.quantile(positive, 0.25)) if len(positive) else 1.0

    def against_rest(self, label: int) -> DistinctRows:
        """Return the examples as those of one class, and those of all others together."""
        rest = np.delete(self.weights, label, axis=1).sum(axis=1)
        return DistinctRows(self.features, self.weights[:, label], rest, self.complete)

    def of_pair(self, label: int, otherwise: int) -> DistinctRows:
        """Return the examples of two classes, the first as class 1."""
        used = (self.weights[:, label] > 0) | (self.weights[:, otherwise] > 0)
        pair = self.weights[used]
        return DistinctRows(self.features[used], pair[:, label], pair[:, otherwise], self.complete)

    def part(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> LabelledRows:
        """Return some of the rows."""
        return LabelledRows(self.features[chosen], self.weights[chosen], self.complete)

    def sampled(self, limit: int, random_state: int) -> LabelledRows:
        """Return at most `limit` of the rows (one a class at least), drawn in proportion to their weight.

        Each class gets its share of the draws, at least one where it has any weight, and keeps its total weight.
        """
        if len(self.features) <= limit:
            return self
        totals = self.weights.sum(axis=0)
        present = totals > 0
        if limit < present.sum():
            raise ValueError(f"limit must be at least {present.sum()}, one row for each class; got {limit}.")
        draws = np.maximum(np.floor(limit * totals / totals.sum()).astype(int), present)
        while draws.sum() > limit:
            draws[draws.argmax()] -= 1
        generator = np.random.default_rng(random_state)
        drawn = np.stack(
            [systematic_draws(weight, int(count), generator) for weight, count in zip(self.weights.T, draws)], axis=1
        )
        kept = drawn.any(axis=1)
        return LabelledRows(self.features[kept], drawn[kept], complete=False)


class ClassCounts(Protocol):
    """What a learner of several classes may ask. Literals are codes ``2 * feature + negated``."""

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""

    @property
    def class_totals(self) -> Weights:
        """Weight of all examples of each class."""

    def labelled_rows(self, limit: int | None = None, random_state: int = 0) -> LabelledRows:
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

    def labelled_rows(self, limit: int | None = None, random_state: int = 0) -> LabelledRows:
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
        found = LabelledRows(self.features[used[order[new]]], weights, complete=self.whole)
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
