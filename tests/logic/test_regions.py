"""AXps and CXps at a point against the truth table."""

from __future__ import annotations

import pytest
from tests.explaining import naive_explanations as naive
from tests.strategies import seeds

from idnf.logic.boxes import Space, cells_of
from idnf.logic.dnf import DNF
from idnf.logic.regions import Region, own_cells
from idnf.logic.transversals import transversals_in_order


def region_of(world: naive.World, point) -> Region:
    return Region(world.space.full, (world.positive, world.negative)[world.table[point]])


def columns(masks):
    return [tuple(cells_of(mask)) for mask in masks]


@pytest.mark.parametrize("seed", seeds(9, 200))
def test_axps_and_cxps_are_those_of_the_truth_table(seed):
    world = naive.random_world(seed, boolean=seed % 4 == 0)
    for point in world.points:
        region = region_of(world, point)
        assert columns(region.axps(point)) == naive.minimal(world, point, naive.is_weak_axp)
        assert columns(region.cxps(point)) == naive.minimal(world, point, naive.is_weak_cxp)
        for fixed in ((), (0,), (0, 1)):
            kept = own_cells(world.space, point, fixed)
            freed = own_cells(world.space, point, set(range(len(point))) - set(fixed))
            assert region.has(kept) == naive.is_weak_axp(world, point, fixed)
            assert region.has(freed) != naive.is_weak_cxp(world, point, fixed)


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_cxps_are_the_minimal_transversals_of_the_axps(seed):
    world = naive.random_world(seed)
    for point in world.points:
        region = region_of(world, point)
        assert list(transversals_in_order(region.axps(point))) == list(region.cxps(point))


def test_parity_has_one_axp_of_all_features():
    double = DNF.parse("a & b & c | a & ~b & ~c | ~a & b & ~c | ~a & ~b & c").double()
    space = Space.boolean("abc")
    assert columns(Region(space.full, tuple(space.boxes(double.negative))).axps((1, 0, 0))) == [(0, 1, 2)]


def test_axps_come_one_by_one():
    pairs = 20
    boxes = tuple(tuple(0b01 if j // 2 == i else 0b11 for j in range(2 * pairs)) for i in range(pairs))
    # 2**20 AXps, all of 20 columns: the first level of the search for the smallest must not list the last.
    region = Region((3,) * (2 * pairs), boxes[:8])
    assert columns([next(region.axps((1,) * (2 * pairs)))]) == [tuple(range(0, 16, 2))]


def test_a_point_of_another_class_is_refused():
    with pytest.raises(ValueError, match="point must lie in the class"):
        Region((3, 3), ((0b10, 0b11),)).axps((1, 1))
