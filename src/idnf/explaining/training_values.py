"""What the training values of a column were: just enough to propose a change that lies in the data's range."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.logic.boxes import Column

QUANTILES = 101


@dataclass(frozen=True)
class ColumnValues:
    """The training values of one column, as plain data that travels with the model.

    Parameters
    ----------
    seen : tuple of (float, float) or None
        For each cell the smallest and the largest training value in it, as the numbers that order the values; None
        where there was none or the column is not ordered.
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
            For an ordered column the numbers that order its values, anything where the value is missing.
        weights : float array of shape (examples,), optional
        """
        counted = np.bincount(cells, weights, minlength=column.size)
        shares = tuple((counted / max(counted.sum(), 1e-300)).tolist())
        if positions is None or not column.ordered:
            return cls((None,) * column.size, shares)
        weights = np.ones(len(cells)) if weights is None else weights
        known = (cells != column.missing_cell) & (weights > 0)
        seen = tuple(_range(positions[known & (cells == cell)]) for cell in range(column.size))
        if not known.any():
            return cls(seen, shares)
        # Quantiles of the values as they are, not interpolated: a proposed value has been seen.
        quantiles = np.quantile(
            positions[known], np.linspace(0, 1, QUANTILES), method="inverted_cdf", weights=weights[known]
        )
        return cls(seen, shares, tuple(quantiles.tolist()))

    def quantile(self, position: float) -> float:
        """Return where a value stands among the training values, from 0 (smallest) to 1 (largest)."""
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
