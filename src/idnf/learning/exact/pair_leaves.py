"""Trees of depth at most two for several classes, and leaves that tell two of them apart by a function of order two.

The best tree of depth two follows from what each class weighs on every pair of features
(:mod:`idnf.learning.local.split_worths`). A leaf of a pair tree is, for each pair of classes, the optimum over all
2-AXp-interpretable functions of two classes (:mod:`idnf.learning.exact.optimum`); examples of other classes are errors
whatever it says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.local.split_worths import split_values
from idnf.logic.deadlines import Deadline
from idnf.logic.model import Model
from idnf.logic.trees import Leaf, Node, joined


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
    """A tree and its value: the weight it gets right."""

    value: float
    tree: Tree


@dataclass(frozen=True)
class ExampleSet:
    """Some examples: features as numbers, one line an example, and the weight of each class.

    Examples
    --------
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    >>> xor = ExampleSet(features, np.array([[1.0, 0], [0, 1], [0, 1], [1, 0]]))
    >>> best_of_depth_two(xor)
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


def best_of_depth_one(examples: ExampleSet) -> Best:
    """Return the best tree of at most one split."""
    return _best_split(examples, 1, constant)


def best_of_depth_two(examples: ExampleSet) -> Best:
    """Return the best tree of depth at most two."""
    return _best_split(examples, 2, best_of_depth_one)


def _best_split(examples: ExampleSet, depth: int, below: Callable[[ExampleSet], Best]) -> Best:
    """Return the best tree of some depth, given how branches are solved; a split must gain something."""
    found = below(examples)
    if not examples.features.shape[1] or found.value >= examples.at_most():
        return found
    values = split_values(examples.features, examples.weights.T, 0.0, depth)
    feature = int(values.argmax())
    if values[feature] <= found.value + 1e-9 * float(examples.weights.sum()):
        return found
    low, high = map(below, examples.split(feature))
    return Best(low.value + high.value, (feature, low.tree, high.tree))


def telling_features(examples: ExampleSet) -> NDArray[np.intp]:
    """Return the features that tell most about the class, by the fall of the Gini index, most telling first."""
    held = examples.features.T @ examples.weights
    failed = examples.totals - held
    with np.errstate(divide="ignore", invalid="ignore"):
        purity = sum(np.nan_to_num((part**2).sum(axis=1) / part.sum(axis=1)) for part in (held, failed))
    order: NDArray[np.intp] = np.argsort(-np.asarray(purity), kind="stable")
    return order


def renamed(tree: Tree, features: NDArray[np.intp]) -> Tree:
    """Return a tree over some features as one over all of them.

    >>> renamed((1, 0, 2), np.array([5, 7]))
    (7, 0, 2)
    """
    if isinstance(tree, tuple):
        return int(features[tree[0]]), renamed(tree[1], features), renamed(tree[2], features)
    return tree


def promising_pairs(examples: ExampleSet) -> list[tuple[float, Pair]]:
    """Return pairs of classes with the most weight that any function giving these two could get right, most first.

    >>> promising_pairs(ExampleSet(np.eye(2), np.array([[3.0, 0, 1], [1.0, 2, 0]])))
    [(5.0, Pair(label=0, otherwise=1)), (4.0, Pair(label=0, otherwise=2)), (3.0, Pair(label=1, otherwise=2))]
    """
    present = np.flatnonzero(examples.totals > 0).tolist()
    bounds = [
        (float(examples.weights[:, list(pair)].max(axis=1).sum()), Pair(*pair)) for pair in combinations(present, 2)
    ]
    return sorted(bounds, key=lambda one: -one[0])


def best_of_pair(examples: ExampleSet, pair: Pair, deadline: Deadline) -> tuple[float, PairLeaf] | None:
    """Return the best function of order two of a pair and the weight it gets right; None if it was not proved.

    A proof ends early when the deadline comes or the user interrupts; what was found until then is no optimum.

    >>> points = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    >>> examples = ExampleSet(points, np.array([[1.0, 0, 0], [0, 2, 0], [0, 2, 0], [1, 0, 9]]))
    >>> best_of_pair(examples, Pair(0, 1), Deadline())[0]
    6.0
    """
    if deadline.is_over():
        return None
    rows = DistinctRows(examples.features > 0, examples.weights, True).of_pair(pair.label, pair.otherwise)
    names = tuple(f"x{j}" for j in range(rows.features.shape[1]))
    learned = exact(rows, names, 2, options=ExactOptions(deadline=deadline))
    if learned.optimal is None:
        return None
    right = float(examples.totals[[pair.label, pair.otherwise]].sum()) * (1.0 - learned.objective)
    return right, PairLeaf(pair, learned.model)


def built(tree: Tree, names: Sequence[str], columns: NDArray[np.intp], n_classes: int) -> Node:
    """Return a tree as nodes; the functions at its leaves are written over some columns of the table."""
    if isinstance(tree, tuple):
        return joined(tree[0], *(built(child, names, columns, n_classes) for child in tree[1:]))
    if isinstance(tree, PairLeaf):
        model = tree.model.renumbered(tuple(names), dict(enumerate(columns.tolist())))
        return model.node().relabelled((tree.pair.otherwise, tree.pair.label), n_classes)
    return Leaf.constant(names, tree)
