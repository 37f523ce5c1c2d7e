"""What may be changed in an example, in which direction, and at what cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite

from idnf.logic.boxes import Space

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

    def resolved(self, space: Space) -> Resolved:
        """Return the constraints by index of the column; refuse unknown names and impossible demands."""
        number = {column.name: j for j, column in enumerate(space.columns)}
        kinds: dict[int, str] = {}
        for kind in ("decrease_only", "increase_only", "immutable"):
            for name in names_given(kind, getattr(self, kind)):
                j = _index(number, name, kind)
                if kind != "immutable" and not space.columns[j].ordered:
                    raise ValueError(f"{kind} must name ordered columns; got {name!r}, whose values have no order.")
                if kind == "increase_only" and kinds.get(j) == "decrease_only":
                    raise ValueError(f"increase_only and decrease_only must differ; got {name!r} in both.")
                kinds[j] = kind
        costs = {_index(number, name, "costs"): _checked_cost(name, cost) for name, cost in self.costs.items()}
        return Resolved(kinds, costs)


@dataclass(frozen=True)
class Constraint:
    """A constraint that stands in the way."""

    column: str
    kind: str

    def __str__(self) -> str:
        return f"{self.column} ({self.kind.replace('_', ' ')})"


@dataclass(frozen=True)
class Resolved:
    """The constraints by index of the column."""

    kinds: dict[int, str]
    costs: dict[int, Cost]


def names_given(kind: str, names: Iterable[str]) -> list[str]:
    """Return names of columns as a list; refuse a text, whose letters are no columns."""
    if isinstance(names, str):
        raise TypeError(f"{kind} must be a list of column names; got the text {names!r}.")
    return list(names)


def _index(number: Mapping[str, int], name: str, where: str) -> int:
    if name not in number:
        raise ValueError(f"{where} must name columns of the table; got {name!r}. The columns are: {', '.join(number)}.")
    return number[name]


def _checked_cost(name: str, cost: Cost) -> Cost:
    if not callable(cost) and not (isfinite(cost) and cost >= 0):
        raise ValueError(f"costs[{name!r}] must be a number of at least 0 or a function; got {cost!r}.")
    return cost
