"""Columns of finitely many cells, and boxes over them.

A column is a finite list of cells: intervals between cuts, categories, "other", "missing". A point of a space has one
cell per column; a literal is a set of cells of one column; a consistent term is a *box*, one bitmask of allowed cells
per column. The paper's {0,1}^n is the space in which every column has the two cells "0" and "1".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from idnf.logic.literals import feature_of, is_negated, literal, mask_of

if TYPE_CHECKING:
    from idnf.logic.dnf import DNF
    from idnf.logic.literals import Term

Box = tuple[int, ...]
"""One bitmask of allowed cells per column; a column whose mask is full is not constrained."""

Point = tuple[int, ...]
"""One cell index per column."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column and its cells.

    Parameters
    ----------
    name : str
        The name of the column.
    cells : tuple of str
        The labels of the cells, for printing.
    ordered : bool
        Whether the cells follow an order, so that conditions on them are intervals.
    missing : bool
        Whether the last cell stands for a missing value; it lies outside the order.

    Examples
    --------
    >>> age = Column("age", ("at most 30", "31 to 45", "over 45", "missing"), ordered=True, missing=True)
    >>> bin(age.full), age.missing_cell, age.size
    ('0b1111', 3, 4)
    """

    name: str
    cells: tuple[str, ...]
    ordered: bool = field(default=False, kw_only=True)
    missing: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if len(self.cells) <= self.missing:
            raise ValueError(f"column {self.name!r} must have a cell; got cells={self.cells!r}.")

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @property
    def full(self) -> int:
        """The mask of all cells."""
        return (1 << len(self.cells)) - 1

    @property
    def missing_cell(self) -> int | None:
        """The index of the cell for a missing value, or None."""
        return len(self.cells) - 1 if self.missing else None

    def conditions(self, mask: int) -> list[int]:
        """Split a set of cells into readable conditions: on an ordered column, its runs, each with the missing cell.

        >>> Column("age", ("0", "1", "2", "missing"), ordered=True, missing=True).conditions(0b1101)
        [9, 12]
        """
        if not self.ordered:
            return [mask]
        missing = mask & (1 << self.size - 1 if self.missing else 0)
        return [(2 << high) - (1 << low) | missing for low, high in runs(mask & ~missing)] or [missing]


@dataclass(frozen=True)
class Space:
    """Columns, and the cells in which each Boolean feature holds.

    Parameters
    ----------
    columns : tuple of Column
    literals : tuple of (int, int)
        For each feature the index of its column and the mask of the cells in which the feature holds.

    Examples
    --------
    >>> age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
    >>> space = Space((age, Column("job", ("clerk", "other"))), ((0, 0b001), (0, 0b011), (1, 0b01)))
    >>> space.features((1, 0))
    (0, 1, 1)
    """

    columns: tuple[Column, ...]
    literals: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        for feature, (column, mask) in enumerate(self.literals):
            if not 0 <= column < len(self.columns) or not 0 <= mask <= self.columns[column].full:
                raise ValueError(f"feature {feature} must name cells of a column; got column {column}, mask {mask:b}.")

    @classmethod
    def boolean(cls, names: Iterable[str]) -> Space:
        """Return {0,1}^n: one column of cells "0" and "1" per feature.

        >>> Space.boolean(["a", "b"]).literals
        ((0, 2), (1, 2))
        """
        columns = tuple(Column(name, ("0", "1")) for name in names)
        return cls(columns, tuple((j, 0b10) for j in range(len(columns))))

    @property
    def is_boolean(self) -> bool:
        """Whether every feature is a column of its own, so counting columns means counting literals."""
        return len({column for column, _ in self.literals}) == len(self.literals)

    @cached_property
    def full(self) -> Box:
        """The box that holds every point."""
        return tuple(column.full for column in self.columns)

    def box(self, term: Term) -> Box | None:
        """Return the box of a term, or None if no point satisfies it.

        A negated literal allows the other cells of its column, "missing" among them.

        >>> from idnf.logic.literals import Term
        >>> age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
        >>> space = Space((age,), ((0, 0b001), (0, 0b011)))
        >>> space.box(Term.of([1, 2]))       # not at most 30, at most 45
        (2,)
        >>> space.box(Term.of([0, 3])) is None       # at most 30, not at most 45
        True
        """
        masks = list(self.full)
        for code in term.codes:
            column, mask = self.literals[feature_of(code)]
            masks[column] &= ~mask if is_negated(code) else mask
        return tuple(masks) if all(masks) else None

    def boxes(self, dnf: DNF) -> list[Box]:
        """Return the boxes of the terms of a DNF, empty ones dropped, each once, in the order of the terms."""
        return list(dict.fromkeys(box for box in map(self.box, dnf.terms) if box is not None))

    @cached_property
    def codes(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each column its literals, as codes, with the cells in which they hold."""
        codes: list[list[tuple[int, int]]] = [[] for _ in self.columns]
        for feature, (column, mask) in enumerate(self.literals):
            codes[column] += [(literal(feature), mask), (literal(feature, negated=True), self.full[column] & ~mask)]
        return tuple(map(tuple, codes))

    def terms(self, box: Box) -> Iterator[int]:
        """Yield terms, as masks of literals, that together hold in the points of a box: a single one if possible.

        Every term restricts the same columns as the box.

        >>> age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
        >>> space = Space((age,), ((0, 0b001), (0, 0b011)))
        >>> [list(space.terms((mask,))) for mask in (0b010, 0b101)]
        [[6], [1, 8]]
        """
        parts = [self._conditions(j, box[j]) for j in self.constrained(box)]
        yield from (mask_of(code for part in chosen for code in part) for chosen in product(*parts))

    def _conditions(self, column: int, mask: int) -> list[tuple[int, ...]]:
        """Return sets of literals of a column: each holds in some cells of a mask, all together in every one."""
        if (column, mask) not in self._condition_cache:
            left, parts = mask, []
            while left:
                codes, cells = self._condition(column, mask, left & -left)
                parts.append(codes)
                left &= ~cells
            self._condition_cache[column, mask] = parts
        return self._condition_cache[column, mask]

    @cached_property
    def _condition_cache(self) -> dict[tuple[int, int], list[tuple[int, ...]]]:
        return {}

    def _condition(self, column: int, mask: int, cell: int) -> tuple[tuple[int, ...], int]:
        """Return few literals that hold in a cell and nowhere outside a mask, and all the cells that they hold in."""
        held = [(code, cells) for code, cells in self.codes[column] if cells & cell]
        chosen: list[tuple[int, int]] = []
        inside = self.full[column]
        while inside & ~mask:
            useful = [(code, cells) for code, cells in held if inside & ~mask & ~cells]
            if not useful:
                raise ValueError(f"mask must be made of cells that literals distinguish; got {mask:b} of {column}.")
            kept = inside & mask
            # The literal that keeps most of the mask; of several, the one that leaves least outside it.
            best = max(useful, key=lambda item: ((kept & item[1]).bit_count(), -(inside & ~mask & item[1]).bit_count()))
            chosen.append(best)
            inside &= best[1]
        for item in chosen[:]:
            others = [other for other in chosen if other != item]
            if _common_cells(others, self.full[column]) == inside:
                chosen = others
        return tuple(sorted(code for code, _ in chosen)), inside

    @cached_property
    def points(self) -> int:
        """The number of points that literals distinguish.

        >>> age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
        >>> Space((age, Column("job", ("clerk", "other"))), ((0, 0b001), (0, 0b011), (1, 0b01))).points
        6
        """
        patterns: list[set[tuple[int, ...]]] = [set() for _ in self.columns]
        for column_patterns, codes, column in zip(patterns, self.codes, self.columns, strict=True):
            column_patterns.update(tuple(mask >> cell & 1 for _, mask in codes) for cell in range(column.size))
        return prod(map(len, patterns))

    def only(self, features: Sequence[int]) -> Space:
        """Return the same columns with some of the features."""
        return Space(self.columns, tuple(self.literals[feature] for feature in features))

    def conditions(self, column: int, mask: int) -> list[int]:
        """Split a set of cells into conditions that literals of a column can express: run by run if it is ordered.

        The missing cell joins every run or, if no literal distinguishes it from some other cells, the runs with these.

        >>> age = Column("age", ("0", "1", "2", "missing"), ordered=True, missing=True)
        >>> cuts = (0, 0b0001), (0, 0b0011)
        >>> Space((age,), cuts).conditions(0, 0b1101), Space((age,), (*cuts, (0, 0b1000))).conditions(0, 0b1101)
        ([1, 12], [9, 12])
        """
        alike, missing = self._same_as_missing[column]
        runs_of_mask = self.columns[column].conditions(mask)
        return [run if run & alike or not mask & alike else run & ~missing for run in runs_of_mask]

    @cached_property
    def _same_as_missing(self) -> list[tuple[int, int]]:
        """For each column the known cells that no literal distinguishes from the missing one, and the missing one."""
        cells = [1 << column.size - 1 if column.missing else 0 for column in self.columns]
        return [
            (_common_cells((item for item in codes if item[1] & cell), full) & ~cell if cell else 0, cell)
            for codes, full, cell in zip(self.codes, self.full, cells, strict=True)
        ]

    def expressible(self, box: Box) -> Box:
        """Return a box with all the cells that no literal distinguishes from one of its own.

        >>> Space((Column("age", ("a", "b", "c")),), ((0, 0b001),)).expressible((0b010,))
        (6,)
        """
        masks = list(box)
        for j in self.constrained(box):
            for cell in cells_of(box[j]):
                held = (item for item in self.codes[j] if item[1] >> cell & 1)
                masks[j] |= _common_cells(held, self.full[j])
        return tuple(masks)

    def constrained(self, box: Box) -> tuple[int, ...]:
        """Return the indices of the columns a box constrains.

        >>> Space.boolean("abc").constrained((3, 1, 2))
        (1, 2)
        """
        return tuple(j for j, (mask, full) in enumerate(zip(box, self.full, strict=True)) if mask != full)

    def features(self, point: Sequence[int]) -> tuple[int, ...]:
        """Return the values, 0 or 1, of the features at a point."""
        return tuple(mask >> point[column] & 1 for column, mask in self.literals)


