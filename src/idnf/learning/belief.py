"""How far the label of each training example is believed.

Many small trees are grown, each on a random part of the distinct rows, and each votes on the rows it was not shown. An
example whose label most of these trees contradict is often mislabelled, or beyond what its features can tell; a model
bent to it errs elsewhere. The votes also say how noisy the data are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from idnf.counting.contract import DistinctRows, Weights

# The trees, and how many distinct rows one of them is shown at most.
_TREES = 40
_MOST_SHOWN = 5000


def left_out_votes(rows: DistinctRows, *, random_state: int = 0) -> Weights:
    """Return, for each distinct row, the share of the trees not shown it that vote for class 1; nan without a vote.

    >>> features = np.repeat(np.array([[0, 0], [1, 1]], dtype=bool), 20, axis=0)
    >>> rows = DistinctRows(features, features[:, 0] * 1.0, ~features[:, 0] * 1.0, True)
    >>> left_out_votes(rows)[[0, -1]].tolist()
    [0.0, 1.0]
    """
    ones, zeros = np.flatnonzero(rows.positive > 0), np.flatnonzero(rows.negative > 0)
    count = len(rows.features)
    if not len(ones) or not len(zeros):
        return np.full(count, float(len(ones) > 0))
    places = np.concatenate([ones, zeros])
    features, classes = rows.features[places], np.repeat([1, 0], [len(ones), len(zeros)])
    weights = np.concatenate([rows.positive[ones], rows.negative[zeros]])
    generator = np.random.default_rng(random_state)
    seen = np.unique(places)
    votes, voters = np.zeros(count), np.zeros(count)
    for _ in range(_TREES):
        drawn = generator.choice(seen, size=min(len(seen), _MOST_SHOWN))
        times = np.bincount(drawn, minlength=count)
        shown = times[places] > 0
        tree = DecisionTreeClassifier(max_features="sqrt", random_state=int(generator.integers(1 << 31)))
        tree.fit(features[shown], classes[shown], sample_weight=(weights * times[places])[shown])
        outside = times == 0
        if outside.any():
            votes[outside] += tree.predict(rows.features[outside])
            voters += outside
    shares: Weights = np.divide(votes, voters, out=np.full(count, np.nan), where=voters > 0)
    return shares


def left_out_errors(rows: DistinctRows, votes: Weights) -> float:
    """Return the weighted share of the examples that have votes and that most of them get wrong."""
    asked = ~np.isnan(votes)
    wrong = np.where(votes > 0.5, rows.negative, rows.positive)
    weight = float((rows.positive + rows.negative)[asked].sum())
    return float(wrong[asked].sum()) / weight if weight else 0.0


def believed(rows: DistinctRows, votes: Weights, part: float = 0.5) -> DistinctRows:
    """Return the rows with a part of their weight given to the classes that the trees vote for.

    Up to one half, a row whose examples agree keeps its class: it only weighs less the more trees are against it.

    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> believed(rows, np.array([0.2, np.nan])).positive.tolist()
    [0.6, 0.0]
    """
    weight = rows.positive + rows.negative
    own = np.divide(rows.positive, weight, out=np.zeros(len(weight)), where=weight > 0)
    positive = (1 - part) * rows.positive + part * weight * np.where(np.isnan(votes), own, votes)
    return DistinctRows(rows.features, positive, weight - positive, rows.complete)


def unseen_share(features: NDArray[np.bool_]) -> float:
    """Return the share of all points that are not among the distinct rows: where it is 0, nothing is left to guess.

    >>> unseen_share(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool))
    0.25
    """
    return 1.0 - len(features) / float(2 ** min(features.shape[1], 1000))
