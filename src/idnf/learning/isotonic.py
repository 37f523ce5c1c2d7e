"""Means and shares that do not fall: neighbours that are out of order share theirs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from idnf.counting.contract import Weights

# Shares stay at least this far from even odds.
_MARGIN = 1e-6


def isotonic_means(values: ArrayLike, weights: ArrayLike) -> Weights:
    """Return the ascending values nearest to some values, by the weighted sum of squares.

    Blocks of equal values are pooled in the order of Busing (Monotone Regression: A Simple and Fast O(n) PAVA
    Implementation, *Journal of Statistical Software*, 2022), so that every sum is rounded as it is in SciPy.

    >>> isotonic_means([1, 3, 2, 4], [1, 1, 3, 1]).tolist()
    [1.0, 2.25, 2.25, 4.0]
    """
    given, masses = np.asarray(values, dtype=np.float64).tolist(), np.asarray(weights, dtype=np.float64).tolist()
    means: list[float] = []
    pooled: list[float] = []
    stops: list[int] = []
    place = 0
    while place < len(given):
        mean, mass = given[place], masses[place]
        if means and means[-1] >= mean:
            total = pooled[-1] * means.pop() + mass * mean
            mass += pooled.pop()
            stops.pop()
            mean = total / mass
            while place + 1 < len(given) and mean >= given[place + 1]:
                place += 1
                total += masses[place] * given[place]
                mass += masses[place]
                mean = total / mass
            while means and means[-1] >= mean:
                total += pooled[-1] * means.pop()
                mass += pooled.pop()
                stops.pop()
                mean = total / mass
        place += 1
        means.append(mean)
        pooled.append(mass)
        stops.append(place)
    return np.repeat(means, np.diff([0, *stops]))


def band_shares(counts: Weights) -> Weights:
    """Return the share of each class in each band, such that higher classes become no less likely in higher bands.

    One example of each class is added to every band. Neighbouring bands that are out of order share what they have.

    Parameters
    ----------
    counts : float array of shape (bands, classes)
        The weight of each class in each band, both in ascending order.

    Examples
    --------
    >>> band_shares(np.array([[8.0, 0], [2, 6], [3, 5]])).round(2).tolist()
    [[0.9, 0.1], [0.35, 0.65], [0.35, 0.65]]
    """
    smooth = counts + 1.0
    totals = smooth.sum(axis=1)
    above = np.cumsum(smooth[:, ::-1], axis=1)[:, ::-1] / totals[:, None]
    pooled = [isotonic_means(share, totals) for share in above.T[1:]]
    edges = np.stack([np.ones(len(counts)), *pooled, np.zeros(len(counts))])
    shares: Weights = (edges[:-1] - edges[1:]).T
    return shares


def shares_on_their_side(shares: Weights, decisive: int, even: float) -> Weights:
    """Return the shares of two classes such that up to a band the second stays below even odds, and above beyond it.

    Parameters
    ----------
    shares : float array of shape (bands, 2)
    decisive : int
        The last band below.
    even : float
        The share of the second class at which the odds are even.

    Examples
    --------
    >>> shares_on_their_side(np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]]), 1, 0.5).round(3).tolist()
    [[0.9, 0.1], [0.5, 0.5], [0.3, 0.7]]
    """
    high = shares[:, 1].copy()
    high[: decisive + 1] = np.minimum(high[: decisive + 1], even - _MARGIN)
    high[decisive + 1 :] = np.maximum(high[decisive + 1 :], even + _MARGIN)
    return np.stack([1 - high, high], axis=1)
