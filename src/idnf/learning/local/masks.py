"""The examples a search works on: bits for Boolean work, whole numbers as weights.

Weights are scaled once to integers. Their sums are then exact, whatever the order in which they are added, so every
implementation of search makes the same moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.local.heat_bath import SMALLEST_PART
from idnf.logic.literals import codes_of, negation

Vector = NDArray[np.int32]
Codes = NDArray[np.int32]

# Features times examples kept in memory, a byte each; above, the search works on a random part of the examples.
_MOST_CELLS = 256_000_000
# All weights together stay below this many bits.
_WEIGHT_BITS = 29
# Bytes of a line of cells are a multiple of this, for the sake of vector instructions.
_LINE = 16


class ExampleMasks:
    """Distinct rows with what each class weighs more than class 0, as integers, and the examples of each literal.

    Parameters
    ----------
    rows : DistinctRows
        The examples; those whose classes weigh the same can never matter and are left out.
    generator : numpy.random.Generator
        Draws the examples that are kept where the table is too large, and their order where a part of them may be used.

    Attributes
    ----------
    scale : float
        What a weight of 1 is worth in integers, a power of 2.
    nets : ndarray of shape (n_classes, n_examples), dtype=int32
        What each class weighs more than class 0, times the scale.
    cells : ndarray of shape (n_examples, n_features or a little more), dtype=int8
        -1 where an example has a feature, 0 elsewhere.
    unit : int
        About the weight of one example, scaled.

    Examples
    --------
    >>> features = np.array([[0, 1], [1, 1]], dtype=bool)
    >>> rows = DistinctRows.of_two(features, np.array([1.0, 0.0]), np.array([0.0, 3.0]), True)
    >>> examples = ExampleMasks(rows, np.random.default_rng(0))
    >>> [bin(mask) for mask in examples.literals], examples.weight(examples.literals[0]) / examples.scale
    (['0b10', '0b1', '0b11', '0b0'], -3.0)
    """

    def __init__(self, rows: DistinctRows, generator: np.random.Generator) -> None:
        net = (rows.weights - rows.weights[:, [0]]).T
        kept = np.flatnonzero(net.any(axis=0))
        most = max(1, _MOST_CELLS // max(1, rows.features.shape[1]))
        share = 1.0
        if len(kept) > most:
            share = len(kept) / most
            kept = generator.choice(kept, most, replace=False)
        elif len(kept) > SMALLEST_PART:
            kept = generator.permutation(kept)
        self.size = len(kept)
        self.n_features = rows.features.shape[1]
        self.total = rows.total
        weights = share * net[:, kept]
        largest = float(np.ptp(weights, axis=0).sum())
        self.scale = 2.0 ** min(1000, _WEIGHT_BITS - math.frexp(largest or 1.0)[1])
        self.nets = np.ascontiguousarray(np.rint(weights * self.scale), dtype=np.int32)
        self.unit = max(1, round(share * rows.unit * self.scale))
        self.cells = np.zeros((self.size, -(-self.n_features // _LINE) * _LINE), dtype=np.int8)
        np.negative(rows.features[kept].view(np.int8), out=self.cells[:, : self.n_features])

    def part(self, size: int) -> ExampleMasks:
        """Return the first examples, with the same scale."""
        if size == self.size:
            return self
        part = copy(self)
        part.size, part.nets, part.cells = size, self.nets[:, :size], self.cells[:size]
        for name in ("features", "literals", "words"):
            part.__dict__.pop(name, None)
        return part

    @property
    def net(self) -> Vector:
        """What class 1 weighs more than class 0, scaled."""
        net: Vector = self.nets[1]
        return net

    def integer(self, weight: float) -> int:
        """Return a weight scaled like those of the examples, as far as 64 bits reach."""
        return round(min(weight * self.scale, 2.0**40))

    @property
    def everything(self) -> int:
        """The mask of all examples."""
        return (1 << self.size) - 1

    @cached_property
    def words(self) -> NDArray[np.uint64]:
        """The examples of each feature as bits, 64 in a word, a line of whole blocks of 8 words for each feature."""
        packed = np.packbits(self.cells[:, : self.n_features].T != 0, axis=1, bitorder="little")
        lines = np.zeros((self.n_features, 64 * max(1, -(-self.size // 512))), dtype=np.uint8)
        lines[:, : packed.shape[1]] = packed
        return lines.view("<u8")

    @cached_property
    def features(self) -> NDArray[np.float64]:
        """1 where an example has a feature; products with integer weights are exact."""
        return -self.cells[:, : self.n_features].astype(np.float64)

    @cached_property
    def literals(self) -> list[int]:
        """The examples of each literal as a mask, one bit an example."""
        packed = np.packbits(self.cells[:, : self.n_features].T != 0, axis=1, bitorder="little")
        masks = [int.from_bytes(line.tobytes(), "little") for line in packed]
        return [mask ^ flip for mask in masks for flip in (0, self.everything)]

    def bits(self, mask: int) -> NDArray[np.uint8]:
        """Return a mask as an array of 0 and 1, one entry an example."""
        line = np.frombuffer(mask.to_bytes((self.size + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(line, count=self.size, bitorder="little")

    def places(self, mask: int) -> NDArray[np.intp]:
        """Return the examples in a mask."""
        return np.flatnonzero(self.bits(mask))

    def weight(self, mask: int) -> int:
        """Return the scaled net weight of the examples in a mask."""
        return int(self.net[self.places(mask)].sum(dtype=np.int64))

    def satisfying(self, term: int) -> int:
        """Return the examples that satisfy a term, a mask of literals."""
        examples = self.everything
        for code in codes_of(term):
            examples &= self.literals[code]
        return examples

    def literal_values(self, codes: Codes, weights: NDArray[np.int64], places: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return, for each literal, the weight of those of some examples that satisfy it."""
        chosen = weights[places].astype(np.float64)
        ones = chosen @ self.features[places]
        with_feature = ones[codes >> 1]
        values: NDArray[np.int64] = np.where(codes & 1, chosen.sum() - with_feature, with_feature).astype(np.int64)
        return values


def code_array(codes: Iterable[int]) -> Codes:
    """Return literals in ascending order."""
    return np.array(sorted(codes), dtype=np.int32)


def opposite_codes(codes: Iterable[int]) -> frozenset[int]:
    """Return the negations of literals.

    >>> sorted(opposite_codes([0, 5]))
    [1, 4]
    """
    return frozenset(negation(code) for code in codes)
