"""How much of k to use for several classes, and at what price of a literal: chosen by cross-validation.

For each depth up to k a look-ahead tree is grown on four fifths of the distinct rows, pruned at each price and tried on
the rest. Of the choices whose error is within half a standard error of the least, the one with the fewest literals is
taken: more room than the data support makes models worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from idnf.counting.labelled_rows import LabelledRows
from idnf.learning.class_lookahead import class_lookahead_tree
from idnf.learning.class_objective import class_errors, class_literals
from idnf.logic.class_trees import ClassLeaf, ClassNode, ClassTree
from idnf.logic.trees import Split, joined

PRICES = (0.05, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0)
"""Prices of a literal that are tried, in examples."""

LEAST_ROWS = 12
"""With fewer distinct rows there is nothing to be learned from leaving some out."""

_FOLDS = 5
# Rows and features that the trials look at, at most.
_MOST_ROWS = 3000
_MOST_FEATURES = 24


@dataclass(frozen=True)
class Choice:
    """How much of k to use, and the price of a literal in units of weight."""

    k: int
    price: float


def chosen_price(
    rows: LabelledRows, names: Sequence[str], k: int, *, random_state: int = 0, deadline: float | None = None
) -> Choice:
    """Return the depth and the price under which trees err least on rows they were not shown.

    >>> features = np.array([[p >> j & 1 for j in range(4)] for p in range(16)], dtype=bool)
    >>> rows = LabelledRows(features, np.eye(3)[features[:, :2].sum(axis=1)], True)
    >>> chosen_price(rows, tuple("abcd"), 3)
    Choice(k=3, price=0.05)
    """
    least = PRICES[0] * rows.unit
    if len(rows.features) < LEAST_ROWS or k < 1:
        return Choice(k, least)
    some = rows.sampled(_MOST_ROWS, random_state) if len(rows.features) > _MOST_ROWS else rows
    folds = np.random.default_rng([random_state, 1]).permutation(len(some.features)) % _FOLDS
    errors, sizes = np.zeros((2, k, len(PRICES)))
    for fold in range(_FOLDS):
        shown, left_out = some.part(folds != fold), some.part(folds == fold)
        for depth in range(1, k + 1):
            if deadline is not None and monotonic() > deadline:
                return Choice(k, least)
            tree = class_lookahead_tree(
                shown, names, depth, price=least, most_features=_MOST_FEATURES, deadline=deadline
            )
            for place, price in enumerate(PRICES):
                tree = pruned(tree, shown, price * rows.unit)
                errors[depth - 1, place] += class_errors(left_out, tree)
                sizes[depth - 1, place] += class_literals(tree)
    shares = errors / some.total
    best = shares.min()
    spread = 0.5 * np.sqrt(best * (1 - best) * rows.unit / some.total)
    near = np.where(shares <= best + spread, sizes, np.inf)
    # Of equal sizes the lowest price and then the greatest depth: the bound is the user's, the size is what counts.
    depth, place = min(np.argwhere(near <= near.min()).tolist(), key=lambda at: (at[1], -at[0]))
    return Choice(depth + 1, PRICES[place] * rows.unit)


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
