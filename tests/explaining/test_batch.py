"""Answers for many points against the truth table, whichever way a class is known."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.explaining import naive_explanations as naive
from tests.strategies import seeds

from idnf.explaining import batch
from idnf.explaining.batch import ABSENT, Patterns, answers, predicted, smallest_members, smallest_transversals
from idnf.logic.boxes import Space
from idnf.logic.nested import NestedDNF
from idnf.logic.sides import ClassBoxes, ReducedSpace
from idnf.logic.transversals import in_order, transversals_in_order


def check(world: naive.World, sides: ClassBoxes) -> None:
    check_with_fixed(world, sides, set())
    check_with_fixed(world, sides, {0})
    check_with_fixed(world, sides, {0, len(world.space.columns) - 1})


def check_with_fixed(world: naive.World, sides: ClassBoxes, fixed: set[int]) -> None:
    patterns = Patterns.of(sides.frame, np.array(world.points))
    mask = sum(1 << i for i, j in enumerate(sides.frame.columns) if j in fixed)
    found = answers(sides, patterns, [mask] * len(sides.labels))
    for row, point in enumerate(world.points):
        p = patterns.index[row]
        assert found.labels[p] == world.table[point]
        axp = naive.minimal(world, point, naive.is_weak_axp)[0]
        cxps = naive.minimal(world, point, naive.is_weak_cxp)
        cxp = next((columns for columns in cxps if not fixed & {*columns}), None)
        assert sides.frame.outer(found.axps[p]) == axp
        assert (None if found.cxps[p] is None else sides.frame.outer(found.cxps[p])) == cxp
        assert sides.frame.expand(found.boxes[p]) == naive.conditions(world, point, axp)


@pytest.mark.parametrize("seed", seeds(15, 400))
def test_answers_are_those_of_the_truth_table(seed):
    world = naive.random_world(seed, boolean=seed % 4 == 0)
    check(world, ClassBoxes(world.space, 4, (world.negative, world.positive)))


@pytest.mark.parametrize("seed", seeds(6, 150))
@pytest.mark.parametrize("label", [0, 1])
def test_one_side_is_enough(seed, label):
    world = naive.random_world(seed)
    given = (world.negative, world.positive)[label]
    nothing = NestedDNF.constant((), value=True, k=4)
    check(world, ClassBoxes(world.space, 4, (None, given) if label else (given, None), nothing))


@pytest.mark.parametrize("seed", seeds(5, 100))
def test_a_table_of_maximal_boxes_gives_the_same(seed, monkeypatch):
    monkeypatch.setattr(batch, "_MANY", 0)
    world = naive.random_world(seed)
    check(world, ClassBoxes(world.space, 4, (world.negative, world.positive)))


@pytest.mark.parametrize("seed", seeds(5, 100))
def test_wide_models_are_answered_one_by_one(seed, monkeypatch):
    monkeypatch.setattr(batch, "MOST", 0)
    world = naive.random_world(seed)
    check(world, ClassBoxes(world.space, 4, (world.negative, world.positive)))


def test_small_parts_give_the_same(monkeypatch):
    monkeypatch.setattr(batch, "_POINTS", 3)
    world = naive.random_world(3)
    check(world, ClassBoxes(world.space, 4, (world.negative, world.positive)))


def test_more_than_64_columns():
    names = tuple(f"f{j}" for j in range(80))
    rows = tuple(tuple(2 * j for j in range(i, 80, 2)) for i in range(2))
    nested = NestedDNF(names, rows, ((40, 0), (0, 40)), 40)
    sides = ClassBoxes.of(nested, Space.boolean(names))
    cells = np.ones((2, 80), dtype=int)
    cells[1, [0, 1]] = 0
    found = answers(sides, Patterns.of(sides.frame, cells))
    first, second = Patterns.of(sides.frame, cells).index
    assert found.labels[first]
    assert found.axps[first] == tuple(range(0, 80, 2))
    assert found.axps[second] == (0, 1)


def test_patterns_number_equal_rows_alike():
    space = Space.boolean("abc")
    frame = ReducedSpace.of(space, [(0b10, 0b11, 0b01)])
    cells = np.array(list(product((0, 1), repeat=3)))
    patterns = Patterns.of(frame, cells)
    assert len(patterns.cells) == 4
    assert (patterns.cells[patterns.index] == cells[:, [0, 2]]).all()


def test_patterns_of_many_columns_are_told_apart():
    space = Space.boolean([f"f{j}" for j in range(100)])
    frame = ReducedSpace.of(space, [(0b10,) * 100])
    cells = np.random.default_rng(0).integers(0, 2, (300, 100))
    patterns = Patterns.of(frame, np.vstack([cells, cells]))
    assert (patterns.cells[patterns.index] == np.vstack([cells, cells])).all()
    assert len(patterns.cells) == 300


def test_constant_models_have_an_empty_reason_and_no_change():
    space = Space.boolean("ab")
    sides = ClassBoxes(space, 0, ((), (space.full,)))
    found = answers(sides, Patterns.of(sides.frame, np.array([[0, 1]])))
    assert (found.axps, found.cxps) == ([()], [None])
    assert predicted(replace(sides, boxes=((space.full,), ())), Patterns.of(sides.frame, np.array([[0, 1]]))) == [False]


N = 6
systems = st.lists(st.lists(st.integers(0, 2**N - 1) | st.none(), min_size=5, max_size=5), min_size=1, max_size=6)


def reversed_bits(mask: int) -> int:
    """Between the lowest column being the lowest bit, and its being the highest."""
    return int(f"{mask:0{N}b}"[::-1], 2)


def family_of(points: list[list[int | None]]) -> np.ndarray:
    return np.array([[ABSENT if s is None else reversed_bits(s) for s in sets] for sets in points], np.uint64).T


@given(systems)
def test_smallest_members_and_transversals_are_the_first_in_order(points):
    family = family_of(points)
    members, transversals = smallest_members(family).tolist(), smallest_transversals(family).tolist()
    for sets, member, transversal in zip(points, members, transversals, strict=True):
        present = [s for s in sets if s is not None]
        expected = in_order(present)
        assert member == (reversed_bits(expected[0]) if expected else int(ABSENT))
        first = next(transversals_in_order(present), None)
        assert transversal == (int(ABSENT) if first is None else reversed_bits(first))


def test_no_sets_are_met_by_the_empty_transversal():
    assert smallest_transversals(np.zeros((0, 2), dtype=np.uint64)).tolist() == [0, 0]
    assert smallest_members(np.zeros((0, 1), dtype=np.uint64)).tolist() == [int(ABSENT)]
