"""Trees whose paths ask of at most k columns: the twin that splits as the definition reads, and where they pay."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest
from experiments.conditions import bands, ring
from tests.strategies import seeds

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.learning.column_trees import column_tree, ranking_functions, tree_functions
from idnf.logic.boxes import Column, Space

SPACE = Space(
    (Column("x", ("0", "1", "2", "3"), ordered=True), Column("c", ("a", "b", "c")), Column("t", ("0", "1"))),
    ((0, 0b0001), (0, 0b0011), (0, 0b0111), (1, 0b001), (1, 0b010), (1, 0b100), (2, 0b10)),
)
POINTS = list(product(range(4), range(3), range(2)))
NAMES = tuple(f"f{j}" for j in range(len(SPACE.literals)))


def naive_tree(points, weights, k, price, asked=()):
    """The label of each point, and what the branch costs, errors and splits together."""
    totals = [sum(weights[p][label] for p in points) for label in range(len(weights[POINTS[0]]))]
    label = totals.index(max(totals))
    leaf = dict.fromkeys(points, label), sum(totals) - totals[label]
    best, most = None, 0
    for column, mask in SPACE.literals:
        if len(asked) == k and column not in asked:
            continue
        sides = [[p for p in points if bool(mask >> p[column] & 1) == side] for side in (True, False)]
        gain = sum(purity(side, weights) for side in sides) - purity(points, weights)
        if gain > most:
            best, most = (column, sides), gain
    if best is None or not leaf[1]:
        return leaf
    column, sides = best
    low, high = (naive_tree(side, weights, k, price, tuple({*asked, column})) for side in sides)
    cost = price + low[1] + high[1]
    return leaf if cost >= leaf[1] else ({**low[0], **high[0]}, cost)


def purity(points, weights):
    totals = [sum(column) for column in zip(*(weights[p] for p in points))]
    return Fraction(sum(one * one for one in totals), sum(totals)) if sum(totals) else 0


@pytest.mark.parametrize("seed", seeds(18, 400))
def test_the_tree_is_the_one_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    classes, k, price = int(rng.integers(2, 4)), int(rng.integers(1, 4)), float(rng.choice([0.0, 1.5, 3.5]))
    drawn = rng.integers(0, 6, (len(POINTS), classes)) * (rng.random((len(POINTS), 1)) < 0.8)
    drawn[0, 0] += 1
    weights = dict(zip(POINTS, drawn.tolist(), strict=True))
    features = np.array([SPACE.features(p) for p in POINTS], dtype=bool)
    rows = DistinctRows(features, drawn.astype(float), True)
    model = column_tree(rows, NAMES, k, SPACE, price=price / rows.total)
    labels, _ = naive_tree(POINTS, weights, k, price)
    for point, truths in zip(POINTS, features.tolist(), strict=True):
        assert model.evaluate(dict(zip(NAMES, map(int, truths)))) == labels[point]
    assert model.k == k
    assert model.verify().k == k


def naive_shares(points, weights, k, expected, asked=()):
    """The share of classes from 1 on at each point, five examples of the branch above added to every leaf."""
    total, high = (sum(map(part, points)) for part in (lambda p: sum(weights[p]), lambda p: sum(weights[p][1:])))
    share = Fraction(high + 5 * expected, total + 5)
    best, most = None, Fraction(1, 5)
    for column, mask in SPACE.literals:
        sides = [[p for p in points if bool(mask >> p[column] & 1) == side] for side in (True, False)]
        enough = all(sum(sum(weights[p]) for p in side) >= 5 for side in sides)
        gain = sum(purity(side, weights) for side in sides) - purity(points, weights)
        if enough and gain > most and (len(asked) < k or column in asked):
            best, most = (column, sides), gain
    if best is None:
        return dict.fromkeys(points, share)
    column, sides = best
    low, high = (naive_shares(side, weights, k, share, tuple({*asked, column})) for side in sides)
    return {**low, **high}


def drawn_weights(seed):
    """A size, the features of all points, and the weights of their two classes, as a table and by point."""
    rng = np.random.default_rng(seed)
    k, drawn = int(rng.integers(1, 4)), rng.integers(0, 9, (len(POINTS), 2))
    drawn[0] += 1
    features = np.array([SPACE.features(p) for p in POINTS], dtype=bool)
    return k, features, drawn, dict(zip(POINTS, drawn.tolist(), strict=True))


@pytest.mark.parametrize("seed", seeds(9, 200))
def test_functions_of_one_tree_are_nested_and_those_of_the_definition(seed):
    k, features, drawn, weights = drawn_weights(seed)
    shares = naive_shares(POINTS, weights, k, Fraction(*map(int, (drawn[:, 1].sum(), drawn.sum()))))
    for at in (0.3, 0.45, 0.55, 0.7):
        (model,) = tree_functions(DistinctRows(features, drawn.astype(float), True), NAMES, k, SPACE, [(1, at)])
        assert model.verify().k == k
        for point, truths in zip(POINTS, features.tolist(), strict=True):
            assert model.evaluate(dict(zip(NAMES, map(int, truths)))) == (shares[point] >= at)


def naive_ranking(points, weights, k, expected, up=frozenset(), down=frozenset()):
    """Leaves of a tree that ranks, lowest first: their points, their smoothed share and their weight."""
    total, high = sum(sum(weights[p]) for p in points), sum(weights[p][1] for p in points)
    share = Fraction(high + 5 * expected, total + 5)
    best, most = None, ranked_rightly([points], weights)
    for column, higher, lower in ranking_splits(points, weights, k, up, down):
        below = split_or_not(lower, weights, k, up, down | {column})
        above = split_or_not(higher, weights, k, up | {column}, down)
        pairs = max(ranked_rightly([*low, *high], weights) for low in below for high in above)
        if pairs > most:
            best, most = (column, higher, lower), pairs
    if best is None:
        return [(points, share, total)]
    column, higher, lower = best
    return [
        *naive_ranking(lower, weights, k, share, up, down | {column}),
        *naive_ranking(higher, weights, k, share, up | {column}, down),
    ]


def ranking_splits(points, weights, k, up, down):
    """Column, higher and lower side of every split that leaves five examples on each, either side being the higher."""
    for column, mask in SPACE.literals:
        sides = [[p for p in points if bool(mask >> p[column] & 1) == side] for side in (True, False)]
        enough = all(sum(sum(weights[p]) for p in side) >= 5 for side in sides)
        if enough and len(up | {column}) <= k and len(down | {column}) <= k:
            yield column, *sides
            yield column, *sides[::-1]


def split_or_not(points, weights, k, up, down):
    """The points together, and every division of them by one split, the lower side first."""
    return [[points], *([low, high] for _, high, low in ranking_splits(points, weights, k, up, down))]


def ranked_rightly(groups, weights):
    """Twice the pairs of a low and a high example whose groups, lowest first, are in order; those of one group half."""
    counts = [[sum(weights[p][label] for p in group) for label in (0, 1)] for group in groups]
    return sum(
        low * high * (2 if i < j else i == j) for (i, (low, _)), (j, (_, high)) in product(enumerate(counts), repeat=2)
    )


def pooled_share(leaves, place):
    """The share of a leaf once shares grow: the greatest over beginnings of the least over ends of the mean between."""

    def mean(some):
        return sum(share * mass for _, share, mass in some) / sum(mass for *_, mass in some)

    return max(min(mean(leaves[a : b + 1]) for b in range(place, len(leaves))) for a in range(place + 1))


@pytest.mark.parametrize("seed", seeds(20, 300))
def test_functions_of_a_tree_that_ranks_are_nested_and_those_of_the_definition(seed):
    k, features, drawn, weights = drawn_weights(seed)
    leaves = naive_ranking(POINTS, weights, k, Fraction(*map(int, (drawn[:, 1].sum(), drawn.sum()))))
    rows = DistinctRows(features, drawn.astype(float), True)
    for at in (0.3, 0.42, 0.5, 0.58, 0.7):
        held = {p: pooled_share(leaves, n) >= at for n, (points, *_) in enumerate(leaves) for p in points}
        found = ranking_functions(rows, NAMES, k, SPACE, [(1, at)])
        assert len(found) == (len(set(held.values())) == 2)
        for model in found:
            assert model.verify().k <= k
            for point, truths in zip(POINTS, features.tolist(), strict=True):
                assert model.evaluate(dict(zip(NAMES, map(int, truths)))) == held[point]


@pytest.mark.parametrize(("k", "count"), [(1, 4), (2, 3)])
def test_chains_of_boolean_columns_have_up_to_as_many_bands_as_a_tree_that_ranks(k, count):
    names = tuple(f"f{j}" for j in range(count))
    features = np.array([[p >> j & 1 for j in range(count)] for p in range(1 << count)], dtype=bool)
    functions = [f for f in range(1 << (1 << count)) if is_interpretable(f, k, count)]
    longest = {}
    for f in sorted(functions, key=int.bit_count):
        longest[f] = 1 + max((longest[g] for g in longest if g != f and g & f == g), default=-1)
    assert max(longest.values()) == comb(2 * k, k)
    high = features @ (100 * 0.4 ** np.arange(count))
    rows = DistinctRows.of_two(features, high, 200 - high, True)
    shares = [(1, at) for at in np.linspace(0.01, 0.99, 99)]
    assert len(ranking_functions(rows, names, k, Space.boolean(names), shares)) + 1 == comb(2 * k, k)


def is_interpretable(f, k, count):
    """Whether every point of a truth table has a term of at most k literals that holds at points of its value alone."""
    points = range(1 << count)
    fixed = [features for features in points if features.bit_count() <= k]

    def has_term(p):
        alike = ([q for q in points if not (p ^ q) & features] for features in fixed)
        return any(all((f >> q & 1) == (f >> p & 1) for q in some) for some in alike)

    return all(map(has_term, points))


@pytest.mark.parametrize(("k", "drawn"), [(1, ring), (2, ring), (1, bands)])
def test_where_intervals_matter_it_beats_a_tree_of_the_same_depth(k, drawn):
    X, y = drawn(np.random.default_rng(3), 1200)
    right = {
        family: DNFClassifier(k, family=family).fit(X[:400], y[:400]).score(X[400:], y[400:])
        for family in ("tree", "column-tree")
    }
    assert right["column-tree"] > right["tree"] + 0.02


@pytest.mark.parametrize("learner", ["greedy", "search"])
def test_the_middle_of_three_values_at_k_1(learner):
    X = pd.DataFrame({"x": [1, 2, 3] * 5, "z": [0, 1, 0, 1, 1] * 3})
    clf = DNFClassifier(1, family="column-tree", learner=learner).fit(X, X.x == 2)
    assert clf.score(X, X.x == 2) == 1
    assert clf.verify().k == 1
    assert clf.optimal_ is None


def test_what_a_column_tree_cannot_do_is_refused():
    X = pd.DataFrame({"x": [1, 2, 3] * 5})
    with pytest.raises(ValueError, match="learner must be .* for family \"column-tree\"; got 'exact'"):
        DNFClassifier(1, family="column-tree", learner="exact").fit(X, X.x == 2)
    with pytest.raises(ValueError, match="family must have models that can be monotone .*; got 'column-tree'"):
        DNFClassifier(1, family="column-tree", monotonic_cst={"x": 1}).fit(X, X.x > 1)


def test_caps_count_columns():
    X, y = ring(np.random.default_rng(0), 300)
    clf = DNFClassifier(2, family="column-tree", max_terms=1).fit(X, y)
    assert clf.size_.terms == 1
    assert clf.verify().k == 2
