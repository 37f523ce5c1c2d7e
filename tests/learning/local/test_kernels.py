"""Compiled kernels and those in numpy: the same results from the same seed."""

import warnings
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, labelled_rows
from tests.strategies import dnfs, few

from idnf.counting.contract import DistinctRows
from idnf.learning.local import annealing_task, berge_task
from idnf.learning.local import kernels as kernels_module
from idnf.learning.local.annealing_task import AnnealTask, Pools, Shape
from idnf.learning.local.berge_task import MOST_IMPLICANTS, MOST_TERMS, BergeTask
from idnf.learning.local.kernels import is_compiled, kernels, named_kernels
from idnf.learning.local.masks import Cells, ExampleMasks, code_array
from idnf.learning.local.specification import split_worths
from idnf.learning.local.split_task import SplitTask
from idnf.learning.local.voting_task import VotingTask
from idnf.logic.literals import is_consistent
from idnf.logic.primes import is_implicant
from idnf.logic.transversals import complement_terms, minimal_sets

LOOPS = "idnf.learning.local.compiled.loops"
needs_both = pytest.mark.skipif(not is_compiled(), reason="there is no C compiler: `make build` would compile")


def go_on():
    return False


@st.composite
def examples(draw):
    """Few examples with awkward weights, or hundreds that need several words."""
    if draw(st.booleans()):
        return ExampleMasks(draw(distinct_rows()), np.random.default_rng(0))
    generator = np.random.default_rng(draw(st.integers(0, 1000)))
    features = np.unique(generator.random((draw(st.integers(60, 300)), draw(st.integers(5, 20)))) < 0.5, axis=0)
    target = (features[:, :5].sum(axis=1) >= 3) ^ (generator.random(len(features)) < 0.1)
    weight = generator.random(len(features)) if draw(st.booleans()) else np.ones(len(features))
    rows = DistinctRows.of_two(features, target * weight, ~target * weight, True)
    return ExampleMasks(rows, np.random.default_rng(0))


@st.composite
def pools(draw, n_features):
    literals = st.sampled_from(range(2 * n_features))
    return code_array(draw(st.one_of(st.just(set(range(2 * n_features))), st.sets(literals, min_size=1))))


SHAPES = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (1, 2), (1, 3), (2, 0), (2, 1), (3, 0)]


@needs_both
@given(examples(), st.sampled_from(SHAPES), st.sampled_from([0.0, 0.1, 2.0]), st.integers(0, 2**64 - 1), st.data())
def test_annealing_gives_the_same_state(masks, size, price, seed, data):
    depth, order = size
    shape = Shape(depth, order, tuple(data.draw(st.booleans()) for _ in range(1 << depth)))
    drawn = Pools(*(data.draw(pools(masks.n_features)) for _ in range(3)))
    task = AnnealTask(masks, shape, drawn, masks.integer(price))
    cooling = annealing_task.schedule(masks, 6)
    found = [named_kernels(name).anneal(task, cooling, seed, go_on) for name in ("compiled", "numpy")]
    assert found[0] == found[1]


@st.composite
def labelled_examples(draw):
    """Examples of two labels, or of up to five."""
    if draw(st.booleans()):
        return draw(examples())
    if draw(st.booleans()):
        return ExampleMasks(draw(labelled_rows()), np.random.default_rng(0))
    generator = np.random.default_rng(draw(st.integers(0, 1000)))
    features = np.unique(generator.random((draw(st.integers(60, 300)), draw(st.integers(5, 20)))) < 0.5, axis=0)
    labels = features[:, :4].sum(axis=1) + (generator.random(len(features)) < 0.1)
    weights = np.eye(draw(st.integers(2, 5)) + 4)[labels] * generator.random((len(features), 1))
    return ExampleMasks(DistinctRows(features, weights, True), np.random.default_rng(0))


@needs_both
@given(labelled_examples(), st.integers(1, 6), st.sampled_from([0.0, 0.1]), st.integers(0, 2**64 - 1), st.data())
def test_berge_steps_give_the_same_terms(masks, k, price, seed, data):
    default = data.draw(st.integers(0, len(masks.nets) - 1))
    task = BergeTask(masks, default, data.draw(pools(masks.n_features)), k, masks.integer(price))
    cooling = berge_task.schedule(masks, 25)
    first = [named_kernels(name).repair(task, (), cooling, seed, go_on) for name in ("compiled", "numpy")]
    assert first[0] == first[1]
    start = first[0].terms
    again = [named_kernels(name).repair(task, start, cooling, seed, go_on) for name in ("compiled", "numpy")]
    assert again[0] == again[1]


