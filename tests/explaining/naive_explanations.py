"""Random models over small column spaces, and truth-table versions of every explanation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from random import Random

from idnf.logic.boxes import Box, Column, Point, Space


@dataclass
class World:
    """A function on a small space, with boxes for both classes; the boxes need not be maximal."""

    space: Space
    positive: tuple[Box, ...]
    negative: tuple[Box, ...]

    def __post_init__(self):
        self.points = list(product(*(range(column.size) for column in self.space.columns)))
        self.table = {point: int(any(holds(box, point) for box in self.positive)) for point in self.points}


def holds(box: Box, point: Point) -> bool:
    return all(mask >> cell & 1 for mask, cell in zip(box, point, strict=True))


def random_world(seed: int, *, boolean: bool = False) -> World:
    rng = Random(seed)
    columns = tuple(_column(rng, j, boolean) for j in range(rng.randint(2, 4)))
    space = Space(columns, ())
    width = rng.randint(1, 3)
    positive = tuple(_random_box(rng, space, width) for _ in range(rng.randint(0, 4)))
    table = {p: any(holds(b, p) for b in positive) for p in product(*(range(c.size) for c in columns))}
    return World(space, positive, tuple(_cover(rng, space.full, table, False)))


def _column(rng: Random, j: int, boolean: bool) -> Column:
    if boolean:
        return Column(f"c{j}", ("0", "1"))
    size = rng.randint(2, 4)
    missing = size > 2 and rng.random() < 0.5
    return Column(f"c{j}", tuple(map(str, range(size))), ordered=rng.random() < 0.5, missing=missing)


def _random_box(rng: Random, space: Space, width: int) -> Box:
    chosen = set(rng.sample(range(len(space.columns)), min(width, len(space.columns))))
    return tuple(rng.randint(1, full) if j in chosen else full for j, full in enumerate(space.full))


def _cover(rng: Random, box: Box, table: dict[Point, bool], value: bool) -> Iterator[Box]:
    values = {v for point, v in table.items() if holds(box, point)}
    if values == {value}:
        yield box
    elif value in values:
        j = rng.choice([j for j, mask in enumerate(box) if mask.bit_count() > 1])
        part = rng.choice([m for m in range(1, box[j]) if m & ~box[j] == 0])
        for mask in (part, box[j] & ~part):
            yield from _cover(rng, (*box[:j], mask, *box[j + 1 :]), table, value)


def is_weak_axp(world: World, point: Point, columns: tuple[int, ...]) -> bool:
    same = (x for x in world.points if all(x[j] == point[j] for j in columns))
    return all(world.table[x] == world.table[point] for x in same)


def is_weak_cxp(world: World, point: Point, columns: tuple[int, ...]) -> bool:
    near = (x for x in world.points if all(x[j] == point[j] for j in range(len(point)) if j not in columns))
    return any(world.table[x] != world.table[point] for x in near)


def minimal(world: World, point: Point, is_weak) -> list[tuple[int, ...]]:
    """All subset-minimal column sets with the property, fewest columns first, then in column order."""
    found: list[tuple[int, ...]] = []
    for size in range(len(point) + 1):
        for columns in combinations(range(len(point)), size):
            if not any(set(f) <= set(columns) for f in found) and is_weak(world, point, columns):
                found.append(columns)
    return found


def is_inside(world: World, box: Box, label: int) -> bool:
    return all(world.table[x] == label for x in world.points if holds(box, x))


def conditions(world: World, point: Point, columns: tuple[int, ...]) -> Box:
    """The rule of docs/explanations.md, cell by cell."""
    label = world.table[point]
    box = [1 << point[j] if j in columns else full for j, full in enumerate(world.space.full)]
    for j in columns:
        column = world.space.columns[j]
        allowed = [c for c in range(column.size) if is_inside(world, (*box[:j], 1 << c, *box[j + 1 :]), label)]
        box[j] = sum(1 << c for c in kept_cells(column, allowed, point[j]))
    return tuple(box)


def kept_cells(column: Column, allowed: list[int], cell: int) -> list[int]:
    if not column.ordered:
        return allowed
    last = column.size - 1
    missing = [last] if column.missing and last in allowed else []
    present = [c for c in allowed if not (column.missing and c == last)]
    if column.missing and cell == last:
        if not present:
            return missing
        cell = present[0]
    return [c for c in present if all(d in present for d in range(min(c, cell), max(c, cell)))] + missing


def maximal_boxes(world: World, label: int) -> list[Box]:
    """All boxes inside a class that lie in no other one."""
    every = product(*(range(1, full + 1) for full in world.space.full))
    inside = {box for box in every if is_inside(world, box, label)}
    return [box for box in inside if not any(wider in inside for wider in one_cell_wider(world, box))]


def one_cell_wider(world: World, box: Box) -> Iterator[Box]:
    for j, column in enumerate(world.space.columns):
        for cell in range(column.size):
            if not box[j] >> cell & 1:
                yield (*box[:j], box[j] | 1 << cell, *box[j + 1 :])


def contrast(explanation):
    """Return the conditions of a CXp as cells, with the example's own cells on all other columns."""
    changes, changed = explanation.verdict.changes, explanation.changed
    return tuple(changes[j] if j in changed else 1 << cell for j, cell in enumerate(explanation.point))
