"""Searches for a witness over truth tables: how far they go, and how they end without one."""

from __future__ import annotations

from idnf.logic.literals import Term

MOST_FEATURES = 16
"""The most features that a function may depend on to be searched."""


class NotFound(ValueError):
    """The search ended without a witness and without a proof; the message says what was tried."""


def own_numbers(primes: list[int]) -> dict[int, int]:
    """Give the features that the function depends on their numbers among themselves.

    >>> own_numbers([0b100010])
    {0: 0, 2: 1}
    """
    return {feature: j for j, feature in enumerate(sorted({f for mask in primes for f in Term(mask).features}))}
