"""The catalogue against the truth table: complete, inside the class, and holding every reason given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.explaining import naive_explanations as naive
from tests.explaining.wordings import default_wordings
from tests.logic.test_sides import large_nested
from tests.strategies import seeds

from idnf.explaining.batch import Patterns, answers
from idnf.explaining.explainer import Explainer
from idnf.explaining.reading import reason_order
from idnf.logic.boxes import Space, is_within
from idnf.logic.dnf import DNF
from idnf.logic.primes import TooManyBoxes
from idnf.logic.sides import ClassBoxes


def is_interval(column, mask: int) -> bool:
    known = mask & ~(1 << column.size - 1) if column.missing else mask
    return not column.ordered or "01" not in bin(known)[2:].rstrip("0")


def widest_boxes(world: naive.World, label: int) -> list:
    """Boxes of interval conditions inside a class that lie in no other such box."""
    columns = world.space.columns
    inside = set()
    for box in naive.maximal_boxes(world, label):
        parts = [
            [m for m in range(1, mask + 1) if m & ~mask == 0 and is_interval(c, m)] for c, mask in zip(columns, box)
        ]
        inside.update(naive.product(*parts))
    return [b for b in inside if not any(b != other and is_within(b, other) for other in inside)]


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_the_catalogue_is_complete(seed):
    world = naive.random_world(seed)
    explainer = Explainer(
        ClassBoxes(world.space, 4, (world.negative, world.positive)), (0, 1), default_wordings(world.space)
    )
    reasons = explainer.reasons()
    for label in (0, 1):
        assert sorted(r.box for r in reasons if r.label == label) == sorted(widest_boxes(world, label))


@pytest.mark.parametrize("seed", seeds(15, 200))
def test_every_reason_given_is_in_the_catalogue(seed):
    world = naive.random_world(seed)
    k = 1 + max(len(a) for p in world.points for a in naive.minimal(world, p, naive.is_weak_axp)[:1])
    explainer = Explainer(
        ClassBoxes(world.space, k, (world.negative, world.positive)), (0, 1), default_wordings(world.space)
    )
    known = {reason.id: reason for reason in explainer.reasons()}
    for explanation in explainer.explain(np.array(world.points)):
        assert known[explanation.reason].box == explanation.box
        assert known[explanation.reason].columns == explanation.axp_columns


AB_OR_C = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"), classes=("no", "yes"))


def test_reasons_are_measured_on_data():
    cells = np.array([[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 0, 1]])
    reasons = AB_OR_C.reasons(cells, np.array([True, False, False, True]))
    measured = {r.id: (str(r), r.coverage, r.precision) for r in reasons}
    assert measured == {
        "b1": ("c", 0.5, 0.5),
        "b2": ("a and b", 0.5, 0.5),
        "a1": ("not a and not c", 0.25, 1.0),
        "a2": ("not b and not c", 0.25, 1.0),
    }
    assert AB_OR_C.reasons(cells)[0].precision is None
    assert AB_OR_C.reasons()[0].coverage is None
    assert AB_OR_C.reasons(cells[:1], np.array([True]))[0].precision is None
    assert reasons[0].to_dict() == {
        "id": "b1",
        "label": "yes",
        "conditions": ["c"],
        "columns": ["c"],
        "text": None,
        "coverage": 0.5,
        "precision": 0.5,
    }


def test_the_users_own_wording_is_used():
    explainer = AB_OR_C.with_texts({"b1": "a guarantor has signed"})
    assert str(explainer.reasons()[0]) == "a guarantor has signed"
    text = explainer.explain(np.array([[0, 0, 1]]))[0].to_text()
    assert text == "Yes because a guarantor has signed. If not c, it would be no."
    with pytest.raises(ValueError, match="texts must name reasons of the catalogue; got 'b9'"):
        AB_OR_C.with_texts({"b9": "never"})


def test_too_many_reasons_are_said_and_single_explanations_still_work():
    nested = large_nested(6)
    explainer = Explainer.of(nested, Space.boolean(nested.names))
    with pytest.raises(TooManyBoxes, match="class 0 has more than 2048 reasons, too many to list"):
        explainer.reasons()
    negative = explainer.explain(np.zeros((1, 36), dtype=int))[0]
    assert negative.reason is None
    assert len(negative.axp) == 6
    assert explainer.explain(np.ones((1, 36), dtype=int))[0].reason == "b1"


def test_a_reason_of_a_constant_model_is_always():
    space = Space.boolean("a")
    sides = ClassBoxes(space, 0, ((), (space.full,)))
    explainer = replace(AB_OR_C, sides=sides)
    assert [str(reason) for reason in explainer.reasons()] == ["always"]


@pytest.mark.parametrize("seed", seeds(15, 400))
def test_the_first_reason_in_order_that_holds_is_the_one_given(seed):
    world = naive.random_world(seed, boolean=seed % 4 == 0)
    sides = ClassBoxes(world.space, 4, (world.negative, world.positive))
    ordered = sorted(
        ((box, label) for label in (0, 1) for box in sides.reasons[label]),
        key=lambda reason: reason_order(sides.frame.inner, reason[0]),
    )
    patterns = Patterns.of(sides.frame, np.array(world.points))
    found = answers(sides, patterns)
    for p, cells in enumerate(patterns.cells.tolist()):
        first = next(reason for reason in ordered if naive.holds(reason[0], cells))
        assert first == (found.boxes[p], found.labels[p])
