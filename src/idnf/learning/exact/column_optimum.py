"""Proved optima among all functions whose decisions have reasons of at most k columns, over the rows that can exist.

A point has such a reason iff on some k columns all points that agree with it have its label. With one column that is
any function of a single column, and on a table of at most k columns every function: both are sums. Otherwise, on spaces
of few points, it is a MaxSAT problem: a variable for each label of each point, one for each reason (cells of k columns,
and a label), a clause for each point that one of its reasons holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import combinations, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.maxsat import MaxSat
from idnf.learning.exact.problem import is_integral
from idnf.learning.objective import Learned, Objective, labels_of
from idnf.learning.task import LearningTask
from idnf.logic.boxes import Box, Point, Space
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.deadlines import Deadline
from idnf.logic.model import Model
from idnf.logic.primes import TooManyBoxes

# Points, and points times sets of k columns: a fraction of a second to write down.
_MOST_POINTS = 512
_MOST_REASONS = 20_000
# Looks at the clock before the search for an optimum is given up, a fraction of a second each.
_MOST_LOOKS = 400

BoxesByLabel = list[list[Box]]


def with_columns_counted(found: Learned, rows: DistinctRows, space: Space, task: LearningTask) -> Learned:
    """Return what was learned over literals with what is proved named for a space, or an optimum over its columns.

    That is looked for if literals are free, none is barred and the points are few; if it is no better, the model stays.
    """
    if space.is_boolean or found.bound_family != "any":
        return found
    free = not found.price and task.allowed is None
    best = column_optimum(rows, found.model, task.k, space, task.deadline) if free else None
    if best is None:
        optimal = None if found.optimal is None else "any-literals"
        return Learned(found.model, found.objective, optimal, found.bound, "any-literals", found.price)
    if best.objective > found.objective - 1e-12:
        return Learned(found.model, found.objective, "any", found.objective, "any")
    return best


def column_optimum(
    rows: DistinctRows, start: Model, k: int, space: Space, deadline: Deadline | None = None
) -> Learned | None:
    """Return the function of least weighted error with reasons of at most k columns; None if that takes too long.

    Points that no example lies on get the labels of the model to start from, as far as that goes.

    >>> from idnf.logic.boxes import Column
    >>> from idnf.logic.nested import NestedDNF
    >>> x = Space((Column("x", ("1", "2", "3"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> rows = DistinctRows(np.array([[1, 1], [0, 1], [0, 0]], dtype=bool), np.array([[1.0, 0], [0, 1], [1, 0]]), True)
    >>> start = NestedDNF.constant(("x <= 1", "x <= 2"), False, 1)
    >>> print(column_optimum(rows, start, 1, x).model.side(1))
    ~'x <= 1' & 'x <= 2'
    """
    grid = _Grid.of(rows, start, space)
    if k == 1:
        sides = min((grid.of_one(j) for j in range(len(grid.columns))), key=lambda one: one[0])[1]
    elif grid.size > _MOST_POINTS:
        return None
    elif len(grid.columns) <= k:
        sides = grid.majority()
    else:
        solved = _solve(grid, k, deadline or Deadline())
        if solved is None:
            return None
        sides = solved
    kind = DoubleDNF if rows.n_classes == 2 else ClassDNFs
    try:
        model = kind.from_boxes(start.names, sides, space).within(k)
    except TooManyBoxes:
        return None
    objective = Objective(rows, 0.0)(model)
    return Learned(model, objective, "any", objective, "any")


@dataclass(frozen=True)
class _Grid:
    """The points that literals distinguish: for each column with literals its atoms, sets of cells where all agree."""

    rows: DistinctRows
    start: Model
    space: Space
    columns: tuple[int, ...]
    atoms: tuple[tuple[int, ...], ...]
    cells: NDArray[np.intp]

    @classmethod
    def of(cls, rows: DistinctRows, start: Model, space: Space) -> _Grid:
        owners: dict[int, list[int]] = {}
        for feature, (column, _) in enumerate(space.literals):
            owners.setdefault(column, []).append(feature)
        atoms, cells = [], []
        for column, features in owners.items():
            masks: dict[tuple[bool, ...], int] = {}
            for cell in range(space.columns[column].size):
                truths = tuple(bool(space.literals[feature][1] >> cell & 1) for feature in features)
                masks[truths] = masks.get(truths, 0) | 1 << cell
            number = {truths: i for i, truths in enumerate(masks)}
            cells.append([number[tuple(line)] for line in rows.features[:, features].tolist()])
            atoms.append(tuple(masks.values()))
        return cls(rows, start, space, tuple(owners), tuple(atoms), np.array(cells, dtype=np.intp))

    @property
    def size(self) -> int:
        """The number of points."""
        return prod(map(len, self.atoms))

    def box(self, chosen: Sequence[int], atoms: Sequence[int]) -> Box:
        """Return the box of atoms, by number, of some columns."""
        box = list(self.space.full)
        for j, atom in zip(chosen, atoms, strict=True):
            box[self.columns[j]] = self.atoms[j][atom]
        return tuple(box)

    def weights(self, chosen: Sequence[int]) -> NDArray[np.float64]:
        """Return the weight of each label at all atoms of some columns, the last changing fastest."""
        sizes = [len(self.atoms[j]) for j in chosen]
        places = np.ravel_multi_index(tuple(self.cells[j] for j in chosen), sizes)
        summed = np.zeros((prod(sizes), self.rows.n_classes))
        np.add.at(summed, places, self.rows.weights)
        return summed

    def of_one(self, j: int) -> tuple[float, BoxesByLabel]:
        """Return the best function of one column, and what it gets wrong; an atom not seen is as the one before it."""
        weights = self.weights([j])
        label, sides = int(self.rows.totals.argmax()), self.no_boxes()
        for atom, here in enumerate(weights):
            label = int(here.argmax()) if here.any() else label
            sides[label].append(self.box([j], [atom]))
        return float((weights.sum(axis=1) - weights.max(axis=1)).sum()), sides

    def no_boxes(self) -> BoxesByLabel:
        """Return an empty list for each label."""
        return [[] for _ in range(self.rows.n_classes)]

    @cached_property
    def points(self) -> list[Point]:
        """All points, an atom for each column with literals."""
        return list(product(*(range(len(atoms)) for atoms in self.atoms)))

    @cached_property
    def started(self) -> list[int]:
        """The label of every point by the model to start from."""
        everywhere = [[mask.bit_length() - 1 for mask in self.box(range(len(self.atoms)), p)] for p in self.points]
        labels: list[int] = labels_of(
            self.start, np.array(list(map(self.space.features, everywhere)), dtype=bool)
        ).tolist()
        return labels

    def majority(self) -> BoxesByLabel:
        """Return the best of all functions."""
        sides = self.no_boxes()
        for point, here, label in zip(self.points, self.weights(range(len(self.atoms))), self.started, strict=True):
            sides[int(here.argmax()) if here.any() else label].append(self.box(range(len(self.atoms)), point))
        return sides

    def reasons(self, k: int) -> Iterator[tuple[Box, list[int]]]:
        """Yield the boxes of atoms of k columns, and the points in each by number."""
        for chosen in combinations(range(len(self.atoms)), k):
            held: dict[Point, list[int]] = {}
            for number, point in enumerate(self.points):
                held.setdefault(tuple(point[j] for j in chosen), []).append(number)
            yield from ((self.box(chosen, atoms), numbers) for atoms, numbers in held.items())


def _solve(grid: _Grid, k: int, deadline: Deadline) -> BoxesByLabel | None:
    """Return the reasons, of each label, of the best function; None if there is no solver, or it takes too long."""
    if grid.size * comb(len(grid.columns), k) > _MOST_REASONS or find_spec("pysat") is None:
        return None
    if not is_integral(grid.rows.weights):
        return None
    problem = MaxSat()
    given = [[problem.new() for _ in range(grid.rows.n_classes)] for _ in grid.points]
    known = _with_reasons(problem, grid, k, given)
    # Any example outweighs all points that have none.
    whole = len(grid.points) + 1
    everything = zip(given, grid.weights(range(len(grid.atoms))).tolist(), grid.started, strict=True)
    for variables, weights, label in everything:
        if not any(weights):
            problem.prefer(variables[label], 1)
        for variable, weight in zip(variables, weights, strict=True):
            if weight:
                problem.prefer(variable, int(weight) * whole)
    looks, sides = iter(range(_MOST_LOOKS)), grid.no_boxes()
    found = problem.solve(lambda _: deadline.is_over() or next(looks, None) is None).model
    if found is None:
        return None
    for reason, label, box in known:
        if reason in found:
            sides[label].append(box)
    return sides


def _with_reasons(problem: MaxSat, grid: _Grid, k: int, given: Sequence[Sequence[int]]) -> list[tuple[int, int, Box]]:
    """Say that every point has one label and a reason for it; return the reasons, by variable, label and box."""
    known: list[tuple[int, int, Box]] = []
    of_point: list[list[int]] = [[] for _ in given]
    for (box, numbers), label in product(grid.reasons(k), range(grid.rows.n_classes)):
        reason = problem.new()
        known.append((reason, label, box))
        for number in numbers:
            problem.add([-reason, given[number][label]])
            of_point[number].append(reason)
    for variables, reasons in zip(given, of_point, strict=True):
        problem.add(reasons)
        for one, other in combinations(variables, 2):
            problem.add([-one, -other])
    return known
