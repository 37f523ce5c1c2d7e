"""What exact learning says is proved under monotone constraints holds for every monotone tree."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import few

from idnf import DNFClassifier

POINTS = np.array(list(product((0, 1), repeat=3)))


@cache
def tree_functions(depth):
    """The functions of all trees over three features of at most this depth, as truth values at the points."""
    found = {(False,) * 8, (True,) * 8}
    if depth:
        below = tree_functions(depth - 1)
        for column in POINTS.T:
            found |= {tuple(np.where(column, high, low).tolist()) for low in below for high in below}
    return frozenset(found)


def is_monotone(function, feature):
    """Whether a function never falls where a feature goes from 0 to 1."""
    values = dict(zip(map(tuple, POINTS.tolist()), function, strict=True))
    return all(values[p] <= values[p[:feature] + (1,) + p[feature + 1 :]] for p in values)


def least_error(labels, weights, depth, constrained):
    """The least weight that a tree of some depth, monotone in some features, gets wrong."""
    monotone = (f for f in tree_functions(depth) if all(is_monotone(f, feature) for feature in constrained))
    return min(float(weights[np.array(f) != labels].sum()) for f in monotone) / weights.sum()


@few(15)
@pytest.mark.parametrize("family", ["tree", "any"])
@given(
    st.lists(st.booleans(), min_size=8, max_size=8),
    st.lists(st.integers(1, 3), min_size=8, max_size=8),
    st.integers(1, 3),
    st.lists(st.sampled_from([0, 1]), min_size=3, max_size=3),
)
def test_no_monotone_tree_is_below_the_bound(family, labels, weights, k, constraints):
    labels, weights = np.array(labels), np.array(weights, dtype=float)
    if labels.all() or not labels.any():
        return
    clf = DNFClassifier(k, family=family, learner="exact", monotonic_cst=constraints, time_limit=20)
    clf.fit(POINTS, labels, sample_weight=weights)
    constrained = [feature for feature, sign in enumerate(constraints) if sign]
    assert all(is_monotone(tuple(clf.predict(POINTS).tolist()), feature) for feature in constrained)
    if clf.bound_ is not None:
        assert clf.bound_ <= least_error(labels, weights, k, constrained) + 1e-9
    if not constrained:
        assert clf.bound_ is not None
