"""Sizes of smallest reasons: the same ruler for every method, in the space of all 0/1 points of a model's conditions.

Every model is an ordered list of rules; the first that holds gives the class, and the last holds always or the rules
leave nothing out. A tree is the list of its leaves, a DNF its terms and "otherwise", ours the terms of all classes.

A reason of a decision is a set of the row's own literals under which no point gets another class (an AXp). A smallest
reason is a smallest set that meets, for each implicant of the other classes, the literals of the row that contradict
it. Rules of other classes that contradict all earlier rules of the class are such implicants; others are found as they
are needed: a smallest set that meets those found so far is a reason, or a point of another class refutes it and gives
the next implicant. Nothing is sampled, and no size is assumed.

A term is an integer with bit 2 * feature set for a literal, 2 * feature + 1 for a negated one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.logic.cubes import uncovered
from idnf.logic.literals import codes_of, is_consistent, mask_of, negated_mask
from idnf.logic.primes import restrict


@dataclass(frozen=True)
class Rules:
    """A model as pairs of a class and a term, in order.

    >>> Rules.of([(1, [0, 3]), (0, [])]).items
    ((1, 9), (0, 0))
    """

    items: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, rules: Iterable[tuple[int, Sequence[int]]]) -> Rules:
        """Take what a worker writes: classes and codes of literals; terms that contradict themselves go."""
        masks = ((int(label), mask_of(map(int, codes))) for label, codes in rules)
        return cls(tuple((label, mask) for label, mask in masks if is_consistent(mask)))

    @cached_property
    def features(self) -> list[int]:
        """The features that occur."""
        return sorted({code >> 1 for _, term in self.items for code in codes_of(term)})

    def first(self, row: int) -> int:
        """Return the place of the rule that decides a row given as the mask of its literals."""
        return next(place for place, (_, term) in enumerate(self.items) if term & row == term)

    def label(self, row: int) -> int:
        """Return the class of a row."""
        return self.items[self.first(row)][0]


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


def _contradict(term: int, other: int) -> bool:
    return bool(negated_mask(term) & other)


@dataclass
class _Side:
    """The decisions of one class: implicants of the others known so far, and rules that may hide more."""

    known: list[int]
    hiding: list[tuple[int, list[int]]]
    sure: list[int]
    reasons: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, rules: Rules, label: int) -> _Side:
        known, hiding, sure = [], [], []
        own: list[int] = []
        others: list[int] = []
        for given, term in rules.items:
            if given == label:
                own.append(term)
                if all(_contradict(term, other) for other in others):
                    sure.append(term)
            else:
                others.append(term)
                open_ones = [mine for mine in own if not _contradict(mine, term)]
                if open_ones:
                    hiding.append((term, open_ones))
                else:
                    known.append(term)
        return cls(known, hiding, sure)

    def size(self, row: int) -> int:
        """Return the size of a smallest reason of a row."""
        enough = min((term.bit_count() for term in self.sure if term & row == term), default=row.bit_count())
        while True:
            # The literals of the row that contradict a term are the negations of the term's own false ones.
            reason = negated_mask(smallest_hitting_set(term & ~row for term in self.known))
            if reason.bit_count() == enough or reason in self.reasons:
                return reason.bit_count()
            found = self._refuting(row, reason)
            if found is None:
                self.reasons.add(reason)
                return reason.bit_count()
            self.known.append(found)

    def _refuting(self, row: int, reason: int) -> int | None:
        """Return an implicant of another class that does not contradict the reason, or None."""
        for term, own in self.hiding:
            if _contradict(term, reason):
                continue
            literals = uncovered(restrict(own, reason | term))
            if literals is not None:
                return _implicant(term, own, row, reason | term | literals)
        return None


def _implicant(term: int, own: Sequence[int], row: int, refuting: int) -> int:
    """Return a minimal extension of ``term`` that contradicts all of ``own``, and the row in as few literals as can be.

    ``refuting`` holds the term and makes every one of ``own`` false.
    """
    found = refuting | row & ~negated_mask(refuting)
    for code in codes_of(found & ~row & ~term):
        nearer = found & ~(1 << code) | negated_mask(1 << code)
        if all(negated_mask(nearer) & t for t in own):
            found = nearer
    # Literals the row shares go first; then the others, which may have become needless.
    for code in (*codes_of(found & row & ~term), *codes_of(found & ~row & ~term)):
        shorter = found & ~(1 << code)
        if all(negated_mask(shorter) & t for t in own):
            found = shorter
    return found


def reason_sizes(rules: Rules, X: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each row its class and the size of a smallest reason.

    >>> rules = Rules.of([(1, [0, 2]), (1, [4, 6]), (0, [])])
    >>> labels, sizes = reason_sizes(rules, np.array([[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0]]))
    >>> labels.tolist(), sizes.tolist()
    ([1, 0, 0], [2, 2, 2])
    """
    used = rules.features
    distinct, place = np.unique(np.asarray(X)[:, used], axis=0, return_inverse=True)
    sides = {label: _Side.of(rules, label) for label in {label for label, _ in rules.items}}
    rows = [mask_of(2 * j + (not value) for j, value in zip(used, row)) for row in distinct.tolist()]
    labels = np.array([rules.label(row) for row in rows])
    sizes = np.array([sides[label].size(row) for label, row in zip(labels.tolist(), rows)])
    return labels[place.reshape(-1)], sizes[place.reshape(-1)]
