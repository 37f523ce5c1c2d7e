"""What a learner counts of each row: one label with a weight or, where costs differ, a part of the row for each label.

An answer is right for a row by as much as it costs less than the costliest one. So a row whose labels cost 0, 1 and 4
counts as 4 examples of the first label and 3 of the second; what it costs in the end is the weight that its answer
does not get right, but for the 3 that no answer could have got right beside the 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from idnf.counting.packed import Blocks, PackedTable

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class CountedExamples:
    """The examples that a learner counts.

    Parameters
    ----------
    labels : int array of shape (rows,)
        The number of the best label of each row.
    weights : float array of shape (rows,), optional
        What the costliest answer costs beyond the best one; 1 by default.
    parts : float array of shape (rows, classes), optional
        What each label costs less than the costliest one, if more than one label of some row does.

    Examples
    --------
    >>> some = CountedExamples.costing(np.array([[0.0, 1, 4], [2, 2, 0]]), None)
    >>> some.labels.tolist(), some.weights.tolist(), some.parts.tolist(), round(some.unavoidable, 3)
    ([0, 2], [4.0, 2.0], [[4.0, 3.0, 0.0], [0.0, 0.0, 2.0]], 0.333)
    """

    labels: NDArray[np.intp]
    weights: Weights | None = None
    parts: Weights | None = None

    @classmethod
    def costing(cls, costs: Weights, weights: Weights | None) -> CountedExamples:
        """Return examples by what each label costs for each row, times what the row weighs."""
        parts = costs.max(axis=1, keepdims=True) - costs
        if weights is not None:
            parts *= weights[:, np.newaxis]
        labels, own = parts.argmax(axis=1), parts.max(axis=1)
        several = bool(((parts > 0).sum(axis=1) > 1).any())
        return cls(labels, own, parts if several else None)

    @property
    def unavoidable(self) -> float:
        """The part of what is counted that no answers get right."""
        if self.parts is None or self.weights is None:
            return 0.0
        return 1.0 - float(self.weights.sum()) / float(self.parts.sum())

    def regrets(self, n_classes: int) -> Weights:
        """Return what each label costs beyond the best one, for each row.

        >>> CountedExamples.costing(np.array([[0.0, 1, 4], [2, 2, 0]]), None).regrets(3).tolist()
        [[0.0, 1.0, 4.0], [2.0, 2.0, 0.0]]
        >>> CountedExamples(np.array([1]), np.array([3.0])).regrets(2).tolist()
        [[3.0, 0.0]]
        """
        weights = np.ones(len(self.labels)) if self.weights is None else self.weights
        if self.parts is not None:
            return weights[:, np.newaxis] - self.parts
        regrets = np.repeat(weights[:, np.newaxis], n_classes, axis=1)
        regrets[np.arange(len(weights)), self.labels] = 0.0
        return regrets

    def at(self, rows: NDArray[np.intp]) -> CountedExamples:
        """Return some of the examples."""
        weights, parts = (None if each is None else each[rows] for each in (self.weights, self.parts))
        return CountedExamples(self.labels[rows], weights, parts)

    def by_label(self, n_classes: int) -> Weights:
        """Return what each row counts for each label, shape (rows, classes).

        >>> CountedExamples(np.array([0, 2]), np.array([1.0, 3.0])).by_label(3).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 3.0]]
        """
        if self.parts is not None:
            return self.parts
        found: Weights = np.zeros((len(self.labels), n_classes))
        found[np.arange(len(self.labels)), self.labels] = 1.0 if self.weights is None else self.weights
        return found

    def packed(self, features: Blocks, n_classes: int) -> PackedTable:
        """Return the examples with their features, to be counted."""
        if self.parts is None:
            return PackedTable.from_blocks(features, self.labels, self.weights, n_classes)
        rows, labels = np.nonzero(self.parts)
        of_parts = replace(features, make=lambda places: features.make(rows[places]))
        return PackedTable.from_blocks(of_parts, labels, self.parts[rows, labels], n_classes)
