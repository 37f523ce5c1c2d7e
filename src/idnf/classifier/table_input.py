"""The one way in: whether a table is lazy is asked here; questions for tables in memory alone refuse lazy ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from idnf.classifier.fitted import Fitted
from idnf.classifier.memory_source import ExaminedTable, ReadTable, memory_training
from idnf.classifier.training import Training
from idnf.classifier.training_request import TrainingRequest
from idnf.engines.lazy_frames import as_lazy

if TYPE_CHECKING:
    from idnf.classifier.lazy_source import LazyExamined


def training_of(X: object, y: ArrayLike, sample_weight: ArrayLike | None, request: TrainingRequest) -> Training:
    """Return a table as a learner sees it: target and weights read, columns fitted."""
    lazy = as_lazy(X)
    if lazy is None:
        return memory_training(X, y, sample_weight, request)
    from idnf.classifier.lazy_source import lazy_training

    return lazy_training(lazy, y, sample_weight, request)


def examined(fitted: Fitted, X: object) -> ExaminedTable | LazyExamined:
    """Return a table as a fitted classifier is asked about it; one in memory may have been examined before.

    A lazy table comes back, of the user's own kind, with further columns.

    >>> import polars as pl
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late").fitted_
    >>> [type(examined(policy, X)).__name__ for X in ([[True]], pl.LazyFrame({"late": [True]}))]
    ['ExaminedTable', 'LazyExamined']
    """
    lazy = None if isinstance(X, ReadTable) else as_lazy(X)
    if lazy is None:
        return ExaminedTable.of(fitted, X)
    from idnf.classifier.lazy_source import LazyExamined

    return LazyExamined(fitted, lazy)
