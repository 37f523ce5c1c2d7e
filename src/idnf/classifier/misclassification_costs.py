"""What mistakes cost, by the true label and the label given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from idnf.logic.errors import InvalidArgument

Costs = Mapping[tuple[object, object], float]


MOST_COST = 1e9
"""The most that a mistake may cost, where a usual one costs 1."""


@dataclass(frozen=True)
class MisclassificationCosts:
    """What mistakes cost: the costliest one of each label, and for each label given the part of that which it spares.

    Examples
    --------
    >>> MisclassificationCosts.of({("bad", "good"): 5}, ["bad", "good"])
    MisclassificationCosts(dearest=(5.0, 1.0), credit=None)
    >>> MisclassificationCosts.of({("bad", "good"): 4}, ["bad", "fair", "good"]).credit
    ((1.0, 0.75, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """

    dearest: tuple[float, ...]
    credit: tuple[tuple[float, ...], ...] | None

    @classmethod
    def of(cls, costs: Costs | None, labels: Sequence[object]) -> MisclassificationCosts:
        """Return what costs of some mistakes say; a mistake that is not named costs 1."""
        matrix = 1.0 - np.eye(len(labels))
        for pair, cost in (costs or {}).items():
            matrix[_places(pair, labels)] = _checked_cost(pair, cost)
        dearest = matrix.max(axis=1)
        if not dearest.all():
            free = labels[int(dearest.argmin())]
            raise InvalidArgument("costs", "charge something for some mistake on each label", f"0 for all on {free!r}")
        credit = 1.0 - matrix / dearest[:, np.newaxis]
        plain = np.array_equal(credit, np.eye(len(labels)))
        return cls(tuple(dearest.tolist()), None if plain else tuple(map(tuple, credit.tolist())))


def _places(pair: object, labels: Sequence[object]) -> tuple[int, int]:
    """Return the numbers of a true label and the label given in its place."""
    known = ", ".join(map(repr, labels))
    if not isinstance(pair, tuple) or len(pair) != 2 or any(label not in labels for label in pair):
        raise InvalidArgument("costs", f"name pairs of labels, (true, given), out of {known}", f"{pair!r}")
    if pair[0] == pair[1]:
        raise InvalidArgument("costs", "be of mistakes, and a right answer costs nothing", f"{pair!r}")
    return labels.index(pair[0]), labels.index(pair[1])


def _checked_cost(pair: object, cost: object) -> float:
    if not isinstance(cost, Real) or isinstance(cost, bool) or not 0 <= float(cost) <= MOST_COST:
        raise InvalidArgument("costs", f"be numbers from 0 to {MOST_COST:g}", f"{cost!r} for {pair!r}")
    return float(cost)
