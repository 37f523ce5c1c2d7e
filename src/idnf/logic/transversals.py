"""Minimal transversals of a set system, the complement of a DNF through them, and induced matchings, which bound them.

Sets are integers. Berge's algorithm (Berge, *Hypergraphs*, 1989, chapter 2) adds one set at a time: a transversal that
meets the new set stays, every other one is extended by each element of the new set unless a staying one lies inside.
The output, and with it the time, can be exponential in the number of sets. If only the first few are needed,
`transversals_in_order` yields them one by one, smallest first.

Induced matchings are those of the bipartite graph of a DNF: an edge joins a literal to a term that holds it. Two edges
(l, t) and (m, u) go together iff l is not in u and m is not in t; an induced matching is a clique of that relation, and
a largest one is found by branch and bound with greedy colouring (Tomita and Seki, *An efficient branch-and-bound
algorithm for finding a maximum clique*, 2003) on bit sets (San Segundo et al., *An exact bit-parallel algorithm for the
maximum clique problem*, 2011). Exponential in the worst case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from idnf.logic.literals import codes_of, is_consistent, mask_of, negated_mask


def minimal_sets(sets: Iterable[int]) -> list[int]:
    """Return the subset-minimal sets among ``sets``, smaller ones first (absorption).

    >>> minimal_sets([0b111, 0b011, 0b100, 0b011])
    [4, 3]
    """
    by_size: dict[int, list[int]] = {}
    for s in set(sets):
        by_size.setdefault(s.bit_count(), []).append(s)
    kept: list[int] = []
    known: set[int] = set()
    for size in sorted(by_size):
        # Only smaller sets can lie inside; if there are many, looking up all subsets is faster.
        if 1 << size < len(kept):
            fresh = [s for s in by_size[size] if not _has_subset_in(s, known)]
        else:
            fresh = [s for s in by_size[size] if not holds_one_of(s, kept)]
        kept.extend(sorted(fresh))
        known.update(fresh)
    return kept


def _has_subset_in(s: int, known: set[int]) -> bool:
    subset = s
    while subset:
        subset = (subset - 1) & s
        if subset in known:
            return True
    return False


def holds_one_of(s: int, others: Iterable[int]) -> bool:
    """Return whether a set contains one of some others."""
    outside = ~s
    for other in others:  # noqa: SIM110 (any() takes twice the time, and most of the time is spent here)
        if not other & outside:
            return True
    return False


def minimal_transversals(sets: Iterable[int]) -> list[int]:
    """Return the minimal sets that meet every set of a system: its dual.

    Elements have no meaning here; a transversal may hold a literal and its negation.

    >>> sorted(minimal_transversals([0b0011, 0b1100]))
    [5, 6, 9, 10]
    >>> minimal_transversals([])
    [0]
    >>> minimal_transversals([0])
    []
    """
    transversals = [0]
    for new in minimal_sets(sets):
        transversals = berge_step(transversals, new)
    return transversals


def complement_terms(terms: Iterable[int]) -> list[int]:
    """Return all prime implicants of the complement of a DNF, each a mask of literals.

    They are the negated minimal transversals that are consistent. That these are all the prime implicants is Nelson's
    theorem (R. J. Nelson, *Simplest normal truth functions*, 1955).

    >>> sorted(complement_terms([0b0101]))  # not (a and b) is not-a or not-b
    [2, 8]
    """
    implicants = [0]
    for term in neighbours_first([term for term in minimal_sets(terms) if is_consistent(term)]):
        implicants = berge_step(implicants, negated_mask(term), forbidden=negated_mask)
    return implicants


def neighbours_first(terms: list[int]) -> list[int]:
    """Put next the term that shares most features with those before, which keeps Berge's intermediate results small."""
    order: list[int] = []
    seen = 0
    while terms:
        term = max(terms, key=lambda t: (t & seen).bit_count())
        terms.remove(term)
        order.append(term)
        seen |= term | negated_mask(term)
    return order


