"""Sums of weights per numbered cell, and seeded draws in proportion to weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]

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
