"""The optimal tree of depth k or pair tree of order k for several classes, with a proof or a bound.

A pair tree is a tree of depth k - 2 whose leaves are trees of depth two, or functions of order two that tell two
classes apart and give no other (:mod:`idnf.learning.exact.pair_leaves`).

Branch and bound over the sets of literals on a path: a part of the examples is the same whatever the order of its
literals, so each is solved once. With two levels left one product of matrices for each class settles it. What a part
can get right is bounded by the class of most weight in each distinct row, and by what was proved of it before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, UniqueLines
from idnf.learning.exact.pair_leaves import (
    Best,
    ExampleSet,
    best_of_depth_one,
    best_of_depth_two,
    best_of_pair,
    built,
    constant,
    promising_pairs,
    renamed,
    telling_features,
)
from idnf.learning.objective import Objective
from idnf.learning.result import Learned
from idnf.logic.deadlines import Deadline
from idnf.logic.literals import literal
from idnf.logic.trees import NestedTree

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
        Whether leaves may tell two classes apart by a function of order two.
    """

    start: NestedTree | None = None
    deadline: Deadline = field(default_factory=Deadline)
    progress: Callable[[float], None] | None = None
    pairs: bool = False


def proof_has_time(rows: DistinctRows, deadline: Deadline) -> bool:
    """Tell whether the pairs of features of all examples can be counted a few times before a deadline."""
    n_examples, n_features = rows.features.shape
    return bool(n_examples * n_features**2 * rows.n_classes < _SPEED * deadline.left)


def optimal_class_tree(
    rows: DistinctRows, names: Sequence[str], k: int, *, options: ClassTreeOptions | None = None
) -> Learned:
    """Return the tree or pair tree of order k with the fewest training errors, or the best found with a bound.

    Parameters
    ----------
    rows : DistinctRows
        The training examples; nothing is proved where they are a sample.
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
            found = self._joined(part, key, feature, floor)
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
        """Return the best tree of depth two of a part, or the best function of two classes where that is asked for."""
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

    def _joined(self, part: ExampleSet, key: tuple[int, int], feature: int, beaten: float) -> Best | None:
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
