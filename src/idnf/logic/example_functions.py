"""The paper's example functions."""

from __future__ import annotations

from itertools import combinations

from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import literal
from idnf.logic.nested import NestedDNF


def majority(k: int) -> DNF:
    """Return majority on 2k-1 features: k-AXp-interpretable, no tree of depth below 2k-1, not nested for k >= 3.

    >>> print(majority(2))
    x1 & x2 | x1 & x3 | x2 & x3
    """
    check_k(k)
    n = 2 * k - 1
    return DNF.from_codes(_names(n), (map(literal, chosen) for chosen in combinations(range(n), k)))


def parity(n: int) -> DNF:
    """Return the function that is 1 if the number of ones is even: CXps of size 1, one AXp of size n.

    >>> print(parity(2))
    ~x1 & ~x2 | x1 & x2
    """
    return DNF.from_truth_table(_names(n), [1 - p.bit_count() % 2 for p in range(1 << n)])


def sharp(k: int) -> NestedDNF:
    """Return k disjoint terms of k negative literals; the complement needs k**k terms (Theorem 1 is sharp).

    >>> sharp(2).side(False).size
    4
    """
    check_k(k)
    return NestedDNF.from_terms(
        _names(k * k), ([literal(k * i + j, negated=True) for j in range(k)] for i in range(k)), k
    )


def check_k(k: int) -> None:
    """Refuse a k below 1."""
    if k < 1:
        raise InvalidArgument("k", "be 1 or more", k)


def _names(n: int) -> list[str]:
    return [f"x{j + 1}" for j in range(n)]
