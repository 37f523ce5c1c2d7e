"""Boxes as one integer each, and the two questions of every proof: which of them meet, and whether a point escapes all.

A term is held as the mask of the cells that it excludes, those of all columns side by side (the positional cubes of
multi-valued logic minimisation). In {0,1}^n this is the mask of its literals, since a literal excludes the one cell in
which it is false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import accumulate
from operator import and_, or_

from idnf.logic.boxes import Box, Space
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.literals import codes_of, dnf_table, feature_of, full_table, literal, mask_of, positive_bits, renumber
from idnf.logic.transversals import minimal_sets

# Up to this number of features one truth table beats a case split.
_TABLE_FEATURES = 10

# The most terms of all the cases that are remembered; a term takes about 100 bytes.
_MOST_REMEMBERED = 2_000_000

# The most terms of all the cases still to be examined within a budget, and the number of bits that count as one term.
_MOST_WAITING = 5_000_000
_STEP_BITS = 256

# Redundant boxes are not searched for among more boxes than this, nor with more steps.
_MOST_COMPARED = 200
_MOST_STEPS = 1_000_000


@dataclass(frozen=True)
class Layout:
    """The positions of the cells of columns in a mask: columns of two cells come first, so their cells are literals.

    Parameters
    ----------
    sizes : tuple of int
        The number of cells of each column.

    Examples
    --------
    >>> layout = Layout((3, 2))
    >>> bin(layout.mask((0b011, 0b10))), layout.box(0b10001), layout.size(0b10001), layout.is_possible(0b11)
    ('0b10001', (3, 2), 2, False)
    """

    sizes: tuple[int, ...]

    @classmethod
    def of(cls, space: Space) -> Layout:
        """Return the layout of the columns of a space."""
        return cls(tuple(column.size for column in space.columns))

    def exclusions(self, space: Space) -> list[int]:
        """Return the cells that each literal of a space excludes, by its code.

        >>> Layout((2, 2)).exclusions(Space.boolean("ab"))
        [1, 2, 4, 8]
        """
        columns, starts = self.columns, self.starts
        held = [(columns[j], mask << starts[j]) for j, mask in space.literals]
        return [cells for column, mask in held for cells in (column & ~mask, mask)]

    @classmethod
    def around(cls, boxes: Sequence[Box]) -> Layout:
        """Return the layout of the cells in some boxes."""
        return cls(tuple(reduce(or_, masks).bit_length() for masks in zip(*boxes, strict=True)))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first bit of each column."""
        order = sorted(range(len(self.sizes)), key=lambda j: self.sizes[j] != 2)
        starts = accumulate((self.sizes[j] for j in order), initial=0)
        return tuple(start for _, start in sorted(zip(order, starts)))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The mask of all cells of each column."""
        return tuple(((1 << size) - 1) << start for size, start in zip(self.sizes, self.starts, strict=True))

    @cached_property
    def pairs(self) -> int:
        """The first cells of the columns of two cells."""
        return positive_bits(2 * self.sizes.count(2))

    @cached_property
    def literals(self) -> int:
        """All cells of the columns of two cells."""
        return self.pairs * 3

    @cached_property
    def wide(self) -> tuple[int, ...]:
        """The columns of more or fewer cells than two."""
        return tuple(column for size, column in zip(self.sizes, self.columns, strict=True) if size != 2)

    @cached_property
    def column_of(self) -> dict[int, int]:
        """For each bit the mask of its column."""
        return {bit: column for column in self.columns for bit in codes_of(column)}

    def mask(self, box: Box) -> int:
        """Return the cells that a box excludes."""
        placed = zip(self.sizes, self.starts, box, strict=True)
        return sum([((1 << size) - 1 & ~cells) << start for size, start, cells in placed])

    def box(self, mask: int) -> Box:
        """Return the box of a term."""
        return tuple((column & ~mask) >> start for column, start in zip(self.columns, self.starts, strict=True))

    def restricted_columns(self, mask: int) -> Iterator[int]:
        """Yield the columns that a term restricts."""
        while mask:
            column = self.column_of[(mask & -mask).bit_length() - 1]
            yield column
            mask &= ~column

    def opposite_cells(self, mask: int) -> int:
        """Return the other cell of each of a mask's cells in columns of two."""
        return (mask & self.pairs) << 1 | (mask >> 1) & self.pairs

    def size(self, mask: int) -> int:
        """Return the number of columns that a term restricts; of a column of two cells each excluded cell counts."""
        return (mask & self.literals).bit_count() + sum([mask & column != 0 for column in self.wide])

    def is_possible(self, mask: int) -> bool:
        """Return whether a term leaves every column a cell."""
        if mask & mask >> 1 & self.pairs:
            return False
        return not self.wide or all(column & ~mask for column in self.wide)


