"""The examples a search works on: one bit an example in an integer for each literal, and weights in arrays.

Boolean work is done on integers, one bit a distinct row, and only the last step of a move touches weights: the value of
every literal at one place of a model is a single matrix-vector product.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.logic.literals import codes_of, negation

Vector = NDArray[np.float32]
Codes = NDArray[np.intp]

# Literals times examples looked at in one move; above, a move sees a random part of the literals.
_MOST_ENTRIES = 400_000
# Literals times examples kept in memory; above, the search works on a random part of the examples.
_MOST_CELLS = 16_000_000


class ExampleMasks:
    """Distinct rows with their net weight (class 1 minus class 0), and the examples of each literal as a mask.

    Parameters
    ----------
    rows : DistinctRows
        The examples; those whose classes weigh the same can never matter and are left out.
    generator : numpy.random.Generator
        Draws the examples that are kept where the table is too large.

    Examples
    --------
    >>> features = np.array([[0, 1], [1, 1]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([1.0, 0.0]), np.array([0.0, 3.0]), True)
    >>> examples = ExampleMasks(rows, np.random.default_rng(0))
    >>> [bin(mask) for mask in examples.literals], examples.weight(examples.literals[0])
    (['0b10', '0b1', '0b11', '0b0'], -3.0)
    """

    def __init__(self, rows: DistinctRows, generator: np.random.Generator) -> None:
        net = rows.positive - rows.negative
        kept = np.flatnonzero(net)
        most = max(1, _MOST_CELLS // max(1, 2 * rows.features.shape[1]))
        scale = 1.0
        if len(kept) > most:
            scale = len(kept) / most
            kept = np.sort(generator.choice(kept, most, replace=False))
        features = rows.features[kept]
        self.size = len(features)
        self.n_features = rows.features.shape[1]
        self.net = (scale * net[kept]).astype(np.float32)
        self.total = float(rows.positive.sum() + rows.negative.sum())
        self.unit = scale * weight_unit(rows)
        self.everything: int = (1 << self.size) - 1
        self._bytes = (self.size + 7) // 8
        self._indicators = np.empty((2 * self.n_features, self.size), dtype=np.float32)
        self._indicators[0::2] = features.T
        self._indicators[1::2] = ~features.T
        packed = np.packbits(self._indicators.astype(np.bool_), axis=1, bitorder="little")
        self.literals = [int.from_bytes(line.tobytes(), "little") for line in packed]

    def bits(self, mask: int) -> NDArray[np.uint8]:
        """Return a mask as an array of 0 and 1, one entry an example."""
        line = np.frombuffer(mask.to_bytes(self._bytes, "little"), dtype=np.uint8)
        return np.unpackbits(line, count=self.size, bitorder="little")

    def table(self, masks: Iterable[int]) -> Vector:
        """Return masks as the rows of an array of 0 and 1."""
        lines = [mask.to_bytes(self._bytes, "little") for mask in masks]
        packed = np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(len(lines), self._bytes)
        return np.unpackbits(packed, axis=1, count=self.size, bitorder="little").astype(np.float32)

    def weight(self, mask: int) -> float:
        """Return the net weight of the examples in a mask."""
        return float(self.bits(mask) @ self.net)

    def satisfying(self, term: int) -> int:
        """Return the examples that satisfy a term, a mask of literals."""
        examples = self.everything
        for code in codes_of(term):
            examples &= self.literals[code]
        return examples

    def pool(self, codes: Iterable[int]) -> LiteralPool:
        """Return the literals that may stand at a place, with their examples."""
        return LiteralPool(np.array(sorted(codes), dtype=np.intp), self._indicators)


class LiteralPool:
    """The literals that may stand at some place of a model.

    Parameters
    ----------
    codes : ndarray of shape (n_codes,), dtype=intp
        Ascending.
    indicators : ndarray of shape (2 * n_features, n_examples), dtype=float32
        One row a literal.
    """

    def __init__(self, codes: Codes, indicators: Vector) -> None:
        self.codes = codes
        self._indicators = indicators if len(codes) == len(indicators) else indicators[codes]
        self._most = max(32, _MOST_ENTRIES // max(1, indicators.shape[1]))

    def values(self, weights: Vector, current: int, generator: np.random.Generator) -> tuple[Codes, Vector]:
        """Return literals with the weight of their examples: all of the pool, or a random part with `current`."""
        if len(self.codes) <= self._most:
            return self.codes, self._indicators @ weights
        part = generator.choice(len(self.codes), self._most, replace=False)
        part[0] = np.searchsorted(self.codes, current)
        return self.codes[part], self._indicators[part] @ weights

    def draw(self, generator: np.random.Generator) -> int:
        """Return one literal, all equally likely."""
        return int(self.codes[generator.integers(len(self.codes))])


def weight_unit(rows: DistinctRows) -> float:
    """Return about the weight of one example: the lower quartile of what distinct rows weigh.

    >>> rows = DistinctRows(np.zeros((3, 1), bool), np.array([1.0, 5.0, 0.0]), np.array([1.0, 0.0, 1.0]), True)
    >>> weight_unit(rows)
    1.5
    """
    weights = rows.positive + rows.negative
    positive = weights[weights > 0]
    return float(np.quantile(positive, 0.25)) if len(positive) else 1.0


def opposite_codes(codes: Iterable[int]) -> frozenset[int]:
    """Return the negations of literals.

    >>> sorted(opposite_codes([0, 5]))
    [1, 4]
    """
    return frozenset(negation(code) for code in codes)