@needs_both
@pytest.mark.parametrize("n_features", [8, 140])
@given(st.integers(0, 2**32), st.integers(0, 1))
@few(5)
def test_berge_steps_between_two_functions_give_the_same_terms(n_features, seed, default):
    """With more than 32 features masks of literals have several words."""
    generator = np.random.default_rng(seed)
    features = generator.random((200, n_features)) < 0.5
    target = (features[:, :5].sum(axis=1) >= 3) ^ (generator.random(200) < 0.1)
    masks = ExampleMasks(DistinctRows.of_two(features, target * 1.0, ~target * 1.0, True), generator)
    # Of the other label what has neither of the first two features, of the term's what has the first three.
    forced = ((0b1010,), (0b010101,)) if default == 0 else ((0b010101,), (0b1010,))
    task = BergeTask(masks, default, code_array(range(2 * n_features)), 3, masks.integer(0.1), forced)
    cooling, start = berge_task.schedule(masks, 60), ((0b000101, 1 - default),)
    found = [named_kernels(name).repair(task, start, cooling, seed, go_on) for name in ("compiled", "numpy")]
    assert found[0] == found[1]
    terms = [term for term, _ in found[0].terms]
    assert all(term & 0b0101 for term in terms)
    assert is_implicant(terms, 0b010101)


@needs_both
@pytest.mark.parametrize("n_features", [12, 30, 75, 140])
@pytest.mark.parametrize("size", [(0, 2), (0, 4), (0, 6), (1, 5), (3, 0)])
def test_every_set_of_loops_gives_the_same_state(n_features, size):
    """Processors with wide registers run other loops than those without."""
    depth, order = size
    generator = np.random.default_rng(n_features)
    features = generator.random((700, n_features)) < 0.4
    target = (features[:, :5].sum(axis=1) >= 2) ^ (generator.random(700) < 0.1)
    masks = ExampleMasks(DistinctRows.of_two(features, target * 1.0, ~target * 1.0, True), generator)
    pool = code_array(range(2 * n_features))
    shape = Shape(depth, order, tuple(place % 2 == 1 for place in range(1 << depth)))
    annealing = AnnealTask(masks, shape, Pools(pool, pool, pool), masks.integer(0.1))
    berge = BergeTask(masks, int(depth > 0), pool, max(order, 2), masks.integer(0.1))
    loops, compiled = import_module(LOOPS), named_kernels("compiled")
    found = [named_kernels("numpy").anneal(annealing, annealing_task.schedule(masks, 2), 7, go_on)]
    terms = []
    for number in range(4):
        if loops.choose_loops(number):
            found.append(compiled.anneal(annealing, annealing_task.schedule(masks, 2), 7, go_on))
            terms.append(compiled.repair(berge, (), berge_task.schedule(masks, 20), 7, go_on))
    loops.choose_loops(0)
    assert found == [found[0]] * len(found)
    assert terms == [terms[0]] * len(terms)


@st.composite
def votings(draw):
    generator = np.random.default_rng(draw(st.integers(0, 1000)))
    count, n_features = draw(st.integers(1, 150)), draw(st.integers(1, 30))
    features = generator.random((count, n_features)) < generator.random(n_features)
    weights = generator.integers(1, draw(st.sampled_from([2, 100, 2**30])), count)
    labels = draw(st.integers(2, 5))
    label = np.where(generator.random(count) < 0.2, generator.integers(0, labels, count), features[:, 0])
    several = generator.random((labels, count)) < 0.1
    weights = np.where((label == np.arange(labels)[:, np.newaxis]) | several, weights, 0)
    return VotingTask(features, weights, 4, draw(st.integers(1, 200)), draw(st.integers(1, 8)))


@needs_both
@given(votings(), st.integers(0, 2**64 - 1))
def test_the_same_votes_are_cast(task, seed):
    found = [named_kernels(name).vote(task, seed, go_on) for name in ("compiled", "numpy")]
    assert np.array_equal(found[0], found[1])


@needs_both
@given(dnfs(), st.sampled_from([3, 50, MOST_IMPLICANTS]))
def test_the_same_implicants_are_found(formula, most):
    terms = minimal_sets(mask for mask in formula.masks if is_consistent(mask))[:MOST_TERMS]
    cells = Cells.plain(len(formula.names))
    compiled, plain = (named_kernels(name).implicants(cells, terms, most) for name in ("compiled", "numpy"))
    assert compiled == plain
    assert plain is None or sorted(plain) == sorted(complement_terms(terms))


@st.composite
def split_tasks(draw):
    generator = np.random.default_rng(draw(st.integers(0, 1000)))
    count, n_features = draw(st.integers(1, 100)), draw(st.sampled_from([1, 2, 7, 16, 20, 40, 70]))
    features = generator.random((count, n_features)) < generator.random(n_features)
    price = draw(st.sampled_from([0, 3, 2**20, 2**40]))
    if draw(st.booleans()):
        return SplitTask(features, generator.integers(-(2**22), 2**22, (1, count), dtype=np.int32), price)
    labels = draw(st.integers(2, 5))
    gains = generator.integers(0, 2**20, (labels, count), dtype=np.int32) * (generator.random((labels, count)) < 0.5)
    return SplitTask(features, gains.astype(np.int32), price, first_label=0)


