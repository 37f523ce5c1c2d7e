"""The optimal tree of depth k or pair tree of order k for several classes, with a proof or a bound.

A pair tree is a tree of depth k - 2 whose leaves are trees of depth two, or functions of order two that tell two
classes apart and give no other. The best tree of depth two follows from what each class weighs on every pair of
features (:mod:`idnf.learning.local.specification.split_worths`); a leaf is, for each pair of classes, the optimum over
all 2-AXp-interpretable functions of two classes (:mod:`idnf.learning.exact.optimum`), examples of other classes being
errors whatever it says.

Branch and bound over the sets of literals on a path: a part of the examples is the same whatever the order of its
literals, so each is solved once. With two levels left one product of matrices for each class settles it. What a part
can get right is bounded by the class of most weight in each distinct row, and by what was proved of it before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, UniqueLines, Weights
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.local.specification.split_worths import split_values
from idnf.learning.objective import Learned, Objective
from idnf.logic.deadlines import Deadline
from idnf.logic.literals import literal
from idnf.logic.model import Model
from idnf.logic.trees import Leaf, NestedTree, Node, join_nodes


@dataclass(frozen=True)
class Pair:
    """Two classes."""

    label: int
    otherwise: int


@dataclass(frozen=True)
class PairLeaf:
    """A leaf that separates two classes by a function of order two: class 1 of the model is the first of them."""

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

    A proof ends early when the deadline comes or the user interrupts; what was found until then is not an optimum.

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
        return join_nodes(tree[0], *(built(child, names, columns, n_classes) for child in tree[1:]))
    if isinstance(tree, PairLeaf):
        model = tree.model.renumber(tuple(names), dict(enumerate(columns.tolist())))
        return model.node().relabel((tree.pair.otherwise, tree.pair.label), n_classes)
    return Leaf.constant(names, tree)


# Examples times pairs of features times classes that a second is enough for, even on a busy machine.
_SPEED = 2e8


@dataclass(frozen=True)
class ClassTreeOptions:
    """How the optimal tree is looked for.

    Parameters
    ----------
    start : NestedTree, optional
        A tree to begin with; it is returned unless another is better.
    deadline : Deadline
        When the best tree so far is to be returned, with a bound.
    progress : callable, optional
        Called with the share of the roots that are settled.
    pairs : bool
        Whether leaves may separate two classes by a function of order two.
    """

    start: NestedTree | None = None
    deadline: Deadline = field(default_factory=Deadline)
    progress: Callable[[float], None] | None = None
    pairs: bool = False


def proof_has_time(rows: DistinctRows, deadline: Deadline) -> bool:
    """Return whether the pairs of features of all examples can be counted a few times before a deadline."""
    n_examples, n_features = rows.features.shape
    return bool(n_examples * n_features**2 * rows.n_classes < _SPEED * deadline.left)


def optimal_class_tree(
    rows: DistinctRows, names: Sequence[str], k: int, *, options: ClassTreeOptions | None = None
) -> Learned:
    """Return the tree or pair tree of order k with the fewest training errors, or the best found with a bound.

    Parameters
    ----------
    rows : DistinctRows
        The training examples; nothing is proved if they are a sample.
    names : sequence of str
        The features.
    k : int
        The largest depth, or order of pair trees.
    options : ClassTreeOptions, optional
        A start must be of the family that is asked for.

    Examples
    --------
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]), True)
    >>> found = optimal_class_tree(rows, ("a", "b"), 2)
    >>> found.objective, found.optimal, found.bound
    (0.0, 'tree', 0.0)
    """
    options = options or ClassTreeOptions()
    search = _Branching(rows, options)
    best, most = search.run(k)
    tree = NestedTree(tuple(names), built(best.tree, names, search.columns, rows.n_classes), k, rows.n_classes)
    family = "pair-tree" if options.pairs else "tree"
    if options.start is not None and Objective(rows, 0.0).errors(options.start) <= Objective(rows, 0.0).errors(tree):
        tree = options.start
    objective = Objective(rows, 0.0).errors(tree) / rows.total
    if not rows.complete:
        return Learned(tree, objective)
    bound = min(objective, max(0.0, 1.0 - most / rows.total))
    proved = bound > objective - 1e-9
    return Learned(
        tree,
        objective,
        optimal=family if proved else None,
        bound=objective if proved else bound,
        bound_family=family,
    )


class _TimeIsUp(Exception):
    """No further part is looked at."""


class _Branching:
    """What is known of the parts: the best tree of each, or the most any tree can get right there."""

    def __init__(self, rows: DistinctRows, options: ClassTreeOptions) -> None:
        # Rows of one class whose features are those of others count together already; features that say the same, once.
        kept = _distinct_columns(rows.features)
        self.columns = kept
        self.whole = ExampleSet(rows.features[:, kept].astype(np.float64), rows.weights)
        self.solved: dict[tuple[int, int], Best] = {}
        self.bounds: dict[tuple[int, int], float] = {}
        self.rounding = 1e-9 * rows.total
        self.progress, self.pairs = options.progress, options.pairs
        self.deadline = options.deadline
        start = options.start
        self.given = -np.inf if start is None else rows.total - Objective(rows, 0.0).errors(start)

    def run(self, depth: int) -> tuple[Best, float]:
        """Return the best tree found, and the most that any tree of this depth can get right."""
        best, most = constant(self.whole), self.whole.at_most()
        try:
            found = self._best(self.whole, 0, depth, max(self.given - 2 * self.rounding, -np.inf), at_root=True)
        except (KeyboardInterrupt, _TimeIsUp) as cut:
            if isinstance(cut, KeyboardInterrupt):
                self.deadline.stop()
            return self._as_given(self.solved.get((0, depth), best)), min(most, self.bounds.get((0, depth), most))
        if found is None:
            return self._as_given(best), max(self.given, best.value)
        return self._as_given(found), found.value

    def _as_given(self, best: Best) -> Best:
        return Best(best.value, renamed(best.tree, self.columns))

    def _best(self, part: ExampleSet, path: int, depth: int, beaten: float, *, at_root: bool = False) -> Best | None:
        """Return the best tree of a part if it gets more right than `beaten`, else None."""
        key = (path, depth)
        if key in self.solved and not at_root:
            found = self.solved[key]
            return found if found.value > beaten else None
        most = min(part.at_most(), self.bounds.get(key, np.inf))
        if most <= beaten + self.rounding:
            return None
        if depth <= 2:
            found = (constant, best_of_depth_one, self._two)[depth](part)
            self.solved[key] = found
            return found if found.value > beaten else None
        return self._split(part, key, beaten, at_root=at_root)

    def _split(self, part: ExampleSet, key: tuple[int, int], beaten: float, *, at_root: bool) -> Best | None:
        path, depth = key
        known = self.solved.get((path, depth - 1)) or self._two(part)
        best, floor = known, max(beaten, known.value)
        if at_root:
            self.solved[key] = best
        order = telling_features(part).tolist()
        for done, feature in enumerate(order):
            if self.deadline.is_over():
                raise _TimeIsUp
            found = self._join(part, key, feature, floor)
            if found is not None:
                best, floor = found, found.value
                if at_root:
                    self.solved[key] = best
            if at_root and self.progress is not None:
                self.progress((done + 1) / len(order))
        if best.value > beaten:
            self.solved[key] = best
            return best
        self.bounds[key] = min(self.bounds.get(key, np.inf), max(beaten, best.value))
        return None

    def _two(self, part: ExampleSet) -> Best:
        """Return the best tree of depth two of a part, or the best function of two classes if that is asked for."""
        found = best_of_depth_two(part)
        if not self.pairs:
            return found
        for most, pair in promising_pairs(part):
            if most <= found.value + self.rounding:
                break
            learned = best_of_pair(part, pair, self.deadline)
            if learned is None:
                raise _TimeIsUp
            value, leaf = learned
            if value > found.value + self.rounding:
                found = Best(value, leaf)
        return found

    def _join(self, part: ExampleSet, key: tuple[int, int], feature: int, beaten: float) -> Best | None:
        """Return the best tree with this split if it gets more right than `beaten`, else None."""
        path, depth = key
        low, high = part.split(feature)
        if not len(low.weights) or not len(high.weights):
            return None
        low_path = path | 1 << literal(feature, negated=True)
        high_path = path | 1 << literal(feature)
        high_most = min(high.at_most(), self.bounds.get((high_path, depth - 1), np.inf))
        left = self._best(low, low_path, depth - 1, beaten - high_most)
        if left is None:
            return None
        right = self._best(high, high_path, depth - 1, beaten - left.value)
        if right is None or left.value + right.value <= beaten + self.rounding:
            return None
        return Best(left.value + right.value, (feature, left.tree, right.tree))


def _distinct_columns(features: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the places of features that differ from each other, from each other's negation and from constants."""
    signed = np.where(features[:1], ~features, features)
    places = UniqueLines.of(signed.T).first
    constant_ones = np.flatnonzero(features.any(axis=0) == features.all(axis=0))
    return np.setdiff1d(places, constant_ones).astype(np.intp)
