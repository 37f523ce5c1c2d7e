"""Searches for a witness over truth tables: their limit, and the error if they end without one."""

from __future__ import annotations

from idnf.logic.literals import Term

MOST_FEATURES = 16
"""The most features that a function may depend on to be searched."""


class NotFound(ValueError):
    """The search ended without a witness and without a proof; the message says what was tried."""


def feature_numbers(primes: list[int]) -> dict[int, int]:
    """Return new numbers, from 0, for the features that a function depends on.

    >>> feature_numbers([0b100010])
    {0: 0, 2: 1}
    """
    return {feature: j for j, feature in enumerate(sorted({f for mask in primes for f in Term(mask).features}))}
