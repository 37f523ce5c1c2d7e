"""A seeded sample of a lazy table, class by class, taken by the engine in one scan.

Every row gets a pseudo-random number made from its row number and the seed by arithmetic that all engines share. The
sample holds, for each class, the rows with the smallest numbers, so the same table in the same order gives the same
sample. Engines without an order of rows (Spark, PostgreSQL) number them as they come: per partition, per scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import ceil, sqrt
from operator import or_

import narwhals.stable.v2 as nw
import numpy as np

from idnf.engines.lazy_frames import OWN, Eager, Lazy, engine_of, extended, selected
from idnf.engines.queries import Scans, Step

CLASS, ROW, NUMBER = OWN + "class", OWN + "row", OWN + "number"
"""Names of columns in queries: a row's class, its number, its pseudo-random number."""

# A prime: x -> x**5 permutes the residues, since 5 does not divide it less one. Products stay below 2**62.
_PRIME = 2**31 - 1
_FACTOR = 1_103_515_245


@dataclass(frozen=True)
class ClassSizes:
    """The number of rows of class 0, class 1 and so on."""

    rows: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of rows of all classes."""
        return sum(self.rows)

    def quotas(self, limit: int) -> ClassSizes:
        """Return how many rows of each class a sample takes: its share of `limit`, at least one where it has any.

        >>> ClassSizes((900, 100)).quotas(50), ClassSizes((10**6, 3)).quotas(100)
        (ClassSizes(rows=(45, 5)), ClassSizes(rows=(99, 1)))
        >>> ClassSizes((3, 10**6, 10)).quotas(100)
        ClassSizes(rows=(1, 98, 1))
        """
        if self.total <= limit:
            return self
        taken = [max(round(limit * rows / self.total), int(rows > 0)) for rows in self.rows]
        # What rounding leaves over or takes too much is the first class's as far as it has it, then the largest one's.
        taken[0] = max(limit - sum(taken[1:]), int(self.rows[0] > 0))
        while sum(taken) > limit and max(taken) > 1:
            taken[taken.index(max(taken))] -= 1
        return ClassSizes(tuple(taken))


@dataclass(frozen=True)
class Sampling:
    """Which rows to take.

    Parameters
    ----------
    labels : tuple of narwhals Expr
        The condition for each class, never null.
    sizes : ClassSizes
        How many rows of each class the table has.
    limit : int
        The most rows to take, the classes in proportion.
    seed : int
    """

    labels: tuple[nw.Expr, ...]
    sizes: ClassSizes
    limit: int
    seed: int

    def taken(self, frame: Lazy, columns: Sequence[nw.Expr], scans: Scans) -> Eager:
        """Return some columns of the rows taken and, as `CLASS`, the number of each row's class."""
        label = class_number(self.labels).alias(CLASS)
        quotas = self.sizes.quotas(self.limit)
        if quotas == self.sizes:
            step = f"collecting all {self.sizes.total} rows as the sample"
            with Step(step):
                every = selected(frame, label, *columns)
            return scans.collect(every, step)
        step = f"taking a sample of {self.limit} rows"
        engine = engine_of(frame)
        with Step(step):
            numbered: Lazy = nw.from_native(engine.with_row_numbers(frame.to_native(), ROW))
            wanted = self._wanted(numbered, quotas, [label, *columns])
        found = scans.collect(wanted, step)
        labels, numbers, rows_taken = (found.get_column(name).to_numpy() for name in (CLASS, NUMBER, ROW))
        # The smallest numbers of each class, whatever the order in which rows arrived.
        order = np.lexsort((rows_taken, numbers))
        kept = [order[labels[order] == label][:quota] for label, quota in enumerate(quotas.rows)]
        ordered: Eager = found[np.sort(np.concatenate(kept)).tolist()]
        return ordered.drop(ROW, NUMBER)

    def _wanted(self, numbered: Lazy, quotas: ClassSizes, columns: Sequence[nw.Expr]) -> Lazy:
        """Return the columns of rows whose number is small enough for the sample, with a few rows to spare."""
        # Rows are chosen before their columns are worked out, which would cost more than choosing.
        drawn = extended(numbered.with_columns(nw.col(ROW).cast(nw.Int64)), _pseudo_random(self.seed).alias(NUMBER))
        parts = zip(self.labels, quotas.rows, self.sizes.rows, strict=True)
        few = [label & (nw.col(NUMBER) < _threshold(quota, size)) for label, quota, size in parts]
        chosen = drawn.filter(reduce(or_, reversed(few)))
        return selected(chosen, nw.col(ROW), nw.col(NUMBER), *columns)


def class_number(labels: Sequence[nw.Expr]) -> nw.Expr:
    """Return the number of each row's class, given the condition for each class."""
    number = nw.lit(0)
    for label, condition in enumerate(labels[1:], 1):
        number = nw.when(condition).then(nw.lit(label)).otherwise(number)
    return number


def _threshold(quota: int, size: int) -> int:
    """Return the number below which more than `quota` of `size` rows almost surely fall, and few more."""
    wanted = quota + 6 * sqrt(quota) + 6
    return _PRIME if wanted >= size else ceil(_PRIME * wanted / size)


def _pseudo_random(seed: int) -> nw.Expr:
    """Return a number from 0 to 2**31 - 2 for each row number: a linear step, a fifth power, another linear step."""
    start, offset = (int(word) for word in np.random.default_rng(seed).integers(1, _PRIME, 2))
    mixed = (nw.col(ROW) % _PRIME * _FACTOR + start) % _PRIME
    square = mixed * mixed % _PRIME
    fifth = square * square % _PRIME * mixed % _PRIME
    return (fifth * _FACTOR + offset) % _PRIME
