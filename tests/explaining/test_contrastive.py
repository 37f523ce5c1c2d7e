"""CXps at a point against the truth table."""

from __future__ import annotations

import pytest
from tests.explaining import naive_explanations as naive

from idnf.explaining.abductive import axps
from idnf.explaining.contrastive import cxps, is_weak_cxp, smallest_cxp
from idnf.explaining.ordered_transversals import transversals_in_order
from idnf.logic.boxes import cells_of


@pytest.mark.parametrize("seed", naive.seeds(15, 200))
def test_cxps_are_those_of_the_truth_table(seed):
    world = naive.random_world(seed, boolean=seed % 4 == 0)
    for point in world.points:
        opposite = (world.positive, world.negative)[world.table[point]]
        expected = naive.minimal(world, point, naive.is_weak_cxp)
        assert cxps(opposite, point) == expected
        assert smallest_cxp(opposite, point) == (expected[0] if expected else None)
        for columns in ((), (0,), (0, 1)):
            assert is_weak_cxp(opposite, point, columns) == naive.is_weak_cxp(world, point, columns)


@pytest.mark.parametrize("seed", naive.seeds(10, 100))
def test_cxps_are_the_minimal_transversals_of_the_axps(seed):
    world = naive.random_world(seed)
    for point in world.points:
        opposite = (world.positive, world.negative)[world.table[point]]
        sets = [sum(1 << j for j in axp) for axp in axps(opposite, point)]
        assert [tuple(cells_of(t)) for t in transversals_in_order(sets)] == cxps(opposite, point)
