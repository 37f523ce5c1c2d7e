"""What a classifier needs of a table: the one interface of tables in memory and of lazy tables.

A *source* is a table as it was given. It answers questions about its rows, and it makes the *training* that a model is
learned from. :func:`idnf.classifier.way_in.source_of` is the one place that asks which kind of table it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.fitted import Fitted
from idnf.columns.raw import RawTable
from idnf.counting.contract import ClassCounts, Counts
from idnf.explaining.explainer import Explainer
from idnf.explaining.explanation import Explanations
from idnf.explaining.training_facts import ColumnValues, TrainingPatterns
from idnf.learning.recounting import LearnerName
from idnf.logic.deadlines import Deadline
from idnf.tables.binariser import TableBinariser

SpaceName = Literal["columns", "boolean"]
ClassWeight = Mapping[object, float] | Literal["balanced"] | None

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
    seed: int
    k: int
    learner: LearnerName
    progress: Callable[[float], None] | None
    deadline: Deadline = field(default_factory=Deadline)


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
        """What a learner of two classes may ask."""

    @property
    def class_counts(self) -> ClassCounts:
        """What a learner of more than two classes may ask."""

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


class TableSource(Protocol):
    """A table that a classifier is fitted to or asked about.

    The types are those of answers about a table in memory; a lazy table comes back, of the user's own kind, with
    further columns.
    """

    def training(self, y: ArrayLike, sample_weight: ArrayLike | None, request: TrainingRequest) -> Training:
        """Read the target and the weights, and fit the columns."""

    def predicted(self, fitted: Fitted) -> NDArray[np.generic]:
        """Return the label of each row."""

    def probabilities(self, fitted: Fitted) -> NDArray[np.float64]:
        """Return the training share of each class among the examples given the same reason."""

    def explained(self, fitted: Fitted, space: SpaceName) -> Explanations:
        """Return the explanation of each row."""

    def score(self, fitted: Fitted, y: ArrayLike, sample_weight: ArrayLike | None) -> float:
        """Return the share of rows whose label is right."""


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
