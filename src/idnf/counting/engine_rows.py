"""What tables in engines share, of two classes or more: literals as expressions, packed words, rows or a sample.

Weights of the two classes where conditions hold are taken for several parts of a table in one scan, in the form that
every engine takes: first select 0/1 columns, then plain sums by class and part. A condition that is null on a missing
value counts as false, its negation as true: sums skip nulls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import FEW_ROWS, DistinctRows, Weights
from idnf.engines.lazy_frames import OWN, Eager, Lazy
from idnf.engines.queries import CLASS, Scans, Step, indicator, largest, smallest
from idnf.logic.literals import feature_of, is_negated

# Literals packed into one 64-bit integer.
_WORD = 62


def rows_or_sample(
    limit: int | None,
    total: int,
    sampled: Callable[[], tuple[DistinctRows, float]],
    grouped: Callable[[int | None], DistinctRows],
) -> DistinctRows:
    """Return the distinct rows of a table, or a sample if there are very many.

    Parameters
    ----------
    limit : int, optional
        The most distinct rows wanted.
    total : int
        How many rows the table has.
    sampled : callable
        Returns a sample, and how many distinct rows it lets expect.
    grouped : callable
        Returns the distinct rows, of more than a number only that many.
    """
    if limit is None or total <= max(limit, FEW_ROWS):
        return grouped(None)
    sample, expected = sampled()
    if expected > limit:
        return sample
    most = max(limit, FEW_ROWS)
    found = grouped(most + 1)
    return sample if len(found.features) > most else found


def expected_rows(counts: NDArray[np.intp], total: int) -> float:
    """Return how many distinct rows a table has at most, by how often each of a sample came.

    >>> expected_rows(np.array([3, 1]), 12)
    4.0
    """
    drawn = int(counts.sum())
    return len(counts) + (total - drawn) * float((counts == 1).sum()) / drawn


@dataclass(frozen=True)
class Conditions:
    """The literals of a table as expressions.

    Parameters
    ----------
    literals : tuple of narwhals Expr
        For each feature a condition over raw columns; null counts as false.
    known : narwhals Expr
        A condition that is never null.
    """

    literals: tuple[nw.Expr, ...]
    known: nw.Expr

    def value(self, code: int) -> nw.Expr:
        """Return the 0/1 value of a literal."""
        value = indicator(self.literals[feature_of(code)])
        return 1 - value if is_negated(code) else value

    def some_term(self, terms: Sequence[Sequence[int]]) -> nw.Expr:
        """Return 1 where some term holds, else 0."""
        # Engines add up columns, not constants.
        never = 0 * indicator(self.known)
        held = [smallest([self.value(code) for code in term]) if term else 1 + never for term in terms]
        return largest(held) if held else never


def packed_words(literals: Sequence[nw.Expr]) -> list[nw.Expr]:
    """Return literals packed into integers, named w0, w1, ..."""
    words = []
    for start in range(0, len(literals), _WORD):
        part = literals[start : start + _WORD]
        bits = [nw.when(c).then(_long(1 << i)).otherwise(_long(0)) for i, c in enumerate(part)]
        words.append(nw.sum_horizontal(*bits).alias(f"w{start // _WORD}"))
    return words


def word_names(n_features: int) -> list[str]:
    """Return the names of the words of that many literals.

    >>> word_names(63)
    ['w0', 'w1']
    """
    return [f"w{i}" for i in range(-(-n_features // _WORD))]


def unpacked_words(words: NDArray[np.int64], n_features: int) -> NDArray[np.bool_]:
    """Return the features packed into words.

    >>> unpacked_words(np.array([[0b101]]), 3).tolist()
    [[True, False, True]]
    """
    features = np.empty((len(words), n_features), dtype=np.bool_)
    for j in range(n_features):
        features[:, j] = words[:, j // _WORD] >> (j % _WORD) & 1
    return features


def _long(value: int) -> nw.Expr:
    return nw.lit(value, nw.Int64)


def integers_of(answer: Eager, names: Sequence[str]) -> NDArray[np.int64]:
    """Return columns of an answer as integers, one column each."""
    columns = [np.array([int(value) for value in answer.get_column(name).to_list()], dtype=np.int64) for name in names]
    return np.stack(columns, axis=1) if columns else np.zeros((len(answer), 0), dtype=np.int64)


def floats_of(answer: Eager, name: str) -> Weights:
    """Return a column of an answer as numbers."""
    return np.array([float(value) for value in answer.get_column(name).to_list()], dtype=np.float64)


# Names of columns in queries, unlike any of the user's.
_ROWS, _WEIGHT = OWN + "rows", OWN + "weight"

Found = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class ClassSums:
    """Sums over the rows of a lazy table by class.

    Parameters
    ----------
    positive_rows : narwhals Expr
        The condition for class 1.
    weight : narwhals Expr, optional
        The weight of each row.
    class_weights : ndarray of shape (2,)
        Factors for the weights of class 0 and of class 1.
    scans : Scans
        Where queries are run.
    """

    positive_rows: nw.Expr
    weight: nw.Expr | None
    class_weights: Weights
    scans: Scans

    def of(self, frame: Lazy, conditions: Sequence[nw.Expr], parts: Sequence[nw.Expr], step: str) -> list[Weights]:
        """Sum over the rows of each part, or of the whole table if there is none.

        Returns for class 1 then 0 the weight where each condition holds and where it does not.
        """
        if self.weight is not None:
            _, held = self._summed_weights(frame, conditions, parts, step)
        else:
            count = self._counted_bits if frame.implementation.is_polars() else self._counted_rows
            rows, ones = count(frame, conditions, parts, step)
            held = np.stack([ones, rows[:, :, np.newaxis] - ones], axis=3)
        weighted = held * self.class_weights[:, np.newaxis, np.newaxis]
        return [sums[::-1].reshape(2, -1) for sums in weighted]

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
        return self._sums_by_group(frame, [c.cast(nw.Int32).alias(name) for c, name in named], names, parts, step)

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
            weighed = frame.with_columns(self.weight.cast(nw.Float64).alias(_WEIGHT))
        rows, found = self._sums_by_group(weighed, columns, [name for pair in pairs for name in pair], parts, step)
        return rows, found.reshape(*found.shape[:2], -1, 2)

    def _sums_by_group(
        self, frame: Lazy, columns: Sequence[nw.Expr], names: Sequence[str], parts: Sequence[nw.Expr], step: str
    ) -> Found:
        """Return, for each part and class, the number of rows and the sums of columns.

        One GROUP BY of the class and of which parts a row belongs to; the groups of a part are added up here.
        """
        keys = [CLASS, *(_part(i) for i in range(len(parts)))]
        values = [indicator(self.positive_rows), *map(indicator, parts)]
        with Step(step):
            chosen = frame.select(*(value.alias(key) for value, key in zip(values, keys, strict=True)), *columns)
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
