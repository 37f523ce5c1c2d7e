"""What is known of the training examples: how sure a decision is by them, and just enough of the values of each column.

How sure a decision is: the training share of each class among the examples given the same reason. Of the values of a
column, enough is kept to propose a change that lies in the range of the data.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.batch import Answers, Patterns, answers
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
    """

    cells: NDArray[np.intp]
    weights: NDArray[np.float64]
    costs: tuple[float, ...] | None = ()

    @classmethod
    def of(
        cls,
        patterns: Patterns,
        labels: NDArray[np.intp],
        weight: NDArray[np.float64] | None,
        *,
        n_classes: int,
        costs: tuple[float, ...] | None = (),
    ) -> TrainingPatterns:
        """Sum the weights of the examples of each pattern."""
        size = len(patterns.cells)
        slots = patterns.index * n_classes + labels
        totals = np.bincount(slots, weight, minlength=size * n_classes).astype(np.float64)
        return cls(patterns.cells, totals.reshape(size, n_classes), costs)

    @classmethod
    def nothing(cls, frame: ReducedSpace, *, n_classes: int) -> TrainingPatterns:
        """Return what is known of a model that was never trained."""
        return cls(np.zeros((0, len(frame.columns)), dtype=np.intp), np.zeros((0, n_classes)))


@dataclass(frozen=True)
class Confidence:
    """The share of each class for every reason given in training, worked out when first asked for.

    Parameters
    ----------
    sides : ClassBoxes
    training : TrainingPatterns
    """

    sides: ClassBoxes
    training: TrainingPatterns

    @cached_property
    def given(self) -> list[GivenReason]:
        """The reason that each pattern of training examples is given."""
        return _reasons(answers(self.sides, Patterns(self.training.cells, np.arange(len(self.training.cells)))))

    @cached_property
    def totals(self) -> dict[GivenReason, NDArray[np.float64]]:
        """The training weight of each class for each reason, in the order in which they are first given."""
        totals: dict[GivenReason, NDArray[np.float64]] = {}
        for reason, weights in zip(self.given, self.training.weights):
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

    def of_rows(self, cells: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the share of each class for each row of cells; if a reason was never given, no class is ahead.

        The shape is (rows, classes).
        """
        patterns = Patterns.of(self.sides.frame, cells)
        found = answers(self.sides, patterns)
        shares = [self.of_reason(*reason) for reason in _reasons(found)]
        table = np.array(shares, dtype=np.float64).reshape(len(shares), len(self.sides.labels))
        return np.asarray(table[patterns.index], dtype=np.float64)

    def of_reason(self, label: int, box: Box) -> NDArray[np.float64]:
        """Return the share of each class for a reason: the class it gives and its conditions in the frame.

        Where another class is likelier, or would be by share times cost, all shares move towards the class given until
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


def _reasons(found: Answers) -> list[GivenReason]:
    return list(zip(found.labels.tolist(), found.boxes))


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
