"""Berge steps where k counts columns: what they reach, that both kernels agree, and that a default fit uses them."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import few, seeds

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.learning.local.berge_task import MOST_IMPLICANTS, BergeTask, schedule
from idnf.learning.local.kernels import is_compiled, named_kernels
from idnf.learning.local.labelled_terms import starting_terms, to_model
from idnf.learning.local.masks import Cells, ExampleMasks, code_array
from idnf.learning.local.specification.repairing import BergeState
from idnf.logic.boxes import Column, Space

needs_both = pytest.mark.skipif(not is_compiled(), reason="compares the compiled kernels with those in numpy")


def space_of(sizes, ordered):
    """Columns of some numbers of cells: cuts for ordered ones, a literal for each category of others."""
    columns, literals = [], []
    for j, (size, is_ordered) in enumerate(zip(sizes, ordered, strict=True)):
        columns.append(Column(f"c{j}", tuple(map(str, range(size))), ordered=is_ordered))
        if is_ordered or size == 2:
            literals += [(j, (2 << cell) - 1) for cell in range(size - 1)]
        else:
            literals += [(j, 1 << cell) for cell in range(size)]
    return Space(tuple(columns), tuple(literals))


def points_of(sizes):
    return list(product(*map(range, sizes)))


def rows_of(space, sizes, values):
    """Every point of a space once, with its label."""
    features = np.array([space.features(p) for p in points_of(sizes)], dtype=bool)
    return DistinctRows(features, np.eye(max(values) + 1 if max(values) else 2)[list(values)], True)


def task_of(rows, space, k, default, price=0.0):
    examples = ExampleMasks(rows, np.random.default_rng(0))
    pool = code_array(range(2 * examples.n_features))
    return BergeTask(examples, default, pool, k, examples.integer(price), (), Cells.of(space))


def table_of(cells, cube, space, sizes):
    """Which points, in order, satisfy all literals that exclude only cells of a mask."""
    said = [code for code, excluded in enumerate(cells.excluded) if excluded and not excluded & ~cube]
    values = [space.features(p) for p in points_of(sizes)]
    return [all(v[code >> 1] != code & 1 for code in said) for v in values]


def all_terms(cells, k):
    """Every term that some point satisfies, of at most k columns, once for each set of points."""
    cubes = {0}
    for excluded in cells.excluded:
        cubes |= {cube | excluded for cube in cubes if not cells.is_empty(cube | excluded)}
    return [cells.term(cube) for cube in sorted(cubes) if 0 < cells.width(cube) <= k]


shapes = st.lists(st.integers(2, 4), min_size=2, max_size=3)


@given(shapes, st.data())
@few(18)
def test_implicants_are_the_default_and_the_small_ones_cover_it_iff_every_point_has_a_reason(sizes, data):
    space = space_of(sizes, [data.draw(st.booleans()) for _ in sizes])
    cells = Cells.of(space)
    if cells is None:
        return
    k = data.draw(st.integers(1, len(sizes)))
    terms = data.draw(st.lists(st.sampled_from(all_terms(cells, k)), max_size=4))
    state = BergeState.bounded(cells, [(term, 1) for term in terms], MOST_IMPLICANTS)
    covered = [any(column) for column in zip(*(table_of(cells, cells.cube(t), space, sizes) for t in terms))]
    covered = covered or [False] * len(points_of(sizes))
    default = [table_of(cells, p, space, sizes) for p in state.implicants]
    assert [any(column) for column in zip(*default)] == [not value for value in covered] or all(covered)
    assert state.is_interpretable(k) == has_reasons(covered, sizes, k, of=False)
    if is_compiled():
        assert named_kernels("compiled").implicants(cells, terms, MOST_IMPLICANTS) == list(state.implicants)


def has_reasons(values, sizes, k, *, of):
    """Whether every point of a value has k columns on which all points that agree with it have the value too."""
    points = points_of(sizes)
    known = dict(zip(points, values, strict=True))
    chosen = list(combinations(range(len(sizes)), min(k, len(sizes))))
    alike = ([[known[q] == of for q in points if all(p[j] == q[j] for j in c)] for c in chosen] for p in points)
    return all(any(map(all, each)) for p, each in zip(points, alike, strict=True) if known[p] == of)


@pytest.mark.parametrize(
    ("sizes", "ordered", "k", "labels"),
    [
        ((3, 2, 2), (True, True, True), 1, 2),
        ((3, 2, 2), (True, True, True), 2, 2),
        ((4, 3), (True, False), 1, 2),
        ((3, 3), (True, True), 1, 3),
        pytest.param((4, 3), (True, False), 2, 2, marks=pytest.mark.slow),
        pytest.param((3, 3), (True, False), 2, 3, marks=pytest.mark.slow),
        pytest.param((3, 2, 2), (False, True, True), 2, 2, marks=pytest.mark.slow),
    ],
)
def test_legal_additions_reach_every_function_with_reasons_of_k_columns(sizes, ordered, k, labels):
    """From some default, adding terms one after another, each state being a function with reasons of k columns."""
    space = space_of(sizes, ordered)
    cells = Cells.of(space)
    terms = [(t, table_of(cells, cells.cube(t), space, sizes)) for t in all_terms(cells, k)]
    reached = set()
    for default in range(labels):
        start = BergeState.bounded(cells, [], MOST_IMPLICANTS)
        seen = {(default,) * len(points_of(sizes)): start}
        waiting = list(seen)
        while waiting:
            values = waiting.pop()
            for (term, held), label in product(terms, set(range(labels)) - {default}):
                if any(h and v not in (default, label) for h, v in zip(held, values, strict=True)):
                    continue
                after = tuple(label if h else v for h, v in zip(held, values, strict=True))
                if after not in seen:
                    state = seen[values].adding(term, label, MOST_IMPLICANTS)
                    if state.is_interpretable(k):
                        seen[after] = state
                        waiting.append(after)
        reached |= set(seen)
    expected = {
        values
        for values in product(range(labels), repeat=len(points_of(sizes)))
        if all(has_reasons(values, sizes, k, of=label) for label in range(labels))
    }
    assert reached == expected


@needs_both
@pytest.mark.parametrize("seed", seeds(8, 200))
def test_both_kernels_end_in_the_same_functions_with_reasons_of_k_columns(seed):
    generator = np.random.default_rng(seed)
    sizes = generator.integers(2, 6, generator.integers(2, 5)).tolist()
    space = space_of(sizes, (generator.random(len(sizes)) < 0.6).tolist())
    cells = Cells.of(space)
    if cells is None:
        return
    points = [tuple(int(generator.integers(size)) for size in sizes) for _ in range(generator.integers(5, 100))]
    labels = int(generator.integers(2, 4))
    features, places = np.unique([space.features(p) for p in points], axis=0, return_inverse=True)
    weights = np.zeros((len(features), labels))
    np.add.at(weights, (places.ravel(), generator.integers(0, labels, len(points))), 1.0)
    k, default = int(generator.integers(1, 4)), int(generator.integers(labels))
    task = task_of(DistinctRows(features.astype(bool), weights, True), space, k, default, 0.05)
    start = ()
    for moves in (40, 20):
        found = [
            named_kernels(name).repair(task, start, schedule(task.examples, moves), seed, lambda: False)
            for name in ("compiled", "numpy")
        ]
        assert found[0] == found[1]
        start = found[0].terms
        names = tuple(f"f{j}" for j in range(features.shape[1]))
        to_model(start, default, labels, names, k, (space, cells)).verify()
        assert starting_terms(start, cells) is not None


@needs_both
@pytest.mark.parametrize("seed", [787, 1899, *seeds(4, 2000)])
def test_long_searches_over_many_columns_end_in_functions_with_reasons_of_k(seed):
    """The first two need both ways out of an implicant to be tried before it counts as covered."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(2, 4, generator.integers(4, 7)).tolist()
    space = space_of(sizes, (generator.random(len(sizes)) < 0.6).tolist())
    cells = Cells.of(space)
    if cells is None:
        return
    points = [tuple(int(generator.integers(size)) for size in sizes) for _ in range(120)]
    features, places = np.unique([space.features(p) for p in points], axis=0, return_inverse=True)
    weights = np.zeros((len(features), 2))
    np.add.at(weights, (places.ravel(), generator.integers(0, 2, len(points))), 1.0)
    k = int(generator.integers(2, 5))
    task = task_of(DistinctRows(features.astype(bool), weights, True), space, k, 0, 0.02)
    found = named_kernels("compiled").repair(task, (), schedule(task.examples, 200), seed, lambda: False)
    names = tuple(f"f{j}" for j in range(features.shape[1]))
    to_model(found.terms, 0, 2, names, k, (space, cells)).verify()


