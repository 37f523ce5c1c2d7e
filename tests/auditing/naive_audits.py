"""Random models of several classes over small spaces, and the auditor's questions answered point by point."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

from tests.strategies import seeds

from idnf.logic.boxes import Column, Space
from idnf.logic.sides import ClassBoxes


def holds(box, point):
    return all(mask >> cell & 1 for mask, cell in zip(box, point))


class World:
    """A function on a small space into some classes, with boxes for each; they overlap and need not be maximal."""

    def __init__(self, seed, *, classes=None, space=None):
        rng = Random(seed)
        self.seed = seed
        self.space = space or random_space(rng)
        self.count = classes or rng.randint(2, 4)
        self.points = list(product(*(range(column.size) for column in self.space.columns)))
        parts = list(_parts(rng, self.space.full, rng.randint(1, 4)))
        labels = [rng.randrange(self.count) for _ in parts]
        self.table = {point: label for box, label in zip(parts, labels) for point in self.points if holds(box, point)}
        boxes = [[box for box, label in zip(parts, labels) if label == c] for c in range(self.count)]
        for _ in range(rng.randint(0, 3)):
            self._add_wider(rng, boxes)
        k = max((len(self.space.constrained(box)) for side in boxes for box in side), default=0)
        self.model = ClassBoxes(self.space, max(k, 1), tuple(map(tuple, boxes)))

    def _add_wider(self, rng, boxes):
        """Add a box around a random point that stays inside its class, grown a random column at a time."""
        point = rng.choice(self.points)
        box = [1 << cell for cell in point]
        for j in rng.sample(range(len(box)), len(box)):
            wider = [*box[:j], self.space.full[j], *box[j + 1 :]]
            if {self.table[p] for p in self.points if holds(wider, p)} == {self.table[point]}:
                box = wider
        boxes[self.table[point]].append(tuple(box))


CHUNKS = seeds(2, 13)
"""Numbers of chunks of random models, 40 in each."""


def worlds(chunk):
    return [World(seed) for seed in range(40 * chunk, 40 * chunk + 40)]


def random_space(rng):
    columns = []
    for j in range(rng.randint(2, 4)):
        size = rng.randint(2, 4)
        missing = size > 2 and rng.random() < 0.4
        columns.append(Column(f"c{j}", tuple(map(str, range(size))), ordered=rng.random() < 0.5, missing=missing))
    return Space(tuple(columns), ())


def _parts(rng, box, depth):
    open_columns = [j for j, mask in enumerate(box) if mask.bit_count() > 1]
    if depth == 0 or not open_columns or rng.random() < 0.15:
        yield box
        return
    j = rng.choice(open_columns)
    part = rng.choice([m for m in range(1, box[j]) if m & ~box[j] == 0])
    for mask in (part, box[j] & ~part):
        yield from _parts(rng, (*box[:j], mask, *box[j + 1 :]), depth - 1)


def axps(world, point):
    """All subset-minimal sets of columns whose values give the class of the point."""
    found = []
    for size in range(len(point) + 1):
        for columns in combinations(range(len(point)), size):
            if not any(set(f) <= set(columns) for f in found) and suffices(world, point, columns):
                found.append(columns)
    return found


def suffices(world, point, columns):
    same = (x for x in world.points if all(x[j] == point[j] for j in columns))
    return all(world.table[x] == world.table[point] for x in same)


def near(world, point, columns):
    """The points that differ from the point on these columns only."""
    return [x for x in world.points if all(x[j] == point[j] for j in range(len(point)) if j not in columns)]
