"""Counting for several classes where the data are: every question is one aggregate query by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import narwhals.stable.v2 as nw
import numpy as np

from idnf.counting.contract import Weights
from idnf.counting.engine_rows import (
    Conditions,
    expected_rows,
    floats_of,
    integers_of,
    packed_words,
    rows_or_sample,
    unpacked_words,
    word_names,
)
from idnf.counting.labelled_rows import LabelledRows
from idnf.engines.lazy_frames import OWN, Lazy, selected
from idnf.engines.lazy_sampling import CLASS, ClassSizes, Sampling, class_number
from idnf.engines.queries import Scans, Step

# A column in queries, unlike any of the user's.
_WEIGHT = OWN + "weight"
# Conditions counted in one query.
_MOST_ASKED = 500


@dataclass(frozen=True)
class LazyClassTable:
    """Training examples of several classes in an engine.

    Parameters
    ----------
    frame : narwhals LazyFrame
    literals : tuple of narwhals Expr
        For each feature a condition over raw columns; null counts as false.
    labels : tuple of narwhals Expr
        The condition for each class, never null.
    sizes : ClassSizes
        How many rows of each class the table has.
    weight : narwhals Expr, optional
        The weight of each row; rows without a positive weight are left out.
    class_weights : tuple of float, optional
        Factors for the weights of each class.
    scans : Scans
        Where queries are run.

    Examples
    --------
    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"age": [20, 50, None], "risk": [0, 2, 1]}))
    >>> labels = tuple(nw.col("risk") == label for label in range(3))
    >>> table = LazyClassTable(frame, (nw.col("age") <= 30,), labels, ClassSizes((1, 1, 1)))
    >>> table.literal_weights_by_class([]).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    """

    frame: Lazy
    literals: tuple[nw.Expr, ...]
    labels: tuple[nw.Expr, ...]
    sizes: ClassSizes
    weight: nw.Expr | None = None
    class_weights: tuple[float, ...] = ()
    scans: Scans = field(default_factory=Scans)

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""
        return len(self.literals)

    @cached_property
    def class_totals(self) -> Weights:
        """Weight of all examples of each class: one scan."""
        totals: Weights = self.covered_by_class([[[]]])[0]
        return totals

    def literal_weights_by_class(self, conjunction: Sequence[int]) -> Weights:
        """Return, for each class and literal, the weight of the examples satisfying it and the whole conjunction."""
        asked = [[[*conjunction, code]] for code in range(2 * self.n_features)]
        return self.covered_by_class(asked).T

    def labelled_rows(self, limit: int | None = None, random_state: int = 0) -> LabelledRows:
        """Return the distinct examples with their weights; more than `limit` of them are sampled class by class.

        One GROUP BY over the literals and the class. Where a table is large, a sample is taken first, and the GROUP BY
        is left out when the share of rows that occur once in the sample says that it would find too many groups.
        """
        found = rows_or_sample(limit, self.sizes.total, lambda: self._sample(limit or 0, random_state), self._grouped)
        return found if limit is None else found.sampled(limit, random_state)

    def covered_by_class(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        """Return, for each list of terms, the weight of each class where some term holds: a scan for some hundred."""
        parts = [self._covered(models[start : start + _MOST_ASKED]) for start in range(0, len(models), _MOST_ASKED)]
        none = np.zeros((0, len(self.labels)))
        return np.concatenate([none, *parts]) * self._factors

    @property
    def _factors(self) -> Weights:
        return np.array(self.class_weights or (1.0,) * len(self.labels))

    def _rows(self) -> Lazy:
        return self.frame if self.weight is None else self.frame.filter(self.weight > 0)

    def _row_weight(self) -> nw.Expr:
        return (nw.lit(1) if self.weight is None else self.weight.cast(nw.Float64)).alias(_WEIGHT)

    def _covered(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        step = "counting the errors of a model"
        names = [f"m{i}" for i in range(len(models))]
        with Step(step):
            conditions = Conditions(self.literals, self.labels[0])
            held = [conditions.some_term(terms).alias(name) for terms, name in zip(models, names, strict=True)]
            rows = selected(self._rows(), class_number(self.labels).alias(CLASS), self._row_weight(), *held)
            weighed = selected(rows, nw.col(CLASS), *((nw.col(name) * nw.col(_WEIGHT)).alias(name) for name in names))
            query = weighed.group_by(CLASS).agg(*(nw.col(name).sum() for name in names))
        answer = self.scans.collect(query, step)
        found = np.zeros((len(models), len(self.labels)))
        found[:, integers_of(answer, [CLASS])[:, 0]] = np.array([floats_of(answer, name) for name in names])
        return found

    def _grouped(self, most: int | None) -> LabelledRows:
        """Group by the literals and the class; of more than `most` groups, only so many come back."""
        step, names = "counting the distinct rows", word_names(self.n_features)
        with Step(step):
            label = class_number(self.labels).alias(CLASS)
            rows = selected(self._rows(), label, self._row_weight(), *packed_words(self.literals))
            sums = rows.group_by(CLASS, *names).agg(nw.col(_WEIGHT).sum())
            query = sums if most is None else sums.head(most * len(self.labels))
        answer = self.scans.collect(query, step)
        return self._labelled(
            integers_of(answer, names), integers_of(answer, [CLASS])[:, 0], floats_of(answer, _WEIGHT), complete=True
        )

    def _labelled(self, words: np.ndarray, labels: np.ndarray, weights: Weights, *, complete: bool) -> LabelledRows:
        """Return groups of words and classes as distinct rows, in the order in which they come in memory."""
        distinct, index = np.unique(words, axis=0, return_inverse=True)
        totals = np.zeros((len(distinct), len(self.labels)))
        np.add.at(totals, (index.ravel(), labels), weights)
        order = np.lexsort(distinct.T) if distinct.shape[1] else np.arange(len(distinct))
        features = unpacked_words(distinct[order], self.n_features)
        return LabelledRows(features, totals[order] * self._factors, complete)

    def _sample(self, limit: int, random_state: int) -> tuple[LabelledRows, float]:
        """Return a sample as distinct rows, and how many of them a table of all rows is expected to have at most."""
        sampling = Sampling(self.labels, self.sizes, limit, random_state)
        names = word_names(self.n_features)
        drawn = sampling.taken(self._rows(), [self._row_weight(), *packed_words(self.literals)], self.scans)
        labels, weights = integers_of(drawn, [CLASS])[:, 0], floats_of(drawn, _WEIGHT)
        totals = self.class_totals / self._factors
        sampled = np.bincount(labels, weights, minlength=len(totals))
        weights = weights * np.divide(totals, sampled, out=np.zeros(len(totals)), where=sampled > 0)[labels]
        words = integers_of(drawn, names)
        counts = np.unique(words, axis=0, return_counts=True)[1]
        return self._labelled(words, labels, weights, complete=False), expected_rows(counts, self.sizes.total)
