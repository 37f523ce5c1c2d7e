"""The one way in: what kind of table was given is asked here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idnf.classifier.fitted import Fitted
from idnf.classifier.memory_source import ExaminedTable, MemorySource
from idnf.classifier.training import TableSource
from idnf.engines.lazy_frames import as_lazy

if TYPE_CHECKING:
    from idnf.classifier.lazy_source import LazyExamined


def source_of(X: object) -> TableSource:
    """Return a table as a classifier is fitted to it.

    >>> import polars as pl
    >>> type(source_of([[0, 1]])).__name__, type(source_of(pl.LazyFrame({"a": [1]}))).__name__
    ('MemorySource', 'LazySource')
    """
    lazy = as_lazy(X)
    if lazy is None:
        return MemorySource(X)
    from idnf.classifier.lazy_source import LazySource

    return LazySource(lazy)


def examined(fitted: Fitted, X: object) -> ExaminedTable | LazyExamined:
    """Return a table as a fitted classifier is asked about it; one in memory may have been examined before.

    A lazy table comes back, of the user's own kind, with further columns.
    """
    lazy = None if isinstance(X, ExaminedTable) else as_lazy(X)
    if lazy is None:
        return examined_rows(fitted, X)
    from idnf.classifier.lazy_source import LazyExamined

    return LazyExamined(fitted, lazy)


def examined_rows(fitted: Fitted, X: object) -> ExaminedTable:
    """Return a table in memory as a fitted classifier sees it; refuse a lazy one."""
    if isinstance(X, ExaminedTable):
        return X.under(fitted)
    if as_lazy(X) is not None:
        raise TypeError("X must be in memory for this question; got a lazy table. Collect some rows of it first.")
    return ExaminedTable(fitted, X)
