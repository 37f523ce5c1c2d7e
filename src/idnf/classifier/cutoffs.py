"""What lenders read of bands: what each cutoff lets through, KS and Gini, and points of a scorecard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.band_explanations import Bands
from idnf.logic.errors import InvalidArgument
from idnf.result_frames import Tabular


@dataclass(frozen=True)
class Cutoffs(Tabular):
    """What each cutoff lets through, on some rows; the higher of two labels is what is to be kept out.

    Attributes
    ----------
    names : tuple of str
        What the bands are called, the lowest first.
    label : object
        The higher label.
    counts : float array of shape (bands, 2)
        The rows of each label in each band, the higher label last.
    """

    names: tuple[str, ...]
    label: object
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, bands: Bands, numbers: NDArray[np.intp], truth: NDArray[np.generic]) -> Cutoffs:
        """Count the rows of each label in each band."""
        if bands.is_ordered:
            raise InvalidArgument("cutoffs", "be of bands of two labels", f"{len(bands.levels)} levels")
        size = len(bands.names)
        counts = [np.bincount(numbers[truth == level], minlength=size) for level in bands.levels]
        return cls(bands.names, bands.levels[1], np.array(counts, dtype=np.float64).T)

    @property
    def ks(self) -> float:
        """The greatest difference, over cutoffs, of the shares of the two labels below (Kolmogorov and Smirnov)."""
        below = np.cumsum(self._shares, axis=0)
        return float(np.abs(below[:, 0] - below[:, 1]).max())

    @property
    def gini(self) -> float:
        """Twice the area under the curve less one: the pairs of rows ranked rightly less those ranked wrongly.

        >>> Cutoffs(("low", "high"), "bad", np.array([[8.0, 1.0], [2.0, 4.0]])).gini
        0.6000000000000001
        """
        low, high = self._shares.T
        under = np.cumsum(low) - low
        return float(high @ (under - (1 - under - low)))

    @property
    def _shares(self) -> NDArray[np.float64]:
        """The share of the rows of each label that is in each band."""
        totals = self.counts.sum(axis=0)
        none = np.full(self.counts.shape, np.nan)
        return np.asarray(np.divide(self.counts, totals, out=none, where=totals > 0), dtype=np.float64)

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return for each band from the second on what it means to let the bands below it through.

        ``approved`` is the share of all rows in the bands below, ``bad rate`` the share of the higher label among them,
        ``bad caught`` the share of the rows of that label that is kept out, and ``referred`` the share of all rows in
        the band itself, which may go to a person.
        """
        rows, high = self.counts.sum(axis=1), self.counts[:, 1]
        below, bad = np.cumsum(rows)[:-1], np.cumsum(high)[:-1]
        everything, every_bad = max(rows.sum(), 1e-300), high.sum()
        return {
            "below": list(self.names[1:]),
            "approved": (below / everything).tolist(),
            "bad rate": [float(b / n) if n else None for b, n in zip(bad, below)],
            "bad caught": [float(1 - b / every_bad) if every_bad else None for b in bad],
            "referred": (rows[1:] / everything).tolist(),
        }


def points(bands: Bands, base: float, odds: float, double: float) -> list[int]:
    """Return the points of each band: `base` at these odds of the lower label, more by `double` if they double.

    >>> bands = Bands(("a", "b"), ("good", "bad"), np.array([[0.5, 0.5], [0.2, 0.8]]))
    >>> points(bands, 600, 1, 20)
    [600, 560]
    """
    if bands.is_ordered:
        raise InvalidArgument("scale", "be of bands of two labels", f"{len(bands.levels)} levels")
    for name, value, least in (("base", base, None), ("odds", odds, 0.0), ("double", double, 0.0)):
        if isinstance(value, bool) or not isinstance(value, Real) or not np.isfinite(value):
            raise InvalidArgument(name, "be a number", value)
        if least is not None and value <= least:
            raise InvalidArgument(name, "be above 0", value)
    shares = [bands.probability(band) for band in range(len(bands.names))]
    return [round(base + double * (log((1 - share) / share) - log(odds)) / log(2)) for share in shares]
