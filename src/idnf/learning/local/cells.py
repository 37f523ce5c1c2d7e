"""What literals say of columns that have several: the cells that each excludes, as bits of words of 64.

A term is the mask of all cells that its literals exclude (:mod:`idnf.logic.cubes`); it restricts the columns of which
it excludes a cell. Cells that no literal tells apart are one. No column lies in two words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

import numpy as np

from idnf.learning.local.masks import Codes
from idnf.logic.boxes import Space
from idnf.logic.literals import codes_of
from idnf.logic.transversals import minimal_sets

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
        """Tell whether no cell of some column is left."""
        return any(cube & column == column for column in self.columns)

    def conflict(self, one: int, other: int) -> bool:
        """Tell whether no point lies in both of two terms that have some."""
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
    def arrays(self) -> tuple[Codes, Codes, Codes]:
        """The word of each column, and columns of literals, as numbers; see `bits`."""
        words = [((column & -column).bit_length() - 1) // _WORD for column in self.columns]
        return (
            np.array(words, dtype=np.int32),
            np.array(self.owners, dtype=np.int32),
            np.array([words[j] for j in self.owners], dtype=np.int32),
        )

    @cached_property
    def bits(self) -> tuple[np.ndarray, np.ndarray]:
        """The cells that each literal excludes, and those of each column, as bits of their word."""
        words, _, of_literals = self.arrays
        excluded = [mask >> _WORD * word for mask, word in zip(self.excluded, of_literals.tolist(), strict=True)]
        columns = [mask >> _WORD * word for mask, word in zip(self.columns, words.tolist(), strict=True)]
        return np.array(excluded, dtype=np.uint64), np.array(columns, dtype=np.uint64)