def _common_cells(conditions: Iterable[tuple[int, int]], cells: int) -> int:
    for _, held in conditions:
        cells &= held
    return cells


def contains(box: Box, point: Sequence[int]) -> bool:
    """Return whether a point lies in a box.

    >>> contains((0b01, 0b11), (0, 1)), contains((0b01, 0b11), (1, 1))
    (True, False)
    """
    return all(mask >> cell & 1 for mask, cell in zip(box, point, strict=True))


def is_within(inner: Box, outer: Box) -> bool:
    """Return whether a box lies in another.

    >>> is_within((0b01, 0b01), (0b01, 0b11)), is_within((0b01, 0b11), (0b01, 0b10))
    (True, False)
    """
    return all(a & ~b == 0 for a, b in zip(inner, outer, strict=True))


def in_conflict(first: Box, second: Box) -> bool:
    """Return whether two boxes share no point: on some column they allow no common cell.

    >>> in_conflict((0b01, 0b11), (0b10, 0b01)), in_conflict((0b01, 0b11), (0b11, 0b01))
    (True, False)
    """
    return not all(a & b for a, b in zip(first, second, strict=True))


def intersection(first: Box, second: Box) -> Box | None:
    """Return the box of the points two boxes share, or None if there are none.

    >>> intersection((0b01, 0b11), (0b11, 0b10))
    (1, 2)
    """
    masks = tuple(a & b for a, b in zip(first, second, strict=True))
    return masks if all(masks) else None


def cut(box: Box, column: int, mask: int) -> Box:
    """Return the part of a box that lies in some cells of a column.

    >>> cut((0b11, 0b11), 1, 0b10)
    (3, 2)
    """
    return (*box[:column], box[column] & mask, *box[column + 1 :])


def columns_outside(box: Box, point: Sequence[int]) -> int:
    """Return the mask of the columns on which a point lies outside a box.

    >>> bin(columns_outside((0b01, 0b11, 0b10), (1, 1, 0)))
    '0b101'
    """
    outside = 0
    for j, (mask, cell) in enumerate(zip(box, point, strict=True)):
        if not mask >> cell & 1:
            outside |= 1 << j
    return outside


def cells_of(mask: int) -> Iterator[int]:
    """Yield the cells (or columns) of a mask, smallest first.

    >>> list(cells_of(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def runs(mask: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last cell of each run of neighbouring cells.

    >>> list(runs(0b1011))
    [(0, 1), (3, 3)]
    """
    while mask:
        low = (mask & -mask).bit_length() - 1
        # Adding the lowest cell carries over the run to the cell after it.
        high = (mask + (1 << low) & ~mask).bit_length() - 2
        yield low, high
        mask &= ~((2 << high) - 1)
