"""The values above the leaves: every tree of one depth over bounded leaves, as a dynamic programme on arrays.

The value of a leaf depends only on the set of literals on its path, so a tree of depth d over n features has
C(n, d) 2^d leaf problems. An array with one axis of 2n literals for each level holds the value of every set once for
each order of its literals. The value of a set one literal shorter is a sum over the two signs and a minimum over
features; how little a leaf must cost for some tree through it to beat the incumbent is the same computation downwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import combinations, permutations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def n_sets(n_features: int, depth: int) -> int:
    """Return the number of leaf problems of trees of this depth.

    >>> n_sets(4, 2)
    24
    """
    return comb(n_features, depth) << depth


@dataclass(frozen=True)
class Branch:
    """A split of a tree: a feature, and below it branches or numbers of leaf sets."""

    feature: int
    if_false: Branch | int
    if_true: Branch | int


class Levels:
    """The sets of path literals of trees of one depth, and bounds on the error of each.

    Parameters
    ----------
    n_features : int
        At least `depth`.
    depth : int
        The depth of the trees.
    limit : float
        What no leaf can exceed.

    Attributes
    ----------
    sets : ndarray of shape (n_sets, depth)
        Literal codes, ascending.
    lower, upper : ndarray of shape (n_sets,)
        Bounds on the error of each leaf.

    Examples
    --------
    >>> levels = Levels(2, 1, limit=9.0)
    >>> levels.upper[:] = [3, 4, 1, 2]
    >>> levels.best(), levels.best_tree()
    (3.0, Branch(feature=1, if_false=3, if_true=2))
    """

    def __init__(self, n_features: int, depth: int, *, limit: float) -> None:
        self.n_features, self.depth = n_features, depth
        chosen = list(combinations(range(n_features), depth))
        features = np.array(chosen, dtype=np.int64).reshape(len(chosen), depth)
        signs = np.array(list(product((0, 1), repeat=depth)), dtype=np.int64).reshape(1 << depth, depth)
        self.sets = (2 * features[:, None, :] + signs[None, :, :]).reshape(n_sets(n_features, depth), depth)
        self.lower = np.zeros(len(self.sets))
        self.upper = np.full(len(self.sets), limit)

    def bound(self) -> float:
        """Return the least error any tree may have."""
        return float(self._upward(self.lower)[0])

    def best(self) -> float:
        """Return the least error of the trees over the leaf functions known."""
        return float(self._upward(self.upper)[0])

    def thresholds(self, incumbent: float) -> Values:
        """Return for each leaf the error it must stay under for a tree through it to beat the incumbent."""
        values = self._upward(self.lower)
        allowed = np.array(incumbent)
        for level in range(1, self.depth + 1):
            opposite = _with_signs(values[level])[..., ::-1].reshape(values[level].shape)
            allowed = allowed[..., None] - opposite
            allowed = reduce(np.maximum, (np.moveaxis(allowed, -1, axis) for axis in range(level)))
        return np.reshape(allowed[tuple(self.sets.T)], len(self.sets))

    def best_tree(self) -> Branch | int:
        """Return the tree of least error over the leaf functions known, with leaves given by their number."""
        values = self._upward(self.upper)
        numbers = {tuple(codes): number for number, codes in enumerate(self.sets.tolist())}

        def grow(path: tuple[int, ...]) -> Branch | int:
            if len(path) == self.depth:
                return numbers[tuple(sorted(path))]
            sums = _with_signs(values[len(path) + 1][path]).sum(axis=-1)
            feature = int(np.argmin(sums))
            return Branch(feature, grow((*path, 2 * feature + 1)), grow((*path, 2 * feature)))

        return grow(())

    def _upward(self, leaves: Values) -> list[Values]:
        """Return the value of every set of each size, given those of the largest."""
        top = np.full((2 * self.n_features,) * self.depth, np.inf)
        for order in permutations(self.sets.T):
            top[tuple(order)] = leaves if self.depth else leaves[0]
        values = [top]
        for _ in range(self.depth):
            values.append(_with_signs(values[-1]).sum(axis=-1).min(axis=-1))
        return values[::-1]


def _with_signs(values: Values) -> Values:
    """Split the last axis of literals into features and signs."""
    return values.reshape(*values.shape[:-1], -1, 2)