def berge_step(transversals: list[int], new: int, *, forbidden: Callable[[int], int] | None = None) -> list[int]:
    """Return the minimal transversals after one more set.

    Parameters
    ----------
    transversals : list of int
        The minimal transversals so far.
    new : int
        The additional set to meet.
    forbidden : callable, optional
        Returns, for a transversal, the elements that may not be added to it.

    Returns
    -------
    list of int
        The minimal transversals of the larger system, without those made by adding a forbidden element.
    """
    staying = [t for t in transversals if t & new]
    elements = [1 << element for element in codes_of(new)]
    # A staying set lies inside t | element only if it meets `new` in that element alone, and the rest of it is in t.
    # The rests are indexed by their lowest element, 0 for none.
    rivals: dict[int, dict[int, list[int]]] = {element: {} for element in elements}
    for t in staying:
        met = t & new
        if met in rivals:
            rest = t ^ met
            rivals[met].setdefault(rest & -rest, []).append(rest)
    extended = []
    for t in transversals:
        if t & new:
            continue
        barred = forbidden(t) if forbidden else 0
        keys = [0, *(1 << element for element in codes_of(t))]
        for element in elements:
            rests = rivals[element]
            if not element & barred and not any(holds_one_of(t, rests[key]) for key in keys if key in rests):
                extended.append(t | element)
    return staying + extended


def in_order(sets: Iterable[int]) -> list[int]:
    """Sort sets: fewest elements first, ties by element order.

    >>> [bin(s) for s in in_order([0b1100, 0b0110, 0b1000])]
    ['0b1000', '0b110', '0b1100']
    """
    return sorted(sets, key=lambda s: (s.bit_count(), tuple(codes_of(s))))


def transversals_in_order(sets: Iterable[int]) -> Iterator[int]:
    """Yield the minimal transversals of a set system, fewest elements first, ties by element order.

    Level by level: a partial transversal is extended by every element of the first set it misses, so after level s all
    minimal transversals of s elements are known, and no larger one has been examined.

    >>> [bin(t) for t in transversals_in_order([0b011, 0b101])]
    ['0b1', '0b110']
    >>> list(transversals_in_order([])), list(transversals_in_order([0]))
    ([0], [])
    """
    family = minimal_sets(sets)
    level = {0}
    while level:
        complete: list[int] = []
        longer: set[int] = set()
        for partial in level:
            missed = next((s for s in family if not s & partial), None)
            if missed is None:
                complete.append(partial)
            else:
                longer.update(partial | 1 << element for element in codes_of(missed))
        yield from in_order(t for t in complete if _is_minimal(t, family))
        level = longer


def _is_minimal(transversal: int, family: Sequence[int]) -> bool:
    """Return whether every element is the only one that meets some set."""
    needed = 0
    for s in family:
        met = s & transversal
        if met.bit_count() == 1:
            needed |= met
    return needed == transversal


def maximum_induced_matching(terms: Sequence[int]) -> list[tuple[int, int]]:
    """Return the edges (literal code, index of term) of a largest induced matching.

    >>> maximum_induced_matching([0b0101, 0b1010])
    [(2, 0), (3, 1)]
    """
    edges = [(code, i) for i, term in enumerate(terms) for code in codes_of(term)]
    compatible = {(l, i): [(m, j) for m, j in edges if not (terms[j] >> l | terms[i] >> m) & 1] for l, i in edges}
    # Vertices are coloured and added to cliques in this order; those with many friends first give good bounds early.
    edges.sort(key=lambda edge: -len(compatible[edge]))
    place = {edge: v for v, edge in enumerate(edges)}
    friends = [mask_of(place[other] for other in compatible[edge]) for edge in edges]
    return sorted((edges[v] for v in codes_of(_largest_clique(friends))), key=lambda edge: (edge[1], edge[0]))


def _largest_clique(friends: list[int]) -> int:
    strangers = [~mask & ~(1 << v) for v, mask in enumerate(friends)]
    best = 0

    def extend(clique: int, candidates: int) -> None:
        nonlocal best
        if clique.bit_count() > best.bit_count():
            best = clique
        for vertex, colours in reversed(_colouring(candidates, strangers, best.bit_count() - clique.bit_count())):
            if clique.bit_count() + colours <= best.bit_count():
                return
            extend(clique | 1 << vertex, candidates & friends[vertex])
            candidates &= ~(1 << vertex)

    extend(0, (1 << len(friends)) - 1)
    return best


def _colouring(candidates: int, strangers: list[int], enough: int) -> list[tuple[int, int]]:
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
