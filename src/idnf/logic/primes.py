"""Implicants: prime ones, the tautology question, and certificate complexity.

Terms are masks of literals throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from idnf.logic.cubes import Layout, uncovered
from idnf.logic.literals import codes_of, is_consistent, mask_of, negated_mask, negation, positive_bits
from idnf.logic.transversals import complement_terms, minimal_sets


def restrict(masks: Iterable[int], given: int) -> list[int]:
    """Return D[Q]: the terms once the literals in ``given`` hold.

    >>> restrict([0b0101, 0b1000], 0b0001)
    [4, 8]
    """
    against = negated_mask(given)
    return [mask & ~given for mask in masks if not mask & against]


def is_implicant(masks: Sequence[int], term: int) -> bool:
    """Tell whether every point of ``term`` satisfies the DNF.

    >>> is_implicant([0b0001, 0b0110], 0b0100)
    True
    """
    if any(mask & term == mask for mask in masks):
        return True
    return uncovered(restrict(masks, term)) is None


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
        # Features may come in any order; the one with fewest pairs keeps the list short for longest.
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

    Sizes count columns where a layout says where their cells lie, else literals.

    >>> least_covering_size([0b01, 0b10, 0b0101])
    1
    """
    size = int.bit_count if layout is None else layout.size
    for k in sorted(set(map(size, masks))):
        if uncovered((mask for mask in masks if size(mask) <= k), layout=layout) is None:
            return k
    raise ValueError("masks must cover every point; got a DNF that is no tautology.")


def most_changes(ones: Sequence[int], zeros: Sequence[int]) -> int:
    """Return the largest, over all points, of the least number of features to change for the other class.

    It is 0 for a constant, which no change can turn. The DNFs may be any of the function and of its complement. A point
    is at most k changes away from a term iff it satisfies the term with some k of its literals left out.

    >>> most_changes([0b0101], [0b0010, 0b1000])  # a & b: both are to be changed where both are 0
    2
    """
    k = 0
    while ones and zeros and any(_is_far(side, k) for side in (ones, zeros)):
        k += 1
    return k


def _is_far(terms: Sequence[int], k: int) -> bool:
    """Tell whether some point is more than k changes away from every term."""
    kept = (combinations(codes_of(term), max(0, term.bit_count() - k)) for term in terms)
    return uncovered({mask_of(codes) for choices in kept for codes in choices}) is not None
