"""The values above the leaves: every tree of one depth over bounded leaves, as a dynamic programme on arrays.

The value of a leaf depends only on the set of literals on its path, so a tree of depth d over n features has
C(n, d) 2^d leaf problems. An array with one axis of 2n literals for each level holds the value of every set once for
each order of its literals. The value of a set one literal shorter is a sum over the two signs and a minimum over
features; how little a leaf must cost for some tree through it to beat the incumbent is the same computation downwards.
If splits cost nothing every leaf may lie at the full depth; if they have a price, leaves higher up are solved
too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, permutations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Path = tuple[int, ...]


def n_sets(n_features: int, depth: int) -> int:
    """Return the number of leaf problems at this depth.

    >>> n_sets(4, 2)
    24
    """
    return comb(n_features, depth) << depth


@dataclass(frozen=True)
class Branch:
    """A split of a tree: a feature, and below it branches or leaves, given by the literals on their path."""

    feature: int
    if_false: Branch | Path
    if_true: Branch | Path


@dataclass(frozen=True)
class Layer:
    """The leaf sets of one size, literal codes ascending, and where their values stand."""

    sets: NDArray[np.int64]
    place: slice


class Levels:
    """The sets of path literals of trees of one depth, and bounds on the cost of each.

    Parameters
    ----------
    features : sequence of int
        The features that may stand at a split, at least `depth` of them.
    depth : int
        The depth of the trees.
    limit : float
        What no leaf can exceed.
    price : float
        What a split costs.

    Attributes
    ----------
    layers : list of Layer
        The sets that may be leaves: those of full depth, and the smaller ones where splits have a price.
    lower, upper : ndarray of shape (n_sets,)
        Bounds on the cost of each leaf, layer after layer.

    Examples
    --------
    >>> levels = Levels(range(2), 1, limit=9.0)
    >>> levels.upper[:] = [3, 4, 1, 2]
    >>> levels.best(), levels.best_tree()
    (3.0, Branch(feature=1, if_false=(3,), if_true=(2,)))
    """

    def __init__(self, features: Sequence[int], depth: int, *, limit: float, price: float = 0.0) -> None:
        self.features, self.depth, self.price = list(features), depth, price
        self.layers: list[Layer] = []
        n = 0
        for size in range(0 if price else depth, depth + 1):
            sets = _literal_sets(self.features, size)
            self.layers.append(Layer(sets, slice(n, n + len(sets))))
            n += len(sets)
        self.lower = np.zeros(n)
        self.upper = np.full(n, limit)

    def chosen(self, numbers: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the numbers in each layer with their sets."""
        for layer in self.layers:
            inside = numbers[(numbers >= layer.place.start) & (numbers < layer.place.stop)]
            if len(inside):
                yield inside, layer.sets[inside - layer.place.start]

    def bound(self) -> float:
        """Return the least cost any tree may have."""
        return float(self._upward(self.lower)[0])

    def best(self) -> float:
        """Return the least cost of the trees over the leaf functions known."""
        return float(self._upward(self.upper)[0])

    def thresholds(self, incumbent: float) -> Values:
        """Return for each leaf the cost it must stay under for a tree through it to beat the incumbent."""
        values = self._upward(self.lower)
        allowed, found = np.array(incumbent), np.empty(len(self.lower))
        for level in range(self.depth + 1):
            if level:
                opposite = _with_signs(values[level])[..., ::-1].reshape(values[level].shape)
                allowed = allowed[..., None] - opposite - self.price
                allowed = reduce(np.maximum, (np.moveaxis(allowed, -1, axis) for axis in range(level)))
            for layer in self._layers_of(level):
                found[layer.place] = allowed[tuple(self._places(layer).T)]
        return found

    def best_tree(self) -> Branch | Path:
        """Return the tree of least cost over the leaf functions known."""
        values = self._upward(self.upper)
        smaller = [layer for layer in self.layers if layer.sets.shape[1] < self.depth]
        known = {tuple(path): n for layer in smaller for path, n in zip(layer.sets.tolist(), _numbers(layer))}

        def grow(path: Path, place: Path) -> Branch | Path:
            leaf = tuple(sorted(path))
            if len(path) == self.depth:
                return leaf
            sums = _with_signs(values[len(path) + 1][place]).sum(axis=-1)
            at = int(np.argmin(sums))
            if leaf in known and self.upper[known[leaf]] <= sums[at] + self.price:
                return leaf
            feature = self.features[at]
            low, high = ((*path, 2 * feature + s) for s in (1, 0))
            return Branch(feature, grow(low, (*place, 2 * at + 1)), grow(high, (*place, 2 * at)))

        return grow((), ())

    def _upward(self, leaves: Values) -> list[Values]:
        """Return the value of every set of each size, given those of the leaves."""
        values: list[Values] = []
        for level in range(self.depth, -1, -1):
            here = np.full((2 * len(self.features),) * level, np.inf)
            for layer in self._layers_of(level):
                for order in permutations(self._places(layer).T):
                    here[tuple(order)] = leaves[layer.place] if level else leaves[layer.place][0]
            if values:
                here = np.minimum(here, _with_signs(values[-1]).sum(axis=-1).min(axis=-1) + self.price)
            values.append(here)
        return values[::-1]

    def _layers_of(self, level: int) -> list[Layer]:
        return [layer for layer in self.layers if layer.sets.shape[1] == level]

    def _places(self, layer: Layer) -> NDArray[np.int64]:
        """Return where sets stand in arrays over the literals of the features at splits."""
        place = np.zeros(2 * max(self.features, default=0) + 2, dtype=np.int64)
        for at, feature in enumerate(self.features):
            place[2 * feature], place[2 * feature + 1] = 2 * at, 2 * at + 1
        return place[layer.sets]


def _literal_sets(features: list[int], size: int) -> NDArray[np.int64]:
    chosen = list(combinations(features, size))
    signs = np.array(list(product((0, 1), repeat=size)), dtype=np.int64).reshape(1 << size, size)
    codes = 2 * np.array(chosen, dtype=np.int64).reshape(len(chosen), size)
    return (codes[:, None, :] + signs[None, :, :]).reshape(n_sets(len(features), size), size)


def _numbers(layer: Layer) -> range:
    return range(layer.place.start, layer.place.stop)


def _with_signs(values: Values) -> Values:
    """Split the last axis of literals into features and signs."""
    return values.reshape(*values.shape[:-1], -1, 2)
