"""Choices that prefer better values, more strictly the lower the temperature (a heat bath)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class HeatBath:
    """Draws an index with probability proportional to exp(value / temperature).

    At temperature 0 the greatest value is taken, equal ones at random, so that plateaus are crossed.

    Parameters
    ----------
    generator : numpy.random.Generator
        The source of randomness.

    Examples
    --------
    >>> bath = HeatBath(np.random.default_rng(0))
    >>> bath.choose(np.array([0.0, 2.0, 1.0], dtype=np.float32))
    1
    """

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        self.temperature = 0.0

    def choose(self, values: NDArray[np.float32]) -> int:
        """Return an index."""
        if self.temperature > 0:
            # The largest of values with Gumbel noise has exactly the wanted distribution.
            noisy = values + self.temperature * self.generator.gumbel(size=len(values)).astype(np.float32)
            return int(noisy.argmax())
        best = np.flatnonzero(values >= values.max() - 1e-5 * max(1.0, abs(float(values.max()))))
        return int(best[self.generator.integers(len(best))])
