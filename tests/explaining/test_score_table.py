"""Shares by the set of reasons that hold: what they are, what they never contradict, and that they grow."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from tests.explaining import naive_explanations as naive
from tests.explaining.naive_scores import NaiveScores
from tests.explaining.wordings import default_wordings
from tests.strategies import seeds

from idnf.explaining.batch import Patterns
from idnf.explaining.explainer import Explainer
from idnf.explaining.score_table import ReasonSets
from idnf.explaining.training_facts import Confidence, TrainingPatterns
from idnf.logic.boxes import Column, Space
from idnf.logic.sides import ClassBoxes


def training_of(sides, world, examples, **settings):
    cells = np.array([point for point, _ in examples], dtype=np.intp).reshape(len(examples), len(world.space.columns))
    labels = np.array([label for _, label in examples], dtype=np.intp)
    return TrainingPatterns.of(Patterns.of(sides.frame, cells), labels, None, n_classes=2, **settings)


def drawn_examples(world, rng, count):
    """Return examples whose labels depend on more than the class that the model gives."""
    lean = {point: rng.random() for point in world.points}
    points = [rng.choice(world.points) for _ in range(count)]
    return [(point, int(rng.random() < (lean[point] + world.table[point]) / 2)) for point in points]


def sides_of(world):
    return ClassBoxes(world.space, len(world.space.columns), (world.negative, world.positive))


@pytest.mark.parametrize("seed", seeds(12, 600))
def test_shares_are_those_of_the_examples_that_meet_the_same_reasons(seed):
    world, rng = naive.random_world(seed), Random(seed)
    sides = sides_of(world)
    examples = drawn_examples(world, rng, rng.choice([0, 5, 40, 150]))
    confidence = Confidence(sides, training_of(sides, world, examples))
    frame = sides.frame
    reasons = [(label, frame.expand(box)) for label, box in ReasonSets.of(sides).reasons]
    expected = NaiveScores(world, reasons, examples)
    found = confidence.of_rows(np.array(world.points))
    assert found[:, 1].tolist() == pytest.approx([expected.of_point(point) for point in world.points], abs=1e-9)
    assert (found.argmax(axis=1) == [world.table[point] for point in world.points]).all()
    assert found.sum(axis=1).tolist() == pytest.approx([1.0] * len(found))


@pytest.mark.parametrize("seed", seeds(12, 600))
def test_the_first_reason_that_holds_is_the_one_given(seed):
    world = naive.random_world(seed)
    explainer = Explainer(sides_of(world), (0, 1), default_wordings(world.space))
    sets = ReasonSets.of(explainer.sides)
    patterns = Patterns.of(explainer.sides.frame, np.array(world.points))
    held = sets.held(patterns)[patterns.index]
    for explanation, line in zip(explainer.explain(np.array(world.points)), held, strict=True):
        label, box = sets.reasons[int(line.argmax())]
        assert explanation.side == label
        assert explainer.reason_id(label, explainer.sides.frame.expand(box)) == explanation.reason


def monotone_world(seed):
    """Return a function that grows with every column, and the boxes of both classes."""
    rng = Random(seed)
    columns = tuple(Column(f"c{j}", tuple("0123"[: rng.randint(2, 4)]), ordered=True) for j in range(rng.randint(2, 4)))
    space = Space(columns, ())
    corners = [tuple(rng.randrange(column.size) for column in columns) for _ in range(rng.randint(1, 4))]
    up = tuple(tuple(full >> cell << cell for cell, full in zip(corner, space.full)) for corner in corners)
    table = {p: any(naive.holds(b, p) for b in up) for p in product(*(range(c.size) for c in columns))}
    return naive.World(space, up, tuple(naive._cover(rng, space.full, table, False)))


@pytest.mark.parametrize("costs", [(), (1.0, 3.0), None])
@pytest.mark.parametrize("seed", seeds(12, 600))
def test_under_monotone_constraints_shares_grow(seed, costs):
    world, rng = monotone_world(seed), Random(seed)
    sides = sides_of(world)
    # Few examples, so that many sets are never met, and many.
    examples = drawn_examples(world, rng, rng.choice([0, 6, 30, 300]))
    confidence = Confidence(sides, training_of(sides, world, examples, costs=costs, monotone=True))
    share = dict(zip(world.points, confidence.of_rows(np.array(world.points))[:, 1].tolist()))
    for low, high in product(world.points, repeat=2):
        if all(a <= b for a, b in zip(low, high)):
            assert share[low] <= share[high]
    if costs is not None:
        low, high = costs or (1.0, 1.0)
        assert all((share[point] * high > (1 - share[point]) * low) == world.table[point] for point in world.points)


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_where_errors_cost_differently_the_class_given_is_ahead_by_cost(seed):
    world, rng = naive.random_world(seed), Random(seed)
    sides, costs = sides_of(world), (0.7, 4.0)
    examples = drawn_examples(world, rng, 60)
    found = Confidence(sides, training_of(sides, world, examples, costs=costs)).of_rows(np.array(world.points))
    assert ((found * costs).argmax(axis=1) == [world.table[point] for point in world.points]).all()


def test_a_set_says_more_than_its_reason():
    """Rows with a reason of class 1 alone are worse than rows with both, which the share of the reason hides."""
    space = Space.boolean("ab")
    sides = ClassBoxes(space, 2, (((0b01, 0b01),), ((0b10, 0b11), (0b11, 0b10))))
    cells = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
    weights = np.array([[300.0, 700], [10, 990], [300, 700], [900, 100]])
    shares = Confidence(sides, TrainingPatterns(cells, weights)).of_rows(np.array([[1, 0], [1, 1], [0, 1], [0, 0]]))
    # By hand: 4 000 examples, so the least strength 5, which is best of those tried; a is the reason of 2 000 rows.
    of_a = (700 + 990 + 1) / (2000 + 2)
    assert shares[:, 1].tolist() == pytest.approx(
        [(700 + 5 * of_a) / 1005, (990 + 5 * of_a) / 1005, (700 + 5 * 701 / 1002) / 1005, (100 + 5 * 101 / 1002) / 1005]
    )
