"""Recourse against all points of small spaces."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from tests.explaining import naive_explanations as naive
from tests.explaining.wordings import default_wordings
from tests.strategies import seeds

from idnf.explaining.explainer import Explainer
from idnf.explaining.recourse import Constraints, Start
from idnf.explaining.training_facts import ColumnValues
from idnf.logic.boxes import Column, Space
from idnf.logic.sides import ClassBoxes


def distance(world: naive.World, values, point, j: int, cell: int) -> float:
    column = world.space.columns[j]
    if not column.ordered or point[j] == column.missing_cell:
        return 1.0 - values[j].shares[cell]
    target = values[j].target(cell, upwards=cell > point[j])
    if target is None:
        return abs(cell - point[j]) / (column.size - 1)
    return abs(values[j].quantile(target) - values[j].quantile(10.0 * point[j]))


def is_permitted(world: naive.World, kinds: dict[int, str], point, j: int, cell: int) -> bool:
    column = world.space.columns[j]
    if cell == column.missing_cell or kinds.get(j) == "immutable":
        return False
    if j not in kinds or point[j] == column.missing_cell:
        return True
    return cell > point[j] if kinds[j] == "increase_only" else cell < point[j]


def ways(world: naive.World, kinds, costs, values, point) -> dict[tuple[int, ...], tuple[float, float]]:
    """The cheapest way into the other class for each set of columns changed."""
    best: dict[tuple[int, ...], tuple[float, float]] = {}
    for x in world.points:
        changed = tuple(j for j in range(len(x)) if x[j] != point[j])
        if world.table[x] == world.table[point]:
            continue
        if not all(is_permitted(world, kinds, point, j, x[j]) for j in changed):
            continue
        key = (
            sum(costs.get(j, 1.0) for j in changed),
            sum(distance(world, values, point, j, x[j]) for j in changed),
        )
        best[changed] = min(key, best.get(changed, (9e9, 9e9)))
    return best


def setting(seed: int):
    rng = Random(seed)
    world = naive.random_world(seed)
    kinds = {}
    for j, column in enumerate(world.space.columns):
        choices = ["immutable", None, None] + (["increase_only", "decrease_only"] if column.ordered else [])
        kind = rng.choice(choices)
        if kind:
            kinds[j] = kind
    costs = {j: rng.choice([0.5, 2.0, 3.0]) for j in range(len(world.space.columns)) if rng.random() < 0.4}
    values = []
    for column in world.space.columns:
        cells = np.array([rng.randrange(column.size) for _ in range(12)])
        values.append(ColumnValues.of(column, cells, cells * 10.0 if column.ordered else None))
    named = {
        kind: [f"c{j}" for j in kinds if kinds[j] == kind] for kind in ("immutable", "increase_only", "decrease_only")
    }
    constraints = Constraints(**named, costs={f"c{j}": cost for j, cost in costs.items()})
    sides = ClassBoxes(world.space, 4, (world.negative, world.positive))
    explainer = Explainer(sides, (0, 1), default_wordings(world.space), values=tuple(values))
    return world, kinds, costs, values, constraints, explainer


def start(world: naive.World, point) -> Start:
    columns = world.space.columns
    positions = [10.0 * cell if c.ordered and cell != c.missing_cell else None for c, cell in zip(columns, point)]
    return Start(point, positions, [c.cells[cell] for c, cell in zip(columns, point)])


@pytest.mark.parametrize("seed", seeds(18, 400))
def test_recourse_is_the_cheapest_feasible_change(seed):
    world, kinds, costs, values, constraints, explainer = setting(seed)
    for point in world.points:
        found = explainer.recourse(start(world, point), constraints=constraints, count=99)
        best = ways(world, kinds, costs, values, point)
        assert bool(found) == bool(best)
        if not found:
            continue
        assert (found[0].cost, found[0].distance) == pytest.approx(min(best.values()))
        sets = [tuple(j for j in range(len(point)) if way.point[j] != point[j]) for way in found]
        assert len(set(sets)) == len(sets)
        for way, columns in zip(found, sets, strict=True):
            assert world.table[way.point] != world.table[point]
            assert (way.cost, way.distance) == pytest.approx(best[columns])
            assert [change.column for change in way.changes] == [f"c{j}" for j in columns]
        # What is left out is no better than something that changes fewer columns.
        for columns in set(best) - set(sets):
            assert any(set(s) < set(columns) and best[s] <= best[columns] for s in sets)


@pytest.mark.parametrize("seed", seeds(18, 400))
def test_blocked_by_is_a_smallest_set_of_constraints(seed):
    world, kinds, costs, values, constraints, explainer = setting(seed)
    for point in world.points:
        found = explainer.recourse(start(world, point), constraints=constraints)
        if found:
            assert found.blocked_by == ()
            continue
        removable = [
            removed
            for size in range(len(kinds) + 1)
            for removed in combinations(sorted(kinds), size)
            if ways(world, {j: kinds[j] for j in kinds if j not in removed}, costs, values, point)
        ]
        blocked = [int(constraint.column[1:]) for constraint in found.blocked_by]
        if removable:
            assert len(blocked) == len(removable[0])
            assert tuple(blocked) in removable
            assert "blocked by" in found.to_text()
        else:
            assert blocked == []
            assert "whatever is allowed" in found.to_text()


INCOME = Column("income", ("at most 20", "20 to 35", "over 35"), ordered=True)
JOB = Column("job", ("clerk", "nurse"))
POLICY = Space((INCOME, JOB), ())


def policy(**settings) -> Explainer:
    sides = ClassBoxes(POLICY, 2, (((0b011, 0b01),), ((0b100, 0b11), (0b111, 0b10))))
    return Explainer(sides, ("declined", "approved"), default_wordings(POLICY), **settings)


CLERK = Start((0, 0), (15.0, None), ("15", "clerk"))


def test_the_nearest_value_seen_in_training_is_proposed():
    incomes = np.array([10.0, 30.0, 41.0, 90.0])
    seen = ColumnValues.of(INCOME, np.array([0, 1, 2, 2]), incomes)
    explainer = policy(values=(seen, None))
    (way,) = explainer.recourse(CLERK, constraints=Constraints(immutable=["job"]))
    assert way.to_text() == "To be approved: change income from 15 to 41."
    assert way.changes[0].condition == "income is over 35"
    assert way.to_dict()["changes"] == [
        {"column": "income", "old": "15", "new": "41", "condition": "income is over 35"}
    ]


def test_a_cost_may_be_a_function_of_old_and_new_value():
    asked = []

    def cost(old, new):
        asked.append((old, new))
        return 0.1

    found = policy().recourse(CLERK, constraints=Constraints(costs={"income": cost}), count=2)
    assert [way.changes[0].column for way in found] == ["income", "job"]
    assert asked == [(15.0, "over 35")]


def test_everything_immutable_is_said():
    found = policy().recourse(CLERK, constraints=Constraints(immutable=["income", "job"]))
    assert len(found) == 0
    assert found.to_text() == "No change leads to approved; blocked by income (immutable)."


def test_a_row_in_the_wanted_class_needs_no_change():
    (way,) = policy().recourse(CLERK, to="declined")
    assert (way.changes, way.cost) == ((), 0.0)
    assert way.to_text() == "Already declined: nothing has to change."


def test_bad_demands_are_refused():
    explainer = policy()
    with pytest.raises(
        ValueError, match="immutable must name columns of the table; got 'age'. The columns are: income, job"
    ):
        explainer.recourse(CLERK, constraints=Constraints(immutable=["age"]))
    with pytest.raises(TypeError, match="immutable must be a list of column names; got the text 'job'"):
        explainer.recourse(CLERK, constraints=Constraints(immutable="job"))
    with pytest.raises(ValueError, match=r"costs\['job'\] must be a number of at least 0 or a function; got -1"):
        explainer.recourse(CLERK, constraints=Constraints(costs={"job": -1}))
    with pytest.raises(ValueError, match=r"costs\['income'\] must return a cost of at least 0; got -2.0 for 15.0 to"):
        explainer.recourse(CLERK, constraints=Constraints(costs={"income": lambda *_: -2}))
    with pytest.raises(ValueError, match="increase_only must name ordered columns; got 'job'"):
        explainer.recourse(CLERK, constraints=Constraints(increase_only=["job"]))
    with pytest.raises(ValueError, match="increase_only and decrease_only must differ; got 'income' in both"):
        explainer.recourse(CLERK, constraints=Constraints(increase_only=["income"], decrease_only=["income"]))
    with pytest.raises(ValueError, match="to must be one of 'declined' and 'approved'; got 'maybe'"):
        explainer.recourse(CLERK, to="maybe")
    with pytest.raises(ValueError, match="count must be at least 1; got 0"):
        explainer.recourse(CLERK, count=0)
