"""All trees near the cheapest one: every tree of a depth that costs at most so much more.

What a tree costs is a sum over the examples it gives class 1, so the trees near the cheapest with a feature at the root
are pairs of trees near the cheapest on either side. For depth 2 the cheapest follows from sums over pairs of features
(Demirovic et al., *MurTree*, JMLR, 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import UniqueLines
from idnf.learning.local.specification.split_worths import split_values
from idnf.learning.local.split_task import Numbers
from idnf.learning.objective import TOLERANCE
from idnf.logic.deadlines import Deadline
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, Node, join_nodes

Rows = NDArray[np.intp]

MOST = 20_000
"""Trees listed for one set of examples; of more, the cheapest."""


@dataclass(frozen=True)
class TreeList:
    """Trees of one depth on some examples, as arrays.

    Parameters
    ----------
    sums : float array of shape (trees, columns)
        The sums of the examples' columns over those that a tree gives class 1.
    features : int array of shape (trees,)
        The feature at the root; -1 for a leaf.
    below : int array of shape (trees, 2)
        The place of the tree on either side in the list of that side; the label of a leaf.
    splits : int array of shape (trees,)
        The number of splits, the least of all trees with the same sums.
    parts : mapping of int to two lists
        For each feature at a root the lists of its two sides.
    complete : bool
        Whether no tree was left out that might have been wanted.
    """

    sums: Numbers
    features: Rows
    below: Rows
    splits: Rows
    parts: dict[int, tuple[TreeList, TreeList]]
    complete: bool

    def node(self, place: int, names: tuple[str, ...], k: int, numbers: Sequence[int]) -> Node:
        """Return one of the trees, without splits that make no difference.

        Parameters
        ----------
        place : int
        names : tuple of str
            All features.
        k : int
            The bound at the root.
        numbers : sequence of int
            The place among the names of each feature that trees were made of.
        """
        feature, (low, high) = int(self.features[place]), self.below[place].tolist()
        if feature < 0:
            return Leaf(NestedDNF.constant(names, bool(low), k))
        sides = [side.node(i, names, k - 1, numbers) for side, i in zip(self.parts[feature], (low, high), strict=True)]
        return join_nodes(numbers[feature], *sides)


class NearBest:
    """Examples on which trees are listed whose cost is near that of the cheapest one.

    Parameters
    ----------
    features : bool array of shape (rows, features)
    columns : float array of shape (rows, columns)
        What is summed over the examples that a tree gives class 1.
    prices : float array of shape (columns,)
        A tree costs the sums of the columns times these prices.
    deadline : Deadline, optional
        What is asked after it raises a TimeoutError.

    Examples
    --------
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> near = NearBest(features, np.array([[1.0], [1.0], [-1.0], [-3.0]]), np.ones(1))
    >>> near.least(1), near.near(1, 1.0).sums.ravel().tolist(), near.near(2, 1.0).sums.ravel().tolist()
    (-4.0, [-4.0], [-4.0, -3.0])
    """

    def __init__(
        self, features: NDArray[np.bool_], columns: Numbers, prices: Numbers, deadline: Deadline | None = None
    ) -> None:
        self.features = features.astype(np.float64)
        self.columns = columns
        self.prices = prices
        self.costs = columns @ prices
        self.deadline = deadline or Deadline()
        self._known: dict[tuple[bytes, int], float] = {}

    def least(self, depth: int) -> float:
        """Return the cost of the cheapest tree of at most some depth."""
        return self._least(np.arange(len(self.costs)), depth)

    def near(self, depth: int, slack: float) -> TreeList:
        """Return the trees that cost at most ``slack`` more, the cheapest first, one for each value of the sums."""
        return self._near(np.arange(len(self.costs)), depth, slack)

    def _least(self, rows: Rows, depth: int) -> float:
        key = (rows.tobytes(), depth)
        if key not in self._known:
            self._known[key] = min(0.0, float(self.costs[rows].sum()), float(self._by_root(rows, depth).min(initial=0)))
        return self._known[key]

    def _by_root(self, rows: Rows, depth: int) -> Numbers:
        """Return the cost of the cheapest tree with each feature at its root."""
        if self.deadline.is_over():
            raise TimeoutError
        if depth == 0:
            return np.zeros(0)
        if depth <= 2:
            return -split_values(self.features[rows], -self.costs[np.newaxis, rows], 0.0, depth)
        halves = (self._halves(rows, feature) for feature in range(self.features.shape[1]))
        return np.array([sum(self._least(half, depth - 1) for half in both) for both in halves])

    def _halves(self, rows: Rows, feature: int) -> tuple[Rows, Rows]:
        goes = self.features[rows, feature] > 0
        return rows[~goes], rows[goes]

    def _near(self, rows: Rows, depth: int, slack: float) -> TreeList:
        most = self._least(rows, depth) + slack + TOLERANCE
        total = self.columns[rows].sum(axis=0)
        labels = np.array([[0, 0], [1, 1]])
        leaves = TreeList(np.stack([0 * total, total]), np.full(2, -1), labels, np.zeros(2, dtype=np.intp), {}, True)
        by_root = self._by_root(rows, depth)
        above = [
            self._above(feature, self._halves(rows, feature), depth, most - float(by_root[feature]))
            for feature in np.flatnonzero(by_root <= most).tolist()
        ]
        return self._join([leaves, *above], most)

    def _above(self, feature: int, halves: tuple[Rows, Rows], depth: int, slack: float) -> TreeList:
        """Return the trees with a feature at the root."""
        low, high = (self._near(half, depth - 1, slack) for half in halves)
        # Both lists begin with their cheapest tree.
        costs, other = low.sums @ self.prices, high.sums @ self.prices
        room = costs[0] + other[0] + slack + TOLERANCE - costs
        counts = np.searchsorted(other, room, side="right")
        few = counts[np.cumsum(counts) <= 10 * MOST]
        first = np.repeat(np.arange(len(few)), few)
        second = np.arange(len(first)) - np.repeat(np.cumsum(few) - few, few)
        sums = low.sums[first] + high.sums[second]
        complete = low.complete and high.complete and len(few) == len(counts)
        both, splits = np.stack([first, second], axis=1), 1 + low.splits[first] + high.splits[second]
        return TreeList(sums, np.full(len(first), feature), both, splits, {feature: (low, high)}, complete)

    def _join(self, lists: Sequence[TreeList], most: float) -> TreeList:
        """Return lists as one, the cheapest first, without those that cost too much; the shortest of the same sums."""
        sums, features, below, splits = (
            np.concatenate([getattr(one, name) for one in lists]) for name in ("sums", "features", "below", "splits")
        )
        shortest = np.argsort(splits, kind="stable")
        kept = shortest[UniqueLines.of(np.round(sums[shortest], 13)).first]
        costs = sums[kept] @ self.prices
        order = np.argsort(costs, kind="stable")
        kept = kept[order][: np.searchsorted(costs[order], most, side="right")]
        complete = all(one.complete for one in lists) and len(kept) <= MOST
        parts = {feature: part for one in lists for feature, part in one.parts.items()}
        kept = kept[:MOST]
        return TreeList(sums[kept], features[kept], below[kept], splits[kept], parts, complete)
