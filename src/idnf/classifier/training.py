"""What a classifier needs of a table: the one interface of tables in memory and of lazy tables.

A *training* is what a model is learned from; an *examined* table answers questions about its rows.
:mod:`idnf.classifier.way_in` is the one place that asks which kind of table it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from idnf.columns.raw import RawTable
from idnf.counting.contract import Counts
from idnf.explaining.explainer import Explainer
from idnf.explaining.training_facts import ColumnValues, TrainingPatterns
from idnf.learning.choices import LearnerName
from idnf.logic.deadlines import Deadline
from idnf.tables.binariser import TableBinariser

SpaceName = Literal["columns", "boolean"]
ClassWeight = Mapping[object, float] | Literal["balanced"] | None
Costs = Mapping[tuple[object, object], float]

MOST_COST = 1e9
"""The most that a mistake may cost, where a usual one costs 1."""

MOST_VALUES = 20_000
"""Training rows from which the ranges and quantiles of columns are taken."""


@dataclass(frozen=True)
class TrainingRequest:
    """What the parameters of a classifier say about its training.

    Parameters
    ----------
    binariser : TableBinariser
        To be fitted.
    class_weight : dict, "balanced" or None
    costs : dict or None
        What each mistake costs, by the true label and the label given.
    seed : int
    k : int
    learner : {"greedy", "search", "exact"}
    progress : callable or None
        To be called with the share of the work done.
    deadline : Deadline
        When the model is to be there.
    """

    binariser: TableBinariser
    class_weight: ClassWeight
    costs: Costs | None
    seed: int
    k: int
    learner: LearnerName
    progress: Callable[[float], None] | None
    deadline: Deadline = field(default_factory=Deadline)


@dataclass(frozen=True)
class Mistakes:
    """What mistakes cost: the dearest one of each label, and for each label given the part of that which it spares.

    Examples
    --------
    >>> Mistakes.of({("bad", "good"): 5}, ["bad", "good"])
    Mistakes(dearest=(5.0, 1.0), credit=None)
    >>> Mistakes.of({("bad", "good"): 4}, ["bad", "fair", "good"]).credit
    ((1.0, 0.75, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """

    dearest: tuple[float, ...]
    credit: tuple[tuple[float, ...], ...] | None

    @classmethod
    def of(cls, costs: Costs | None, labels: Sequence[object]) -> Mistakes:
        """Return what costs of some mistakes say; a mistake that is not named costs 1."""
        matrix = 1.0 - np.eye(len(labels))
        for pair, cost in (costs or {}).items():
            matrix[_places(pair, labels)] = _checked_cost(pair, cost)
        dearest = matrix.max(axis=1)
        if not dearest.all():
            free = labels[int(dearest.argmin())]
            raise ValueError(f"costs must charge something for some mistake on each label; got 0 for all on {free!r}.")
        credit = 1.0 - matrix / dearest[:, np.newaxis]
        plain = np.array_equal(credit, np.eye(len(labels)))
        return cls(tuple(dearest.tolist()), None if plain else tuple(map(tuple, credit.tolist())))


def _places(pair: object, labels: Sequence[object]) -> tuple[int, int]:
    """Return the numbers of a true label and the label given in its place."""
    known = ", ".join(map(repr, labels))
    if not isinstance(pair, tuple) or len(pair) != 2 or any(label not in labels for label in pair):
        raise ValueError(f"costs must name pairs of labels, (true, given), out of {known}; got {pair!r}.")
    if pair[0] == pair[1]:
        raise ValueError(f"costs must be of mistakes, and a right answer costs nothing; got {pair!r}.")
    return labels.index(pair[0]), labels.index(pair[1])


def _checked_cost(pair: object, cost: object) -> float:
    if not isinstance(cost, Real) or isinstance(cost, bool) or not 0 <= float(cost) <= MOST_COST:
        raise ValueError(f"costs must be numbers from 0 to {MOST_COST:g}; got {cost!r} for {pair!r}.")
    return float(cost)


class Training(Protocol):
    """Examples to learn from, their columns fitted."""

    @property
    def binariser(self) -> TableBinariser:
        """The columns and their literals."""

    @property
    def classes(self) -> NDArray[np.generic]:
        """The labels, sorted."""

    @property
    def counts(self) -> Counts:
        """What a learner may ask."""

    @property
    def whole(self) -> bool:
        """Whether a learner may look at every row, however many there are."""

    @property
    def rows_for_time(self) -> tuple[int, int] | None:
        """How many rows the learner looks at, and of how many, where the time limit does not allow all of them."""

    @property
    def progress(self) -> Callable[[float], None] | None:
        """What the learner tells how much of its work is done."""

    def patterns(self, explainer: Explainer) -> TrainingPatterns:
        """Return the weight of each class among the examples that a model does not tell apart."""

    def values(self, used: Collection[int]) -> tuple[ColumnValues | None, ...]:
        """Return the ranges and quantiles of the columns in use, None for the others."""

    def finish(self) -> None:
        """Note that all is done."""


def training_values(
    binariser: TableBinariser, table: RawTable, weights: NDArray[np.float64] | None, used: Collection[int]
) -> tuple[ColumnValues | None, ...]:
    """Return the training values of the columns in use, None for the others."""
    cells = binariser.cells_of(table, used)
    values: list[ColumnValues | None] = [None] * len(binariser.columns_)
    for j in used:
        column = binariser.columns_[j]
        found = column.positions(*table.of(column.sources))
        positions = None if found is None else found[0]
        values[j] = ColumnValues.of(column.to_column(), cells[:, j], positions, weights)
    return tuple(values)
