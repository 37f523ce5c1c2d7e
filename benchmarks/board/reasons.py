"""Sizes of smallest reasons: the same ruler for every method, in the space of all 0/1 points.

A reason of a decision is a set of the row's own literals under which no point gets the other class (an AXp). If a DNF
of the *other* class is known, a smallest reason is a smallest set that meets, for each of its terms, the literals of
the row that contradict the term. A tree has a DNF for either class. A set of terms has one for its own class only;
terms of the other class are then found as they are needed: a smallest set that meets those found so far is a reason, or
a point of the other class refutes it and gives the next term. Nothing is sampled, and no size is assumed.

A term is an integer with bit 2 * feature set for a literal, 2 * feature + 1 for a negated one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from idnf.logic.literals import codes_of, is_consistent, mask_of, negated_mask
from idnf.logic.primes import restrict, uncovered


@dataclass(frozen=True)
class Terms:
    """A model as terms of class 0 and of class 1; None for a class that is all the rest.

    >>> Terms.parse("1:0 3|1:4").sides
    (None, (9, 16))
    """

    sides: tuple[tuple[int, ...] | None, tuple[int, ...] | None]

    @classmethod
    def parse(cls, text: str) -> Terms:
        """Read what a worker writes."""
        found: dict[int, list[int]] = {}
        for part in text.split("|"):
            label, codes = part.split(":")
            found.setdefault(int(label), []).append(mask_of(map(int, codes.split())))
        zeros, ones = (tuple(filter(is_consistent, found[label])) if label in found else None for label in (0, 1))
        return cls((zeros, ones))

    @property
    def width(self) -> int:
        """The number of literals of the longest term."""
        return max((term.bit_count() for side in self.sides for term in side or ()), default=0)

    @property
    def features(self) -> list[int]:
        """The features that occur."""
        return sorted({code >> 1 for side in self.sides for term in side or () for code in codes_of(term)})

    def label(self, row: int) -> int:
        """Return the class of a row given as the mask of its literals."""
        zeros, ones = self.sides
        if ones is not None:
            return int(any(term & row == term for term in ones))
        return int(not any(term & row == term for term in zeros or ()))


def smallest_hitting_set(sets: Iterable[int]) -> int:
    """Return a smallest integer mask that meets every set; none may be empty.

    >>> bin(smallest_hitting_set([0b011, 0b110]))
    '0b10'
    """
    family = _minimal(sets)
    size = _disjoint(family, 0)
    while (found := _hitting_set(family, 0, size)) is None:
        size += 1
    return found


def _minimal(sets: Iterable[int]) -> list[int]:
    kept: list[int] = []
    for s in sorted(set(sets), key=int.bit_count):
        if not any(t & s == t for t in kept):
            kept.append(s)
    return kept


def _disjoint(family: Sequence[int], chosen: int) -> int:
    """Return the number of disjoint sets, taken in order, that are not met yet: as many elements are needed."""
    count, seen = 0, chosen
    for s in family:
        if not s & seen:
            seen |= s
            count += 1
    return count


def _hitting_set(family: Sequence[int], chosen: int, left: int) -> int | None:
    family = [s for s in family if not s & chosen]
    if not family:
        return chosen
    if _disjoint(family, 0) > left:
        return None
    first, banned = family[0], 0
    for code in codes_of(first):
        # Sets with the elements tried before are met without them: each solution is looked for once.
        rest = [s & ~banned for s in family]
        if not all(rest):
            return None
        found = _hitting_set(sorted(rest, key=int.bit_count), chosen | 1 << code, left - 1)
        if found is not None:
            return found
        banned |= 1 << code
    return None


@dataclass
class Ruler:
    """Measures the rows of one model; terms of an unwritten class are kept once found."""

    terms: Terms
    found: list[int] = field(default_factory=list)
    reasons: set[int] = field(default_factory=set)

    def size(self, row: int) -> int:
        """Return the size of a smallest reason of a row, given as the mask of its literals."""
        label = self.terms.label(row)
        opposite = self.terms.sides[1 - label]
        if opposite is not None:
            return smallest_hitting_set(term & ~row for term in opposite).bit_count()
        own = self.terms.sides[label]
        assert own is not None, "a model has terms of one class at least"
        enough = min(term.bit_count() for term in own if term & row == term)
        while True:
            # The literals of the row that contradict a term are the negations of the term's own false ones.
            reason = negated_mask(smallest_hitting_set(term & ~row for term in self.found))
            if reason.bit_count() == enough or reason in self.reasons:
                return reason.bit_count()
            refuting = uncovered(restrict(own, reason))
            if refuting is None:
                self.reasons.add(reason)
                return reason.bit_count()
            self.found.append(_opposite_term(own, row, reason | refuting))


def _opposite_term(own: Sequence[int], row: int, refuting: int) -> int:
    """Return a prime implicant of the other class that contradicts the row in as few literals as can be.

    ``refuting`` is a term under which every term of ``own`` is false.
    """
    term = refuting | row & ~negated_mask(refuting)
    for code in codes_of(term & ~row):
        nearer = term & ~(1 << code) | negated_mask(1 << code)
        if all(negated_mask(nearer) & t for t in own):
            term = nearer
    # Literals the row shares go first; then the others, which may have become needless.
    for code in (*codes_of(term & row), *codes_of(term & ~row)):
        shorter = term & ~(1 << code)
        if all(negated_mask(shorter) & t for t in own):
            term = shorter
    return term


def reason_sizes(terms: Terms, X: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each row its class and the size of a smallest reason.

    >>> labels, sizes = reason_sizes(Terms.parse("1:0 2|1:4 6"), np.array([[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0]]))
    >>> labels.tolist(), sizes.tolist()
    ([1, 0, 0], [2, 2, 2])
    """
    used = terms.features
    distinct, place = np.unique(np.asarray(X)[:, used], axis=0, return_inverse=True)
    ruler = Ruler(terms)
    rows = [mask_of(2 * j + (not value) for j, value in zip(used, row)) for row in distinct.tolist()]
    labels = np.array([terms.label(row) for row in rows])
    sizes = np.array([ruler.size(row) for row in rows])
    return labels[place.reshape(-1)], sizes[place.reshape(-1)]
