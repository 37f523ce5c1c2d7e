"""Merged cells: nothing the model tells apart is lost."""

from __future__ import annotations

import pytest
from tests.explaining import naive_explanations as naive
from tests.strategies import seeds

from idnf.explaining.projection import Frame
from idnf.logic.boxes import Column, Space, contains


@pytest.mark.parametrize("seed", seeds(30, 300))
def test_boxes_and_points_keep_their_relation(seed):
    world = naive.random_world(seed)
    boxes = world.positive + world.negative
    frame = Frame.of(world.space, boxes)
    for box in boxes:
        assert frame.expanded(frame.box(box)) == box
        for point in world.points:
            assert contains(frame.box(box), frame.point(point)) == naive.holds(box, point)


def test_ordered_cells_merge_with_neighbours_only_and_missing_stays_apart():
    age = Column("age", ("0", "1", "2", "missing"), ordered=True, missing=True)
    job = Column("job", ("x", "y", "z"))
    frame = Frame.of(Space((age, job), ()), [(0b1101, 0b101)])
    assert frame.merged == ((0, 1, 2, 3), (0, 1, 0))
    assert Frame.of(Space((age,), ()), [(0b1100,)]).merged == ((0, 0, 1, 2),)


def test_unused_columns_are_left_out():
    frame = Frame.of(Space.boolean("abc"), [(0b11, 0b10, 0b11)])
    assert frame.columns == (1,)
    assert frame.outer([0]) == (1,)
    assert frame.expanded((0b01,)) == (0b11, 0b01, 0b11)
