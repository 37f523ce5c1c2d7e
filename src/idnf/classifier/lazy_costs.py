"""What a learner counts of a lazy table if labels cost differently, as in :mod:`idnf.classifier.counted_examples`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import narwhals.stable.v2 as nw

from idnf.classifier.misclassification_costs import MisclassificationCosts
from idnf.engines.lazy_frames import OWN, Lazy
from idnf.engines.queries import ClassSizes, Scans, Step, indicator, total
from idnf.logic.errors import InvalidArgument
from idnf.tables.targets import LazyTarget

# Columns in queries, unlike any of the user's.
_PART, _LABEL = OWN + "part", OWN + "label"


@dataclass(frozen=True)
class CountedRows:
    """A lazy table with each row once for every label that it counts for.

    Parameters
    ----------
    frame : narwhals LazyFrame
    labels : tuple of narwhals Expr
        The condition for each label.
    sizes : ClassSizes
        How many rows count for each label.
    weight : narwhals Expr
        By how much.
    unavoidable : float
        The part of all weight that no answers get right.
    """

    frame: Lazy
    labels: tuple[nw.Expr, ...]
    sizes: ClassSizes
    weight: nw.Expr
    unavoidable: float

    @classmethod
    def costing(cls, frame: Lazy, costs: Sequence[nw.Expr], weight: nw.Expr, scans: Scans) -> CountedRows:
        """Return what is counted of rows by what each label costs for each, times what the row weighs: one scan.

        >>> import polars as pl
        >>> table = nw.from_native(pl.LazyFrame({"a": [0.0, 2.0], "b": [1.0, 2.0], "c": [4.0, 0.0]}))
        >>> counted = CountedRows.costing(table, [nw.col(name) for name in "abc"], nw.lit(1.0), Scans())
        >>> counted.sizes, round(counted.unavoidable, 3)
        (ClassSizes(rows=(1, 1, 1)), 0.333)
        """
        step = "adding up what labels cost"
        with Step(step):
            highest, lowest = nw.max_horizontal(*costs), nw.min_horizontal(*costs)
            parts = [(highest - cost) * weight for cost in costs]
            sums = [
                ((highest - lowest) * weight).sum().alias("own"),
                *(part.sum().alias(f"part{label}") for label, part in enumerate(parts)),
                *(indicator(part > 0).sum().alias(f"rows{label}") for label, part in enumerate(parts)),
            ]
            query = frame.select(*sums)
            of_labels = [
                frame.with_columns(part.alias(_PART), nw.lit(label).alias(_LABEL)).filter(nw.col(_PART) > 0)
                for label, part in enumerate(parts)
            ]
            every = nw.concat(of_labels)
        answer = scans.collect(query, step).rows(named=True)[0]
        own, counted = float(answer["own"]), sum(float(answer[f"part{label}"]) for label in range(len(costs)))
        if not own > 0:
            raise InvalidArgument("costs", "differ between the labels of some row", "the same cost for every label")
        labels = tuple(nw.col(_LABEL) == label for label in range(len(costs)))
        sizes = ClassSizes(tuple(int(answer[f"rows{label}"]) for label in range(len(costs))))
        return cls(every, labels, sizes, nw.col(_PART), 1 - own / counted)


def costs_of_pairs(mistakes: MisclassificationCosts, target: LazyTarget) -> list[nw.Expr]:
    """Return what each label costs for a row, from what mistakes on its true label cost."""
    true = list(map(indicator, target.labels))
    return [total([row * cost for row, cost in zip(true, column)]) for column in mistakes.relative.T.tolist()]
