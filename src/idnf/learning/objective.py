"""The training objective: weighted share of errors plus a price for every literal written in the model.

The default price is what a literal must earn to be more than luck. Where a model of this size can tell the classes
apart, a literal that wins a single example is worth keeping. Where a share e of errors remains, the best of many
literals gains examples by luck, the more so the closer e is to one half. Hence a price of a small part of one example
plus a multiple of e(1 - e) / (1 - 2e) examples, with e the training error of the best model found at the least price.
Both constants were chosen on scikit-learn's and generated data (experiments/price.py).
"""

from __future__ import annotations

from idnf.counting.contract import DistinctRows
from idnf.learning.evaluation import Model, holds
from idnf.learning.masks import weight_unit
from idnf.logic.double import DoubleDNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, Node

# Parts of one example's weight.
_LEAST_PRICE = 0.05
_NOISE_PRICE = 3.0
# A larger share of errors counts as this one; at one half the price would be infinite.
_MOST_NOISE = 0.45


def literal_count(model: Model) -> int:
    """Return the number of literals written in a model.

    The terms of a nested DNF, the splits and the leaves of a tree, the shorter side of a double DNF.

    >>> literal_count(NestedDNF(("a", "b"), ((0, 2),), ((2,),), 2))
    2
    """
    if isinstance(model, NestedDNF):
        return sum(map(sum, model.prefixes))
    if isinstance(model, DoubleDNF):
        return min(model.positive.length, model.negative.length)
    return _node_count(model.root)


def _node_count(node: Node) -> int:
    if isinstance(node, Leaf):
        return literal_count(node.nested)
    return 1 + _node_count(node.if_false) + _node_count(node.if_true)


def error_share(rows: DistinctRows, model: Model) -> float:
    """Return the weighted share of training errors of a model of class 1."""
    predicted = holds(model, rows.features)
    wrong = float(rows.negative[predicted].sum() + rows.positive[~predicted].sum())
    return wrong / _total(rows)


def least_price(rows: DistinctRows) -> float:
    """Return the price of a literal, as a share of all weight, where no error remains."""
    return noise_price(rows, 0.0)


def noise_price(rows: DistinctRows, errors: float) -> float:
    """Return the price of a literal, as a share of all weight, where this share of errors remains.

    >>> import numpy as np
    >>> rows = DistinctRows(np.eye(4, dtype=bool), np.ones(4), np.zeros(4), True)
    >>> noise_price(rows, 0.0), round(noise_price(rows, 0.2), 3)
    (0.0125, 0.213)
    """
    noise = min(errors, _MOST_NOISE)
    examples = _LEAST_PRICE + _NOISE_PRICE * noise * (1 - noise) / (1 - 2 * noise)
    return examples * weight_unit(rows) / _total(rows)


def _total(rows: DistinctRows) -> float:
    return float(rows.positive.sum() + rows.negative.sum())
