"""Maximal boxes against all boxes of small spaces."""

from __future__ import annotations

import pytest
from tests.explaining import naive_explanations as naive
from tests.strategies import seeds

from idnf.logic.boxes import Space
from idnf.logic.dnf import DNF
from idnf.logic.primes import TooManyBoxes, maximal_boxes_avoiding, maximal_boxes_within


@pytest.mark.parametrize("seed", seeds(8, 100))
def test_both_ways_give_all_maximal_boxes(seed):
    world = naive.random_world(seed)
    sides = (world.negative, world.positive)
    for label in (0, 1):
        expected = sorted(naive.maximal_boxes(world, label))
        assert maximal_boxes_within(sides[label], world.space.full) == expected
        assert maximal_boxes_avoiding(sides[1 - label], world.space.full) == expected
        narrow = [box for box in expected if len(world.space.constrained(box)) <= 2]
        assert maximal_boxes_avoiding(sides[1 - label], world.space.full, k=2) == narrow


def test_in_the_boolean_space_they_are_the_prime_implicants():
    f = DNF.parse("a & b | ~a & c | b & ~c & d")
    space = Space.boolean(f.names)
    primes = sorted(space.boxes(f.prime_implicants()))
    assert maximal_boxes_within(space.boxes(f), space.full) == primes


def test_too_many_boxes_are_said():
    rows = [tuple(0b10 if j // 4 == i else 0b11 for j in range(16)) for i in range(4)]
    assert len(maximal_boxes_avoiding(rows, (0b11,) * 16)) == 4**4
    with pytest.raises(TooManyBoxes, match="gave up: more than 100 boxes would be held at once"):
        maximal_boxes_avoiding(rows, (0b11,) * 16, limit=100)
