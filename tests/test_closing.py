"""Optimal trees and nested DNFs side by side (experiments/closing.py) against enumeration of both families."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from functools import cache
from itertools import permutations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.strategies import seeds

ROOT = Path(__file__).parents[1]
N = 4
FULL = (1 << 2**N) - 1
FEATURES = [sum(1 << p for p in range(2**N) if p >> j & 1) for j in range(N)]


@pytest.fixture(scope="module")
def experiments():
    """The two programs of the experiment, as modules."""
    sys.path.insert(0, str(ROOT / "experiments"))
    try:
        import closing
        import nested_optimum
    finally:
        sys.path.pop(0)
    return closing, nested_optimum


@cache
def trees(depth):
    """The truth tables of all trees of some depth over four features."""
    if depth == 0:
        return frozenset({0, FULL})
    return frozenset(f & x | g & ~x for x in FEATURES for f in trees(depth - 1) for g in trees(depth - 1))


@cache
def nested_of_order_2():
    literals = [table for x in FEATURES for table in (x, FULL & ~x)]
    found = {0, FULL}
    for a, b, c, d in product(literals, repeat=4):
        found |= {one | two | three for one in (0, a, a & b) for two in (0, c, c & d) for three in (0, a & c)}
    return frozenset(found)


@cache
def nested_of_order_3():
    """All nested 3-DNFs over four features: three chains of sets, of which the first begins with the first feature.

    The others follow by exchanging features and their values. `a` has the first literals, `ab` the first two, `abc`
    all three or nothing; a term takes sets of the chains, three literals in all.
    """
    literals = np.array([table for x in FEATURES for table in (x, FULL & ~x)])
    a, b, c = (grid.ravel() for grid in np.meshgrid(literals, literals, literals))
    chains = np.unique(np.stack([a, a & b, a & b & c], axis=1), axis=0)
    chains = np.unique(np.concatenate([chains, chains * np.array([1, 1, 0])]), axis=0).astype(np.uint16)
    found = np.zeros(FULL + 1, dtype=bool)
    found[[0, FULL]] = True
    s = chains.T
    for p in chains[chains[:, 0] == FEATURES[0]]:
        for q in chains:
            pairs = all_unions([np.uint16(0) | p[1] & q[0], p[0] & q[1]], p[2] | q[2] | s[2])
            unions = all_unions([p[1] & s[0], q[1] & s[0], p[0] & s[1], q[0] & s[1]], pairs)
            deep = p[0] & q[0] & s[0]
            for wide in (0 * deep, deep, p[0] & q[0] | deep, p[0] & s[0], q[0] & s[0]):
                found[unions | wide] = True
    tables, everywhere = np.arange(FULL + 1), np.zeros(FULL + 1, dtype=bool)
    for order in permutations(range(N)):
        for flipped in range(2**N):
            points = [sum((p >> j & 1) << order[j] for j in range(N)) ^ flipped for p in range(2**N)]
            moved = sum((tables >> p & 1) << points[p] for p in range(2**N))
            everywhere[moved[found]] = True
    return frozenset(np.flatnonzero(everywhere).tolist())


def all_unions(parts, base):
    """The union of a base and each subset of some parts, a row each."""
    found = np.atleast_2d(base)
    for part in parts:
        found = np.concatenate([found, found | part])
    return found


def least(functions, points, labels):
    """The least errors of any of some functions."""
    tables = np.array(sorted(functions))
    return int(sum((tables >> point & 1) != label for point, label in zip(points, labels, strict=True)).min())


def generated(seed):
    rng = Random(seed)
    function = rng.randrange(FULL + 1)
    points = [rng.randrange(2**N) for _ in range(rng.randrange(12, 80))]
    labels = [(function >> p & 1) ^ (rng.random() < 0.1) for p in points]
    X = np.array([[p >> j & 1 for j in range(N)] for p in points], dtype=bool)
    return points, labels, X, np.array(labels)


def with_complements(functions):
    return functions | {FULL & ~f for f in functions}


def test_all_nested_3_dnfs_of_four_features_are_as_many_as_the_census_counts():
    census = read(ROOT / "experiments" / "census" / "classes.csv")
    (line,) = (line for line in census if (line["k"], line["class"]) == ("3", "nested k-DNF"))
    assert len(nested_of_order_3()) == int(line["functions"]) == 27_230


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_optima_at_k_2_are_those_of_enumeration(experiments, seed):
    closing, _ = experiments
    points, labels, X, y = generated(seed)
    (tree, proved), (nested, exactly) = closing.compared(X, y.astype(bool), 2)
    assert proved
    assert exactly
    assert closing.errors(tree, X, y) == least(trees(2), points, labels)
    assert closing.errors(nested, X, y) == least(with_complements(nested_of_order_2()), points, labels)


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_optimal_nested_3_dnfs_are_those_of_enumeration(experiments, seed):
    closing, nested_optimum = experiments
    points, labels, X, y = generated(seed)
    for label, functions in ((1, nested_of_order_3()), (0, {FULL & ~f for f in nested_of_order_3()})):
        expected = least(functions, points, labels)
        assert nested_optimum.least_errors(X, y == label, len(y)) == (expected, expected)
        assert nested_optimum.least_errors(X, y == label, expected) == (expected, expected)
    assert closing.floor(X, y) <= least(with_complements(nested_of_order_3()), points, labels)
    assert closing.floor(X, y) == least(range(FULL + 1), points, labels)


@pytest.mark.parametrize(
    ("nested", "tree", "proved", "bound", "outcome"),
    [
        (3, 4, "", 0, "won"),
        (4, 4, "", 4, "tied"),
        (4, 4, "yes", 0, "tied"),
        (4, 4, "", 3, "tied or won"),
        (5, 4, "", 4, "open"),
        (5, 4, "", 5, "lost"),
    ],
)
def test_outcomes_say_what_is_proved_and_no_more(experiments, nested, tree, proved, bound, outcome):
    line = {"nested": nested, "tree": tree, "nested proved": proved}
    assert experiments[0].outcome(line, bound) == outcome


def test_the_tables_are_those_of_the_cells():
    """Wins, splits and sums of errors, counted here from the cells alone."""
    folder = ROOT / "experiments" / "closing"
    cells, outcomes, sets, bounds = (read(folder / f"{n}.csv") for n in ("cells", "outcomes", "data-sets", "bounds"))
    assert len(cells) == 215
    assert len(bounds) == 172
    for line in outcomes:
        here = [cell for cell in cells if cell["k"] == line["k"]]
        signs = Counter(np.sign(int(cell["nested"]) - int(cell["tree"])) for cell in here)
        assert int(line["splits"]) == len(here) == 43
        assert [int(line["won"]), int(line["open"]) + int(line["lost"])] == [signs[-1], signs[1]]
        assert int(line["tied"]) + int(line["tied or won"]) == signs[0]
    for line in sets:
        here = [cell for cell in cells if (cell["data set"], cell["k"]) == (line["data set"], line["k"])]
        for figure in ("examples", "tree", "nested"):
            assert int(line[figure]) == sum(int(cell[figure]) for cell in here)
        assert int(line["bound"]) <= int(line["nested"])


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
