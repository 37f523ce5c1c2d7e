"""Truth tables as integers: bit p is the value at the point whose feature j is bit j of p.

A table over n features has 2**n bits, so a conjunction of literals over a million points is a few big-integer ands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from idnf.logic.literals import codes_of, feature_of, is_negated, literal

SMALL = 8
"""Tables of so few features are made at once: there are at most 3**8 = 6 561 consistent terms, each remembered."""


def full_table(n: int) -> int:
    """Return the table of the constant 1 over ``n`` features.

    >>> full_table(2)
    15
    """
    return (1 << (1 << n)) - 1


@lru_cache(maxsize=256)
def literal_table(code: int, n: int) -> int:
    """Return the table of one literal over ``n`` features.

    >>> bin(literal_table(0, 2)), bin(literal_table(3, 2))
    ('0b1010', '0b11')
    """
    half = 1 << feature_of(code)
    block = (1 << half) - 1 if is_negated(code) else ((1 << half) - 1) << half
    return block * (full_table(n) // ((1 << 2 * half) - 1))


def term_table(mask: int, n: int) -> int:
    """Return the table of a conjunction of literals.

    >>> bin(term_table(0b101, 2))
    '0b1000'
    """
    return _remembered_term_table(mask, n) if n <= SMALL else _conjunction(mask, n)


def _conjunction(mask: int, n: int) -> int:
    table = full_table(n)
    for code in codes_of(mask):
        table &= literal_table(code, n)
    return table


_remembered_term_table = lru_cache(maxsize=1 << 14)(_conjunction)


def dnf_table(masks: Iterable[int], n: int) -> int:
    """Return the table of a disjunction of terms over ``n`` features.

    Wide tables are split on their last feature, so that most terms are met on a small part of the space only.

    >>> bin(dnf_table([0b001, 0b100], 2))
    '0b1110'
    """
    masks = set(masks)
    if 0 in masks:
        return full_table(n)
    if n <= SMALL or len(masks) <= SMALL:
        table = 0
        for mask in masks:
            table |= term_table(mask, n)
        return table
    positive, negative = 1 << literal(n - 1), 1 << literal(n - 1, negated=True)
    low = dnf_table([mask & ~negative for mask in masks if not mask & positive], n - 1)
    high = dnf_table([mask & ~positive for mask in masks if not mask & negative], n - 1)
    return low | high << (1 << n - 1)


def cofactors(table: int, feature: int, n: int) -> tuple[int, int]:
    """Return the tables for ``feature`` = 0 and = 1, each still over ``n`` features and constant in that one.

    >>> [bin(t) for t in cofactors(0b1000, 0, 2)]
    ['0b0', '0b1100']
    """
    half = 1 << feature
    low = table & literal_table(literal(feature, negated=True), n)
    high = table & literal_table(literal(feature), n)
    return low | low << half, high | high >> half
