"""How much of k to use for several classes, in which family, and at what price of a literal: by cross-validation.

For each depth up to k a look-ahead tree is grown on four fifths of the examples, pruned at each price and tried on the
rest; where the family is wider than trees, so is what a short search makes of the deepest tree. Of the choices that err
at most a fraction of a standard error more than the best one, the one with the fewest literals is taken: more room than
the data support makes models worse. The constants were chosen on data that were not judged on
(experiments/several_classes.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from idnf.counting.labelled_rows import LabelledRows
from idnf.learning.class_lookahead import class_lookahead_tree
from idnf.learning.class_objective import ClassModel, class_literals, given_classes
from idnf.learning.path import parts_held_out, smallest_of_the_best
from idnf.logic.class_trees import ClassLeaf, ClassNode, ClassTree
from idnf.logic.trees import Split, joined

PRICES = (0.05, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 16.0)
"""Prices of a literal that are tried for trees, in examples."""

WIDER_PRICES = (0.05, 3.0)
"""Those of them that are tried for wider families: more of them chose no better."""

LEAST_ROWS = 12
"""With fewer distinct rows there is nothing to be learned from leaving some out."""

# With fewer examples than this, folds are drawn twice.
_FEW, _REPEATS = 1000, 2
# Rows and features that the trials look at, at most.
_MOST_ROWS = 3000
_MOST_FEATURES = 24

Widened = Callable[[ClassTree, LabelledRows, float], ClassModel]
"""Makes of a tree a better model of a wider family, for some examples and a price."""


@dataclass(frozen=True)
class Choice:
    """How much of k to use, the price of a literal in units of weight, and whether trees are enough."""

    k: int
    price: float
    plain: bool = False


def chosen_setting(
    rows: LabelledRows,
    names: Sequence[str],
    k: int,
    *,
    widened: Widened | None = None,
    random_state: int = 0,
    deadline: float | None = None,
) -> Choice:
    """Return the setting under which models err least on examples they were not shown.

    Parameters
    ----------
    rows : LabelledRows
        The training examples.
    names : sequence of str
        The features.
    k : int
        The largest size of a reason.
    widened : callable, optional
        Where the family is wider than trees, what makes a model of it from a tree.
    random_state : int
        The seed of the folds.
    deadline : float, optional
        Once the monotonic clock is past it, the least price and all of k are taken.

    Examples
    --------
    >>> features = np.array([[p >> j & 1 for j in range(5)] for p in range(30)], dtype=bool)
    >>> rows = LabelledRows(features, np.eye(3)[features[:, :2].sum(axis=1)], True)
    >>> chosen_setting(rows, tuple("abcde"), 4)
    Choice(k=2, price=0.05, plain=True)
    """
    unsettled = Choice(k, PRICES[0] * rows.unit, plain=widened is None)
    if len(rows.features) < LEAST_ROWS or k < 1 or len(rows.features) == 1 << min(len(names), 60):
        return unsettled
    some = rows.sampled(_MOST_ROWS, random_state) if len(rows.features) > _MOST_ROWS else rows
    trials = _Trials(tuple(names), k, PRICES[0], rows.unit, widened, deadline)
    tried: list[list[ClassModel]] = []
    folds = list(_folds(some, np.random.default_rng([random_state, 1])))
    for shown, _ in folds:
        models = trials.models(shown)
        if len(models) < len(trials.settings):
            return unsettled
        tried.append(models)
    place = _chosen(tried, [held for _, held in folds], max(1.0, rows.total / min(1.0, rows.unit)))
    return trials.settings[place]


def _folds(rows: LabelledRows, generator: np.random.Generator) -> Iterator[tuple[LabelledRows, LabelledRows]]:
    """Yield examples to learn from and examples held out, class by class in equal parts."""
    for _ in range(_REPEATS if rows.total / min(1.0, rows.unit) < _FEW else 1):
        parts = np.stack([parts_held_out(weights, generator) for weights in rows.weights.T], axis=2)
        for held in parts:
            left = rows.weights - held
            shown, asked = left.any(axis=1), held.any(axis=1)
            yield (
                LabelledRows(rows.features[shown], left[shown], rows.complete),
                LabelledRows(rows.features[asked], held[asked], rows.complete),
            )


@dataclass(frozen=True)
class _Trials:
    """What is tried on every part of the examples."""

    names: tuple[str, ...]
    k: int
    least: float
    unit: float
    widened: Widened | None
    deadline: float | None

    @property
    def settings(self) -> list[Choice]:
        """All settings, in the order of their models."""
        found = []
        for depth in range(1, self.k + 1):
            for price in PRICES:
                found.append(Choice(depth, price * self.unit, plain=True))
                if self._is_widened(depth, price):
                    found.append(Choice(depth, price * self.unit))
        return found

    def models(self, rows: LabelledRows) -> list[ClassModel]:
        """Return the model of each setting on some examples; fewer when time runs out."""
        found: list[ClassModel] = []
        for depth in range(1, self.k + 1):
            tree = class_lookahead_tree(
                rows,
                self.names,
                depth,
                price=self.least * self.unit,
                most_features=_MOST_FEATURES,
                deadline=self.deadline,
            )
            for price in PRICES:
                if self.deadline is not None and monotonic() > self.deadline:
                    return found
                tree = pruned(tree, rows, price * self.unit)
                found.append(tree)
                if self.widened is not None and self._is_widened(depth, price):
                    found.append(self.widened(tree, rows, price * self.unit))
        return found

    def _is_widened(self, depth: int, price: float) -> bool:
        return self.widened is not None and 1 < depth == self.k and price in WIDER_PRICES


def _chosen(tried: list[list[ClassModel]], tests: list[LabelledRows], examples: float) -> int:
    """Return the place of the setting that the examples held out speak for."""
    weights = np.concatenate([test.weights for test in tests])
    given: NDArray[np.intp] = np.stack(
        [
            np.concatenate([given_classes(models[place], test.features) for models, test in zip(tried, tests)])
            for place in range(len(tried[0]))
        ]
    )
    total = weights.sum()
    right = weights[np.arange(len(weights)), given].sum(axis=1)
    errors = 1.0 - right / total
    differs = (given != given[int(errors.argmin())]) @ weights.sum(axis=1) / total
    conditions = np.array([[class_literals(model) for model in models] for models in tried]).mean(axis=0)
    return smallest_of_the_best(errors, differs, conditions, examples)


def pruned(tree: ClassTree, rows: LabelledRows, price: float) -> ClassTree:
    """Return a tree without the splits that do not earn their price on some examples.

    >>> rows = LabelledRows(np.array([[0], [1]], dtype=bool), np.array([[3.0, 0], [0, 1]]), True)
    >>> tree = class_lookahead_tree(rows, ("a",), 1)
    >>> pruned(tree, rows, 0.5).depth, pruned(tree, rows, 2.0).depth
    (1, 0)
    """

    def node(part: ClassNode, some: LabelledRows) -> tuple[ClassNode, float]:
        """Return what is left of a node, and what that gets right less its price."""
        totals = some.weights.sum(axis=0)
        label = int(totals.argmax())
        alone = ClassLeaf.constant(tree.names, label), float(totals[label])
        if not isinstance(part, Split):
            return alone
        right = some.features[:, part.feature]
        low, high = node(part.if_false, some.part(~right)), node(part.if_true, some.part(right))
        value = low[1] + high[1] - price
        return (joined(part.feature, low[0], high[0]), value) if value > alone[1] else alone

    return ClassTree(tree.names, node(tree.root, rows)[0], tree.k, tree.n_classes)
