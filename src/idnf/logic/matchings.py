"""Maximum induced matchings of the bipartite graph of a DNF.

An edge joins a literal to a term that holds it. Two edges (l, t) and (m, u) go together iff l is not in u and m is not
in t; an induced matching is a clique of that relation, and a largest one is found by branch and bound with greedy
colouring (Tomita and Seki, *An efficient branch-and-bound algorithm for finding a maximum clique*, 2003) on bit sets
(San Segundo et al., *An exact bit-parallel algorithm for the maximum clique problem*, 2011). Exponential in the worst
case.
"""

from __future__ import annotations

from collections.abc import Sequence

from idnf.logic.literals import codes_of, mask_of


def maximum_induced_matching(terms: Sequence[int]) -> list[tuple[int, int]]:
    """Return the edges (literal code, index of term) of a largest induced matching.

    >>> maximum_induced_matching([0b0101, 0b1010])
    [(2, 0), (3, 1)]
    """
    edges = [(code, i) for i, term in enumerate(terms) for code in codes_of(term)]
    going = {(l, i): [(m, j) for m, j in edges if not (terms[j] >> l | terms[i] >> m) & 1] for l, i in edges}
    # Colours are given and cliques grown in this order; edges with many friends first make good bounds early.
    edges.sort(key=lambda edge: -len(going[edge]))
    place = {edge: v for v, edge in enumerate(edges)}
    friends = [mask_of(place[other] for other in going[edge]) for edge in edges]
    return sorted((edges[v] for v in codes_of(_largest_clique(friends))), key=lambda edge: (edge[1], edge[0]))


def _largest_clique(friends: list[int]) -> int:
    strangers = [~mask & ~(1 << v) for v, mask in enumerate(friends)]
    best = 0

    def extend(clique: int, candidates: int) -> None:
        nonlocal best
        if clique.bit_count() > best.bit_count():
            best = clique
        for vertex, colours in reversed(_coloured(candidates, strangers, best.bit_count() - clique.bit_count())):
            if clique.bit_count() + colours <= best.bit_count():
                return
            extend(clique | 1 << vertex, candidates & friends[vertex])
            candidates &= ~(1 << vertex)

    extend(0, (1 << len(friends)) - 1)
    return best


def _coloured(candidates: int, strangers: list[int], enough: int) -> list[tuple[int, int]]:
    """Return (vertex, number of colours up to and including it) for the vertices after the first ``enough`` colours.

    Vertices of one colour are strangers, so that a clique holds at most one of them.
    """
    order = []
    colours = 0
    while candidates:
        colours += 1
        free = candidates
        while free:
            lowest = free & -free
            vertex = lowest.bit_length() - 1
            candidates ^= lowest
            free &= strangers[vertex]
            if colours > enough:
                order.append((vertex, colours))
    return order
