"""The values above the leaves: every tree of one depth over bounded leaves, as a dynamic programme on arrays.

The value of a leaf depends only on the set of literals on its path, so a tree of depth d over n features has
C(n, d) 2^d leaf problems. An array for each level holds the value of every set once, at the set's number. The value
of a set one literal shorter is a sum over the two signs and a minimum over features; how little a leaf must cost for
some tree through it to beat the incumbent is the same computation downwards.
If splits cost nothing every leaf may lie at the full depth; if they have a price, leaves higher up are solved
too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
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
        return float(self._upward(self.lower)[0][0])

    def best(self) -> float:
        """Return the least cost of the trees over the leaf functions known."""
        return float(self._upward(self.upper)[0][0])

    def thresholds(self, incumbent: float) -> Values:
        """Return for each leaf the cost it must stay under for a tree through it to beat the incumbent."""
        values = self._upward(self.lower)
        allowed, found = np.array([incumbent]), np.empty(len(self.lower))
        for size in range(self.depth + 1):
            if size:
                allowed = self._downward(allowed, values[size], size)
            for layer in self._layers_of(size):
                found[layer.place] = allowed
        return found

    def best_tree(self) -> Branch | Path:
        """Return the tree of least cost over the leaf functions known."""
        values = self._upward(self.upper)
        places = range(len(self.features))

        def grow(path: Path) -> Branch | Path:
            leaf = tuple(sorted(path))
            size, taken = len(leaf), {place >> 1 for place in leaf}
            codes = tuple(2 * self.features[place >> 1] + (place & 1) for place in leaf)
            if size == self.depth:
                return codes
            below = [
                np.inf if at in taken else sum(values[size + 1][self._number((*path, 2 * at + s))] for s in (0, 1))
                for at in places
            ]
            at = int(np.argmin(below))
            for layer in self._layers_of(size):
                if self.upper[layer.place.start + self._number(leaf)] <= below[at] + self.price:
                    return codes
            return Branch(self.features[at], grow((*path, 2 * at + 1)), grow((*path, 2 * at)))

        return grow(())

    def _upward(self, leaves: Values) -> list[Values]:
        """Return the value of every set of each size, given those of the leaves."""
        values: list[Values] = []
        for size in range(self.depth, -1, -1):
            here = np.full(n_sets(len(self.features), size), np.inf)
            for layer in self._layers_of(size):
                here[:] = leaves[layer.place]
            for parents, signed in self._splits(values[-1], size + 1) if values else ():
                split = signed.sum(axis=2).reshape(-1, 1 << size) + self.price
                np.minimum.at(here.reshape(-1, 1 << size), parents, split)
            values.append(here)
        return values[::-1]

    def _downward(self, allowed: Values, values: Values, size: int) -> Values:
        """Return what every set of a size may cost, given that of those with one literal less."""
        found = np.full(len(values), -np.inf)
        for parents, signed in self._splits(values, size):
            above = allowed.reshape(-1, 1 << size - 1)[parents].reshape(len(parents), signed.shape[1], 1, -1)
            np.maximum(found, (above - signed[:, :, ::-1] - self.price).ravel(), out=found)
        return found

    def _splits(self, values: Values, size: int) -> Iterator[tuple[NDArray[np.int64], Values]]:
        """Yield for each place in the sets of a size the features left without it, and the values by its sign.

        The features are numbers of sets of one less; the values have an axis for the features of a set, one for the
        signs before the place, one for its own and one for those after it.
        """
        chosen = _chosen_features(len(self.features), size)
        for place in range(size):
            parents = _numbers(np.delete(chosen, place, axis=1), len(self.features))
            yield parents, values.reshape(len(chosen), 1 << place, 2, -1)

    def _number(self, literals: Path) -> int:
        """Return where a set stands among those of its size; literals by the place of their feature."""
        ordered = np.array(sorted(literals), dtype=np.int64).reshape(1, -1)
        signs = int("".join(str(place & 1) for place in ordered[0].tolist()) or "0", 2)
        return (int(_numbers(ordered >> 1, len(self.features))[0]) << len(literals)) + signs

    def _layers_of(self, size: int) -> list[Layer]:
        return [layer for layer in self.layers if layer.sets.shape[1] == size]


def _literal_sets(features: list[int], size: int) -> NDArray[np.int64]:
    chosen = np.array(features, dtype=np.int64)[_chosen_features(len(features), size)]
    signs = np.array(list(product((0, 1), repeat=size)), dtype=np.int64).reshape(1 << size, size)
    return (2 * chosen[:, None, :] + signs[None, :, :]).reshape(n_sets(len(features), size), size)


def _chosen_features(n_features: int, size: int) -> NDArray[np.int64]:
    """Return all sets of features of a size, in the order of their numbers."""
    shape = comb(n_features, size), size
    chosen = chain.from_iterable(combinations(range(n_features), size))
    return np.fromiter(chosen, dtype=np.int64, count=shape[0] * size).reshape(shape)


def _numbers(chosen: NDArray[np.int64], n_features: int) -> NDArray[np.int64]:
    """Return the number of each set of features, ascending, among those of its size.

    >>> _numbers(np.array([[0, 1], [0, 2], [1, 2]]), 3).tolist()
    [0, 1, 2]
    """
    size = chosen.shape[1]
    numbers = np.full(len(chosen), comb(n_features, size) - 1, dtype=np.int64)
    for place in range(size):
        after = np.array(
            [comb(n_features - 1 - feature, size - place) for feature in range(n_features)], dtype=np.int64
        )
        numbers -= after[chosen[:, place]]
    return numbers
