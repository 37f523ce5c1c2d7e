"""Weights of the two classes where conditions hold, for several parts of a lazy table in one scan.

The form that every engine takes: first select 0/1 columns, then plain sums by class and part. A condition that is null
on a missing value counts as false, its negation as true: sums skip nulls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.engines.expressions import as_number, indicator
from idnf.engines.lazy_frames import OWN, Lazy, extended, selected
from idnf.engines.lazy_sampling import CLASS, ClassSizes
from idnf.engines.queries import Scans, Step

# Names of columns in queries, unlike any of the user's.
_ROWS, _WEIGHT = OWN + "rows", OWN + "weight"

Found = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class PartSums:
    """What is summed over one part of a table.

    Parameters
    ----------
    sizes : ClassSizes
        The rows of each class.
    weights : ndarray of shape (2, 2 * n_conditions)
        For class 1 then 0, the weight where each condition holds and where it does not.
    """

    sizes: ClassSizes
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class ClassSums:
    """Sums over the rows of a lazy table by class.

    Parameters
    ----------
    positive_rows : narwhals Expr
        The condition for class 1.
    weight : narwhals Expr, optional
        The weight of each row.
    class_weights : tuple of two float
        Factors for the weights of class 0 and of class 1.
    scans : Scans
        Where queries are run.
    """

    positive_rows: nw.Expr
    weight: nw.Expr | None
    class_weights: tuple[float, float]
    scans: Scans

    def of(self, frame: Lazy, conditions: Sequence[nw.Expr], parts: Sequence[nw.Expr], step: str) -> list[PartSums]:
        """Sum over the rows where each of some conditions holds; without any, over all rows as one part."""
        if self.weight is not None:
            rows, held = self._summed_weights(frame, conditions, parts, step)
        else:
            count = self._counted_bits if frame.implementation.is_polars() else self._counted_rows
            rows, ones = count(frame, conditions, parts, step)
            held = np.stack([ones, rows[:, :, np.newaxis] - ones], axis=3)
        weighted = held * np.array(self.class_weights)[:, np.newaxis, np.newaxis]
        return [
            PartSums(ClassSizes((int(sizes[0]), int(sizes[1]))), sums[::-1].reshape(2, -1))
            for sizes, sums in zip(rows, weighted, strict=True)
        ]

    def _counted_bits(self, frame: Lazy, conditions: Sequence[nw.Expr], parts: Sequence[nw.Expr], step: str) -> Found:
        """Count rows; polars counts the bits of a Boolean column in no time."""
        every = nw.lit(True)
        members = [nw.col(_part(i)) for i in range(len(parts))] or [every]
        asked = []
        for i, member in enumerate(members):
            within = [c if member is every else c & member for c in (nw.col(CLASS), *conditions)]
            asked += [
                (nw.len() if member is every else member.sum()).alias(f"rows {i}"),
                within[0].sum().alias(f"positive rows {i}"),
                *(c.sum().alias(f"all {i} {j}") for j, c in enumerate(within[1:])),
                *((c & nw.col(CLASS)).sum().alias(f"positive {i} {j}") for j, c in enumerate(within[1:])),
            ]
        with Step(step):
            labelled = frame.with_columns(
                self.positive_rows.alias(CLASS), *(part.alias(_part(i)) for i, part in enumerate(parts))
            )
            query = labelled.select(*asked)
        answer = self.scans.collect(query, step)
        found = np.array([int(value) for value in answer.row(0)], dtype=np.float64).reshape(len(members), -1)
        rows, every_one = found[:, 0:2], found[:, 2:].reshape(len(members), 2, -1)
        return (
            np.stack([rows[:, 0] - rows[:, 1], rows[:, 1]], axis=1),
            np.stack([every_one[:, 0] - every_one[:, 1], every_one[:, 1]], axis=1),
        )

    def _counted_rows(self, frame: Lazy, conditions: Sequence[nw.Expr], parts: Sequence[nw.Expr], step: str) -> Found:
        """Count rows, by sums that skip nulls."""
        names = [f"l{i}" for i in range(len(conditions))]
        named = zip(conditions, names, strict=True)
        return self._grouped(frame, [as_number(frame, c).alias(name) for c, name in named], names, parts, step)

    def _summed_weights(self, frame: Lazy, conditions: Sequence[nw.Expr], parts: Sequence[nw.Expr], step: str) -> Found:
        """Sum weights where conditions hold and where not.

        Not by subtraction: what no example satisfies must weigh exactly 0.
        """
        assert self.weight is not None, "there are weights to sum"
        nothing = nw.lit(0.0)
        pairs = [(f"l{i} 1", f"l{i} 0") for i in range(len(conditions))]
        columns = []
        for condition, (one, zero) in zip(conditions, pairs, strict=True):
            columns.append(nw.when(condition).then(nw.col(_WEIGHT)).otherwise(nothing).alias(one))
            columns.append(nw.when(condition).then(nothing).otherwise(nw.col(_WEIGHT)).alias(zero))
        with Step(step):
            weighed = extended(frame, self.weight.cast(nw.Float64).alias(_WEIGHT))
        rows, found = self._grouped(weighed, columns, [name for pair in pairs for name in pair], parts, step)
        return rows, found.reshape(*found.shape[:2], -1, 2)

    def _grouped(
        self, frame: Lazy, columns: Sequence[nw.Expr], names: Sequence[str], parts: Sequence[nw.Expr], step: str
    ) -> Found:
        """Return, for each part and class, the number of rows and the sums of columns.

        One GROUP BY of the class and of which parts a row belongs to; the groups of a part are added up here.
        """
        keys = [CLASS, *(_part(i) for i in range(len(parts)))]
        values = [indicator(self.positive_rows), *map(indicator, parts)]
        with Step(step):
            chosen = selected(frame, *(value.alias(key) for value, key in zip(values, keys, strict=True)), *columns)
            sums = chosen.group_by(*keys).agg(nw.len().alias(_ROWS), *(nw.col(name).sum() for name in names))
        count = max(1, len(parts))
        rows, found = np.zeros((count, 2)), np.zeros((count, 2, len(names)))
        for label, *rest in self.scans.collect(sums, step).select(*keys, _ROWS, *names).rows():
            values_of_group = [float(value) for value in rest[len(parts) :]]
            for i in range(count):
                if not parts or rest[i]:
                    rows[i, int(label)] += values_of_group[0]
                    found[i, int(label)] += values_of_group[1:]
        return rows, found


def _part(number: int) -> str:
    return f"{OWN}part {number}"
