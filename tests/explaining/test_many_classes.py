"""Every question about models of three to five classes, against brute force over all points."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from tests.explaining import naive_explanations as naive
from tests.explaining.wordings import default_wordings
from tests.strategies import seeds

from idnf.explaining.explainer import Explainer
from idnf.explaining.recourse import Constraints, Start
from idnf.explaining.training_facts import Confidence, TrainingPatterns
from idnf.logic.boxes import Space
from idnf.logic.sides import ClassBoxes
from idnf.proving.independent_check import check_classes


class ClassWorld:
    """A function into several classes on a small space, with boxes for each class that need not be maximal."""

    def __init__(self, seed):
        rng = Random(seed)
        columns = tuple(naive._column(rng, j, False) for j in range(rng.randint(2, 4)))
        self.space = Space(columns, ())
        self.points = list(product(*(range(column.size) for column in columns)))
        classes = rng.randint(3, 5)
        drawn = [(naive._random_box(rng, self.space, rng.randint(1, 2)), rng.randrange(classes)) for _ in range(5)]
        self.table = {
            point: next((label for box, label in drawn if naive.holds(box, point)), 0) for point in self.points
        }
        self.classes = tuple(f"class {label}" for label in range(classes))
        self.boxes = tuple(
            tuple(naive._cover(rng, self.space.full, {p: c == label for p, c in self.table.items()}, True))
            for label in range(classes)
        )
        sides = ClassBoxes(self.space, len(columns), self.boxes)
        self.explainer = Explainer(sides, self.classes, default_wordings(self.space))

    def names(self, columns):
        return tuple(self.space.columns[j].name for j in columns)


worlds = pytest.mark.parametrize("seed", seeds(8, 400))


@worlds
def test_all_axps_and_cxps(seed):
    world = ClassWorld(seed)
    for point in world.points:
        axps = [world.names(columns) for columns in naive.minimal(world, point, naive.is_weak_axp)]
        cxps = [world.names(columns) for columns in naive.minimal(world, point, naive.is_weak_cxp)]
        assert list(world.explainer.axps(point)) == axps
        assert world.explainer.cxps(point) == cxps


@worlds
def test_explanations_give_the_class_the_smallest_reason_and_a_true_change(seed):
    world = ClassWorld(seed)
    explanations = world.explainer.explain(np.array(world.points))
    assert world.explainer.predict(np.array(world.points)).tolist() == list(world.table.values())
    for point, explanation in zip(world.points, explanations, strict=True):
        label = world.table[point]
        assert explanation.label == world.classes[label]
        (smallest, *_) = naive.minimal(world, point, naive.is_weak_axp)
        assert explanation.axp_columns == world.names(smallest)
        assert explanation.box == naive.conditions(world, point, smallest)
        cxps = naive.minimal(world, point, naive.is_weak_cxp)
        assert explanation.cxp_columns == (world.names(cxps[0]) if cxps else ())
        explanation.check()
        assert len(explanation.certificate().contradictions) == sum(
            len(boxes) for other, boxes in enumerate(world.boxes) if other != label
        )
        if cxps:
            assert explanation.other != explanation.label
            other = world.classes.index(explanation.other)
            assert naive.is_inside(world, naive.contrast(explanation), other)
            assert any(naive.holds(naive.contrast(explanation), x) for x in world.points)


@worlds
def test_the_classes_are_verified_and_every_reason_is_in_the_catalogue(seed):
    world = ClassWorld(seed)
    sides = world.explainer.sides
    check_classes([column.size for column in sides.space.columns], sides.terms)
    reasons = {reason.id: reason for reason in world.explainer.reasons()}
    labels = np.array(list(world.table.values()))
    measured = world.explainer.reasons(np.array(world.points), labels)
    for reason in measured:
        label = world.classes.index(reason.label)
        assert reason.id.startswith("abcdefgh"[label])
        assert naive.is_inside(world, reason.box, label)
        assert reason.precision == 1.0
    for explanation in world.explainer.explain(np.array(world.points)):
        assert reasons[explanation.reason].box == explanation.box
        assert reasons[explanation.reason].label == explanation.label


@worlds
def test_what_is_decided_and_how_many_questions_are_left(seed):
    world = ClassWorld(seed)
    columns = range(len(world.space.columns))
    for known_columns in (c for size in range(len(columns) + 1) for c in combinations(columns, size)):
        point = world.points[seed % len(world.points)]
        known = {j: point[j] for j in known_columns}
        left = {world.table[p] for p in world.points if all(p[j] == cell for j, cell in known.items())}
        assert world.explainer.decided(known) == (left.pop() if len(left) == 1 else None)
        question = world.explainer.next_column(known)
        if question is not None:
            assert question.exact
            assert question.worst_case == questions_left(world, known)
        else:
            assert questions_left(world, known) == 0


def questions_left(world, known):
    """The fewest columns that must be asked for in the worst case."""
    points = [p for p in world.points if all(p[j] == cell for j, cell in known.items())]
    if len({world.table[p] for p in points}) == 1:
        return 0
    unknown = [j for j in range(len(world.space.columns)) if j not in known]
    return 1 + min(
        max(questions_left(world, {**known, j: cell}) for cell in range(world.space.columns[j].size)) for j in unknown
    )


@worlds
def test_recourse_is_the_cheapest_change_into_the_named_class_or_into_any_other(seed):
    world = ClassWorld(seed)
    rng = Random(seed)
    fixed = rng.choice(world.space.columns).name
    for point in world.points[:: max(1, len(world.points) // 12)]:
        start = Start(point, (None,) * len(point), ("?",) * len(point))
        for to in (None, *world.classes):
            for immutable in ((), (fixed,)):
                found = world.explainer.recourse(start, to=to, constraints=Constraints(immutable), count=20)
                own = world.classes[world.table[point]]
                wanted = [c for c in world.classes if c == to or (to is None and c != own)]
                costs = {c: cheapest(world, point, world.classes.index(c), immutable) for c in wanted}
                possible = [cost for cost in costs.values() if cost is not None]
                assert bool(found) == bool(possible)
                if found:
                    assert found[0].cost == min(possible)
                for way in found:
                    assert way.label in wanted
                    assert world.classes[world.table[way.point]] == way.label
                if not found and not immutable:
                    assert found.blocked_by == ()
                    assert ("another class" if to is None else to) in found.to_text()


def cheapest(world, point, label, immutable):
    """The fewest columns to change, never to missing; None when there is no way."""
    costs = []
    for other in world.points:
        changed = [j for j in range(len(point)) if other[j] != point[j]]
        allowed = all(
            other[j] != world.space.columns[j].missing_cell and world.space.columns[j].name not in immutable
            for j in changed
        )
        if world.table[other] == label and allowed:
            costs.append(len(changed))
    return min(costs, default=None)


@worlds
def test_the_likeliest_class_is_the_one_given(seed):
    world = ClassWorld(seed)
    sides, rng = world.explainer.sides, np.random.default_rng(seed)
    cells = np.array([sides.frame.point(point) for point in world.points], dtype=np.intp)
    cells = cells.reshape(len(world.points), len(sides.frame.columns))
    training = TrainingPatterns(cells, rng.integers(0, 9, size=(len(cells), len(world.classes))).astype(float))
    for known in (training, TrainingPatterns.nothing(sides.frame, n_classes=len(world.classes))):
        shares = Confidence(sides, known).of_rows(np.array(world.points))
        assert shares.shape == (len(world.points), len(world.classes))
        assert np.allclose(shares.sum(axis=1), 1)
        assert (shares > 0).all()
        assert shares.argmax(axis=1).tolist() == list(world.table.values())


def test_shares_are_those_of_the_rows_given_the_same_reason():
    space = Space.boolean("ab")
    boxes = (((0b10, 0b11),), ((0b01, 0b01),), ((0b01, 0b10),))
    sides = ClassBoxes(space, 2, boxes)
    cells = np.array([[1, 0], [1, 1], [0, 0]])
    training = TrainingPatterns(cells, np.array([[3.0, 1, 0], [2, 0, 1], [0, 0, 5]]))
    shares = Confidence(sides, training).of_rows(np.array([[1, 0], [0, 0], [0, 1]]))
    assert shares[0] == pytest.approx([6 / 10, 2 / 10, 2 / 10])
    # Class 2 is likelier among the rows given class 1, and nothing is known of those given class 2.
    assert shares[1].argmax() == 1
    assert shares[1][1] - shares[1][2] == pytest.approx(2e-6)
    assert shares[2] == pytest.approx([1 / 3] * 3, abs=1e-5)


def test_to_must_name_a_class():
    world = ClassWorld(0)
    point = world.points[0]
    start = Start(point, (None,) * len(point), ("?",) * len(point))
    with pytest.raises(ValueError, match="to must be one of 'class 0', 'class 1'.* and 'class .'; got 'gold'"):
        world.explainer.recourse(start, to="gold")
