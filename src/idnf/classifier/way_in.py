"""The one way in: what kind of table was given is asked here and nowhere else."""

from __future__ import annotations

from idnf.classifier.memory_source import MemorySource
from idnf.classifier.training import TableSource
from idnf.engines.lazy_frames import as_lazy


def source_of(X: object) -> TableSource:
    """Return a table as a classifier takes it.

    >>> import polars as pl
    >>> type(source_of([[0, 1]])).__name__, type(source_of(pl.LazyFrame({"a": [1]}))).__name__
    ('MemorySource', 'LazySource')
    """
    lazy = as_lazy(X)
    if lazy is None:
        return MemorySource(X)
    from idnf.classifier.lazy_source import LazySource

    return LazySource(lazy)
