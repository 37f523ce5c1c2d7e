"""Counting where the data are, two classes or more: every question is one aggregate query, and only counts come back.

Literals are conditions over raw columns. A condition that is null on a missing value counts as false, its negation as
true: sums skip nulls, and negated literals come by subtraction; elsewhere a literal is
``CASE WHEN condition THEN 1 ELSE 0 END``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import prod
from operator import and_, or_

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, GridHistogram, UniqueLines, Weights
from idnf.counting.engine_rows import (
    ClassSums,
    Conditions,
    expected_rows,
    floats_of,
    integers_of,
    packed_words,
    rows_or_sample,
    unpacked_words,
    word_names,
)
from idnf.engines.lazy_frames import OWN, Lazy
from idnf.engines.queries import CLASS, MOST_COLUMNS, ClassSizes, Sampling, Scans, Step, class_number, indicator
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import feature_of, is_negated

Answer = tuple[Weights, Weights]

# A column in queries, unlike any of the user's.
_WEIGHT = OWN + "weight"
# Histograms of several matrices are counted as one while that has at most this many points.
_MOST_GRID_POINTS = 500_000

# Conditions counted in one query.
_MOST_ASKED = 500


def _row_weight(weight: nw.Expr | None) -> nw.Expr:
    return (nw.lit(1) if weight is None else weight.cast(nw.Float64)).alias(_WEIGHT)


@dataclass(eq=False)
class LazyTable:
    """Training examples in an engine; what was counted once is not asked for again.

    Literals and grid points are counted of two classes only.

    Parameters
    ----------
    frame : narwhals LazyFrame
    literals : tuple of narwhals Expr
        For each feature a condition over raw columns; null counts as false.
    labels : tuple of narwhals Expr
        The condition for each class, never null.
    sizes : ClassSizes
        How many rows of each class have a weight.
    weight : narwhals Expr, optional
        The weight of each row; rows without a positive weight are left out.
    class_weights : tuple of float, optional
        Factors for the weights of each class.
    scans : Scans
        Where queries are run.

    Examples
    --------
    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"age": [20, 50, None], "sick": [False, True, True]}))
    >>> labels, sizes = (~nw.col("sick"), nw.col("sick")), ClassSizes((1, 2))
    >>> table = LazyTable(frame, (nw.col("age") <= 30, nw.col("age").is_null()), labels, sizes)
    >>> table.literal_weights([])
    (array([0., 2., 1., 1.]), array([1., 0., 0., 1.]))
    >>> table.covered_weights([[[0]], [[1]]]).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """

    frame: Lazy
    literals: tuple[nw.Expr, ...]
    labels: tuple[nw.Expr, ...]
    sizes: ClassSizes
    weight: nw.Expr | None = None
    class_weights: tuple[float, ...] = ()
    scans: Scans = field(default_factory=Scans)
    _known: dict[frozenset[int], Answer] = field(default_factory=dict, init=False, repr=False)
    _histograms: dict[tuple[tuple[int, ...], ...], GridHistogram] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""
        return len(self.literals)

    @cached_property
    def totals(self) -> Weights:
        """Weight of all examples of each class."""
        if self.weight is None:
            return np.array(self.sizes.rows) * self._factors
        totals: Weights = self.covered_weights([[[]]])[0]
        return totals

    @property
    def positive(self) -> float:
        """Weight of all examples of class 1."""
        return float(self.totals[1])

    @property
    def negative(self) -> float:
        """Weight of all examples of class 0."""
        return float(self.totals[0])

    def literal_weights(self, conjunction: Sequence[int]) -> Answer:
        """Return, for each literal, the weight of the examples satisfying it and the whole conjunction: one scan."""
        key = frozenset(conjunction)
        if key not in self._known:
            self._look_up([key])
        return self._known[key]

    def grid_histogram(self, matrix: Sequence[Sequence[int]]) -> GridHistogram:
        """Return the weight of each class per observed grid point of a literal matrix: one GROUP BY."""
        key = tuple(map(tuple, matrix))
        if key in self._histograms:
            return self._histograms[key]
        names = [f"g{i}" for i in range(len(matrix))]
        lengths = [self._prefix_length(row).alias(name) for name, row in zip(names, matrix, strict=True)]
        keys, sums = self._weights_by_key(lengths, names, f"counting the grid points of a matrix of {len(matrix)} rows")
        return GridHistogram(keys, sums[1], sums[0])

    def distinct_rows(self, limit: int | None = None, random_state: int = 0) -> DistinctRows:
        """Return the distinct examples with their weights; more than `limit` of them are sampled class by class.

        One GROUP BY over the literals and the class. Where a table is large, a sample is taken first, and the GROUP BY
        is left out when the share of rows that occur once in the sample says that it would find too many groups.
        """
        if limit is not None and limit < 2:
            raise InvalidArgument("limit", "be at least 2, one row for each class", limit)
        found = rows_or_sample(limit, self.sizes.total, lambda: self._sample(limit or 0, random_state), self._distinct)
        return found if limit is None else found.sampled(limit, random_state)

    def covered_weights(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        """Return, for each list of terms, the weight of each class where some term holds: a scan for some hundred."""
        if len(self.labels) == 2:
            step = "counting the errors of a model"
            held = [self._conditions.some_term(terms) == 1 for terms in models]
            (found,) = self._sums.of(self._rows(step), held, [], step)
            return np.ascontiguousarray(found[::-1, 0::2].T)
        parts = [self._covered(models[start : start + _MOST_ASKED]) for start in range(0, len(models), _MOST_ASKED)]
        return np.concatenate([np.zeros((0, len(self.labels))), *parts]) * self._factors

    def prepare(
        self, conjunctions: Sequence[Sequence[int]] = (), matrices: Sequence[Sequence[Sequence[int]]] = ()
    ) -> None:
        """Look up several conjunctions in one scan, and the grid points of several matrices in one GROUP BY."""
        unknown = [key for key in dict.fromkeys(map(frozenset, conjunctions)) if key and key not in self._known]
        if unknown:
            self._look_up(unknown)
        joined = [row for matrix in matrices for row in matrix]
        if len(matrices) > 1 and prod(len(row) + 1 for row in joined) <= _MOST_GRID_POINTS:
            grid = self.grid_histogram(joined)
            start = 0
            for matrix in matrices:
                self._histograms[tuple(map(tuple, matrix))] = grid.of_rows(slice(start, start := start + len(matrix)))

    @property
    def _conditions(self) -> Conditions:
        return Conditions(self.literals, self.labels[0])

    @property
    def _sums(self) -> ClassSums:
        return ClassSums(self.labels[1], self.weight, self._factors, self.scans)

    @property
    def _factors(self) -> Weights:
        return np.array(self.class_weights or (1.0,) * len(self.labels))

    def _look_up(self, conjunctions: Sequence[frozenset[int]]) -> None:
        step = f"counting all literals under {max(map(len, conjunctions))} conditions"
        self._known.update(zip(conjunctions, self._literal_weights(conjunctions, step), strict=True))

    def _rows(self, step: str, parts: Sequence[nw.Expr] = ()) -> Lazy:
        """Return the rows that weigh something and satisfy some of the parts, if there are any."""
        conditions = [] if self.weight is None else [self.weight > 0]
        if parts:
            conditions.append(reduce(or_, parts))
        with Step(step):
            return reduce(lambda frame, condition: frame.filter(condition), conditions, self.frame)

    def _literal_weights(self, conjunctions: Sequence[frozenset[int]], step: str) -> list[Answer]:
        """Answer for several conjunctions in one scan of the rows that satisfy any of them."""
        parts = [reduce(and_, map(self._holds, sorted(conjunction))) for conjunction in conjunctions if conjunction]
        assert len(parts) == len(conjunctions) or len(conjunctions) == 1, "all rows are no part of a table"
        frame = self._rows(step, parts)
        asked = parts if len(conjunctions) > 1 else []
        found = [
            self._sums.of(frame, self.literals[start : start + MOST_COLUMNS], asked, step)
            for start in range(0, max(self.n_features, 1), MOST_COLUMNS)
        ]
        every = [np.concatenate(blocks, axis=1) for blocks in zip(*found, strict=True)]
        return [(positive, negative) for positive, negative in every]

    def _weights_by_key(
        self, keys: Sequence[nw.Expr], names: Sequence[str], step: str
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Group by integer keys; returns the keys, ascending, and for class 0 then 1 the weight of each."""
        rows = self._rows(step)
        with Step(step):
            query = self._group_sums(rows, keys, names)
        answer = self.scans.collect(query, step)
        table = integers_of(answer, names)
        order = np.lexsort(table.T[::-1]) if len(names) else np.arange(len(table))
        weights = [floats_of(answer, side) * factor for side, factor in zip(("negative", "positive"), self._factors)]
        return table[order], np.stack(weights)[:, order]

    def _group_sums(self, rows: Lazy, keys: Sequence[nw.Expr], names: Sequence[str]) -> Lazy:
        examples = rows.select(
            indicator(self.labels[1]).alias(CLASS),
            _row_weight(self.weight),
            *keys,
        )
        split = examples.select(
            nw.when(nw.col(CLASS) == 1).then(nw.col(_WEIGHT)).otherwise(nw.lit(0)).alias("positive"),
            nw.when(nw.col(CLASS) == 1).then(nw.lit(0)).otherwise(nw.col(_WEIGHT)).alias("negative"),
            *map(nw.col, names),
        )
        sums = [nw.col("positive").sum(), nw.col("negative").sum()]
        return split.group_by(*names).agg(*sums) if names else split.select(*sums)

    def _holds(self, code: int) -> nw.Expr:
        """Return the condition of a literal, for a filter, which drops rows where it is null."""
        condition = self.literals[feature_of(code)]
        return indicator(condition) == 0 if is_negated(code) else condition

    def _prefix_length(self, row: Sequence[int]) -> nw.Expr:
        """Return how many leading literals of a matrix row hold: v1 (1 + v2 (1 + v3 ...)), each v being 0 or 1."""
        length = nw.lit(0)
        for code in reversed(row):
            length = self._conditions.value(code) * (1 + length)
        return length

    def _covered(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        step = "counting the errors of a model"
        names = [f"m{i}" for i in range(len(models))]
        with Step(step):
            held = [self._conditions.some_term(terms).alias(name) for terms, name in zip(models, names, strict=True)]
            rows = self._rows(step).select(class_number(self.labels).alias(CLASS), _row_weight(self.weight), *held)
            weighed = rows.select(nw.col(CLASS), *((nw.col(name) * nw.col(_WEIGHT)).alias(name) for name in names))
            query = weighed.group_by(CLASS).agg(*(nw.col(name).sum() for name in names))
        answer = self.scans.collect(query, step)
        found = np.zeros((len(models), len(self.labels)))
        found[:, integers_of(answer, [CLASS])[:, 0]] = np.array([floats_of(answer, name) for name in names])
        return found

    def _distinct(self, most: int | None) -> DistinctRows:
        """Group by the literals and the class; of more than `most` groups, only that many come back."""
        step, names = "counting the distinct rows", word_names(self.n_features)
        with Step(step):
            label = class_number(self.labels).alias(CLASS)
            rows = self._rows(step).select(label, _row_weight(self.weight), *packed_words(self.literals))
            sums = rows.group_by(CLASS, *names).agg(nw.col(_WEIGHT).sum())
            query = sums if most is None else sums.head(most * len(self.labels))
        answer = self.scans.collect(query, step)
        return self._distinct_rows(
            integers_of(answer, names), integers_of(answer, [CLASS])[:, 0], floats_of(answer, _WEIGHT), complete=True
        )

    def _distinct_rows(
        self, words: np.ndarray, labels: np.ndarray, weights: Weights, *, complete: bool
    ) -> DistinctRows:
        """Return groups of words and classes as distinct rows, in the order in which they come in memory."""
        unique = UniqueLines.of(words)
        distinct = words[unique.first]
        totals = np.zeros((len(distinct), len(self.labels)))
        np.add.at(totals, (unique.places, labels), weights)
        order = np.lexsort(distinct.T) if distinct.shape[1] else np.arange(len(distinct))
        features = unpacked_words(distinct[order], self.n_features)
        return DistinctRows(features, totals[order] * self._factors, complete)

    def _sample(self, limit: int, random_state: int) -> tuple[DistinctRows, float]:
        """Return a sample as distinct rows, and how many of them a table of all rows is expected to have at most."""
        sampling = Sampling(self.labels, self.sizes, limit, random_state)
        names = word_names(self.n_features)
        drawn = sampling.taken(
            self._rows("taking a sample"), [_row_weight(self.weight), *packed_words(self.literals)], self.scans
        )
        labels, weights = integers_of(drawn, [CLASS])[:, 0], floats_of(drawn, _WEIGHT)
        totals = self.totals / self._factors
        sampled = np.bincount(labels, weights, minlength=len(totals))
        weights = weights * np.divide(totals, sampled, out=np.zeros(len(totals)), where=sampled > 0)[labels]
        words = integers_of(drawn, names)
        counts = UniqueLines.of(words).counts
        return self._distinct_rows(words, labels, weights, complete=False), expected_rows(counts, self.sizes.total)
