"""The training objective: weighted share of errors plus a price for every literal written in the model.

A literal must earn more than luck would give it. Where the classes can be told apart, a literal that
wins a single example is worth keeping. Where a share e of errors is unavoidable, the best of many literals gains
examples by luck, the more so the closer e is to one half. Hence a price of a small part of one example plus a multiple
of e(1 - e) / (1 - 2e) examples. The share e is that of the examples a small random forest gets wrong when they are left
out of its training, times the share of points never seen: on a whole truth table there is nothing to generalise to.
Whether that estimate or no noise at all suits the data better is decided by cross-validation
(:mod:`idnf.learning.pricing`). The constants were chosen on generated data; experiments/price.py shows what they do.
"""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from idnf.counting.contract import DistinctRows
from idnf.learning.evaluation import Model, holds
from idnf.learning.masks import weight_unit
from idnf.logic.double import DoubleDNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, Node

# Parts of one example's weight.
_LEAST_PRICE = 0.05
_NOISE_PRICE = 4.0
# The forest: trees, and how many distinct rows a tree is shown at most.
_TREES = 60
_MOST_SHOWN = 5000
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
    """Return the price of a literal, as a share of all weight, where no error is unavoidable."""
    return noise_price(rows, 0.0)


def noisy_price(rows: DistinctRows, *, random_state: int = 0) -> float:
    """Return the price of a literal, as a share of all weight, for data as noisy as these."""
    unseen = 1.0 - len(rows.features) / 2.0 ** min(rows.features.shape[1], 1000)
    return noise_price(rows, unseen * left_out_errors(rows, random_state=random_state))


def noise_price(rows: DistinctRows, errors: float) -> float:
    """Return the price of a literal, as a share of all weight, where this share of errors is unavoidable.

    >>> rows = DistinctRows(np.eye(4, dtype=bool), np.ones(4), np.zeros(4), True)
    >>> noise_price(rows, 0.0), round(noise_price(rows, 0.2), 3)
    (0.0125, 0.279)
    """
    noise = min(errors, _MOST_NOISE)
    examples = _LEAST_PRICE + _NOISE_PRICE * noise * (1 - noise) / (1 - 2 * noise)
    # Weights count examples, however often these are repeated, unless all of them are small.
    return examples * min(1.0, weight_unit(rows)) / _total(rows)


def left_out_errors(rows: DistinctRows, *, random_state: int = 0) -> float:
    """Return the weighted share of examples that the trees of a forest get wrong which were not shown them."""
    ones, zeros = np.flatnonzero(rows.positive > 0), np.flatnonzero(rows.negative > 0)
    if not len(ones) or not len(zeros):
        return 0.0
    places = np.concatenate([ones, zeros])
    features, classes = rows.features[places], np.repeat([1, 0], [len(ones), len(zeros)])
    weights = np.concatenate([rows.positive[ones], rows.negative[zeros]])
    generator = np.random.default_rng(random_state)
    votes, voters = np.zeros(len(places)), np.zeros(len(places))
    for _ in range(_TREES):
        drawn = generator.integers(len(places), size=min(len(places), _MOST_SHOWN))
        times = np.bincount(drawn, minlength=len(places))
        tree = DecisionTreeClassifier(max_features="sqrt", random_state=int(generator.integers(1 << 31)))
        tree.fit(features[times > 0], classes[times > 0], sample_weight=(weights * times)[times > 0])
        outside = times == 0
        if outside.any():
            votes[outside] += tree.predict(features[outside])
            voters += outside
    asked = voters > 0
    wrong = asked & ((2 * votes > voters) != (classes == 1))
    return float(weights[wrong].sum() / weights[asked].sum()) if asked.any() else 0.0


def _total(rows: DistinctRows) -> float:
    return float(rows.positive.sum() + rows.negative.sum())
