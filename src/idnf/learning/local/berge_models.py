"""From terms of one class to both classes and back: what Berge searches start from, and the models they end in."""

from __future__ import annotations

from collections.abc import Sequence

from idnf.learning.local.berge_search import MOST_IMPLICANTS, MOST_TERMS
from idnf.learning.local.kernels import kernels
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.transversals import complement_terms, minimal_sets, neighbours_first


def starting_terms(terms: Sequence[int]) -> tuple[int, ...] | None:
    """Return terms to start a search from, without absorbed ones, or None where the state would be too large.

    >>> starting_terms([0b0101, 0b0001])
    (1,)
    """
    least = minimal_sets(terms)
    if len(least) > MOST_TERMS or kernels().implicants(least, MOST_IMPLICANTS) is None:
        return None
    return tuple(least)


def to_double(terms: Sequence[int], names: Sequence[str], k: int, *, complemented: bool) -> DoubleDNF:
    """Return an interpretable function as a double DNF; its consistent terms are class 0's where `complemented`.

    >>> print(to_double([0b0101], ("a", "b"), 2, complemented=True).positive)
    ~a | ~b
    """
    least = minimal_sets(terms)
    implicants = None
    if len(least) <= MOST_TERMS:
        implicants = kernels().implicants(neighbours_first(list(least)), MOST_IMPLICANTS)
    if implicants is None:
        implicants = complement_terms(least)
    own = DNF.from_masks(tuple(names), least)
    other = DNF.from_masks(tuple(names), (p for p in implicants if p.bit_count() <= k))
    return DoubleDNF(other, own, k) if complemented else DoubleDNF(own, other, k)
