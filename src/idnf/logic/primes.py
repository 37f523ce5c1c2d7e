"""Prime implicants and certificate complexity; maximal boxes of a class, the counterpart of primes over columns.

Terms of Boolean features are masks of literals. Maximal boxes are found in two ways: by dualising the terms of the
other class (Berge's algorithm on boxes, as Nelson's theorem has it in the Boolean case), or by consensus on the terms
of the class itself (Quine; Tison, *Generalization of consensus theory*, 1967) if the other side is too large to write
down. Inside this module a box is the mask of the cells that it excludes, so that "lies in" is one operation.
Time and output can be exponential in the number of terms, hence ``limit``.

On an ordered column the boxes that people write are *runs* of neighbouring cells, with or without the missing cell.
They cover as much as arbitrary sets of cells, since a box around a point contains the run around it, and there are
far fewer of them: the outside of n boxes on a diagonal has 2^n - 2 maximal boxes of arbitrary sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from idnf.logic.boxes import Box, Space
from idnf.logic.cubes import Layout, uncovered_term
from idnf.logic.deadlines import Budget
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import codes_of, is_consistent, mask_of, negated_mask, negation, positive_bits
from idnf.logic.transversals import complement_terms, holds_one_of, minimal_sets


def restrict(masks: Iterable[int], literals: int) -> list[int]:
    """Return D[Q]: the terms if the literals Q hold.

    >>> restrict([0b0101, 0b1000], 0b0001)
    [4, 8]
    """
    against = negated_mask(literals)
    return [mask & ~literals for mask in masks if not mask & against]


def is_implicant(masks: Sequence[int], term: int) -> bool:
    """Return whether every point of ``term`` satisfies the DNF.

    >>> is_implicant([0b0001, 0b0110], 0b0100)
    True
    """
    if any(mask & term == mask for mask in masks):
        return True
    return uncovered_term(restrict(masks, term)) is None


def prime_implicants(masks: Iterable[int]) -> list[int]:
    """Return all prime implicants of a DNF, smaller ones first.

    Tison's method (*Generalization of consensus theory*, 1967): for each feature in turn, add the consensus of every
    pair of terms that disagree on it alone, and absorb. There can be exponentially many.

    >>> prime_implicants([0b0001, 0b0110])  # a | ~a & b
    [1, 4]
    """
    terms = minimal_sets(mask for mask in masks if is_consistent(mask))
    support = 0
    for term in terms:
        support |= term
    both = support & negated_mask(support)
    left = set(codes_of(both & positive_bits(both.bit_length())))
    while left:
        # Any order of features will do; taking the one with fewest pairs first keeps the list short.
        code = min(left, key=lambda code: (_disagreements(terms, code), code))
        left.remove(code)
        positive, negative = 1 << code, 1 << negation(code)
        without = ~(positive | negative)
        holding = [(term & without) for term in terms if term & positive]
        denying = [(term & without, negated_mask(term & without)) for term in terms if term & negative]
        consensus = {p | q for p in holding for q, against in denying if not p & against}
        if consensus:
            terms = minimal_sets(consensus.union(terms))
    return terms


def _disagreements(terms: list[int], code: int) -> int:
    return sum(term >> code & 1 for term in terms) * sum(term >> negation(code) & 1 for term in terms)


def both_sides(masks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return all prime implicants of a DNF and of its complement, smaller ones first.

    >>> both_sides([0b0101])
    ([5], [2, 8])
    """
    return prime_implicants(masks), sorted(complement_terms(masks), key=lambda s: (s.bit_count(), s))


def certificate_complexity(masks: Sequence[int]) -> int:
    """Return the least k such that the function and its complement are both k-DNFs.

    Every point must satisfy a prime implicant of size at most k of its own side, so k is least such that these
    implicants of both sides together cover the whole space.

    >>> certificate_complexity([0b0101, 0b1010])  # a & b | ~a & ~b
    2
    """
    ones, zeros = both_sides(masks)
    return least_covering_size(ones + zeros)


def least_covering_size(masks: Sequence[int], layout: Layout | None = None) -> int:
    """Return the least k such that the terms of size at most k are a tautology; all of them must be one.

    Sizes count columns if a layout says where their cells lie, else literals.

    >>> least_covering_size([0b01, 0b10, 0b0101])
    1
    """
    size = int.bit_count if layout is None else layout.size
    for k in sorted(set(map(size, masks))):
        if uncovered_term((mask for mask in masks if size(mask) <= k), layout=layout) is None:
            return k
    raise InvalidArgument("masks", "cover every point", "a DNF that is not a tautology")


def most_changes(ones: Sequence[int], zeros: Sequence[int]) -> int:
    """Return the largest, over all points, of the least number of features to change for the other class.

    It is 0 for a constant, which has no other class. Any DNFs of the function and of its complement will do. A point
    is at most k changes away from a term iff it satisfies the term with some k of its literals left out.

    >>> most_changes([0b0101], [0b0010, 0b1000])  # a & b: both must change if both are 0
    2
    """
    k = 0
    while ones and zeros and any(_is_far(side, k) for side in (ones, zeros)):
        k += 1
    return k


def _is_far(terms: Sequence[int], k: int) -> bool:
    """Return whether some point is more than k changes away from every term."""
    kept = (combinations(codes_of(term), max(0, term.bit_count() - k)) for term in terms)
    return uncovered_term({mask_of(codes) for choices in kept for codes in choices}) is not None