@needs_both
def test_a_start_may_have_more_literals_of_a_column_than_new_terms():
    sizes = (6, 2)
    space = space_of(sizes, (False, False))
    task = task_of(rows_of(space, sizes, [int(p[0] in (0, 1, 5)) for p in points_of(sizes)]), space, 1, 0)
    start = ((0b00_10_10_10_10_00, 1), (0b10_10_10_10_00_00 | 1 << 3, 1))
    found = [
        named_kernels(name).repair(task, start, schedule(task.examples, 30), 0, lambda: False)
        for name in ("compiled", "numpy")
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("times", [1, 10])
def test_one_value_in_the_middle_is_one_condition(times):
    X = pd.DataFrame({"x": [1, 2, 3] * times})
    y = (X["x"] == 2).astype(int)
    fitted = DNFClassifier(k=1).fit(X, y)
    assert fitted.score(X, y) == 1
    assert fitted.verify().k == 1


def test_a_function_with_reasons_of_two_columns_that_needs_three_literals_is_learned():
    points = list(product((0, 1, 2), (0, 1), (0, 1)))
    X = pd.DataFrame(points, columns=list("xab"))
    y = np.array([int(not a and not b or x > 0 and not a or x > 1 and b) for x, a, b in points])
    assert has_reasons(y.tolist(), (3, 2, 2), 2, of=1)
    assert has_reasons(y.tolist(), (3, 2, 2), 2, of=0)
    fitted = DNFClassifier(k=2).fit(X, y)
    assert fitted.score(X, y) == 1
    assert fitted.verify().k == 2


@pytest.mark.parametrize("seed", seeds(5, 200))
def test_what_a_fit_returns_is_proved_over_columns(seed):
    """Cuts that hardly differ are merged after the search; where k counts columns, not all of them may be."""
    generator = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": generator.normal(size=150), "b": generator.normal(size=150), "c": generator.integers(0, 4, 150)}
    )
    y = ((X.a.abs() < 0.7) ^ (X.b.abs() < 0.5)).astype(int) + (X.c == 2) * int(generator.integers(2))
    k, conditions = int(generator.integers(1, 4)), str(generator.choice(["cuts", "intervals", "all"]))
    fitted = DNFClassifier(k, price=0.0, conditions=conditions, effort=0.1).fit(X, y)
    proof = fitted.verify()
    assert proof.k <= k


@pytest.mark.parametrize("shape", ["ring", "line"])
def test_cross_validation_says_whether_columns_count(shape):
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(300, 4)), columns=list("abcd"))
    inside = X.a**2 + X.b**2 < 1.2 if shape == "ring" else (X.a > 0.3) & (X.b < 0.5)
    y = inside ^ (generator.random(300) < 0.05)
    fitted = DNFClassifier(2).fit(X, y)
    assert fitted.path_.by_columns == (shape == "ring")
    fitted.verify()
