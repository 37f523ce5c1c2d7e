"""Chains of nested functions beside brute force: which lie within which, the cheapest chain, shares that grow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import dnfs, few, seeds

from idnf.classifier.bands import implied_literals
from idnf.counting.contract import DistinctRows
from idnf.learning import chains
from idnf.learning.chain_path import Wanted, band_shares, chain_path, learn_bands
from idnf.learning.chains import Boundary, ChainTask, Pool, Weighing, learn_chain
from idnf.learning.objective import Objective, holds
from idnf.learning.task import LearningTask
from idnf.logic.boxes import Column, Space
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of
from idnf.logic.verification import common_point

# A number with three cuts, and two Boolean columns.
AGE = Column("age", ("to 30", "to 45", "to 60", "over"), ordered=True)
SPACE = Space(
    (AGE, Column("b", ("0", "1")), Column("c", ("0", "1"))), ((0, 0b0001), (0, 0b0011), (0, 0b0111), (1, 2), (2, 2))
)
NAMES = ("30", "45", "60", "b", "c")
POINTS = list(product(range(4), range(2), range(2)))


def task(k=5, **options):
    return ChainTask(LearningTask(NAMES, k, **options), implied_literals(SPACE))


def held_at(model):
    """The points of the space at which a model is of class 1."""
    features = np.array([SPACE.features(point) for point in POINTS], dtype=bool)
    return frozenset(np.flatnonzero(holds(model, features)).tolist())


@given(dnfs(max_terms=3, size=2, consistent=True, names=NAMES), dnfs(max_terms=3, size=2, consistent=True, names=NAMES))
def test_a_function_within_another_is_so_at_every_point(one, other):
    """What the masks say holds at every point of the space; cuts of a column imply each other."""
    first, second = (task().candidate(dnf.double()) for dnf in (one, other))
    inside = held_at(first.model) <= held_at(second.model)
    assert first.within(second) <= inside
    boxes = [[SPACE.box(term) for term in dnf.terms] for dnf in (one.double().positive, other.double().negative)]
    kept = [[box for box in side if box is not None] for side in boxes]
    assert (common_point(*kept) is None) == inside


def test_cuts_of_a_column_are_nested():
    low, high = (task().candidate(DNF.parse(text, NAMES).double()) for text in ("'30'", "'45'"))
    assert low.within(high)
    assert not high.within(low)


def test_between_two_functions_lie_those_within_one_and_around_the_other():
    objective = Objective(DistinctRows(np.eye(5, dtype=bool), np.ones((5, 2)), True), 0.01)
    pool = Pool(task(), [objective], [1.0])
    pool.add([DNF.parse(text, NAMES).double() for text in ("'30'", "'45'", "'60'", "b")])
    place = {held_at(one.model): number for number, one in enumerate(pool.found)}
    low, middle, high = (place[frozenset(i for i, p in enumerate(POINTS) if p[0] <= most)] for most in range(3))
    assert set(pool.legal(0, high, low)) == {low, middle, high}
    assert set(pool.legal(0, middle, None)) == {place[frozenset()], low, middle}
    assert set(pool.legal(0, None, middle)) == {middle, high, place[frozenset(range(len(POINTS)))]}


def pool_of_some(draw, objectives):
    """Functions of one or two terms of two literals, drawn at random, in a pool."""
    pool = Pool(task(), objectives, [1.0, 2.0, 1.0][: len(objectives)])
    codes = [[int(code) for code in draw.choice(10, 2, replace=False)] for _ in range(12)]
    terms = [sum(1 << code for code in set(pair)) for pair in codes if len({code >> 1 for code in pair}) == 2]
    pool.add([DNF.from_masks(NAMES, terms[i : i + 2]).double() for i in range(0, len(terms) - 1, 2)])
    return pool


@pytest.mark.parametrize("seed", seeds(3, 200))
def test_the_cheapest_chain_is_the_best_of_all(seed):
    draw = np.random.default_rng(seed)
    features = np.array([SPACE.features(point) for point in POINTS], dtype=bool)
    weights = draw.integers(1, 9, (len(POINTS), 2)) * 1.0
    rows = DistinctRows(features, weights, True)
    objectives = [Objective(Boundary(at).weighed(rows), 0.01) for at in (0.2, 0.5, 0.8)]
    pool = pool_of_some(draw, objectives)
    best = naive.cheapest_chain(pool.costs, lambda one, wide: pool.found[one].within(pool.found[wide]))
    found = pool.chain()
    assert sum(pool.costs[one][place] for place, one in enumerate(found)) == pytest.approx(best)
    assert all(held_at(pool.found[b].model) <= held_at(pool.found[a].model) for a, b in zip(found, found[1:]))


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_learned_chains_are_nested_and_no_worse_than_one_function(seed):
    draw = np.random.default_rng(seed)
    features = np.array([SPACE.features(point) for point in POINTS], dtype=bool)
    rows = DistinctRows(features, draw.integers(0, 20, (len(POINTS), 2)) * 1.0 + 0.5, True)
    chain = learn_chain(Weighing(rows), [Boundary(at) for at in (0.2, 0.4, 0.6, 0.8)], task(2, effort=0.2))
    points = [held_at(model) for model in chain.models]
    assert all(narrow <= wide for wide, narrow in zip(points, points[1:]))
    assert all(model.k <= 2 and model.side(1).double().k <= 2 for model in chain.models)


def test_steps_between_neighbours_start_from_functions_of_k_literals(monkeypatch):
    """Steps count literals over all Boolean points, so both sides of what they start from must be k-DNFs there."""
    starts = []
    run = chains.run_job

    def noted(problem, job, is_over):
        starts.append((job.start, problem.k))
        return run(problem, job, is_over)

    monkeypatch.setattr(chains, "run_job", noted)
    features = np.array([SPACE.features(point) for point in POINTS], dtype=bool)
    for seed in range(6):
        weights = np.random.default_rng(seed).integers(0, 20, (len(POINTS), 2)) + 0.5
        spaced = ChainTask(LearningTask(NAMES, 2, effort=0.2, space=SPACE), implied_literals(SPACE))
        learn_chain(Weighing(DistinctRows(features, weights, True)), [Boundary(t) for t in (0.3, 0.5, 0.7)], spaced)
    assert starts
    for start, k in set(starts):
        values = naive.values(DNF.from_masks(NAMES, [term for term, _ in start]))
        assert all(term.bit_count() <= k for term, _ in start)
        assert naive.certificate_complexity(values, len(NAMES)) <= k


def test_many_cuts_of_many_columns_are_no_obstacle():
    """With all that follows from them, terms of six columns of twelve cuts have more literals than steps can take."""
    rng = np.random.default_rng(0)
    space = Space(
        tuple(Column(f"x{j}", tuple(map(str, range(13))), ordered=True) for j in range(6)),
        tuple((j, (1 << cut) - 1) for j in range(6) for cut in range(1, 13)),
    )
    points = np.where(np.eye(7, 6, dtype=bool)[rng.integers(0, 7, 90)], rng.integers(2, 13, (90, 6)), 1)
    features = np.unique([space.features(point) for point in points], axis=0).astype(bool)
    few = features[:, ::12].all(axis=1) | features[:, 1::12].all(axis=1)
    weights = np.where(few[:, None], [2.0, 60.0], [9.0, 3.0])
    task = ChainTask(
        LearningTask(tuple(f"f{j}" for j in range(72)), 6, effort=0.02, space=space), implied_literals(space)
    )
    chain = learn_chain(Weighing(DistinctRows(features, weights, True)), [Boundary(t) for t in (0.3, 0.5, 0.7)], task)
    assert all(ClassDNFs.of(model).verify().k <= 6 for model in chain.models)


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_every_point_meets_a_term_of_one_side_at_every_boundary(seed):
    """Functions of a tree hold over the points of a space, those of steps over all Boolean ones: both are whole."""
    draw = np.random.default_rng(seed)
    columns = tuple(Column(name, tuple("012345"), ordered=True) for name in "xyz")
    space = Space(columns, tuple((j, (1 << cut) - 1) for j in range(3) for cut in range(1, 6)))
    points = list(product(range(6), repeat=3))
    features = np.array([space.features(point) for point in points], dtype=bool)
    chosen = draw.permutation(len(points))[:120]
    high = np.array(points)[chosen].sum(axis=1) % 7
    weights = np.stack([draw.integers(0, 7 - high + 1), draw.integers(0, high + 1)]).T + 0.5
    wide = ChainTask(LearningTask(tuple(map(str, range(15))), 6, effort=0.2, space=space), implied_literals(space))
    chain = learn_chain(
        Weighing(DistinctRows(features[chosen], weights, True)), [Boundary(t) for t in (0.3, 0.4, 0.5, 0.6, 0.7)], wide
    )
    for model in chain.models:
        sides = [
            sum(
                (features[:, [c >> 1 for c in codes]] ^ np.array([c & 1 for c in codes], bool)).all(axis=1)
                for codes in side
            )
            for side in ([list(codes_of(term)) for term in model.side(label).masks] for label in (0, 1))
        ]
        assert (np.minimum(sides[0], 1) + np.minimum(sides[1], 1) == 1).all()


@few(6)
@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=1, max_size=5))
def test_shares_grow_and_are_nearest_to_what_was_counted(counts):
    shares = band_shares(np.array(counts, dtype=float))
    assert np.allclose(shares.sum(axis=1), 1)
    assert (shares >= -1e-12).all()
    for level in (1, 2):
        above = [(sum(line[level:]) + 3 - level) / (sum(line) + 3) for line in counts]
        assert shares[:, level:].sum(axis=1) == pytest.approx(naive.pooled(above, [sum(line) + 3 for line in counts]))


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_the_chain_that_ranks_best_is_the_best_of_all(seed):
    """By all chains and all pairs of examples."""
    draw = np.random.default_rng(seed)
    features = np.array([SPACE.features(point) for point in POINTS], dtype=bool)
    rows = DistinctRows(features, draw.integers(0, 9, (len(POINTS), 2)) + 0.5, True)
    pool = pool_of_some(draw, [Objective(rows, 0.01)])
    held = [held_at(one.model) for one in pool.found]
    best = naive.best_ranking(held, rows.weights.tolist(), 0.001)
    found = pool.ranking(rows, 16)
    assert naive.ranking_value([held[one] for one in found], rows.weights.tolist(), 0.001) == pytest.approx(best)
    assert all(held[narrow] < held[wide] for wide, narrow in zip(found, found[1:]))
    for most in range(1, len(found) + 1):
        few = pool.ranking(rows, most)
        assert len(few) <= most
        value = naive.ranking_value([held[one] for one in few], rows.weights.tolist(), 0.001)
        bests = [naive.best_ranking(held, rows.weights.tolist(), 0.001, count) for count in range(1, most + 1)]
        assert value == pytest.approx(max(bests))


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_the_chain_through_a_function_is_the_best_of_those_that_have_it(seed):
    draw = np.random.default_rng(seed)
    features = np.array([SPACE.features(point) for point in POINTS], dtype=bool)
    rows = DistinctRows(features, draw.integers(0, 9, (len(POINTS), 2)) + 0.5, True)
    pool = pool_of_some(draw, [Objective(rows, 0.01)])
    held = [held_at(one.model) for one in pool.found]
    weights = rows.weights.tolist()
    for required in range(len(pool.found)):
        found = pool.ranking(rows, 16, required)
        assert required in found
        assert all(held[narrow] < held[wide] for wide, narrow in zip(found, found[1:]))
        best = naive.best_ranking(held, weights, 0.001, having=held[required])
        assert naive.ranking_value([held[one] for one in found], weights, 0.001) == pytest.approx(best)


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_a_learned_chain_has_the_function_that_is_required(seed):
    draw = np.random.default_rng(seed)
    features = np.array([SPACE.features(point) for point in POINTS], dtype=bool)
    rows = DistinctRows(features, draw.integers(0, 9, (len(POINTS), 2)) + 0.5, True)
    required = pool_of_some(draw, [Objective(rows, 0.01)]).found[-1].model
    boundaries = [Boundary(at) for at in (0.2, 0.5, 0.8)]
    chain = learn_chain(Weighing(rows), boundaries, task(5, effort=0.1), most=3, through=(required, boundaries[1]))
    assert held_at(chain.models[chain.decisive]) == held_at(required)
    assert chain.boundaries[chain.decisive] == Boundary(0.5)
    assert all(held_at(narrow) < held_at(wide) for wide, narrow in zip(chain.models, chain.models[1:]))
    assert sorted({each.at for each in chain.boundaries}) == [each.at for each in chain.boundaries]


def test_as_many_boundaries_are_found_as_there_may_be():
    """Nine cells whose shares grow evenly: every cut adds something."""
    long = Space((Column("x", tuple("abcdefghi"), ordered=True),), tuple((0, (2 << cut) - 1) for cut in range(8)))
    names = tuple("abcdefgh")
    features = np.array([long.features((cell,)) for cell in range(9)], dtype=bool)
    rows = DistinctRows(features, np.array([[9.0 - cell, 1.0 + cell] for cell in range(9)]), True)
    pool = Pool(ChainTask(LearningTask(names, 1), implied_literals(long)), [Objective(rows, 0.01)], [1.0])
    pool.add([DNF.parse(f"~{name}", names=names).double() for name in names])
    assert [len(pool.ranking(rows, most)) for most in range(1, 10)] == [1, 2, 3, 4, 5, 6, 7, 8, 8]


@pytest.mark.parametrize("weights", [[0.1, 0.2, 0.3], [1.0, 0.0, 1.0]])
def test_a_function_that_is_always_the_same_has_its_boundary_in_the_middle(weights):
    rows = DistinctRows(np.eye(3, dtype=bool), np.array([weights, weights[::-1]]).T, True)
    for constant in (False, True):
        assert chains._shares_between(np.full((1, 3), constant), rows) == [Boundary(0.5)]


def test_boundaries_that_tell_nothing_apart_go():
    """A target that one column decides has one boundary, whatever is asked for."""
    draw = np.random.default_rng(0)
    features = np.unique(draw.random((200, 8)) < 0.5, axis=0)
    positive = np.where(features[:, 0], 9.0, 1.0)
    rows = DistinctRows.of_two(features, positive, 10 - positive, True)
    plain = ChainTask(LearningTask(tuple("abcdefgh"), 2, effort=0.1))
    chain, path, held_out = learn_bands(rows, Wanted(), plain)
    assert path is not None
    assert [sorted(model.features()) for model in chain.models] == [[0]]
    assert held_out.shape == (2, 2)
    assert held_out.sum() == pytest.approx(rows.total)


def test_a_boundary_not_looked_at_is_taken_for_the_nearest_that_was():
    draw = np.random.default_rng(0)
    features = np.unique(draw.random((80, 5)) < 0.5, axis=0)
    positive = np.where(features[:, 0] & features[:, 1], 9.0, 2.0)
    rows = DistinctRows.of_two(features[2:], positive[2:], 10 - positive[2:], True)
    path = chain_path(rows, [Boundary(0.3), Boundary(0.6)], ChainTask(LearningTask(tuple("abcde"), 2, effort=0.1)))
    both = path.counts([Boundary(0.3), Boundary(0.6)])
    assert path.counts([Boundary(0.05), Boundary(0.9)]).tolist() == both.tolist()
    assert path.counts([Boundary(0.55)]).tolist() == [both[:2].sum(axis=0).tolist(), both[2].tolist()]
    # Of an ordered target the level comes first.
    assert Boundary(0.5, 2).distance(Boundary(0.9, 2)) < Boundary(0.5, 2).distance(Boundary(0.5, 1))


def test_without_examples_or_time_there_is_no_path():
    few_rows = DistinctRows(np.eye(4, dtype=bool), np.ones((4, 2)), True)
    plain = ChainTask(LearningTask(tuple("abcd"), 2))
    assert chain_path(few_rows, [Boundary(0.5)], plain) is None
