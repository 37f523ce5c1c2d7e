"""Decision trees whose every path asks of at most k columns, as often as it likes.

A tree of depth k asks k questions; here a column that a path has asked of is free, so that a path may cut it into an
interval. The tree is grown from the top, each split the literal of most gain by Gini's measure among those of the
columns that the path may ask of, and cut back from below: a split must win more than its price.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.logic.boxes import Box, Space
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.primes import TooManyBoxes


def column_tree(
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    space: Space,
    *,
    price: float = 0.0,
    is_over: Callable[[], bool] = lambda: False,
) -> ClassDNFs | None:
    """Return a tree whose paths ask of at most k columns, as the DNFs of its classes; None if these are too large.

    Parameters
    ----------
    rows : DistinctRows
        The training examples with their weights.
    names : sequence of str
        The features, one for each literal of the space.
    k : int
        The most columns of a path.
    space : Space
    price : float
        What a split costs, as a share of all weight.
    is_over : callable
        Tells that there is no time left: nodes reached then become leaves.

    Examples
    --------
    >>> from idnf.logic.boxes import Column
    >>> x = Space((Column("x", ("1", "2", "3"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> rows = DistinctRows(np.array([[1, 1], [0, 1], [0, 0]], dtype=bool), np.array([[1.0, 0], [0, 1], [1, 0]]), True)
    >>> print(column_tree(rows, ("x <= 1", "x <= 2"), 1, x).side(1))
    ~'x <= 1' & 'x <= 2'
    """
    growing = _Growing(rows, space, k, price * rows.total, is_over)
    sides: list[list[Box]] = [[] for _ in range(rows.n_classes)]
    grown = growing.grown(np.arange(len(rows.features)), space.full, frozenset())
    for label, box in grown.leaves:
        sides[label].append(box)
    kind = DoubleDNF if rows.n_classes == 2 else ClassDNFs
    try:
        return kind.from_boxes(tuple(names), sides, space).within(k)
    except TooManyBoxes:
        return None


@dataclass(frozen=True)
class _Grown:
    """A branch: its leaves with their labels, what it errs, and what its splits cost."""

    leaves: tuple[tuple[int, Box], ...]
    cost: float


@dataclass(frozen=True)
class _Growing:
    """What every node needs."""

    rows: DistinctRows
    space: Space
    k: int
    price: float
    is_over: Callable[[], bool]

    def grown(self, here: NDArray[np.intp], box: Box, asked: frozenset[int]) -> _Grown:
        """Return the branch of the examples that reach a node."""
        weights = self.rows.weights[here]
        totals = weights.sum(axis=0)
        label = int(totals.argmax())
        leaf = _Grown(((label, box),), float(totals.sum() - totals[label]))
        feature = self._best(here, weights, totals, asked) if leaf.cost and not self.is_over() else None
        if feature is None:
            return leaf
        column, mask = self.space.literals[feature]
        held = self.rows.features[here, feature]
        below = [
            self.grown(here[held == side], _cut(box, column, mask if side else ~mask), asked | {column})
            for side in (True, False)
        ]
        cost = self.price + below[0].cost + below[1].cost
        return leaf if cost >= leaf.cost else _Grown(below[0].leaves + below[1].leaves, cost)

    def _best(self, here: NDArray[np.intp], weights: Weights, totals: Weights, asked: frozenset[int]) -> int | None:
        """Return the literal of most gain that the path may ask of, None if none gains anything."""
        free = len(asked) < self.k
        may = [f for f, (column, _) in enumerate(self.space.literals) if free or column in asked]
        if not may:
            return None
        features = np.array(may)
        inside = weights.T @ self.rows.features[np.ix_(here, features)].astype(np.float64)
        gains = _purity(inside) + _purity(totals[:, np.newaxis] - inside) - _purity(totals[:, np.newaxis])
        # Gains that differ by rounding alone are equal; of equals the first literal is taken.
        shares = np.round(gains / totals.sum(), 12)
        return may[int(shares.argmax())] if shares.max() > 0 else None


def _cut(box: Box, column: int, mask: int) -> Box:
    return (*box[:column], box[column] & mask, *box[column + 1 :])


def _purity(weights: Weights) -> Weights:
    total = weights.sum(axis=0)
    purity: Weights = np.divide((weights**2).sum(axis=0), total, out=np.zeros(len(total)), where=total > 0)
    return purity
