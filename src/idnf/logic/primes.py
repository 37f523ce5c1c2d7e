"""Implicants: prime ones, the tautology question, and certificate complexity.

Terms are masks of literals throughout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.literals import (
    codes_of,
    feature_of,
    is_consistent,
    literal,
    mask_of,
    negated_mask,
    negation,
    positive_bits,
    renumbered,
)
from idnf.logic.transversals import complement_terms, minimal_sets
from idnf.logic.truthtables import SMALL, dnf_table, full_table, term_table

# Up to this number of features one truth table beats a case split.
_TABLE_FEATURES = 10

# Terms of cases that are remembered, all together; a term takes about 100 bytes.
_MOST_HELD = 2_000_000

# Terms of cases still to be looked at within a budget, all together; and the bits of a term that count as one.
_MOST_WAITING = 5_000_000
_STEP_BITS = 256


def restrict(masks: Iterable[int], given: int) -> list[int]:
    """Return D[Q]: the terms once the literals in ``given`` hold.

    >>> restrict([0b0101, 0b1000], 0b0001)
    [4, 8]
    """
    against = negated_mask(given)
    return [mask & ~given for mask in masks if not mask & against]


def uncovered(masks: Iterable[int], *, budget: Budget | None = None) -> int | None:
    """Return literals under which every term is false, or None when the DNF is a tautology.

    Splits on the most frequent feature; a literal whose negation does not occur is set false at once, and cases that
    leave the same terms are looked at once. Exponential in the number of features in the worst case, as the question is
    coNP-complete.

    Parameters
    ----------
    masks : iterable of int
    budget : Budget, optional
        The most terms to look at, counted once for each case, and more than once where they are over very many
        features: so it bounds memory too.

    Raises
    ------
    TooManySteps
        When that is not enough.

    Examples
    --------
    >>> uncovered([0b01, 0b10]) is None
    True
    >>> bin(uncovered([0b0101, 0b0010]))
    '0b1001'
    """
    cases = [(frozenset(mask for mask in masks if is_consistent(mask)), 0)]
    each = 1 + max(cases[0][0], default=0).bit_length() // _STEP_BITS
    seen: set[frozenset[int]] = set()
    held = 0
    waiting = len(cases[0][0])
    while cases:
        terms, given = cases.pop()
        waiting -= len(terms)
        if budget is not None:
            budget.spend((len(terms) + 1) * each)
            if waiting * each > _MOST_WAITING:
                raise TooManySteps(f"the answer must be found with {_MOST_WAITING} terms at hand at most.")
        terms, support, falsified = _without_pure(terms)
        # A case met before is proved or still to be looked at: nothing can come of it here.
        if 0 in terms or terms in seen:
            continue
        if not terms:
            return given | falsified
        if held + len(terms) * each <= _MOST_HELD:
            seen.add(terms)
            held += len(terms) * each
        if (support & positive_bits(support.bit_length())).bit_count() <= _TABLE_FEATURES:
            point = _uncovered_by_table(terms, support)
            if point is not None:
                return given | falsified | point
            continue
        feature = _most_frequent(terms)
        for code in (literal(feature, negated=True), literal(feature)):
            cases.append((frozenset(restrict(terms, 1 << code)), given | falsified | 1 << code))
            waiting += len(cases[-1][0])
    return None


def _without_pure(terms: frozenset[int]) -> tuple[frozenset[int], int, int]:
    """Return the terms without literals whose negation does not occur, the literals left, and those set for it."""
    falsified = 0
    while True:
        support = reduce(or_, terms, 0)
        pure = support & ~negated_mask(support)
        if not pure or 0 in terms:
            return terms, support, falsified
        terms = frozenset([term for term in terms if not term & pure])
        falsified |= negated_mask(pure)


def _most_frequent(terms: Iterable[int]) -> int:
    """Return the feature in most terms, the first of several.

    All features are counted at once: digit i of their counts is bit by bit in ``digits[i]``, and adding a term carries
    from digit to digit.

    >>> _most_frequent([0b0001, 0b0100, 0b1001])
    0
    """
    positive = positive_bits(max(terms, default=0).bit_length())
    digits: list[int] = []
    for term in terms:
        carry = (term | term >> 1) & positive
        for i, digit in enumerate(digits):
            digits[i], carry = digit ^ carry, digit & carry
            if not carry:
                break
        if carry:
            digits.append(carry)
    most = positive
    for digit in reversed(digits):
        most = most & digit or most
    return feature_of((most & -most).bit_length() - 1)


def _uncovered_by_table(terms: Iterable[int], support: int) -> int | None:
    features = sorted({feature_of(code) for code in codes_of(support)})
    place = {feature: j for j, feature in enumerate(features)}
    n = len(features)
    missing = full_table(n) & ~dnf_table((renumbered(term, place) for term in terms), n)
    if not missing:
        return None
    point = (missing & -missing).bit_length() - 1
    return mask_of(literal(feature, negated=not point >> j & 1) for j, feature in enumerate(features))


def first_overlap(ones: Sequence[int], zeros: Sequence[int], *, budget: Budget | None = None) -> tuple[int, int] | None:
    """Return a term of each side that do not conflict, so that some point satisfies both; None when all pairs conflict.

    Each literal is given the set of terms of the longer side that hold it, one bit a term; the terms that conflict with
    a term are those that hold a negation of one of its literals. A thousand pairs are about a step of the budget.

    >>> first_overlap([0b0001], [0b0010, 0b1000]), first_overlap([0b0001], [0b0010])
    ((1, 8), None)
    """
    if len(ones) > len(zeros):
        pair = first_overlap(zeros, ones, budget=budget)
        return None if pair is None else (pair[1], pair[0])
    others = [mask for mask in zeros if is_consistent(mask)]
    holders = _holders(others)
    everything = (1 << len(others)) - 1
    for mask in filter(is_consistent, ones):
        if budget is not None:
            budget.spend(1 + len(others) // 1000)
        conflicting = 0
        for code in codes_of(negated_mask(mask)):
            conflicting |= holders.get(code, 0)
        if conflicting != everything:
            free = everything & ~conflicting
            return mask, others[(free & -free).bit_length() - 1]
    return None


def _holders(masks: Sequence[int]) -> dict[int, int]:
    """Return for each literal the set of masks that hold it, bit i for the i-th."""
    rows: dict[int, bytearray] = {}
    length = len(masks) // 8 + 1
    for i, mask in enumerate(masks):
        byte, bit = i >> 3, 1 << (i & 7)
        for code in codes_of(mask):
            if code not in rows:
                rows[code] = bytearray(length)
            rows[code][byte] |= bit
    return {code: int.from_bytes(row, "little") for code, row in rows.items()}


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


def least_covering_size(masks: Sequence[int]) -> int:
    """Return the least k such that the terms of size at most k are a tautology; all of them must be one.

    >>> least_covering_size([0b01, 0b10, 0b0101])
    1
    """
    occurrences = Counter(feature_of(code) for mask in masks for code in codes_of(mask))
    # Case splits start at the last feature; the most frequent one ends most of the terms.
    features = sorted(occurrences, key=lambda f: (occurrences[f], f))
    place = {feature: j for j, feature in enumerate(features)}
    sizes = {renumbered(mask, place): mask.bit_count() for mask in sorted(masks, key=int.bit_count)}
    return _size_needed(sizes, len(features), 0)


def _size_needed(sizes: dict[int, int], n: int, least: int) -> int:
    """Return the largest, over all points, of the smallest size of a term that holds there, or ``least`` if larger.

    ``sizes`` gives terms over ``n`` features their sizes before any case split, in ascending order.
    """
    if sizes.get(0, least + 1) <= least:
        return least
    if n <= SMALL:
        covered = 0
        for term, size in sizes.items():
            covered |= term_table(term, n)
            if covered == full_table(n):
                return max(least, size)
        raise ValueError("masks must cover every point; got a DNF that is no tautology.")
    positive, negative = 1 << literal(n - 1), 1 << literal(n - 1, negated=True)
    for holding, false in ((positive, negative), (negative, positive)):
        part: dict[int, int] = {}
        for term, size in sizes.items():
            if not term & false:
                part.setdefault(term & ~holding, size)
        least = _size_needed(part, n - 1, least)
    return least


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
