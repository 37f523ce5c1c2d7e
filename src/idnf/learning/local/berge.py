"""Berge steps: every k-AXp-interpretable function, one term at a time.

A state is a DNF of one class with all prime implicants of the other. Adding a term is one step of Berge's algorithm on
those (all prime implicants again, by Nelson's theorem); the function stays k-AXp-interpretable iff the prime implicants
of at most k literals still cover the other class. Terms and implicants are masks of literals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from idnf.learning.local.heat_bath import RandomStream
from idnf.logic.literals import codes_of, negated_mask
from idnf.logic.primes import is_implicant
from idnf.logic.transversals import berge_step, complement_terms, minimal_sets

# Steps of the search for terms around one example.
MOST_NODES = 1000


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
        """Return the state of some terms, none within another, or None when more than `most` implicants come up."""
        state = cls((), (0,))
        for term in terms:
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


def implicants(terms: Sequence[int], most: int) -> list[int] | None:
    """Return all prime implicants of the other class, the terms added in their order; None when there are too many.

    >>> implicants([0b0101], 10), implicants([0b0101], 1)
    ([2, 8], None)
    """
    state = BergeState.bounded(terms, most)
    return None if state is None else list(state.implicants)


def slack_terms(tight: Sequence[int], literals: int, k: int, *, most: int, stream: RandomStream) -> list[int]:
    """Return terms of at most k of the given literals that conflict with every tight term, minimal at that.

    Adding one to an interpretable function is legal: every short implicant it does not conflict with has fewer than k
    literals and gains one. The converse fails; `BergeState.is_interpretable` decides in general.

    They are found in random order, branching on the implicant that leaves the fewest literals to choose from, the
    first in the order of masks when equal.

    Parameters
    ----------
    tight : sequence of int
        The implicants of k literals, and whatever else is to be conflicted with.
    literals : int
        The literals to use: those of one example, so that every term is consistent and covers it.
    k : int
        The largest size of a term.
    most : int
        Stop after so many terms, or after `MOST_NODES` steps.
    stream : RandomStream
        Draws the order.
    """
    options = sorted({negated_mask(p) & literals for p in tight}, key=lambda o: (o.bit_count(), o))
    if options and options[0] == 0:
        return []
    found: list[int] = []
    partial = _hitting_sets(options, 0, k, stream)
    for _, term in zip(range(MOST_NODES), partial, strict=False):
        if term is not None and term not in found:
            found.append(term)
        if len(found) == most:
            break
    return found


def _hitting_sets(options: list[int], term: int, k: int, stream: RandomStream) -> Iterator[int | None]:
    """Yield every hitting set found, and None at every other node of the search."""
    if not options:
        yield term
        return
    yield None
    if k == 0:
        return
    codes = list(codes_of(options[0]))
    for place in stream.permutation(len(codes)):
        bit = 1 << codes[place]
        yield from _hitting_sets([o for o in options if not o & bit], term | bit, k - 1, stream)
