"""Reasons over time: how often each is given, and how far that moves away from a reference.

The population stability index of a reason is ``(p - q) * ln(p / q)`` for its share p in a period and q in the
reference; the index of a period is the sum over all reasons. Half a row is added to every count, so that a reason never
given has an index too. On few rows the index is large by chance alone: without any shift it is, for r reasons, about
``(r - 1) * (1 / n + 1 / N)`` with n rows in the period and N in the reference, and spread as chi-squared. So it is
judged by what chance gives in 19 of 20 periods. On many rows, below 0.1 is commonly read as stable, above 0.25 as a
shift.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Stability:
    """Shares of reasons by period.

    Attributes
    ----------
    periods : tuple of str
    reasons : tuple of str
        The identifiers of the reasons, all of the catalogue.
    words : mapping of str to str
        The conditions of each reason.
    counts : int array of shape (periods, reasons)
        How many rows were given each reason.
    reference : float array of shape (reasons,)
        The rows, or the training weight, that the shares are compared with.
    reference_name : str
        "training", or the first period if nothing is known of the training rows.
    unlisted, outside : mapping of str to int array of shape (periods,)
        By column, the rows with a category that is not listed, and those with a number or date beyond what was seen
        in training.
    named : str
        What is counted: "reason", or "band" of bands, which then stand for reasons.
    """

    periods: tuple[str, ...]
    reasons: tuple[str, ...]
    words: Mapping[str, str]
    counts: NDArray[np.intp]
    reference: NDArray[np.float64]
    reference_name: str
    unlisted: Mapping[str, NDArray[np.intp]]
    outside: Mapping[str, NDArray[np.intp]]
    named: str = "reason"

    @property
    def rows(self) -> NDArray[np.intp]:
        """The number of rows of each period."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.intp)

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of each reason in each period."""
        return np.asarray(self.counts / np.maximum(self.rows, 1)[:, None], dtype=np.float64)

    @property
    def index(self) -> NDArray[np.float64]:
        """The population stability index of each reason in each period.

        >>> then, now = np.array([50.0, 50.0]), np.array([[50, 50]])
        >>> made = Stability(("1",), ("1.1", "0.1"), {}, now, then, "training", {}, {})
        >>> made.index.tolist()
        [[0.0, 0.0]]
        """
        now, then = (_smoothed(counts) for counts in (self.counts.astype(np.float64), self.reference[None, :]))
        return np.asarray((now - then) * np.log(now / then), dtype=np.float64)

    @property
    def totals(self) -> NDArray[np.float64]:
        """The index of each period."""
        return np.asarray(self.index.sum(axis=1), dtype=np.float64)

    @property
    def expected(self) -> NDArray[np.float64]:
        """The index that chance gives each period on the average if nothing shifts."""
        return self._freedom * self._noise

    @property
    def limits(self) -> NDArray[np.float64]:
        """The index that chance alone exceeds in one period of twenty."""
        degrees = np.maximum(self._freedom, 1)
        part = 2 / (9 * degrees)
        # The quantile of chi-squared as Wilson and Hilferty (1931) approximate it, within two per cent.
        return np.asarray(degrees * (1 - part + 1.645 * np.sqrt(part)) ** 3 * self._noise, dtype=np.float64)

    @property
    def _freedom(self) -> NDArray[np.float64]:
        given = (self.counts > 0) | (self.reference > 0)
        return np.asarray(np.maximum(given.sum(axis=1) - 1, 0), dtype=np.float64)

    @property
    def _noise(self) -> NDArray[np.float64]:
        return np.asarray(1 / np.maximum(self.rows, 1) + 1 / max(float(self.reference.sum()), 1.0), dtype=np.float64)

    def _judged(self, period: int) -> str:
        beyond = self.totals[period] > self.limits[period]
        return (
            f"{'more than chance gives' if beyond else 'as chance gives'}: {self.expected[period]:.3f} on the average"
        )

    def to_text(self) -> str:
        """Return the index, the reasons that moved most and values never seen, a line for each period."""
        lines = [f"{self.named.capitalize()}s by period, compared with {self.reference_name}."]
        for t, period in enumerate(self.periods):
            most = int(self.index[t].argmax()) if self.reasons else 0
            lines.append(f"{period}: {self.rows[t]} rows, index {self.totals[t]:.3f} ({self._judged(t)})")
            if self.totals[t] > 0:
                share, before = self.shares[t, most], self.reference[most] / max(self.reference.sum(), 1e-300)
                reason = self.reasons[most]
                lines.append(f"  moved most: {reason} ({self.words.get(reason, '')}), {before:.1%} to {share:.1%}")
            for what, found in (("not listed", self.unlisted), ("out of range", self.outside)):
                named = {name: counts[t] for name, counts in found.items() if counts[t]}
                if named:
                    said = ", ".join(f"{name} {count / self.rows[t]:.1%}" for name, count in named.items())
                    lines.append(f"  {what}: {said}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "reference": self.reference_name,
            "periods": [
                {
                    "period": period,
                    "rows": int(self.rows[t]),
                    "index": float(self.totals[t]),
                    "expected": float(self.expected[t]),
                    "limit": float(self.limits[t]),
                    f"{self.named}s": {
                        reason: {"rows": int(self.counts[t, r]), "index": float(self.index[t, r])}
                        for r, reason in enumerate(self.reasons)
                    },
                    "unlisted": {name: int(counts[t]) for name, counts in self.unlisted.items()},
                    "outside": {name: int(counts[t]) for name, counts in self.outside.items()},
                }
                for t, period in enumerate(self.periods)
            ],
        }


def _smoothed(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    added = counts + 0.5
    return np.asarray(added / added.sum(axis=1, keepdims=True), dtype=np.float64)
