"""The paper's constructions: its example functions, and the functions its two families can express."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, log2

from idnf.logic.dnf import DNF
from idnf.logic.literals import full_table, literal, literal_table
from idnf.logic.nested import NestedDNF


def majority(k: int) -> DNF:
    """Return majority on 2k-1 features: k-AXp-interpretable, no tree of depth below 2k-1, not nested for k >= 3.

    >>> print(majority(2))
    x1 & x2 | x1 & x3 | x2 & x3
    """
    _check(k)
    n = 2 * k - 1
    return DNF.from_codes(_names(n), (map(literal, chosen) for chosen in combinations(range(n), k)))


def parity(n: int) -> DNF:
    """Return the function that is 1 where the number of ones is even: CXps of size 1, one AXp of size n.

    >>> print(parity(2))
    ~x1 & ~x2 | x1 & x2
    """
    return DNF.from_truth_table(_names(n), [1 - p.bit_count() % 2 for p in range(1 << n)])


def sharp(k: int) -> NestedDNF:
    """Return k disjoint terms of k negative literals; the complement needs k**k terms (Theorem 1 is sharp).

    >>> sharp(2).side(False).size
    4
    """
    _check(k)
    return NestedDNF.from_terms(
        _names(k * k), ([literal(k * i + j, negated=True) for j in range(k)] for i in range(k)), k
    )


def tree_functions(k: int, n: int) -> set[int]:
    """Return the truth tables of all decision trees of depth at most k over n features; for small k and n.

    >>> len(tree_functions(1, 2))
    6
    """
    functions = {0, full_table(n)}
    for _ in range(k):
        functions |= {
            literal_table(literal(j), n) & high | literal_table(literal(j, negated=True), n) & low
            for j in range(n)
            for low, high in product(functions, repeat=2)
        }
    return functions


def nested_functions(k: int, n: int) -> set[int]:
    """Return the truth tables of all nested k-DNFs over n features; for k <= 2 and small n.

    >>> len(nested_functions(1, 2))
    6
    """
    literals = [literal_table(code, n) for code in range(2 * n)]
    vectors = [r for r in product(range(k + 1), repeat=k) if sum(r) <= k]
    functions: set[int] = set()
    for cells in product(literals, repeat=k * k):
        terms = {_prefix_table(cells, r, k, n) for r in vectors}
        functions |= _unions(terms)
    return functions


def log2_tree_bound(k: int, n: int) -> float:
    """Return log2 of the paper's upper bound on the number of functions of depth-k trees over n features.

    >>> log2_tree_bound(2, 16)
    16.0
    """
    return float((2**k - 1) * log2(n) + 2**k)


def log2_nested_bound(k: int) -> float:
    """Return log2 of the paper's lower bound on the number of nested k-DNF functions over at least k*k features.

    >>> log2_nested_bound(4)
    35.0
    """
    return float(comb(2 * k - 1, k - 1))


def _prefix_table(cells: tuple[int, ...], r: tuple[int, ...], k: int, n: int) -> int:
    table = full_table(n)
    for i, r_i in enumerate(r):
        for j in range(r_i):
            table &= cells[k * i + j]
    return table


def _unions(tables: set[int]) -> set[int]:
    unions = {0}
    for table in tables:
        unions |= {union | table for union in unions}
    return unions


def _names(n: int) -> list[str]:
    return [f"x{j + 1}" for j in range(n)]


def _check(k: int) -> None:
    if k < 1:
        raise ValueError(f"k must be 1 or more; got {k}.")
