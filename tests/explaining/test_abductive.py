"""AXps at a point against the truth table."""

from __future__ import annotations

import pytest
from tests.explaining import naive_explanations as naive

from idnf.explaining.abductive import axps, is_weak_axp, one_axp, smallest_axp
from idnf.logic.boxes import Space
from idnf.logic.dnf import DNF


@pytest.mark.parametrize("seed", naive.seeds(15, 200))
def test_axps_are_those_of_the_truth_table(seed):
    world = naive.random_world(seed, boolean=seed % 4 == 0)
    for point in world.points:
        opposite = (world.positive, world.negative)[world.table[point]]
        expected = naive.minimal(world, point, naive.is_weak_axp)
        assert list(axps(opposite, point)) == expected
        assert smallest_axp(opposite, point) == expected[0]
        assert one_axp(opposite, point) in expected
        for columns in ((), (0,), (0, 1)):
            assert is_weak_axp(opposite, point, columns) == naive.is_weak_axp(world, point, columns)


def test_parity_has_one_axp_of_all_features():
    double = DNF.parse("a & b & c | a & ~b & ~c | ~a & b & ~c | ~a & ~b & c").double()
    opposite = Space.boolean("abc").boxes(double.negative)
    assert list(axps(opposite, (1, 0, 0))) == [(0, 1, 2)]


def test_axps_come_one_by_one():
    pairs = 20
    opposite = [tuple(0b01 if j // 2 == i else 0b11 for j in range(2 * pairs)) for i in range(pairs)]
    # 2**20 AXps, all of 20 columns: the first level of the search for the smallest must not list the last.
    assert next(axps(opposite[:8], (1,) * (2 * pairs))) == tuple(range(0, 16, 2))


def test_a_point_of_the_other_class_is_refused():
    with pytest.raises(ValueError, match="opposite must be the terms of the other class"):
        smallest_axp([(0b10, 0b11)], (1, 1))
