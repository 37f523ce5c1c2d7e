"""What examples weigh: only the ratios of very large or very small weights count."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MOST = 2.0**40
"""A heaviest example beyond this, or below its inverse, gets a weight near 1."""


def in_range(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights, all times one power of two where the largest is far from 1.

    Sums and squares of the result neither overflow nor vanish, and no ratio of weights has changed.

    >>> in_range(np.array([1.0, 3.0])).tolist(), in_range(np.array([1e300, 2e300])).tolist()[0] < 1
    ([1.0, 3.0], True)
    """
    most = float(weights.max(initial=0.0))
    if not most or 1 / _MOST <= most <= _MOST:
        return weights
    scaled: NDArray[np.float64] = np.ldexp(weights, -int(np.frexp(most)[1]))
    return scaled
