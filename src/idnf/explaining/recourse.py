"""Recourse: the cheapest feasible change of an example into a class, exactly.

Every example of a class lies in one of its terms, and the cheapest way into a term changes only the columns on which
the example lies outside it. So the cheapest change overall is the minimum over the terms of the class. Constraints
forbid some cells; nothing is ever moved to "missing".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isfinite
from typing import Self

from idnf.columns.phrases import brief, listed
from idnf.explaining.training_facts import ColumnValues
from idnf.explaining.wording import ClassWords, Wording
from idnf.logic.boxes import Box, Column, Point, Space, cells_of, columns_outside, contains
from idnf.logic.errors import InvalidArgument
from idnf.result_frames import by_attribute, html_table

Value = float | str | None
"""A value as a cost function sees it: a number for an ordered column, else the label of the cell; None if missing."""

Cost = float | Callable[[Value, Value], float]


@dataclass(frozen=True)
class Constraints:
    """What may be changed, and at what cost.

    Parameters
    ----------
    immutable, increase_only, decrease_only : iterable of str
        Names of columns; one-way columns must be ordered. A missing value may become known unless it is immutable.
    costs : mapping of str to number or callable
        What changing a column costs: a number of at least 0, or a function of the old and the new value. A column
        that is not named costs 1.
    """

    immutable: Iterable[str] = ()
    increase_only: Iterable[str] = ()
    decrease_only: Iterable[str] = ()
    costs: Mapping[str, Cost] = field(default_factory=dict)

    def resolved(self, space: Space) -> tuple[dict[int, str], dict[int, Cost]]:
        """Return kinds and costs by index of the column; refuse unknown names and impossible demands."""
        number = {column.name: j for j, column in enumerate(space.columns)}
        kinds: dict[int, str] = {}
        for kind in ("decrease_only", "increase_only", "immutable"):
            for name in names_given(kind, getattr(self, kind)):
                j = _index(number, name, kind)
                if kind != "immutable" and not space.columns[j].ordered:
                    raise InvalidArgument(kind, "name ordered columns", f"{name!r}, whose values have no order")
                if kind == "increase_only" and kinds.get(j) == "decrease_only":
                    raise InvalidArgument("increase_only and decrease_only", "differ", f"{name!r} in both")
                kinds[j] = kind
        for name, cost in self.costs.items():
            if not callable(cost) and not (isfinite(cost) and cost >= 0):
                raise InvalidArgument(f"costs[{name!r}]", "be a number of at least 0 or a function", f"{cost!r}")
        return kinds, {_index(number, name, "costs"): cost for name, cost in self.costs.items()}


@dataclass(frozen=True)
class Constraint:
    """A constraint that stands in the way."""

    column: str
    kind: str

    def __str__(self) -> str:
        return f"{self.column} ({self.kind.replace('_', ' ')})"


def names_given(kind: str, names: Iterable[str]) -> list[str]:
    """Return names of columns as a list; refuse a text, whose letters are not columns."""
    if isinstance(names, str):
        raise TypeError(f"{kind} must be a list of column names; got the text {names!r}.")
    try:
        return list(dict.fromkeys(names))
    except TypeError:
        raise TypeError(f"{kind} must be a list of column names; got {brief(names)}.") from None


def _index(number: Mapping[str, int], name: str, where: str) -> int:
    if name not in number:
        raise InvalidArgument(where, "name columns of the table", f"{name!r}", f"The columns are: {', '.join(number)}.")
    return number[name]


@dataclass(frozen=True)
class Change:
    """A change of one column.

    Attributes
    ----------
    column : str
    old, new : str
        The values in words; ``new`` lies just past the cut, if training values are known no farther than one of them.
    condition : str
        Every value that would do, the other columns being changed as proposed.
    """

    column: str
    old: str
    new: str
    condition: str

    def __str__(self) -> str:
        return f"{self.column} from {self.old} to {self.new}"


@dataclass(frozen=True)
class Recourse:
    """A way into the wanted class.

    Attributes
    ----------
    changes : tuple of Change
        None when the example is in the wanted class already.
    cost : float
        The costs of the columns changed, added up; their number if no costs are given.
    distance : float
        The quantile distances of the columns changed, added up.
    point : tuple of int
        The cells of the changed example.
    label : object
        The wanted class.
    target : str, optional
        What the column of classes is called.
    """

    changes: tuple[Change, ...]
    cost: float
    distance: float
    point: Point
    label: object
    target: str | None = None

    def to_text(self) -> str:
        """Return the change as a sentence."""
        wanted = ClassWords(self.label, self.target)
        if not self.changes:
            return f"{wanted.already}: nothing has to change."
        return f"{wanted.to_be}: change {listed(list(map(str, self.changes)), 'and')}."

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return the change as plain data."""
        changes = [{"column": c.column, "old": c.old, "new": c.new, "condition": c.condition} for c in self.changes]
        return {"label": self.label, "cost": self.cost, "changes": changes, "text": self.to_text()}


