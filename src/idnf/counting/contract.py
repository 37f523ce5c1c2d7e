"""The questions a learner may ask about the training examples, of two classes or more, and nothing else.

Every way of counting answers the same questions: packed words in memory (:mod:`idnf.counting.packed`), expressions
sent to an engine, or a test's list of lists. A learner sees weights and never examples, except for `distinct_rows`.
With `prepare` it says what it will ask next, which saves scans if each is expensive and may be ignored elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from idnf.logic.errors import InvalidArgument

Weights = NDArray[np.float64]

FEW_ROWS = 200_000
"""Up to this many rows are grouped whatever they hold; of more, a sample tells first whether that would pay."""

# Up to this many cells, or as many as there are examples, the sums are kept in an array with one entry a cell.
_MOST_DENSE_CELLS = 1 << 12


def weighted_bincount(codes: NDArray[np.int64], weights: float | Weights, length: int) -> Weights:
    """Return the weight on each of the codes 0 to ``length - 1``: one weight for all entries, or one each.

    >>> weighted_bincount(np.array([0, 2, 2]), 0.5, 3)
    array([0.5, 0. , 1. ])
    """
    if isinstance(weights, float):
        return np.bincount(codes, minlength=length).astype(np.float64) * weights
    return np.bincount(codes, weights=weights, minlength=length).astype(np.float64, copy=False)


@dataclass(frozen=True)
class UniqueLines:
    """The different lines of a table of numbers, in ascending order.

    Sorted number by number: what numpy sorts whole lines by turns Ctrl-C into an error of its own.

    Parameters
    ----------
    first : ndarray of int
        Where each line comes first.
    places : ndarray of int
        For every line of the table, which of the different ones it is.
    counts : ndarray of int
        How often each comes.

    Examples
    --------
    >>> unique = UniqueLines.of(np.array([[1, 0], [0, 7], [1, 0]]))
    >>> unique.first.tolist(), unique.places.tolist(), unique.counts.tolist()
    ([1, 0], [1, 0, 1], [1, 2])
    """

    first: NDArray[np.intp]
    places: NDArray[np.intp]
    counts: NDArray[np.intp]

    @classmethod
    def of(cls, table: NDArray[np.generic]) -> UniqueLines:
        """Look for the different lines of a table."""
        count = len(table)
        order = np.lexsort(table.T[::-1]) if table.shape[1] else np.arange(count)
        new = np.ones(count, dtype=np.bool_)
        new[1:] = (table[order][1:] != table[order][:-1]).any(axis=1)
        places = np.empty(count, dtype=np.intp)
        places[order] = np.cumsum(new) - 1
        first = order[new]
        return cls(first, places, np.bincount(places, minlength=len(first)))


class CellTally:
    """Sums of weights per class and cell code, dense if there are few cells."""

    def __init__(self, cells: int, *, examples: int) -> None:
        self.cells = cells
        self.dense = np.zeros((2, cells if cells <= max(_MOST_DENSE_CELLS, examples) else 0))
        self.sparse: list[tuple[bool, NDArray[np.int64], Weights]] = []

    def add(self, positive: bool, codes: NDArray[np.int64], weights: float | Weights) -> None:
        """Add examples of one class: one weight for all, or one each."""
        if not self.dense.size:
            codes, inverse = np.unique(codes, return_inverse=True)
            self.sparse.append((positive, codes, weighted_bincount(inverse, weights, len(codes))))
        else:
            self.dense[int(positive)] += weighted_bincount(codes, weights, self.cells)

    def totals(self) -> tuple[NDArray[np.int64], Weights, Weights]:
        """Return the codes with some weight, ascending, and their weights in class 1 and class 0."""
        if self.dense.size or not self.sparse:
            observed = np.flatnonzero(self.dense.any(axis=0))
            return observed, self.dense[1, observed], self.dense[0, observed]
        observed, inverse = np.unique(np.concatenate([codes for _, codes, _ in self.sparse]), return_inverse=True)
        sums = np.zeros((2, len(observed)))
        classes = np.concatenate([np.full(len(codes), positive, np.intp) for positive, codes, _ in self.sparse])
        np.add.at(sums, (classes, inverse), np.concatenate([weights for _, _, weights in self.sparse]))
        return observed, sums[1], sums[0]


def systematic_draws(weight: Weights, draws: int, generator: np.random.Generator) -> Weights:
    """Lay the rows end to end in random order, one after the other as long as its weight, and draw at equal steps."""
    if draws == 0:
        return np.zeros(len(weight))
    order = generator.permutation(len(weight))
    ends = np.cumsum(weight[order])
    step = ends[-1] / draws
    places = (np.arange(draws) + generator.random()) * step
    drawn: NDArray[np.int64] = order[np.searchsorted(ends[:-1], places, side="right")]
    return weighted_bincount(drawn, float(step), len(weight))


def class_draws(totals: Weights, limit: int) -> NDArray[np.intp]:
    """Return how many of some draws each class has: its share by weight, at least one if it has any.

    >>> class_draws(np.array([30.0, 9.0, 1.0, 0.0]), 8).tolist()
    [6, 1, 1, 0]
    """
    present = totals > 0
    if limit < present.sum():
        raise InvalidArgument("limit", f"be at least {present.sum()}, one row for each class", limit)
    shares = limit * totals / totals.sum()
    draws: NDArray[np.intp] = np.maximum(np.floor(shares).astype(np.intp), present)
    while draws.sum() > limit:
        draws[draws.argmax()] -= 1
    left = int(limit - draws.sum())
    draws[np.argsort(draws - shares, kind="stable")[:left]] += 1
    return draws


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

    @property
    def swapped(self) -> GridHistogram:
        """The same with class 0 and class 1 exchanged: learning the complement is learning on this."""
        return GridHistogram(self.points, self.negative, self.positive)

    def of_rows(self, rows: slice) -> GridHistogram:
        """Return the histogram of some rows of the matrix.

        >>> grid = GridHistogram(np.array([[0, 1], [1, 0], [1, 2]]), np.array([1.0, 2, 3]), np.array([0.0, 1, 1]))
        >>> some = grid.of_rows(slice(0, 1))
        >>> some.points.tolist(), some.positive.tolist(), some.negative.tolist()
        ([[0], [1]], [1.0, 5.0], [0.0, 2.0])
        """
        some = self.points[:, rows]
        unique = UniqueLines.of(some)
        positive, negative = (
            weighted_bincount(unique.places, w, len(unique.first)) for w in (self.positive, self.negative)
        )
        return GridHistogram(some[unique.first], positive, negative)


@dataclass(frozen=True)
class DistinctRows:
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
    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[1.0, 0, 2], [0, 3, 0]]), True)
    >>> rows.n_classes, rows.total, rows.against_rest(2).negative.tolist()
    (3, 6.0, [1.0, 3.0])
    """

    features: NDArray[np.bool_]
    weights: Weights
    complete: bool

    @classmethod
    def of_two(cls, features: NDArray[np.bool_], positive: Weights, negative: Weights, complete: bool) -> DistinctRows:
        """Return examples of two classes by the weights of class 1 and of class 0.

        >>> DistinctRows.of_two(np.eye(2, dtype=bool), np.array([1.0, 0]), np.array([0.0, 3]), True).weights.tolist()
        [[0.0, 1.0], [3.0, 0.0]]
        """
        return cls(features, np.stack([negative, positive]).T, complete)

    @property
    def positive(self) -> Weights:
        """The weight of class 1."""
        positive: Weights = self.weights[:, 1]
        return positive

    @property
    def negative(self) -> Weights:
        """The weight of class 0."""
        negative: Weights = self.weights[:, 0]
        return negative

    @cached_property
    def masses(self) -> Weights:
        """The weight of each row, of all classes together."""
        masses: Weights = self.weights.sum(axis=1)
        return masses

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.weights.shape[1])

    @cached_property
    def totals(self) -> Weights:
        """Weight of all examples of each class."""
        return np.array([column.sum() for column in self.weights.T])

    @cached_property
    def total(self) -> float:
        """Weight of all examples."""
        return float(self.totals.sum())

    @cached_property
    def unit(self) -> float:
        """About the weight of one example: the lower quartile of what distinct rows weigh.

        >>> DistinctRows(np.zeros((3, 1), bool), np.array([[1.0, 1.0], [0.0, 5.0], [1.0, 0.0]]), True).unit
        1.5
        """
        positive = self.masses[self.masses > 0]
        if not len(positive):
            return 1.0
        low, above = divmod(len(positive) - 1, 4)
        near = np.partition(positive, (low, min(low + 1, len(positive) - 1)))[low : low + 2]
        return float(near[0] + above / 4 * (near[-1] - near[0]))

    @property
    def example(self) -> float:
        """Weight of one example: 1, unless all weights are smaller."""
        return min(1.0, self.unit)

    def against_rest(self, label: int) -> DistinctRows:
        """Return the examples as those of one class, and those of all others together."""
        rest = np.delete(self.weights, label, axis=1).sum(axis=1)
        return DistinctRows.of_two(self.features, self.weights[:, label], rest, self.complete)

    def of_pair(self, label: int, otherwise: int) -> DistinctRows:
        """Return the examples of two classes, the first as class 1."""
        used = (self.weights[:, label] > 0) | (self.weights[:, otherwise] > 0)
        pair = self.weights[used]
        return DistinctRows.of_two(self.features[used], pair[:, label], pair[:, otherwise], self.complete)

    def merged(self) -> DistinctRows:
        """Return the distinct rows, with those that are alike merged.

        >>> alike = DistinctRows(np.ones((2, 1), dtype=bool), np.array([[1.0, 2.0], [0.0, 3.0]]), True)
        >>> alike.merged().weights.tolist()
        [[1.0, 5.0]]
        """
        unique = UniqueLines.of(np.packbits(self.features, axis=1))
        weights = np.stack([weighted_bincount(unique.places, column, len(unique.first)) for column in self.weights.T])
        return DistinctRows(self.features[unique.first], np.ascontiguousarray(weights.T), self.complete)

    def part(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> DistinctRows:
        """Return some of the rows."""
        return DistinctRows(self.features[chosen], self.weights[chosen], self.complete)

    def sampled(self, limit: int, random_state: int) -> DistinctRows:
        """Return at most `limit` of the rows (one per class at least), drawn in proportion to their weight.

        Each class gets its share of the draws, at least one if it has any weight, and keeps its total weight.
        """
        if len(self.features) <= limit:
            return self
        draws, generator = class_draws(self.totals, limit), np.random.default_rng(random_state)
        drawn = np.stack(
            [systematic_draws(weight, int(count), generator) for weight, count in zip(self.weights.T, draws)], axis=1
        )
        kept = drawn.any(axis=1)
        return DistinctRows(self.features[kept], drawn[kept], complete=False)


class Counts(Protocol):
    """What learners may ask; from `positive` on, those of two classes. Literals are codes ``2 * feature + negated``."""

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""

    @property
    def totals(self) -> Weights:
        """Weight of all examples of each class."""

    def distinct_rows(self, limit: int | None = None, random_state: int = 0) -> DistinctRows:
        """Return the distinct examples with their weights; more than `limit` of them are sampled class by class."""

    def covered_weights(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        """Return, for each list of terms, the weight of each class where some term holds."""

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

    def prepare(
        self, conjunctions: Sequence[Sequence[int]] = (), matrices: Sequence[Sequence[Sequence[int]]] = ()
    ) -> None:
        """Say what will be asked next, so that one scan can answer all of it; the answers are the same."""
