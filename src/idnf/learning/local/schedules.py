"""For each step of a search its temperature, and how many examples it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

SMALLEST_PART = 8192
"""No step looks at fewer examples than this, if there are that many."""


# The larger, the longer the part stays small.
_LATENESS = 4
# No search has more steps, whatever its effort: they are listed beforehand.
_MOST_STEPS = 1_000_000


@dataclass(frozen=True)
class Schedule:
    """For each step of a search its temperature, and how many of the examples it looks at, the first ones.

    On many examples the first steps look at a part: what it says differs from what all say by more than a temperature
    of a few examples would blur. The part grows, and the last steps look at all examples.
    """

    temperatures: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    @lru_cache(maxsize=256)
    def cooling(cls, hottest: float, coldest: float, steps: int, *, size: int, last: int = 0) -> Schedule:
        """Return falling temperatures, each at least 1, then `last` steps of temperature 0.

        >>> Schedule.cooling(8, 2, 3, size=100, last=1)
        Schedule(temperatures=(8, 4, 2, 0), sizes=(100, 100, 100, 100))
        """
        count = min(max(1, steps), _MOST_STEPS)
        factor = (coldest / hottest) ** (1 / max(1, count - 1))
        temperatures = [max(1, round(hottest * factor**step)) for step in range(count)]
        if size <= SMALLEST_PART:
            return cls((*temperatures, *[0] * last), (size,) * (count + last))
        # In whole words of 64 examples.
        growth = (size / SMALLEST_PART) ** ((np.arange(count) / count) ** _LATENESS)
        sizes = [min(size, 64 * round(SMALLEST_PART * float(part) / 64)) for part in growth[:-1]]
        return cls((*temperatures, *[0] * last), (*sizes, size, *[size] * last))
