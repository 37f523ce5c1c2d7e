"""The proof that the terms of classes keep their promise, within a bound on the work."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.deadlines import Budget
from idnf.logic.verification import Certificate

MOST_PAIRS = 500_000_000
"""The most pairs of opposite terms that are compared."""


MOST_STEPS = 5_000_000
"""The most terms that are looked at, counted once for each case, to prove that no point escapes."""


class Unproved(ValueError):
    """A model that may well keep its promise, but is too large for the proof."""


def prove(model: ClassDNFs, classes: Sequence[object] | None = None, *, budget: Budget | None = None) -> Certificate:
    """Prove that the terms of classes keep their promise, within a budget and a bound on the pairs of opposite terms.

    >>> from idnf.logic.dnf import DNF
    >>> prove(DNF.parse("a & b").double()).terms
    (1, 2)
    """
    if sum(one.size * other.size for one, other in combinations(model.dnfs, 2)) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    return model.verify(classes, budget=budget)