def outermost(boxes: Sequence[Box]) -> list[Box]:
    """Return the boxes that do not lie in another one, in their order.

    >>> outermost([(0b01, 0b11), (0b01, 0b01)])
    [(1, 3)]
    """
    masks = list(map(Layout.around(boxes).mask, boxes))
    least = set(minimal_sets(masks))
    return [box for box, mask in zip(boxes, masks, strict=True) if mask in least]


@lru_cache(maxsize=256)
def boolean_layout(features: int) -> Layout:
    """Return the layout in which the mask of a term is the mask of its literals."""
    return Layout((2,) * features)


def _layout_of(masks: Sequence[int]) -> Layout:
    return boolean_layout((max(masks, default=0).bit_length() + 1) // 2)


def uncovered_term(masks: Iterable[int], *, layout: Layout | None = None, budget: Budget | None = None) -> int | None:
    """Return a term under which all terms are false, or None if every point satisfies one of them.

    The space is split on the column in most terms. If all terms that restrict a column of two cells exclude the same
    cell of it, that cell is chosen at once. Cases with the same remaining terms are examined once, and cases with more
    remaining terms than another not at all. The time is exponential in the number of columns in the worst case, as the
    question is coNP-complete.

    Parameters
    ----------
    masks : iterable of int
    layout : Layout, optional
        The positions of the cells; by default masks are of literals.
    budget : Budget, optional
        The most terms to examine, counted once for each case, and more than once if they are over very many features.
        This bounds memory too.

    Raises
    ------
    TooManySteps
        If the budget is not enough.

    Examples
    --------
    >>> uncovered_term([0b01, 0b10]) is None
    True
    >>> bin(uncovered_term([0b0101, 0b0010]))
    '0b1001'
    >>> bin(uncovered_term([0b011], layout=Layout((3,))))
    '0b110'
    """
    all_terms = list(masks)
    layout = layout or _layout_of(all_terms)
    cases = [(frozenset(filter(layout.is_possible, all_terms)), 0)]
    each = 1 + max(cases[0][0], default=0).bit_length() // _STEP_BITS
    seen: set[frozenset[int]] = set()
    remembered = 0
    waiting = len(cases[0][0])
    while cases:
        terms, chosen = cases.pop()
        waiting -= len(terms)
        if budget is not None:
            budget.spend((len(terms) + 1) * each)
            if waiting * each > _MOST_WAITING:
                raise TooManySteps(f"gave up: more than {_MOST_WAITING:,} terms would be held at once.")
        terms, support, falsified = _without_pure(terms, layout)
        # A case seen before is proved or still to be examined, so it can be skipped.
        if 0 in terms or terms in seen:
            continue
        if not terms:
            return chosen | falsified
        if remembered + len(terms) * each <= _MOST_REMEMBERED:
            seen.add(terms)
            remembered += len(terms) * each
        if not support & ~layout.literals and (support & layout.pairs).bit_count() <= _TABLE_FEATURES:
            point = _uncovered_point(terms, support)
            if point is not None:
                return chosen | falsified | point
            continue
        for rest, excluded in _cases(terms, layout):
            cases.append((rest, chosen | falsified | excluded))
            waiting += len(rest)
    return None


def _without_pure(terms: frozenset[int], layout: Layout) -> tuple[frozenset[int], int, int]:
    """Drop the terms with a literal whose negation does not occur; return the rest, their cells and those excluded."""
    falsified = 0
    while True:
        support = reduce(or_, terms, 0)
        pure = support & ~layout.opposite_cells(support) & layout.literals
        if not pure or 0 in terms:
            return terms, support, falsified
        terms = frozenset([term for term in terms if not term & pure])
        falsified |= layout.opposite_cells(pure)


def _cases(terms: frozenset[int], layout: Layout) -> list[tuple[frozenset[int], int]]:
    """Split on the column in most terms: return the remaining terms and the excluded cells, cell by cell."""
    column = layout.column_of[_most_frequent(terms, layout)]
    others = ~column
    cases: dict[frozenset[int], int] = {}
    for code in codes_of(column):
        cell = 1 << code
        rest = frozenset([term & others for term in terms if not term & cell])
        cases.setdefault(rest, column & ~cell)
    return [(rest, excluded) for rest, excluded in cases.items() if not any(other < rest for other in cases)]


def _most_frequent(terms: Iterable[int], layout: Layout) -> int:
    """Return the first bit of the column in most terms, the first of several.

    All columns are counted at once: digit i of their counts is bit by bit in ``digits[i]``, and adding a term carries
    from digit to digit.

    >>> _most_frequent([0b0001, 0b0100, 0b1001], Layout((2, 2)))
    0
    """
    pairs, wide = layout.pairs, [(column, column & -column) for column in layout.wide]
    digits: list[int] = []
    for term in terms:
        carry = (term | term >> 1) & pairs
        for column, first in wide:
            if term & column:
                carry |= first
        for i, digit in enumerate(digits):
            digits[i], carry = digit ^ carry, digit & carry
            if not carry:
                break
        if carry:
            digits.append(carry)
    most = -1
    for digit in reversed(digits):
        most = most & digit or most
    return (most & -most).bit_length() - 1


def _uncovered_point(terms: Iterable[int], support: int) -> int | None:
    features = sorted({feature_of(code) for code in codes_of(support)})
    place = {feature: j for j, feature in enumerate(features)}
    n = len(features)
    missing = full_table(n) & ~dnf_table((renumber(term, place) for term in terms), n)
    if not missing:
        return None
    point = (missing & -missing).bit_length() - 1
    return mask_of(literal(feature, negated=not point >> j & 1) for j, feature in enumerate(features))


def is_covered(mask: int, others: Iterable[int], layout: Layout, *, budget: Budget | None = None) -> bool:
    """Return whether every point of a term satisfies one of some others.

    >>> is_covered(0b001, [0b011, 0b101], Layout((3,))), is_covered(0b001, [0b011], Layout((3,)))
    (True, False)
    """
    # Without the cells that the term excludes, the others cover a point outside it whenever they cover one inside.
    inside = [other & ~mask for other in others if layout.is_possible(other | mask)]
    return uncovered_term(inside, layout=layout, budget=budget) is None


def irredundant_boxes(boxes: Sequence[Box]) -> list[Box]:
    """Return boxes with the same union, none of which lies in the union of the others; later ones are dropped first.

    >>> irredundant_boxes([(0b01, 0b11), (0b11, 0b01), (0b10, 0b01)])
    [(1, 3), (3, 1)]
    """
    if len(boxes) > _MOST_COMPARED:
        return list(boxes)
    layout, budget = Layout.around(boxes), Budget(_MOST_STEPS)
    kept = list(map(layout.mask, boxes))
    for mask in reversed(kept[:]):
        others = [other for other in kept if other != mask]
        try:
            if is_covered(mask, others, layout, budget=budget):
                kept = others
        except TooManySteps:
            break
    return list(map(layout.box, kept))


class OverlapIndex:
    """An index of terms, to find at once all those that share a point with another one.

    For each cell it holds the set of terms that exclude the cell, one bit per term. Two terms share no point iff all
    cells of some column that one allows are excluded by the other.
    """

    def __init__(self, masks: Sequence[int], layout: Layout) -> None:
        self.layout = layout
        length = len(masks) // 8 + 1
        possible, rows = bytearray(length), dict[int, bytearray]()
        for i, mask in enumerate(masks):
            byte, bit = i >> 3, 1 << (i & 7)
            if layout.is_possible(mask):
                possible[byte] |= bit
            for code in codes_of(mask):
                if code not in rows:
                    rows[code] = bytearray(length)
                rows[code][byte] |= bit
        self.count, self.possible = len(masks), int.from_bytes(possible, "little")
        self.excluders = {code: int.from_bytes(row, "little") for code, row in rows.items()}

    def pairs(self, masks: Iterable[int], *, budget: Budget | None = None) -> Iterator[tuple[int, int]]:
        """Yield each pair of one of some terms and one in the index that share a point, both by number.

        A thousand comparisons are about one step of the budget.
        """
        excluders, layout, literals = self.excluders, self.layout, self.layout.literals
        for i, mask in enumerate(masks):
            if not layout.is_possible(mask):
                continue
            if budget is not None:
                budget.spend(1 + self.count // 1000)
            apart = 0
            for code in codes_of(layout.opposite_cells(mask)):
                apart |= excluders.get(code, 0)
            for column in layout.restricted_columns(mask & ~literals):
                apart |= reduce(and_, [excluders.get(code, 0) for code in codes_of(column & ~mask)])
            for j in codes_of(self.possible & ~apart):
                yield i, j


def first_overlap(
    ones: Sequence[int], zeros: Sequence[int], *, layout: Layout | None = None, budget: Budget | None = None
) -> tuple[int, int] | None:
    """Return a term of each side that share a point, or None if there are none.

    >>> first_overlap([0b0001], [0b0010, 0b1000]), first_overlap([0b0001], [0b0010])
    ((1, 8), None)
    """
    layout = layout or _layout_of([*ones, *zeros])
    if len(ones) > len(zeros):
        pair = first_overlap(zeros, ones, layout=layout, budget=budget)
        return None if pair is None else (pair[1], pair[0])
    return next(((ones[i], zeros[j]) for i, j in OverlapIndex(zeros, layout).pairs(ones, budget=budget)), None)