class Recourses(tuple[Recourse, ...]):
    """The ways into the wanted class, cheapest first; empty is a proof that there is none.

    Attributes
    ----------
    blocked_by : tuple of Constraint
        When empty: a smallest set of constraints without which there would be a way. If that is empty too, no change of
        known values leads to the class under any constraints.
    """

    blocked_by: tuple[Constraint, ...]
    _wanted: ClassWords | None

    def __new__(
        cls,
        ways: Iterable[Recourse],
        wanted: ClassWords | None = None,
        blocked_by: tuple[Constraint, ...] = (),
    ) -> Self:
        """Keep the ways beside what they lead to."""
        found = super().__new__(cls, ways)
        found._wanted, found.blocked_by = wanted, blocked_by
        return found

    @property
    def label(self) -> object:
        """The wanted class; None if any of several others would do."""
        return None if self._wanted is None else self._wanted.label

    def _repr_html_(self) -> str:
        if not self:
            return f"<p>{escape(self.to_text())}</p>"
        ways = [(str(way + 1), change) for way, one in enumerate(self) for change in one.changes]
        changes = by_attribute((change for _, change in ways), "column", "old", "new", "condition")
        return html_table({"way": [way for way, _ in ways], **changes})

    def to_text(self) -> str:
        """Return the ways, one per line, or why there is none."""
        if self:
            return "\n".join(way.to_text() for way in self)
        wanted = "another class" if self._wanted is None else self._wanted.reached
        if self.blocked_by:
            return f"No change leads to {wanted}; blocked by {listed(list(map(str, self.blocked_by)), 'and')}."
        return f"No change of known values leads to {wanted}, whatever is allowed."

    __str__ = to_text

    def __repr__(self) -> str:
        return f"<Recourses: {self.to_text()}>"


@dataclass(frozen=True)
class Start:
    """The example to be changed.

    Parameters
    ----------
    point : tuple of int
        Its cells.
    positions : sequence of float or None
        For ordered columns the numbers that order its values; None if unknown or missing.
    words : sequence of str
        Its values in words.
    """

    point: Point
    positions: Sequence[float | None]
    words: Sequence[str]


@dataclass(frozen=True)
class Surroundings:
    """The space, how to describe it, and its training values; None for a column whose values are not known."""

    space: Space
    wordings: Sequence[Wording]
    values: Sequence[ColumnValues | None]


def recourses(
    wanted: Sequence[tuple[ClassWords, Sequence[Box]]],
    start: Start,
    around: Surroundings,
    constraints: Constraints,
    *,
    count: int = 1,
) -> Recourses:
    """Return the cheapest ways into any of some classes, each with its terms, with different sets of columns changed.

    A way is left out when it changes more columns than another one does, those among them, and is no cheaper. Of ways
    that cost the same the one into the first class is taken.
    """
    if count < 1:
        raise InvalidArgument("count", "be at least 1", count)
    kinds, costs = constraints.resolved(around.space)
    label = wanted[0][0] if len(wanted) == 1 else None
    for name, boxes in wanted:
        if any(contains(box, start.point) for box in boxes):
            return Recourses([Recourse((), 0.0, 0.0, start.point, name.label, name.target)], name)
    movers = [_Mover(j, start, around, kinds.get(j), costs.get(j, 1.0)) for j in range(len(around.space.columns))]
    best: dict[tuple[int, ...], _Way] = {}
    for name, boxes in wanted:
        for box in boxes:
            way = _way(box, name, start.point, movers)
            if way is not None and (way.columns not in best or way.key < best[way.columns].key):
                best[way.columns] = way
    kept: list[_Way] = []
    for way in sorted(best.values(), key=lambda w: (w.key, len(w.columns), w.columns)):
        if not any(set(other.columns) < set(way.columns) for other in kept):
            kept.append(way)
    if not kept:
        every = [box for _, boxes in wanted for box in boxes]
        return Recourses([], label, _blocking(every, start.point, movers))
    return Recourses([_recourse(way, start, around, movers) for way in kept[:count]], label)


@dataclass(frozen=True)
class _Move:
    cost: float
    distance: float
    cell: int
    target: float | None


@dataclass(frozen=True)
class _Way:
    columns: tuple[int, ...]
    moves: tuple[_Move, ...]
    box: Box
    outcome: ClassWords

    @property
    def key(self) -> tuple[float, float]:
        return sum(move.cost for move in self.moves), sum(move.distance for move in self.moves)


