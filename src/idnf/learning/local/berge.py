"""Berge steps: every k-AXp-interpretable function, one term at a time.

A state is a DNF of one class with all prime implicants of the other. Adding a term is one step of Berge's algorithm on
those (all prime implicants again, by Nelson's theorem); the function stays k-AXp-interpretable iff the prime implicants
of at most k literals still cover the other class. Terms and implicants are masks of literals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from idnf.logic.literals import codes_of, negated_mask
from idnf.logic.primes import is_implicant
from idnf.logic.transversals import berge_step, complement_terms, minimal_sets


@dataclass(frozen=True)
class BergeState:
    """Terms of one class, and all prime implicants of the other.

    Examples
    --------
    >>> state = BergeState.of([0b0101])
    >>> state.implicants
    (2, 8)
    >>> larger = state.adding(0b110000)
    >>> larger.is_interpretable(1), larger.is_interpretable(2)
    (False, True)
    """

    terms: tuple[int, ...]
    implicants: tuple[int, ...]

    @classmethod
    def of(cls, terms: Iterable[int]) -> BergeState:
        """Return the state of some terms; exponential in their number in the worst case."""
        least = minimal_sets(terms)
        return cls(tuple(least), tuple(complement_terms(least)))

    @classmethod
    def bounded(cls, terms: Iterable[int], most: int) -> BergeState | None:
        """Return the state of some terms, or None when the other class takes more than `most` implicants on the way."""
        state = cls((), (0,))
        for term in minimal_sets(terms):
            state = state.adding(term)
            if len(state.implicants) > most:
                return None
        return state

    def adding(self, term: int) -> BergeState:
        """Return the state with one more consistent term; terms it absorbs go."""
        kept = tuple(other for other in self.terms if other & term != term)
        implicants = berge_step(list(self.implicants), negated_mask(term), forbidden=negated_mask)
        return BergeState((*kept, term), tuple(implicants))

    def without(self, places: Iterable[int]) -> BergeState:
        """Return the state without the terms at some places."""
        gone = set(places)
        return BergeState.of(term for place, term in enumerate(self.terms) if place not in gone)

    def is_interpretable(self, k: int) -> bool:
        """Tell whether the prime implicants of at most k literals cover the other class; the terms must be as short."""
        small = [p for p in self.implicants if p.bit_count() <= k]
        return all(p.bit_count() <= k or is_implicant(small, p) for p in self.implicants)

    def tight(self, k: int) -> list[int]:
        """Return the implicants that have no literal to spare."""
        return [p for p in self.implicants if p.bit_count() == k]

    @property
    def length(self) -> int:
        """The number of literals in the terms."""
        return sum(term.bit_count() for term in self.terms)


def keeps_slack(tight: Sequence[int], term: int) -> bool:
    """Tell whether a term conflicts with every implicant that has no literal to spare.

    Then adding it to an interpretable function is legal: every short implicant it does not conflict with has fewer
    than k literals and gains one. The converse fails; `BergeState.is_interpretable` decides in general.

    >>> keeps_slack([0b0110], 0b1001), keeps_slack([0b0110], 0b0100)
    (True, False)
    """
    against = negated_mask(term)
    return all(p & against for p in tight)


def slack_terms(tight: Sequence[int], literals: int, k: int, *, most: int, generator: np.random.Generator) -> list[int]:
    """Return terms of at most k of the given literals that conflict with every tight implicant, minimal at that.

    They are found in random order, branching on the implicant that leaves the fewest literals to choose from.

    Parameters
    ----------
    tight : sequence of int
        Implicants of k literals.
    literals : int
        The literals to use: those of one example, so that every term is consistent and covers it.
    k : int
        The largest size of a term.
    most : int
        Stop after so many terms.
    generator : numpy.random.Generator
        Draws the order.
    """
    options = minimal_sets(negated_mask(p) & literals for p in tight)
    if options and options[0] == 0:
        return []
    found: list[int] = []
    for term in _hitting_sets(options, 0, k, generator):
        if term not in found:
            found.append(term)
        if len(found) == most:
            break
    return found


def _hitting_sets(options: list[int], term: int, k: int, generator: np.random.Generator) -> Iterator[int]:
    if not options:
        yield term
        return
    if k == 0:
        return
    codes = list(codes_of(min(options, key=int.bit_count)))
    for place in generator.permutation(len(codes)).tolist():
        bit = 1 << codes[place]
        yield from _hitting_sets([o for o in options if not o & bit], term | bit, k - 1, generator)
