"""What the exact learners see of the data: distinct examples with signed weights over features that differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.array_api import is_integral
from idnf.logic.dnf import DNF


@dataclass(frozen=True)
class Problem:
    """Distinct examples reduced to what decides the training error.

    An example seen in both classes costs the lighter class whatever the model says: that weight goes into `base` and
    the difference stays. Features that are constant, or equal or opposite to an earlier one, are left out.

    Parameters
    ----------
    literals : ndarray of shape (2 n_features, n_rows), dtype=bool
    weights : ndarray of shape (n_rows,)
        Positive minus negative weight, never 0.
    features : ndarray of shape (n_features,)
        The features kept, as numbered in the table.
    base : float
        The weight every model gets wrong.
    total : float
        The weight of all examples.
    """

    literals: NDArray[np.bool_]
    weights: NDArray[np.float64]
    features: NDArray[np.int64]
    base: float
    total: float

    @classmethod
    def from_rows(cls, rows: DistinctRows) -> Problem:
        """Reduce a table.

        >>> features = np.array([[0, 1, 1], [1, 0, 1]], dtype=bool)
        >>> problem = Problem.from_rows(DistinctRows(features, np.array([3.0, 0.0]), np.array([1.0, 2.0]), True))
        >>> problem.weights.tolist(), problem.features.tolist(), problem.base, problem.total
        ([2.0, -2.0], [0], 1.0, 6.0)
        """
        net = rows.positive - rows.negative
        kept = rows.features[net != 0]
        features = _distinct_columns(kept)
        literals = np.empty((2 * len(features), len(kept)), dtype=np.bool_)
        literals[0::2] = kept[:, features].T
        literals[1::2] = ~literals[0::2]
        base = float(np.minimum(rows.positive, rows.negative).sum())
        return cls(literals, net[net != 0], features, base, float((rows.positive + rows.negative).sum()))

    @property
    def n_features(self) -> int:
        """Number of features kept."""
        return len(self.features)

    @property
    def tolerance(self) -> float:
        """Errors that differ by no more than this are equal: half a unit for integers, else rounding."""
        return 0.5 if is_integral(self.weights) else 1e-9 * self.total

    def codes(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return literals as numbered in the table."""
        return np.asarray(2 * self.features[codes >> 1] + (codes & 1), dtype=np.int64)

    def share(self, error: float) -> float:
        """Return the share of the whole weight that is in error, given the error beyond `base`."""
        return (self.base + error) / self.total if self.total else 0.0


def training_error(rows: DistinctRows, dnf: DNF) -> float:
    """Return the weight a DNF of class 1 gets wrong.

    >>> features = np.array([[0], [1]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([0.0, 3.0]), np.array([2.0, 1.0]), True)
    >>> training_error(rows, DNF.parse("a"))
    1.0
    """
    held = np.zeros(len(rows.features), dtype=np.bool_)
    for term in dnf.terms:
        holds = np.ones(len(rows.features), dtype=np.bool_)
        for code in term.codes:
            holds &= rows.features[:, code >> 1] != bool(code & 1)
        held |= holds
    return float(np.where(held, rows.negative, rows.positive).sum())


def _distinct_columns(features: NDArray[np.bool_]) -> NDArray[np.int64]:
    if not len(features):
        return np.zeros(0, dtype=np.int64)
    changes = features ^ features[:1]
    _, first = np.unique(changes, axis=1, return_index=True)
    return np.array(sorted(j for j in first if changes[:, j].any()), dtype=np.int64)
