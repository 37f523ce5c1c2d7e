"""What a classifier needs of a table to learn from it: one interface of tables in memory and of lazy tables.

A *training* is what a model is learned from; an *examined* table answers questions about its rows.
:mod:`idnf.classifier.table_input` is the one place that asks which kind of table it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from idnf.columns.raw import RawTable
from idnf.counting.contract import Counts
from idnf.explaining.explainer import Explainer
from idnf.explaining.training_facts import ColumnValues, TrainingPatterns
from idnf.learning.trials import Trials
from idnf.learning.value_folds import ValueFolds
from idnf.tables.binariser import TableBinariser

MOST_VALUES = 20_000
"""Training rows from which the ranges and quantiles of columns are taken."""


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
    def value_folds(self) -> ValueFolds | None:
        """The examples with the values of columns that are in groups; None if there are no such columns."""

    @property
    def unavoidable(self) -> float:
        """The part of what is counted that no model gets right, because a row counts for several labels."""

    @property
    def whole(self) -> bool:
        """Whether a learner may look at every row, however many there are."""

    @property
    def rows_for_time(self) -> tuple[int, int] | None:
        """How many rows the learner looks at, and of how many, if the time limit does not allow all of them."""

    @property
    def trials(self) -> Trials | None:
        """What other learners tried on the same examples, if it is shared."""

    @property
    def progress(self) -> Callable[[float], None] | None:
        """What the learner tells how much of its work is done."""

    def patterns(self, explainer: Explainer) -> TrainingPatterns:
        """Return the weight of each class among the examples that a model does not distinguish."""

    def values(self, used: Collection[int]) -> tuple[ColumnValues | None, ...]:
        """Return the ranges and quantiles of the columns in use, None for the others."""

    def unweighted(self) -> Training:
        """Return the same training with errors on all classes counting alike."""

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
        positions = None if found is None else np.where(found[1], np.nan, found[0])
        values[j] = ColumnValues.of(column.to_column(), cells[:, j], positions, weights)
    return tuple(values)
