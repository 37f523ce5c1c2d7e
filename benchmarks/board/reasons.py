"""Sizes of smallest reasons, in columns: the same ruler for every method, over the cells of a model's columns.

Every model is an ordered list of rules; the first that holds gives the class, and the last holds always or the rules
leave nothing out. A tree is the list of its leaves, a DNF its terms and "otherwise", ours the terms of all classes.
Conditions about one column belong together: its cells are the ways in which they can come out together. A point has one
cell per column, so that no reason is about rows that cannot be.

A reason of a decision is a set of columns such that no point with the row's cells there gets another class (an AXp).
A smallest one is a smallest set that meets, for each box of the other classes, the columns on which the row lies
outside the box. Rules of other classes that share no point with earlier rules of the class are such boxes; others are
found as they are needed: a smallest set that meets those found so far is a reason, or a point of another class refutes
it and gives the next box. Nothing is sampled, and no size is assumed.

Cells of all columns are numbered through; a box is an integer with a bit for each cell it allows, a row one with a
single bit in each column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Rules:
    """A model: pairs of a class and a box, in order, and the cells of each column.

    >>> Rules.of([(1, [0, 3]), (0, [])]).items
    ((1, 6), (0, 15))
    >>> thirds = Rules.of([(1, [0, 3]), (0, [])], [([0, 1], [(0, 0), (1, 0), (1, 1)])])     # 0: x > 1, 1: x > 2
    >>> thirds.items
    ((1, 2), (0, 7))
    """

    items: tuple[tuple[int, int], ...]
    columns: tuple[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], ...]

    @classmethod
    def of(cls, rules: Iterable[tuple[int, Sequence[int]]], columns: Iterable[Sequence] | None = None) -> Rules:
        """Take what a worker writes: classes and codes of literals, and for each column its conditions and cells.

        A code is 2 * condition, plus 1 if it is negated. Without columns every condition is one. Rules that hold
        nowhere go.
        """
        found = [(label, [int(code) for code in codes]) for label, codes in rules]
        if columns is None:
            used = sorted({code >> 1 for _, codes in found for code in codes})
            columns = [([condition], [(0,), (1,)]) for condition in used]
        given = tuple((tuple(names), tuple(dict.fromkeys(map(tuple, cells)))) for names, cells in columns)
        empty = cls((), given)
        boxes = ((int(label), empty.box(codes)) for label, codes in found)
        return cls(tuple((label, box) for label, box in boxes if empty.holds_somewhere(box)), given)

    @cached_property
    def blocks(self) -> list[int]:
        """The cells of each column as a mask."""
        found, start = [], 0
        for _, cells in self.columns:
            found.append(((1 << len(cells)) - 1) << start)
            start += len(cells)
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """The number of columns that each rule restricts."""
        return [sum(box & block != block for block in self.blocks) for _, box in self.items]

    @cached_property
    def _literals(self) -> dict[int, int]:
        """For each code the cells of its column in which the literal does not hold."""
        found = {}
        for (conditions, cells), block in zip(self.columns, self.blocks):
            for place, condition in enumerate(conditions):
                bits = sum(1 << i for i, cell in enumerate(cells) if not cell[place]) << _first(block)
                found[2 * condition], found[2 * condition + 1] = bits, block & ~bits
        return found

    def box(self, codes: Iterable[int]) -> int:
        """Return the box of a term."""
        outside = 0
        for code in codes:
            outside |= self._literals[code]
        return sum(self.blocks) & ~outside

    def holds_somewhere(self, box: int) -> bool:
        """Return whether a box has a point."""
        return all(box & block for block in self.blocks)

    def rows(self, X: NDArray[np.integer]) -> list[int]:
        """Return rows, given by their conditions, as masks of cells."""
        parts = []
        for (conditions, cells), block in zip(self.columns, self.blocks):
            place = {cell: 1 << i + _first(block) for i, cell in enumerate(cells)}
            parts.append([place[tuple(row)] for row in X[:, list(conditions)].tolist()])
        return [sum(bits) for bits in zip(*parts)] if parts else [0] * len(X)

    def first(self, row: int) -> int:
        """Return the place of the rule that decides a row."""
        return next(place for place, (_, box) in enumerate(self.items) if box & row == row)

    def label(self, row: int) -> int:
        """Return the class of a row."""
        return self.items[self.first(row)][0]


def _first(block: int) -> int:
    return (block & -block).bit_length() - 1


def smallest_hitting_set(sets: Iterable[int]) -> int:
    """Return a smallest integer mask that meets every set; none may be empty.

    >>> bin(smallest_hitting_set([0b011, 0b110]))
    '0b10'
    """
    family = _minimal(sets)
    size = _disjoint(family)
    while (found := _hitting_set(family, 0, size)) is None:
        size += 1
    return found


def _minimal(sets: Iterable[int]) -> list[int]:
    kept: list[int] = []
    for s in sorted(set(sets), key=int.bit_count):
        if not any(t & s == t for t in kept):
            kept.append(s)
    return kept


def _disjoint(family: Sequence[int]) -> int:
    """Return the number of disjoint sets, taken in order: as many elements are needed."""
    count, seen = 0, 0
    for s in family:
        if not s & seen:
            seen |= s
            count += 1
    return count


def _hitting_set(family: Sequence[int], chosen: int, left: int) -> int | None:
    family = [s for s in family if not s & chosen]
    if not family:
        return chosen
    if _disjoint(family) > left:
        return None
    first, banned = family[0], 0
    while first:
        element = first & -first
        first ^= element
        # Sets with the elements tried before are met without them: each solution is looked for once.
        rest = [s & ~banned for s in family]
        if not all(rest):
            return None
        found = _hitting_set(sorted(rest, key=int.bit_count), chosen | element, left - 1)
        if found is not None:
            return found
        banned |= element
    return None


@dataclass
class _Side:
    """The decisions of one class: boxes of the others known so far, and rules that may hide more."""

    rules: Rules
    known: list[int] = field(default_factory=list)
    hiding: list[tuple[int, list[int]]] = field(default_factory=list)
    sure: list[int] = field(default_factory=list)
    reasons: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, rules: Rules, label: int) -> _Side:
        side = cls(rules)
        own: list[int] = []
        others: list[int] = []
        for given, box in rules.items:
            if given == label:
                own.append(box)
                if not any(rules.holds_somewhere(box & other) for other in others):
                    side.sure.append(box)
            else:
                others.append(box)
                open_ones = [mine for mine in own if rules.holds_somewhere(mine & box)]
                if open_ones:
                    side.hiding.append((box, open_ones))
                else:
                    side.known.append(box)
        return side

    def size(self, row: int) -> int:
        """Return the size of a smallest reason of a row."""
        blocks = self.rules.blocks
        whole = [sum(box & block != block for block in blocks) for box in self.sure if box & row == row]
        enough = min(whole, default=len(blocks))
        while True:
            reason = smallest_hitting_set(row & ~box for box in self.known)
            if reason.bit_count() == enough or reason in self.reasons:
                return reason.bit_count()
            found = self._refuting(row, reason)
            if found is None:
                self.reasons.add(reason)
                return reason.bit_count()
            self.known.append(found)

    def _refuting(self, row: int, reason: int) -> int | None:
        """Return a box of another class that has a point with the row's cells of a reason, or None."""
        fixed = sum(block & reason or block for block in self.rules.blocks)
        for box, own in self.hiding:
            if self.rules.holds_somewhere(box & fixed):
                free = self._uncovered(box & fixed, own)
                if free is not None:
                    return self._widened(free, box, own, row)
        return None

    def _uncovered(self, box: int, boxes: Sequence[int]) -> int | None:
        """Return a part of a box that none of some boxes meets, or None where they cover it."""
        met = [other for other in boxes if self.rules.holds_somewhere(box & other)]
        if not met:
            return box
        first, *rest = met
        for block in self.rules.blocks:
            if outside := box & block & ~first:
                found = self._uncovered(box & ~block | outside, rest)
                if found is not None:
                    return found
                box &= ~outside
        return None

    def _widened(self, free: int, box: int, own: Sequence[int], row: int) -> int:
        """Return ``free`` as wide as it can be within a box and outside ``own``, on columns that allow the row first.

        A column on which it allows the row is none that a reason could use against it.
        """
        for block in sorted(self.rules.blocks, key=lambda block: not box & block & row):
            for wider in (free | box & block, free | box & block & row):
                if not any(self.rules.holds_somewhere(wider & other) for other in own):
                    free = wider
                    break
        return free


def reason_sizes(rules: Rules, X: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each row its class and the number of columns of a smallest reason.

    >>> rules = Rules.of([(1, [0, 2]), (1, [4, 6]), (0, [])])
    >>> labels, sizes = reason_sizes(rules, np.array([[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0]]))
    >>> labels.tolist(), sizes.tolist()
    ([1, 0, 0], [2, 2, 2])
    """
    distinct, place = np.unique(np.asarray(X), axis=0, return_inverse=True)
    sides = {label: _Side.of(rules, label) for label in {label for label, _ in rules.items}}
    rows = rules.rows(distinct)
    labels = np.array([rules.label(row) for row in rows])
    sizes = np.array([sides[label].size(row) for label, row in zip(labels.tolist(), rows)])
    return labels[place.reshape(-1)], sizes[place.reshape(-1)]