# About this many pairs of boxes are compared in a step, a microsecond.
_PAIRS_PER_STEP = 16


class TooManyBoxes(ValueError):
    """There are more maximal boxes than the caller allows."""

    def __init__(self, limit: int, message: str | None = None) -> None:
        super().__init__(message or f"gave up: more than {limit:,} boxes would be held at once.")
        self.limit = limit


def maximal_boxes_avoiding(
    terms: Iterable[Box], full: Box, *, k: int | None = None, limit: int = 5000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes that no term meets, or only those of at most k columns.

    Comparing boxes takes steps of the budget.

    >>> maximal_boxes_avoiding([(0b10, 0b10)], (0b11, 0b11))     # not (a and b)
    [(1, 3), (3, 1)]
    """
    layout = Layout.around([full])
    cuts = [[(column, column & ~term) for column in layout.restricted_columns(term)] for term in _masks(terms, layout)]
    return _boxes_avoiding(cuts, cuts, layout, k, limit, budget)


def maximal_runs_avoiding(
    terms: Iterable[Box], space: Space, *, k: int | None = None, limit: int = 20_000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes, runs of cells on every ordered column, that no term meets, within a budget.

    >>> from idnf.logic.boxes import Column
    >>> age = Column("age", ("young", "middle", "old"), ordered=True)
    >>> maximal_runs_avoiding([(0b010,)], Space((age,), ())), maximal_boxes_avoiding([(0b010,)], (0b111,))
    ([(1,), (4,)], [(5,)])
    """
    layout = Layout.of(space)
    masks = _masks(terms, layout)
    apart = [[(column, column & ~term) for column in layout.restricted_columns(term)] for term in masks]
    cuts = [[cut for j in range(len(space.columns)) for cut in _runs_outside(space, layout, j, term)] for term in masks]
    return _boxes_avoiding(apart, cuts, layout, k, limit, budget)


def _masks(terms: Iterable[Box], layout: Layout) -> list[int]:
    return list(map(layout.mask, sorted(set(terms))))


def _runs_outside(space: Space, layout: Layout, j: int, term: int) -> list[tuple[int, int]]:
    """Return, for each run outside a term, the column and all its cells but those of the run."""
    column, start = layout.columns[j], layout.starts[j]
    outside = (term & column) >> start
    return [(column, column & ~(run << start)) for run in space.conditions(j, outside)] if outside else []


Cuts = list[tuple[int, int]]
"""Pairs of masks, one per column: all cells of the column, and those that a box must exclude there to avoid a term."""


def _boxes_avoiding(
    apart: list[Cuts], cuts: list[Cuts], layout: Layout, k: int | None, limit: int, budget: Budget | None
) -> list[Box]:
    """Return the maximal boxes that avoid terms: boxes disjoint from a term stay, the others are cut.

    Dropping a box as soon as it constrains more than k columns loses nothing: later steps only add constraints.
    """
    boxes = [0]
    for excluded, parts in zip(apart, cuts, strict=True):
        staying = [box for box in boxes if any(box & part == part for _, part in excluded)]
        stays = set(staying)
        cut = {
            box | part
            for box in boxes
            if box not in stays
            for column, part in parts
            if column & ~(box | part) and (k is None or layout.size(box | part) <= k)
        }
        if len(staying) + len(cut) > 2 * limit:
            raise TooManyBoxes(limit)
        if budget is not None:
            budget.spend(len(boxes) + len(cut) * (len(staying) + len(cut)) // _PAIRS_PER_STEP)
        boxes = staying + [box for box in minimal_sets(cut) if not holds_one_of(box, staying)]
        if len(boxes) > limit:
            raise TooManyBoxes(limit)
    return sorted(map(layout.box, boxes))


def maximal_boxes_within(
    terms: Iterable[Box], full: Box, *, limit: int = 5000, budget: Budget | None = None
) -> list[Box]:
    """Return the maximal boxes inside a union of boxes; comparing boxes takes steps of the budget.

    >>> maximal_boxes_within([(0b10, 0b10, 0b11), (0b01, 0b11, 0b10)], (3, 3, 3))     # ab or (not a)c; consensus bc
    [(1, 3, 2), (2, 2, 3), (3, 2, 2)]
    """
    layout = Layout.around([full])
    boxes = minimal_sets(map(layout.mask, terms))
    changed = True
    while changed:
        before = set(boxes)
        for column in layout.columns:
            boxes = _close_under_consensus(boxes, column, layout, limit, budget)
        changed = before != set(boxes)
    return sorted(map(layout.box, boxes))


def _close_under_consensus(
    boxes: list[int], column: int, layout: Layout, limit: int, budget: Budget | None
) -> list[int]:
    """Return the maximal boxes after all consensus steps on one column."""
    fresh = boxes
    while fresh:
        if budget is not None:
            budget.spend(len(fresh) * len(boxes) // 4)
        consensus = {
            both
            for a in fresh
            for b in boxes
            if a & ~b & column and b & ~a & column and layout.is_possible(both := (a | b) & ~column | a & b)
        }
        if budget is not None:
            budget.spend(len(consensus) * (len(consensus) + len(boxes)) // _PAIRS_PER_STEP)
        fresh = [box for box in minimal_sets(consensus) if not holds_one_of(box, boxes)]
        boxes = [box for box in boxes if not holds_one_of(box, fresh)] + fresh
        if len(boxes) > limit:
            raise TooManyBoxes(limit)
    return boxes