@needs_both
@given(split_tasks(), st.integers(1, 3), st.data())
def test_splits_are_worth_the_same(task, levels, data):
    inside = np.flatnonzero(
        data.draw(st.lists(st.booleans(), min_size=len(task.features), max_size=len(task.features)))
    )
    found = [named_kernels(name).split_worths(task, inside, levels) for name in ("compiled", "numpy")]
    assert found[0].tolist() == found[1].tolist()


@needs_both
@given(split_tasks(), st.integers(0, 2), st.sampled_from([0, 1, 2**18]), st.data())
def test_the_same_short_trees_are_grown(task, depth, least, data):
    inside = np.flatnonzero(
        data.draw(st.lists(st.booleans(), min_size=len(task.features), max_size=len(task.features)))
    )
    compiled, plain = (named_kernels(name).short_tree(task, inside, depth, least) for name in ("compiled", "numpy"))
    assert compiled == plain


@needs_both
@pytest.mark.parametrize("width", [3, 20, 40, 70])
def test_every_kind_of_loop_values_splits_alike(width):
    generator = np.random.default_rng(width)
    gains = generator.integers(0, 99, (3, 80), dtype=np.int32)
    task, loops = SplitTask(generator.random((80, width)) < 0.5, gains, 3, 0), import_module(LOOPS)
    for number in range(4):
        if loops.choose_loops(number):
            for levels in (1, 2, 3):
                expected = named_kernels("numpy").split_worths(task, np.arange(80), levels)
                found = named_kernels("compiled").split_worths(task, np.arange(80), levels)
                assert found.tolist() == expected.tolist()
    loops.choose_loops(0)


def test_triples_are_held_in_parts(monkeypatch):
    generator = np.random.default_rng(0)
    task = SplitTask(generator.random((50, 6)) < 0.5, generator.integers(-9, 9, (1, 50), dtype=np.int32), 1)
    whole = split_worths.split_worths(task, np.arange(50), 3)
    monkeypatch.setattr(split_worths, "_BLOCK", 1)
    assert split_worths.split_worths(task, np.arange(50), 3).tolist() == whole.tolist()


IMPLEMENTATIONS = ["numpy", *(["compiled"] if is_compiled() else [])]


def many_examples(count):
    generator = np.random.default_rng(0)
    features = generator.random((count, 12)) < 0.5
    label = features[:, 0] ^ (generator.random(count) < 0.3)
    return DistinctRows.of_two(features, label * 1.0, ~label * 1.0, True)


def interrupted():
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", IMPLEMENTATIONS)
def test_an_interrupt_leaves_the_loops_at_once(name):
    rows = many_examples(2000)
    masks = ExampleMasks(rows, np.random.default_rng(0))
    pool, used = code_array(range(24)), named_kernels(name)
    annealing = AnnealTask(masks, Shape(0, 3, (False,)), Pools(pool, pool, pool), 0)
    with pytest.raises(KeyboardInterrupt):
        used.anneal(annealing, annealing_task.schedule(masks, 100_000), 0, interrupted)
    with pytest.raises(KeyboardInterrupt):
        used.repair(BergeTask(masks, 0, pool, 3, 0), (), berge_task.schedule(masks, 100_000), 0, interrupted)
    voting = VotingTask(rows.features, rows.weights.T.astype(int).copy(), 100_000, 2000, 3)
    with pytest.raises(KeyboardInterrupt):
        used.vote(voting, 0, interrupted)


@pytest.mark.parametrize("name", IMPLEMENTATIONS)
@pytest.mark.parametrize("count", [50, 5000])
def test_votes_end_within_a_few_trees(name, count):
    rows = many_examples(count)
    voting = VotingTask(rows.features, rows.weights.T.astype(int).copy(), 100_000, count, 3)
    votes = named_kernels(name).vote(voting, 0, lambda: True)
    assert votes.sum(axis=1).max() <= (8 if count == 50 else 5)


def test_the_environment_chooses(monkeypatch):
    monkeypatch.setenv("IDNF_KERNELS", "numpy")
    assert kernels().name == "numpy"
    monkeypatch.setenv("IDNF_KERNELS", "fortran")
    with pytest.raises(ValueError, match="IDNF_KERNELS must be one of compiled, numpy; got 'fortran'."):
        kernels()


def test_compiled_kernels_that_are_not_there_are_an_error(monkeypatch):
    monkeypatch.setattr(kernels_module, "is_compiled", lambda: False)
    with pytest.raises(ImportError, match="IDNF_KERNELS=compiled needs the compiled kernels"):
        named_kernels.__wrapped__("compiled")


def test_what_was_not_compiled_is_said_once(monkeypatch):
    monkeypatch.delenv("IDNF_KERNELS", raising=False)
    monkeypatch.setattr(kernels_module, "is_compiled", lambda: False)
    kernels_module._say_once.cache_clear()
    with pytest.warns(UserWarning, match="search runs in numpy, .* many times slower.*Reinstall it with a C compiler"):
        assert kernels().name == "numpy"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernels().name == "numpy"
