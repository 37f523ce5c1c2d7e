"""Whether a function is a decision tree of some depth, decided for the function, not for the way it is written.

A tree of depth k tests at most 2**k - 1 features, so few features are candidates for a split.
"""

from __future__ import annotations

from functools import cache

from idnf.logic.literals import cofactors, dnf_table, full_table, renumber
from idnf.logic.witnesses import MOST_FEATURES, NotFound, feature_numbers


def is_tree(primes: list[int], depth: int) -> bool:
    """Return whether the function of these prime implicants is a decision tree of at most this depth.

    Raises :class:`NotFound` if there are too many features for truth tables and counting them proves nothing.

    >>> is_tree([0b0101, 0b100010], 2)  # a & b | ~a & c
    True
    """
    place = feature_numbers(primes)
    n = len(place)
    if n <= depth or n >= 1 << depth:
        return n <= depth
    if n > MOST_FEATURES:
        raise NotFound(f"trees are searched for functions of at most {MOST_FEATURES} features; got {n}")
    constants = (0, full_table(n))

    @cache
    def fits(table: int, depth: int) -> bool:
        if table in constants:
            return True
        halves = [cofactors(table, feature, n) for feature in range(n)]
        splits = [(low, high) for low, high in halves if low != high]
        if len(splits) >= 1 << depth:
            return False
        return any(fits(low, depth - 1) and fits(high, depth - 1) for low, high in splits)

    return fits(dnf_table((renumber(mask, place) for mask in primes), n), depth)
