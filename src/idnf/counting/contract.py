"""The four questions a learner may ask about the training examples, and nothing more.

Every way of counting answers the same questions: packed words in memory (:mod:`idnf.counting.packed`), expressions
sent to an engine, or a test's list of lists. A learner sees weights and never examples, except for `distinct_rows`.
With `prepare` it says what it will ask next, which saves scans where each is dear and may be ignored elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class GridHistogram:
    """The weight of each class at every observed point of the grid of a literal matrix.

    The point of an example holds, for each row of the matrix, how many leading literals of that row the example
    satisfies. Points come in ascending lexicographic order, each once.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_rows), dtype=int64
    positive, negative : ndarray of shape (n_points,), dtype=float64
    """

    points: NDArray[np.int64]
    positive: Weights
    negative: Weights

    def of_rows(self, rows: slice) -> GridHistogram:
        """Return the histogram of some rows of the matrix.

        >>> grid = GridHistogram(np.array([[0, 1], [1, 0], [1, 2]]), np.array([1.0, 2, 3]), np.array([0.0, 1, 1]))
        >>> some = grid.of_rows(slice(0, 1))
        >>> some.points.tolist(), some.positive.tolist(), some.negative.tolist()
        ([[0], [1]], [1.0, 5.0], [0.0, 2.0])
        """
        points, index = np.unique(self.points[:, rows], axis=0, return_inverse=True)
        positive, negative = np.zeros(len(points)), np.zeros(len(points))
        np.add.at(positive, index.ravel(), self.positive)
        np.add.at(negative, index.ravel(), self.negative)
        return GridHistogram(points, positive, negative)


@dataclass(frozen=True)
class DistinctRows:
    """The distinct examples with the weight of each class, or a sample of them.

    Parameters
    ----------
    features : ndarray of shape (n_distinct, n_features), dtype=bool
    positive, negative : ndarray of shape (n_distinct,), dtype=float64
        They sum to the weights of the two classes in the whole table, for a sample as well.
    complete : bool
        False when the rows are a sample.
    """

    features: NDArray[np.bool_]
    positive: Weights
    negative: Weights
    complete: bool


class Counts(Protocol):
    """What a learner may ask. Literals are codes ``2 * feature + negated``."""

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""

    @property
    def positive(self) -> float:
        """Weight of all examples of class 1."""

    @property
    def negative(self) -> float:
        """Weight of all examples of class 0."""

    def literal_weights(self, conjunction: Sequence[int]) -> tuple[Weights, Weights]:
        """Return, for each literal, the weight of the examples satisfying it and the whole conjunction.

        Two arrays indexed by literal code: examples of class 1, examples of class 0.
        """

    def grid_histogram(self, matrix: Sequence[Sequence[int]]) -> GridHistogram:
        """Return the weight of each class per observed grid point of a literal matrix (rows may differ in length)."""

    def distinct_rows(self, limit: int | None = None, random_state: int = 0) -> DistinctRows:
        """Return the distinct examples with their weights; more than `limit` of them are sampled class by class."""

    def covered_weights(self, models: Sequence[Sequence[Sequence[int]]]) -> list[tuple[float, float]]:
        """Return, for each list of terms, the weight of class 1 and of class 0 where some term holds."""

    def prepare(
        self, conjunctions: Sequence[Sequence[int]] = (), matrices: Sequence[Sequence[Sequence[int]]] = ()
    ) -> None:
        """Say what will be asked next, so that one scan can answer all of it; the answers are the same."""


@dataclass(frozen=True)
class SwappedClasses:
    """The same examples with class 0 and class 1 exchanged: learning the complement is learning on these."""

    counts: Counts

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""
        return self.counts.n_features

    @property
    def positive(self) -> float:
        """Weight of all examples of class 1 after the exchange."""
        return self.counts.negative

    @property
    def negative(self) -> float:
        """Weight of all examples of class 0 after the exchange."""
        return self.counts.positive

    def literal_weights(self, conjunction: Sequence[int]) -> tuple[Weights, Weights]:
        """Return, for each literal, the weight of the examples satisfying it and the whole conjunction."""
        positive, negative = self.counts.literal_weights(conjunction)
        return negative, positive

    def grid_histogram(self, matrix: Sequence[Sequence[int]]) -> GridHistogram:
        """Return the weight of each class per observed grid point of a literal matrix."""
        grid = self.counts.grid_histogram(matrix)
        return GridHistogram(grid.points, grid.negative, grid.positive)

    def distinct_rows(self, limit: int | None = None, random_state: int = 0) -> DistinctRows:
        """Return the distinct examples with their weights, or a sample."""
        rows = self.counts.distinct_rows(limit, random_state)
        return DistinctRows(rows.features, rows.negative, rows.positive, rows.complete)

    def covered_weights(self, models: Sequence[Sequence[Sequence[int]]]) -> list[tuple[float, float]]:
        """Return, for each list of terms, the weight of class 1 and of class 0 where some term holds."""
        return [(negative, positive) for positive, negative in self.counts.covered_weights(models)]

    def prepare(
        self, conjunctions: Sequence[Sequence[int]] = (), matrices: Sequence[Sequence[Sequence[int]]] = ()
    ) -> None:
        """Say what will be asked next."""
        self.counts.prepare(conjunctions, matrices)
