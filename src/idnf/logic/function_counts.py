"""The functions that the paper's two families can express, listed for small k and n, and their numbers."""

from __future__ import annotations

from itertools import product
from math import comb, log, log2

from idnf.logic.example_functions import check_k
from idnf.logic.literals import full_table, literal, literal_table


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


def log_interpretable_functions(k: int, n: int) -> float:
    """Return the natural logarithm of the number of k-AXp-interpretable functions of n features, or more for k >= 3.

    At k = 1 they are the constants and the literals; at k = 2 there are 2 + 2n + 10 C(n, 2) + 80 C(n, 3) + 288 C(n, 4).
    Beyond, each is a choice of at most k**k terms (Theorem 1).

    >>> from math import exp
    >>> [round(exp(log_interpretable_functions(k, 4))) for k in (1, 2)]
    [10, 678]
    """
    check_k(k)
    if k <= 2:
        return log(sum(number * comb(n, size) for size, number in enumerate((2, 2, 10, 80, 288)[: 2 if k == 1 else 5])))
    terms = sum(comb(n, size) << size for size in range(k + 1))
    return float(k**k * log(1 + terms))


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
