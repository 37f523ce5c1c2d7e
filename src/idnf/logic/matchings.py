"""Maximum induced matchings of the bipartite graph of a DNF.

An edge joins a literal to a term that holds it. Two edges (l, t) and (m, u) go together iff l is not in u and m is not
in t; an induced matching is a clique of that relation, and a largest one is found by branch and bound with greedy
colouring (Tomita and Seki, *An efficient branch-and-bound algorithm for finding a maximum clique*, 2003).
Exponential in the worst case.
"""

from __future__ import annotations

from collections.abc import Sequence

from idnf.logic.literals import codes_of


def maximum_induced_matching(terms: Sequence[int]) -> list[tuple[int, int]]:
    """Return the edges (literal code, index of term) of a largest induced matching.

    >>> maximum_induced_matching([0b0101, 0b1010])
    [(2, 0), (3, 1)]
    """
    edges = [(code, i) for i, term in enumerate(terms) for code in codes_of(term)]
    friends = [
        sum(1 << b for b, (m, j) in enumerate(edges) if not terms[j] >> l & 1 and not terms[i] >> m & 1)
        for l, i in edges
    ]
    return sorted((edges[v] for v in codes_of(_largest_clique(friends))), key=lambda edge: (edge[1], edge[0]))


def _largest_clique(friends: list[int]) -> int:
    best = 0

    def extend(clique: int, candidates: int) -> None:
        nonlocal best
        if not candidates:
            if clique.bit_count() > best.bit_count():
                best = clique
            return
        for vertex, colour in reversed(_coloured(candidates, friends)):
            if clique.bit_count() + colour <= best.bit_count():
                return
            extend(clique | 1 << vertex, candidates & friends[vertex])
            candidates &= ~(1 << vertex)

    extend(0, (1 << len(friends)) - 1)
    return best


def _coloured(candidates: int, friends: list[int]) -> list[tuple[int, int]]:
    """Return (vertex, number of colours up to and including it); vertices of one colour are no friends."""
    order = []
    colour = 0
    while candidates:
        colour += 1
        free = candidates
        while free:
            vertex = (free & -free).bit_length() - 1
            order.append((vertex, colour))
            candidates &= ~(1 << vertex)
            free &= ~friends[vertex] & ~(1 << vertex)
    return order
