"""What mistakes cost: by the true label and the label given, or for each row and each label that may be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.logic.errors import InvalidArgument

Costs = Mapping[tuple[object, object], float]


MOST_COST = 1e9
"""The most that a mistake may cost, where a usual one costs 1."""


@dataclass(frozen=True)
class MisclassificationCosts:
    """What mistakes cost, a line for each true label and a column for each label given.

    Examples
    --------
    >>> MisclassificationCosts.of({("bad", "good"): 4}, ["bad", "fair", "good"])
    MisclassificationCosts(table=((0.0, 1.0, 4.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)))
    """

    table: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, costs: Costs | None, labels: Sequence[object]) -> MisclassificationCosts:
        """Return what costs of some mistakes say; a mistake that is not named costs 1."""
        matrix = 1.0 - np.eye(len(labels))
        for pair, cost in (costs or {}).items():
            matrix[_places(pair, labels)] = _checked_cost(pair, cost)
        if not matrix.any(axis=1).all():
            free = labels[int(matrix.any(axis=1).argmin())]
            raise InvalidArgument("costs", "charge something for some mistake on each label", f"0 for all on {free!r}")
        return cls(tuple(map(tuple, matrix.tolist())))

    @property
    def highest(self) -> NDArray[np.float64]:
        """The cost of the costliest mistake on each label."""
        highest: NDArray[np.float64] = np.array(self.table).max(axis=1)
        return highest

    @property
    def relative(self) -> NDArray[np.float64]:
        """The costs as parts of the costliest mistake on each label."""
        relative: NDArray[np.float64] = np.array(self.table) / self.highest[:, np.newaxis]
        return relative

    @property
    def is_by_label(self) -> bool:
        """Whether all mistakes on a label cost the same, so that costs are weights of the labels."""
        return np.array_equal(self.relative, 1.0 - np.eye(len(self.table)))


def checked_row_costs(costs: ArrayLike, rows: int, n_classes: int) -> NDArray[np.float64]:
    """Return what each label costs for each row.

    >>> checked_row_costs([[0, 5], [1, 0]], 2, 2).tolist()
    [[0.0, 5.0], [1.0, 0.0]]
    >>> checked_row_costs([[0, 5, 1], [1, 0, 1]], 2, 2)
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: costs must have the shape (2, 2), a column for each label in sorted order; got
    the shape (2, 3).
    """
    try:
        table = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgument("costs", "be a table of numbers for fit", type(costs).__name__) from error
    if table.shape != (rows, n_classes):
        rule = f"have the shape {(rows, n_classes)}, a column for each label in sorted order"
        raise InvalidArgument("costs", rule, f"the shape {table.shape}")
    if not ((table >= 0) & (table <= MOST_COST)).all():
        worst = table[~((table >= 0) & (table <= MOST_COST))][0]
        raise InvalidArgument("costs", f"be numbers from 0 to {MOST_COST:g}", f"{worst:g}")
    if not (table != table[:, :1]).any():
        raise InvalidArgument("costs", "differ between the labels of some row", "the same cost for every label")
    return table


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
