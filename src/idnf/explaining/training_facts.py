"""What is known of the training examples: how sure a decision is by them, and just enough of the values of each column.

How sure a decision is: the training share of each class among the examples given the same reason; of two classes,
among those that meet the same set of reasons. Of the values of a column, enough is kept to propose a change that lies
in the range of the data.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.batch import Patterns, answers
from idnf.explaining.score_table import (
    MOST_REASONS,
    MOST_SETS,
    Held,
    ReasonSets,
    ScoreTable,
    SetWeights,
    distinct_sets,
    growing_shares,
)
from idnf.logic.boxes import Box, Column
from idnf.logic.sides import ClassBoxes, ReducedSpace

GivenReason = tuple[int, Box]
"""The class given, by its number, and the conditions in the frame."""

# The share of the class given stays so far above every other, so that the likeliest class is the one predicted.
_MARGIN = 2e-6

QUANTILES = 101


@dataclass(frozen=True)
class TrainingPatterns:
    """The training examples as a model sees them: distinct patterns with the weight of each class.

    Parameters
    ----------
    cells : int array of shape (patterns, columns of the frame)
    weights : float array of shape (patterns, classes)
        Before class weights are applied, so that shares are those of the table.
    costs : tuple of float or None
        What an error on each class counts, if that differs: the class given has the greatest share times cost. None
        if each example had costs of its own, so that any class may have the greatest share.
    monotone : bool
        Whether the model keeps monotone constraints, which the shares of two classes then keep too.
    """

    cells: NDArray[np.intp]
    weights: NDArray[np.float64]
    costs: tuple[float, ...] | None = ()
    monotone: bool = False

    @classmethod
    def of(
        cls,
        patterns: Patterns,
        labels: NDArray[np.intp],
        weight: NDArray[np.float64] | None,
        *,
        n_classes: int,
        costs: tuple[float, ...] | None = (),
        monotone: bool = False,
    ) -> TrainingPatterns:
        """Sum the weights of the examples of each pattern."""
        size = len(patterns.cells)
        slots = patterns.index * n_classes + labels
        totals = np.bincount(slots, weight, minlength=size * n_classes).astype(np.float64)
        return cls(patterns.cells, totals.reshape(size, n_classes), costs, monotone)

    @classmethod
    def nothing(cls, frame: ReducedSpace, *, n_classes: int) -> TrainingPatterns:
        """Return what is known of a model that was never trained."""
        return cls(np.zeros((0, len(frame.columns)), dtype=np.intp), np.zeros((0, n_classes)))


@dataclass(frozen=True)
class Confidence:
    """The share of each class for every reason and set of reasons met in training, worked out when first asked for.

    Parameters
    ----------
    sides : ClassBoxes
    training : TrainingPatterns
    """

    sides: ClassBoxes
    training: TrainingPatterns

    @cached_property
    def sets(self) -> ReasonSets | None:
        """The reasons of two classes; None if there are more classes or too many reasons to be listed."""
        return ReasonSets.of(self.sides)

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self.training.cells, np.arange(len(self.training.cells)))

    @cached_property
    def _sets_met(self) -> tuple[NDArray[np.bool_], NDArray[np.intp], NDArray[np.intp]]:
        """For each distinct set of reasons met in training which reasons it has and its first pattern; their numbers.

        If reasons cannot be listed, or are too many, each is a set of its own.
        """
        if self.sets is not None and len(self.sets.reasons) <= MOST_REASONS:
            held = self.sets.held(self._patterns)
            first, index = distinct_sets(held)
            return held[first], first, index
        numbers: dict[GivenReason, int] = {}
        index = np.array([numbers.setdefault(reason, len(numbers)) for reason in self._reasons], dtype=np.intp)
        first = np.array([self._reasons.index(reason) for reason in numbers], dtype=np.intp)
        return np.zeros((len(first), 0), dtype=np.bool_), first, index

    @cached_property
    def _reasons(self) -> list[GivenReason]:
        """The reason that each pattern of training examples is given."""
        found = answers(self.sides, self._patterns)
        return list(zip(found.labels.tolist(), found.boxes))

    @property
    def examples(self) -> NDArray[np.intp]:
        """A pattern for each set of reasons met in training."""
        return self.training.cells[self._sets_met[1]]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The training weight of each class for each set of reasons, in the order in which they are first met."""
        _, first, index = self._sets_met
        columns = [np.bincount(index, weights, minlength=len(first)) for weights in self.training.weights.T]
        return np.stack(columns, axis=1).astype(np.float64)

    @cached_property
    def given(self) -> list[GivenReason]:
        """The reason that is given where each set of reasons holds."""
        held, first, _ = self._sets_met
        if self.sets is not None and held.shape[1]:
            return [self.sets.reasons[place] for place in held.argmax(axis=1).tolist()]
        return [self._reasons[row] for row in first.tolist()]

    @cached_property
    def totals(self) -> dict[GivenReason, NDArray[np.float64]]:
        """The training weight of each class for each reason, in the order in which they are first given."""
        totals: dict[GivenReason, NDArray[np.float64]] = {}
        for reason, weights in zip(self.given, self.weights):
            totals[reason] = totals[reason] + weights if reason in totals else weights
        return totals

    @property
    def errors(self) -> float:
        """The share of the training weight, classes weighed by what their errors cost, that is given another class."""
        costs = np.array(self.training.costs or (1.0,) * len(self.sides.labels))
        wrong = sum(float(total @ costs - total[label] * costs[label]) for (label, _), total in self.totals.items())
        return wrong / float(self.training.weights.sum(axis=0) @ costs)

    @cached_property
    def shares(self) -> dict[GivenReason, NDArray[np.float64]]:
        """The share of each class for each reason, one example of each class being added."""
        return {reason: (total + 1) / (total.sum() + len(total)) for reason, total in self.totals.items()}

    @cached_property
    def table(self) -> ScoreTable | None:
        """The share of class 1 of two classes by the set of reasons that hold; None if reasons cannot be listed."""
        if self.sets is None:
            return None
        otherwise = tuple(float(self.of_reason(*reason)[1]) for reason in self.sets.reasons)
        held, places = self._sets_met[0], {reason: place for place, reason in enumerate(self.sets.reasons)}
        if not held.size:
            return ScoreTable(self.sets, (), otherwise, not self.training.monotone)
        reason = np.array([places[one] for one in self.given], dtype=np.intp)
        labels = np.array([label for label, _ in self.given], dtype=np.intp)
        totals = np.zeros((len(places), 2))
        np.add.at(totals, reason, self.weights)
        bounds = np.array(self._bounds)[labels]
        weights = SetWeights(self.weights, reason, totals)
        shares = weights.drawn(weights.strength(bounds)).clip(*bounds.T)
        kept = np.argsort(-self.weights.sum(axis=1), kind="stable")[:MOST_SETS]
        held, labels, shares = held[kept], labels[kept], shares[kept]
        if not self.training.monotone:
            return ScoreTable(self.sets, _listed(held, shares), otherwise)
        shares = growing_shares(held, labels, shares)
        # Of the sets within a row's own, the first is the one that says most.
        order = np.lexsort((np.where(labels == 1, -shares, shares), labels))
        least = self._least(labels, shares)
        otherwise = tuple(least[label] for label, _ in self.sets.reasons)
        return ScoreTable(self.sets, _listed(held[order], shares[order]), otherwise, exact=False)

    @property
    def _bounds(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Between which the share of class 1 lies where each class is given, by what its errors cost."""
        if self.training.costs is None:
            return (0.0, 1.0), (0.0, 1.0)
        cost_0, cost_1 = self.training.costs or (1.0, 1.0)
        odds = [weighed / (1 - weighed) * cost_0 / cost_1 for weighed in (0.5 - _MARGIN / 2, 0.5 + _MARGIN / 2)]
        low, high = (odd / (1 + odd) for odd in odds)
        return (0.0, low), (high, 1.0)

    def _least(self, labels: NDArray[np.intp], shares: NDArray[np.float64]) -> tuple[float, float]:
        """Return for each class the share that says least for it: no lower one of class 1, no higher one of class 0."""
        (_, low), (high, _) = self._bounds
        of_0 = float(shares[labels == 0].max()) if (labels == 0).any() else min(low, 0.5)
        return of_0, max(float(shares[labels == 1].min()) if (labels == 1).any() else max(high, 0.5), of_0)

    def of_rows(self, cells: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the share of each class for each row of cells; if a reason was never given, no class is ahead.

        The shape is (rows, classes).
        """
        if self.table is not None:
            share = self.table.of_rows(cells)
            return np.stack([1 - share, share], axis=1)
        patterns = Patterns.of(self.sides.frame, cells)
        found = answers(self.sides, patterns)
        shares = [self.of_reason(*reason) for reason in zip(found.labels.tolist(), found.boxes)]
        table = np.array(shares, dtype=np.float64).reshape(len(shares), len(self.sides.labels))
        return np.asarray(table[patterns.index], dtype=np.float64)

    def of_reason(self, label: int, box: Box) -> NDArray[np.float64]:
        """Return the share of each class for a reason: the class it gives and its conditions in the frame.

        If another class is likelier, or would be by share times cost, all shares move towards the class given until
        it is ahead.
        """
        classes = len(self.sides.labels)
        costs = np.array(self.training.costs or (1.0,) * classes)
        shares = self.shares.get((label, box), 1 / costs / (1 / costs).sum())
        if self.training.costs is None:
            return np.asarray(shares)
        weighed = shares * costs / (shares @ costs)
        ahead = max((weighed[other] for other in self.sides.others(label)), default=0.0)
        if weighed[label] >= ahead + _MARGIN:
            return np.asarray(shares)
        part = (ahead - weighed[label] + _MARGIN) / (1 + ahead - weighed[label])
        moved: NDArray[np.float64] = (1 - part) * weighed
        moved[label] += part
        return np.asarray(moved / costs / (moved / costs).sum())


def _listed(held: NDArray[np.bool_], shares: NDArray[np.float64]) -> tuple[tuple[Held, float], ...]:
    return tuple((tuple(np.flatnonzero(line).tolist()), share) for line, share in zip(held, shares.tolist()))


@dataclass(frozen=True)
class ColumnValues:
    """The training values of one column, as plain data that travels with the model.

    Parameters
    ----------
    seen : tuple of (float, float) or None
        For each cell the smallest and the largest training value in it, as the numbers that order the values; None
        if there was none or the column is not ordered.
    shares : tuple of float
        For each cell its share of the training weight.
    quantiles : tuple of float
        Ascending, evenly spaced from the smallest to the largest training value; empty for unordered columns.

    Examples
    --------
    >>> age = Column("age", ("at most 30", "over 30"), ordered=True)
    >>> values = ColumnValues.of(age, np.array([0, 0, 1, 1]), np.array([20.0, 30.0, 40.0, 50.0]))
    >>> values.seen, values.shares, round(values.quantile(35.0), 1)
    (((20.0, 30.0), (40.0, 50.0)), (0.5, 0.5), 0.5)
    """

    seen: tuple[tuple[float, float] | None, ...]
    shares: tuple[float, ...]
    quantiles: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        column: Column,
        cells: NDArray[np.integer],
        positions: NDArray[np.float64] | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> ColumnValues:
        """Return the values of a column from training examples.

        Parameters
        ----------
        column : Column
        cells : int array of shape (examples,)
        positions : float array of shape (examples,), optional
            For an ordered column the numbers that order its values, NaN if the value is missing.
        weights : float array of shape (examples,), optional
        """
        counted = np.bincount(cells, weights, minlength=column.size)
        shares = tuple((counted / max(counted.sum(), 1e-300)).tolist())
        if positions is None or not column.ordered:
            return cls((None,) * column.size, shares)
        weights = np.ones(len(cells)) if weights is None else weights
        # A missing value that counts as another has a cell, but no place in the order.
        known = (cells != column.missing_cell) & (weights > 0) & ~np.isnan(positions)
        seen = tuple(_range(positions[known & (cells == cell)]) for cell in range(column.size))
        if not known.any():
            return cls(seen, shares)
        # Quantiles of the values as they are, not interpolated: a proposed value has been seen.
        quantiles = np.quantile(
            positions[known], np.linspace(0, 1, QUANTILES), method="inverted_cdf", weights=weights[known]
        )
        return cls(seen, shares, tuple(quantiles.tolist()))

    def without_rows(self) -> ColumnValues:
        """Return the shares of the cells alone, without any value that a row had.

        >>> ColumnValues(((20.0, 30.0), (40.0, 50.0)), (0.5, 0.5), (20.0, 50.0)).without_rows()
        ColumnValues(seen=(None, None), shares=(0.5, 0.5), quantiles=())
        """
        return ColumnValues((None,) * len(self.shares), self.shares)

    def quantile(self, position: float) -> float:
        """Return the rank of a value among the training values, from 0 (smallest) to 1 (largest)."""
        if len(self.quantiles) < 2:
            return 0.5
        middle = (bisect_left(self.quantiles, position) + bisect_right(self.quantiles, position) - 1) / 2
        return min(1.0, max(0.0, middle / (len(self.quantiles) - 1)))

    def target(self, cell: int, *, upwards: bool) -> float | None:
        """Return the training value of a cell that is nearest when coming from below, or from above."""
        seen = self.seen[cell]
        return None if seen is None else seen[0] if upwards else seen[1]


def _range(positions: NDArray[np.float64]) -> tuple[float, float] | None:
    return (float(positions.min()), float(positions.max())) if len(positions) else None
