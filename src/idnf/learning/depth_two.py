"""The best decision tree of depth two for several classes, from counts of pairs of features.

All trees of depth two over n features are valued at once: for each class one product of the feature matrix with itself
gives the weight where two features hold together, and the weights of the other three cases follow by subtraction (the
idea of MurTree; Demirovic and others, *MurTree: optimal decision trees via dynamic programming and search*, 2022).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.logic.model import Model

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """Two classes."""

    label: int
    otherwise: int


@dataclass(frozen=True)
class PairLeaf:
    """A leaf that tells two classes apart by a function of order two: class 1 of the model is the first of them."""

    pair: Pair
    model: Model


# A tree: a class, two classes told apart, or a feature with the trees where it fails and where it holds.
Tree = int | PairLeaf | tuple[int, "Tree", "Tree"]


@dataclass(frozen=True)
class Best:
    """A tree and its value: the weight it gets right, less the price of its splits."""

    value: float
    tree: Tree


@dataclass(frozen=True)
class ExampleSet:
    """Some examples: features as numbers, one line an example, and the weight of each class.

    Examples
    --------
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    >>> xor = ExampleSet(features, np.array([[1.0, 0], [0, 1], [0, 1], [1, 0]]))
    >>> best_of_depth_two(xor, 0.0)
    Best(value=4.0, tree=(0, (1, 0, 1), (1, 1, 0)))
    """

    features: Weights
    weights: Weights

    def split(self, feature: int) -> tuple[ExampleSet, ExampleSet]:
        """Return the examples where a feature fails, and those where it holds."""
        right = self.features[:, feature] > 0
        return ExampleSet(self.features[~right], self.weights[~right]), ExampleSet(
            self.features[right], self.weights[right]
        )

    @property
    def totals(self) -> Weights:
        """The weight of each class."""
        sums: Weights = self.weights.sum(axis=0)
        return sums

    def at_most(self) -> float:
        """Return the weight that any function of the features could get right at most, rows being distinct."""
        return float(self.weights.max(axis=1).sum()) if len(self.weights) else 0.0


def constant(examples: ExampleSet) -> Best:
    """Return the class of most weight, the first of equals."""
    totals = examples.totals
    label = int(totals.argmax())
    return Best(float(totals[label]), label)


def best_of_depth_one(examples: ExampleSet, price: float) -> Best:
    """Return the best tree of at most one split."""
    found = constant(examples)
    if not examples.features.shape[1]:
        return found
    held = examples.features.T @ examples.weights
    failed = examples.totals - held
    values = held.max(axis=1) + failed.max(axis=1) - price
    feature = int(values.argmax())
    if values[feature] <= found.value + _rounding(examples):
        return found
    return Best(float(values[feature]), (feature, int(failed[feature].argmax()), int(held[feature].argmax())))


def best_of_depth_two(examples: ExampleSet, price: float) -> Best:
    """Return the best tree of depth at most two; a split must gain more than its price."""
    found = best_of_depth_one(examples, price)
    if not examples.features.shape[1] or found.value >= examples.at_most():
        return found
    values = _branch_values(examples, price)
    feature = int((values[0] + values[1]).argmax())
    value = float(values[0][feature] + values[1][feature]) - price
    if value <= found.value + _rounding(examples):
        return found
    low, high = (best_of_depth_one(part, price) for part in examples.split(feature))
    return Best(low.value + high.value - price, (feature, low.tree, high.tree))


def _branch_values(examples: ExampleSet, price: float) -> tuple[Weights, Weights]:
    """Return, for each feature, what a tree of depth one gets right where it fails and where it holds."""
    features = examples.features
    n = features.shape[1]
    both, first, neither = (np.full((n, n), -np.inf) for _ in range(3))
    low_alone, high_alone = np.full(n, -np.inf), np.full(n, -np.inf)
    for label in range(examples.weights.shape[1]):
        weight = examples.weights[:, label]
        members = np.flatnonzero(weight)
        if not len(members):
            continue
        mine, weight = features[members], weight[members]
        together = (mine * weight[:, np.newaxis]).T @ mine
        held = np.diagonal(together)
        total = weight.sum()
        # Where the class is absent nothing is counted, and a leaf is never worth less than nothing.
        np.maximum(both, together, out=both)
        np.maximum(first, held[:, np.newaxis] - together, out=first)
        np.maximum(neither, total - held[:, np.newaxis] - held + together, out=neither)
        np.maximum(high_alone, held, out=high_alone)
        np.maximum(low_alone, total - held, out=low_alone)
    high = np.maximum((both + first).max(axis=1) - price, high_alone)
    low = np.maximum((first.T + neither).max(axis=1) - price, low_alone)
    return low, high


def _rounding(examples: ExampleSet) -> float:
    return 1e-9 * float(examples.weights.sum())
