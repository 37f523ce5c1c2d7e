"""Random choices that prefer better values, more strictly the lower the temperature (a heat bath).

All arithmetic is on integers, so that every implementation of search draws the same from the same seed. A value that is
d below the best is drawn with probability proportional to exp(-d / temperature), read from a table in steps of 1/64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int64]

STEPS = 64
"""Steps of the table in one temperature."""

RANGE = 16
"""Temperatures below the best value beyond which nothing is drawn."""

SHIFT = 26
"""Binary places of the factor that turns a distance into a place of the table."""

CHANCES: Values = np.floor(2.0**24 * np.exp(-np.arange(STEPS * RANGE + 1) / STEPS)).astype(np.int64)
"""How likely a value is drawn, by its distance from the best."""


_MASK = (1 << 64) - 1


class RandomStream:
    """Random integers of 64 bits (splitmix64; Steele, Lea, Flood, *OOPSLA*, 2014).

    Parameters
    ----------
    seed : int
        Of 64 bits.

    Examples
    --------
    >>> stream = RandomStream(1)
    >>> stream.below(1000), stream.permutation(4)
    (566, [1, 0, 3, 2])
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def bits(self) -> int:
        """Return 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _MASK
        return mixed ^ mixed >> 31

    def below(self, count: int) -> int:
        """Return an integer from 0 to count - 1; a count has at most 32 bits."""
        return (self.bits() >> 32) * count >> 32

    def place(self, weights: Values) -> int:
        """Return an index with probability proportional to its weight; some weight must be positive."""
        sums = np.cumsum(weights)
        total = int(sums[-1])
        drawn = min(int((self.bits() >> 11) * 2.0**-53 * total), total - 1)
        return int(np.searchsorted(sums, drawn, side="right"))

    def permutation(self, count: int) -> list[int]:
        """Return the integers below a count in random order."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class HeatBath:
    """Draws an index with probability proportional to exp(value / temperature).

    At temperature 0 the greatest value is taken, equal ones at random, so that plateaus are crossed.

    Parameters
    ----------
    stream : RandomStream
        The source of randomness.

    Examples
    --------
    >>> bath = HeatBath(RandomStream(0))
    >>> bath.choose(np.array([0, 2, 1]))
    1
    """

    def __init__(self, stream: RandomStream) -> None:
        self.stream = stream
        self.temperature = 0

    def choose(self, values: Values) -> int:
        """Return an index."""
        below = values.max() - values
        if not self.temperature:
            return self.stream.place((below == 0).astype(np.int64))
        near = below <= RANGE * self.temperature
        factor = (STEPS << SHIFT) // self.temperature
        places = np.where(near, below, 0) * factor >> SHIFT
        return self.stream.place(np.where(near, CHANCES[places], 0))
