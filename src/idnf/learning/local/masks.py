"""The examples a search works on: bits for Boolean work, whole numbers as weights.

Weights are scaled once to integers. Their sums are then exact, whatever the order in which they are added, so every
implementation of search makes the same moves.

What literals say about columns: the cells that each excludes, as bits of words of 64.

A term is the mask of all cells that its literals exclude (:mod:`idnf.logic.cubes`); it restricts the columns of which
it excludes a cell. Cells that no literal distinguishes are one. No column lies in two words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.local.schedules import SMALLEST_PART
from idnf.logic.boxes import Space
from idnf.logic.literals import codes_of, is_consistent, negation
from idnf.logic.transversals import minimal_sets

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
        """The examples of each literal as a mask, one bit per example."""
        packed = np.packbits(self.cells[:, : self.n_features].T != 0, axis=1, bitorder="little")
        masks = [int.from_bytes(line.tobytes(), "little") for line in packed]
        return [mask ^ flip for mask in masks for flip in (0, self.everything)]

    def bits(self, mask: int) -> NDArray[np.uint8]:
        """Return a mask as an array of 0 and 1, one entry per example."""
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


MOST_WORDS = 4
"""Words of the cells of all columns; with more, and with more than 64 in a column, every literal counts for itself."""

_WORD = 64


@dataclass(frozen=True)
class Cells:
    """For each literal the cells that it excludes and its column; for each column its cells.

    Examples
    --------
    >>> from idnf.logic.boxes import Column
    >>> age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
    >>> cells = Cells.of(Space((age,), ((0, 0b001), (0, 0b011))))
    >>> [bin(mask) for mask in cells.excluded], cells.width(cells.cube(0b0110)), cells.conflict(0b011, 0b110)
    (['0b110', '0b1', '0b100', '0b11'], 1, True)
    """

    excluded: tuple[int, ...]
    owners: tuple[int, ...]
    columns: tuple[int, ...]

    @classmethod
    def of(cls, space: Space | None) -> Cells | None:
        """Return the cells of a space, None if every feature is a column of its own or there are too many."""
        if space is None or space.is_boolean:
            return None
        features: dict[int, list[int]] = {}
        for feature, (column, _) in enumerate(space.literals):
            features.setdefault(column, []).append(feature)
        excluded, owners = [0] * (2 * len(space.literals)), [0] * (2 * len(space.literals))
        columns: list[int] = []
        end = 0
        for column, own in features.items():
            cells = range(space.columns[column].size)
            alike = dict.fromkeys(tuple(space.literals[f][1] >> cell & 1 for f in own) for cell in cells)
            if len(alike) > _WORD:
                return None
            start = end if end % _WORD + len(alike) <= _WORD else -(-end // _WORD) * _WORD
            end = start + len(alike)
            for place, f in enumerate(own):
                held = sum(1 << n for n, truths in enumerate(alike) if truths[place])
                outside = (1 << len(alike)) - 1 & ~held
                excluded[2 * f], excluded[2 * f + 1] = outside << start, held << start
                owners[2 * f] = owners[2 * f + 1] = len(columns)
            columns.append(((1 << len(alike)) - 1) << start)
        return cls(tuple(excluded), tuple(owners), tuple(columns)) if end <= _WORD * MOST_WORDS else None

    @staticmethod
    def plain(n_features: int) -> Cells:
        """Return the cells of features each of which is a column of its own.

        >>> cells = Cells.plain(2)
        >>> cells.width(0b1001), cells.conflict(0b0001, 0b0010), [bin(column) for column in cells.columns]
        (2, True, ['0b11', '0b1100'])
        """
        return _plain(n_features)

    @property
    def is_plain(self) -> bool:
        """Whether every feature is a column of its own."""
        return False

    def cube(self, term: int) -> int:
        """Return the cells that the literals of a term exclude."""
        return reduce(or_, [self.excluded[code] for code in codes_of(term)], 0)

    def restricted(self, cube: int) -> list[int]:
        """Return the columns of which a cell is excluded."""
        return [j for j, column in enumerate(self.columns) if cube & column]

    def width(self, cube: int) -> int:
        """Return how many columns a term restricts."""
        return len(self.restricted(cube))

    def is_empty(self, cube: int) -> bool:
        """Return whether no cell of some column is left."""
        return any(cube & column == column for column in self.columns)

    def conflict(self, one: int, other: int) -> bool:
        """Return whether no point lies in both of two terms that have some."""
        return self.is_empty(one | other)

    def with_literal(self, term: int, code: int) -> int:
        """Return a term with one more literal, without those of the same column that say no more."""
        own = [c for c in codes_of(term) if self.owners[c] == self.owners[code]]
        if any(self.excluded[code] & ~self.excluded[c] == 0 for c in own):
            return term
        for c in own:
            if self.excluded[c] & ~self.excluded[code] == 0:
                term &= ~(1 << c)
        return term | 1 << code

    def reduced(self, terms: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return labelled terms that hold for some point, each without literals that others say, none within another.

        >>> from idnf.logic.boxes import Column
        >>> cells = Cells.of(Space((Column("x", ("0", "1", "2"), ordered=True),), ((0, 0b001), (0, 0b011))))
        >>> cells.reduced([(0b0101, 1), (0b1001, 0), (0b0100, 1)])
        [(4, 1)]
        """
        cubes = {self.cube(term): label for term, label in terms}
        least = minimal_sets(cube for cube in cubes if not self.is_empty(cube))
        return [(self.term(cube), cubes[cube]) for cube in least]

    def term(self, cube: int) -> int:
        """Return the term of a few literals that together exclude some cells."""
        return reduce(or_, [self._said(cube & column) for column in self.columns if cube & column], 0)

    def _said(self, part: int) -> int:
        """Return the literals of a column that exclude only some of its cells, none of which says less than another."""
        known = self._parts.get(part)
        if known is None:
            known = 0
            for code in self._widest_first:
                if not self.excluded[code] & ~part:
                    known = self.with_literal(known, code)
            self._parts[part] = known
        return known

    @cached_property
    def _parts(self) -> dict[int, int]:
        return {}

    @cached_property
    def _widest_first(self) -> list[int]:
        """The literals that exclude something, those that exclude many cells first."""
        codes = [code for code, excluded in enumerate(self.excluded) if excluded]
        return sorted(codes, key=lambda code: -self.excluded[code].bit_count())

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The literals of each column."""
        members: list[list[int]] = [[] for _ in self.columns]
        for code, owner in enumerate(self.owners):
            members[owner].append(code)
        return tuple(map(tuple, members))

    @cached_property
    def arrays(self) -> tuple[Codes, Codes, Codes, Codes, Codes]:
        """The word of each column, columns and words of literals, where a column's literals start, and these."""
        words = [((column & -column).bit_length() - 1) // _WORD for column in self.columns]
        lists = words, self.owners, [words[j] for j in self.owners]
        starts = np.cumsum([0, *map(len, self.members)])
        ordered = [code for own in self.members for code in own]
        words_of, owners, of_literals, first, codes = (
            np.array([*each, 0], dtype=np.int32) for each in (*lists, starts, ordered)
        )
        return words_of, owners, of_literals, first, codes

    @cached_property
    def bits(self) -> tuple[np.ndarray, ...]:
        """The cells that each literal excludes, and those of each column, as bits of their word.

        Then, for each word, the cells of its columns but for the last of each, and these.
        """
        words, _, of_literals, *_ = self.arrays
        excluded = [mask >> _WORD * word for mask, word in zip((*self.excluded, 0), of_literals.tolist(), strict=True)]
        columns = [mask >> _WORD * word for mask, word in zip((*self.columns, 0), words.tolist(), strict=True)]
        low, top = [0] * (int(words.max()) + 1), [0] * (int(words.max()) + 1)
        for word, column in zip(words.tolist(), columns, strict=True):
            low[word] |= column & column >> 1
            top[word] |= column & ~(column >> 1)
        return tuple(np.array(each, dtype=np.uint64) for each in (excluded, columns, low, top))


class _PlainCells(Cells):
    """Every feature is a column of two cells, and a mask of cells the same as that of the literals."""

    @property
    def is_plain(self) -> bool:
        return True

    def cube(self, term: int) -> int:
        return term

    def term(self, cube: int) -> int:
        return cube

    def width(self, cube: int) -> int:
        return cube.bit_count()

    def is_empty(self, cube: int) -> bool:
        return not is_consistent(cube)


@lru_cache(16)
def _plain(n_features: int) -> Cells:
    excluded = tuple(1 << code for code in range(2 * n_features))
    owners = tuple(code >> 1 for code in range(2 * n_features))
    return _PlainCells(excluded, owners, tuple(3 << 2 * feature for feature in range(n_features)))
