"""The front of the explainer: predictions, lists, what is decided."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from tests.explaining import naive_explanations as naive
from tests.strategies import seeds

from idnf.explaining.explainer import Explainer, decided, next_column
from idnf.logic.boxes import Space
from idnf.logic.dnf import DNF
from idnf.logic.sides import ClassBoxes

MODEL = DNF.parse("a & b | c & d")
EXPLAINER = Explainer.of(MODEL.double(), Space.boolean(MODEL.names))


def test_predictions_are_the_values_of_the_formula():
    points = np.array(list(product((0, 1), repeat=4)))
    expected = [bool(MODEL.evaluate(dict(zip("abcd", point.tolist(), strict=True)))) for point in points]
    assert EXPLAINER.predict(points).tolist() == expected


def test_all_axps_and_cxps_by_name():
    assert list(EXPLAINER.axps((1, 1, 1, 1))) == [("a", "b"), ("c", "d")]
    assert EXPLAINER.cxps((1, 1, 1, 1)) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert list(EXPLAINER.axps((0, 1, 0, 0))) == [("a", "c"), ("a", "d")]


def test_what_is_decided_and_what_to_ask():
    assert EXPLAINER.decided({0: 1, 1: 1}) == 1
    assert EXPLAINER.decided({0: 1, 1: 0}) is None
    assert EXPLAINER.decided({0: 0, 2: 0}) == 0
    question = EXPLAINER.next_column({0: 1, 1: 0})
    assert (question.column, question.worst_case, question.exact) == (EXPLAINER.space.columns[2].name, 2, True)
    assert EXPLAINER.next_column({0: 1, 1: 1}) is None


def test_wordings_must_fit_the_space():
    with pytest.raises(ValueError, match="wordings must have 4 entries, one per column; got 0"):
        Explainer.of(MODEL.double(), Space.boolean(MODEL.names), wordings=())


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


@pytest.mark.parametrize("seed", seeds(18, 200))
def test_decided_and_next_column_are_those_of_the_truth_table(seed):
    world = naive.random_world(seed)
    rng = Random(seed)
    sides = ClassBoxes(world.space, 4, (world.negative, world.positive))
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
    sides = ClassBoxes.of(DNF.parse("a & b | c & d").double(), Space.boolean("abcd"))
    question = next_column(sides, sides.space.full, budget=2)
    assert (question.column, question.worst_case, question.exact) == ("a", 4, False)