class _Mover:
    """The moves one column can make, whatever the term."""

    def __init__(self, j: int, start: Start, around: Surroundings, kind: str | None, cost: Cost) -> None:
        self.column: Column = around.space.columns[j]
        self.cell = start.point[j]
        self.kind = kind
        self.known = around.values[j]
        self.old = start.positions[j]
        self.cost = cost
        self._moves: dict[int, _Move] = {}

    def reachable(self, mask: int) -> int:
        """Return the cells of a mask that known values can be moved to, constraints aside."""
        missing = self.column.missing_cell
        return mask if missing is None else mask & ~(1 << missing)

    def permitted(self, mask: int) -> int:
        """Return the reachable cells of a mask that the constraints permit."""
        reachable = self.reachable(mask)
        if self.kind is None or (self.cell == self.column.missing_cell and self.kind != "immutable"):
            return reachable
        lower = (1 << self.cell) - 1
        return {"immutable": 0, "decrease_only": reachable & lower, "increase_only": reachable & ~lower}[self.kind]

    def best(self, mask: int) -> _Move | None:
        """Return the cheapest permitted move into a mask: least cost, then distance, then lowest cell."""
        moves = (self._move(cell) for cell in cells_of(self.permitted(mask)))
        return min(moves, key=lambda move: (move.cost, move.distance, move.cell), default=None)

    def upwards(self, cell: int) -> bool:
        """Return whether a cell is reached from below, as from a missing value."""
        return cell > self.cell or self.cell == self.column.missing_cell

    def _move(self, cell: int) -> _Move:
        if cell not in self._moves:
            target = None if self.known is None else self.known.target(cell, upwards=self.upwards(cell))
            self._moves[cell] = _Move(self._cost(cell, target), self._distance(cell, target), cell, target)
        return self._moves[cell]

    def _distance(self, cell: int, target: float | None) -> float:
        if not self.column.ordered or self.cell == self.column.missing_cell:
            # Nothing to measure along: the more common the value, the nearer.
            return 1.0 - (0.0 if self.known is None else self.known.shares[cell])
        if self.known is None or target is None:
            return abs(cell - self.cell) / max(1, self.column.size - 1)
        old = self.old
        if old is None:
            old = self.known.target(self.cell, upwards=cell < self.cell)
        return 1.0 if old is None else abs(self.known.quantile(target) - self.known.quantile(old))

    def _cost(self, cell: int, target: float | None) -> float:
        if not callable(self.cost):
            return float(self.cost)
        old: Value = self.old if self.old is not None else self.column.cells[self.cell]
        if self.cell == self.column.missing_cell:
            old = None
        new: Value = target if target is not None else self.column.cells[cell]
        cost = float(self.cost(old, new))
        if not (isfinite(cost) and cost >= 0):
            name = self.column.name
            raise InvalidArgument(f"costs[{name!r}]", "return a cost of at least 0", f"{cost} for {old!r} to {new!r}")
        return cost


def _way(box: Box, outcome: ClassWords, point: Point, movers: Sequence[_Mover]) -> _Way | None:
    columns = tuple(cells_of(columns_outside(box, point)))
    moves = [movers[j].best(box[j]) for j in columns]
    found = tuple(move for move in moves if move is not None)
    return _Way(columns, found, box, outcome) if len(found) == len(columns) else None


def _blocking(boxes: Iterable[Box], point: Point, movers: Sequence[_Mover]) -> tuple[Constraint, ...]:
    """Return the fewest constraints that must go for some term to be reached."""
    best: tuple[int, ...] | None = None
    for box in boxes:
        outside = list(cells_of(columns_outside(box, point)))
        if all(movers[j].reachable(box[j]) for j in outside):
            blocking = tuple(j for j in outside if not movers[j].permitted(box[j]))
            if best is None or (len(blocking), blocking) < (len(best), best):
                best = blocking
    return tuple(Constraint(movers[j].column.name, movers[j].kind or "") for j in best or ())


def _recourse(way: _Way, start: Start, around: Surroundings, movers: Sequence[_Mover]) -> Recourse:
    changes = []
    point = list(start.point)
    for j, move in zip(way.columns, way.moves, strict=True):
        wording = around.wordings[j]
        point[j] = move.cell
        if move.target is None:
            new = wording.phrase(1 << move.cell).instead
        else:
            new = wording.proposed_words(move.cell, move.target, upwards=movers[j].upwards(move.cell))
        # Missing is never proposed, so it is not named either.
        would_do = wording.phrase(movers[j].reachable(way.box[j])).condition
        changes.append(Change(wording.name, start.words[j], new, would_do))
    return Recourse(tuple(changes), *way.key, tuple(point), way.outcome.label, way.outcome.target)
