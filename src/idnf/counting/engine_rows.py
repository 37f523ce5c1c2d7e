"""What tables in engines share, of two classes or more: literals as expressions, packed words, rows or a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import Weights
from idnf.engines.expressions import indicator, largest, smallest
from idnf.engines.lazy_frames import Eager
from idnf.logic.literals import feature_of, is_negated

# Literals packed into one 64-bit integer.
_WORD = 62
# Up to this many rows are grouped whatever they hold; of more, a sample tells first whether that would pay.
_FEW_ROWS = 200_000


class HasRows(Protocol):
    """Distinct rows, of two classes or more."""

    @property
    def features(self) -> NDArray[np.bool_]:
        """The features of each row."""


R = TypeVar("R", bound=HasRows)


def rows_or_sample(
    limit: int | None, total: int, sampled: Callable[[], tuple[R, float]], grouped: Callable[[int | None], R]
) -> R:
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
    if limit is None or total <= max(limit, _FEW_ROWS):
        return grouped(None)
    sample, expected = sampled()
    if expected > limit:
        return sample
    most = max(limit, _FEW_ROWS)
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
