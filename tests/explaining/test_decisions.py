"""What is decided and what to ask next, against the truth table."""

from __future__ import annotations

from random import Random

import pytest
from tests.explaining import naive_explanations as naive
from tests.strategies import seeds

from idnf.explaining.decisions import decided, next_column
from idnf.explaining.sides import Sides
from idnf.logic.boxes import Space
from idnf.logic.dnf import DNF


def classes(world: naive.World, known: dict[int, int]) -> set[int]:
    return {world.table[x] for x in world.points if all(x[j] == cell for j, cell in known.items())}


def worst_case(world: naive.World, known: dict[int, int]) -> int:
    if len(classes(world, known)) == 1:
        return 0
    return 1 + min(after(world, known, j) for j in range(len(world.space.columns)) if j not in known)


def after(world: naive.World, known: dict[int, int], j: int) -> int:
    return max(worst_case(world, {**known, j: cell}) for cell in range(world.space.columns[j].size))


def box(world: naive.World, known: dict[int, int]):
    return tuple(1 << known[j] if j in known else full for j, full in enumerate(world.space.full))


@pytest.mark.parametrize("seed", seeds(30, 200))
def test_decided_and_next_column_are_those_of_the_truth_table(seed):
    world = naive.random_world(seed)
    rng = Random(seed)
    sides = Sides(world.space, 4, (world.negative, world.positive))
    for _ in range(8):
        point = rng.choice(world.points)
        known = {j: point[j] for j in range(len(point)) if rng.random() < 0.4}
        left = classes(world, known)
        assert decided(sides, box(world, known)) == (left.pop() if len(left) == 1 else None)
        names = [column.name for column in world.space.columns]
        question = next_column(sides, box(world, known))
        if question is None:
            assert worst_case(world, known) == 0
        else:
            assert question.exact
            asked = names.index(question.column)
            assert question.worst_case == worst_case(world, known) == 1 + after(world, known, asked)


def test_a_search_cut_short_says_so():
    sides = Sides.of(DNF.parse("a & b | c & d").double(), Space.boolean("abcd"))
    question = next_column(sides, sides.space.full, budget=2)
    assert (question.column, question.worst_case, question.exact) == ("a", None, False)
