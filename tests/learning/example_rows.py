"""Distinct rows for tests: drawn at random, or the whole truth table of a function."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st

from idnf.counting.contract import DistinctRows


def truth_table(function, n):
    """Every point over n features with weight 1; `function` takes a point as a tuple of 0 and 1."""
    points = list(product((0, 1), repeat=n))
    positive = np.array([float(bool(function(point))) for point in points])
    return DistinctRows.of_two(np.array(points, dtype=bool), positive, 1 - positive, True)


def majority(point):
    return 2 * sum(point) > len(point)


@st.composite
def distinct_rows(draw, *, max_features=4):
    """Some points over a few features, weighted at random in both classes."""
    n = draw(st.integers(1, max_features))
    points = draw(st.lists(st.integers(0, 2**n - 1), min_size=2, unique=True))
    features = np.array([[p >> j & 1 for j in range(n)] for p in points], dtype=bool)
    weights = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.25]), min_size=len(points), max_size=len(points))
    positive, negative = np.array(draw(weights)), np.array(draw(weights))
    negative[0] += 1.0
    return DistinctRows.of_two(features, positive, negative, True)


def names(rows):
    return tuple(f"x{j}" for j in range(rows.features.shape[1]))


@st.composite
def labelled_rows(draw, *, max_features=4, max_classes=4):
    """Some points over a few features, weighted at random in every class."""
    n, classes = draw(st.integers(1, max_features)), draw(st.integers(2, max_classes))
    points = draw(st.lists(st.integers(0, 2**n - 1), min_size=1, unique=True))
    features = np.array([[p >> j & 1 for j in range(n)] for p in points], dtype=bool)
    line = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.25]), min_size=classes, max_size=classes)
    weights = np.array(draw(st.lists(line, min_size=len(points), max_size=len(points))))
    weights[0, 0] += 1.0
    return DistinctRows(features, weights, True)


def class_table(function, n, classes):
    """Every point over n features with weight 1 in its class; `function` takes a point as a tuple of 0 and 1."""
    points = list(product((0, 1), repeat=n))
    weights = np.eye(classes)[[function(point) for point in points]]
    return DistinctRows(np.array(points, dtype=bool), weights, True)
