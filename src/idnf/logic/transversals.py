"""Minimal transversals of a set system, and the complement of a DNF through them.

Sets are integers. Berge's algorithm (Berge, *Hypergraphs*, 1989, chapter 2) adds one set at a time: a transversal that
meets the new set stays, every other one is extended by each element of the new set unless a staying one lies inside.
The output, and with it the time, can be exponential in the number of sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from idnf.logic.literals import codes_of, is_consistent, negated_mask


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
        # Only smaller sets can lie inside; where these are many, looking up all subsets is shorter.
        if 1 << size < len(kept):
            fresh = [s for s in by_size[size] if not _has_subset_in(s, known)]
        else:
            fresh = [s for s in by_size[size] if not _holds_one_of(s, kept)]
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


def _holds_one_of(s: int, others: list[int]) -> bool:
    outside = ~s
    for other in others:  # noqa: SIM110 (any() takes twice the time, and this is where the time goes)
        if not other & outside:
            return True
    return False


def minimal_transversals(sets: Iterable[int]) -> list[int]:
    """Return the minimal sets that meet every given set: the dual of the set system.

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
    for term in _neighbours_first([term for term in minimal_sets(terms) if is_consistent(term)]):
        implicants = berge_step(implicants, negated_mask(term), forbidden=negated_mask)
    return implicants


def _neighbours_first(terms: list[int]) -> list[int]:
    """Return the terms, each time the one with most features seen before: that keeps Berge's middle results small."""
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
        The set to be met as well.
    forbidden : callable, optional
        Gives, for a transversal, the elements that may not be added to it.

    Returns
    -------
    list of int
        The minimal transversals of the larger system, without those made by adding a forbidden element.
    """
    staying = [t for t in transversals if t & new]
    elements = [1 << element for element in codes_of(new)]
    # A staying set lies inside t | element only if it meets `new` in that element alone, and the rest of it is in t.
    # The rests stand under their lowest element, 0 for none.
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
            if not element & barred and not any(_holds_one_of(t, rests[key]) for key in keys if key in rests):
                extended.append(t | element)
    return staying + extended
