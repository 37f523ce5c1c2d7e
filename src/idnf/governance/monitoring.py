"""Reasons over time: how often each is given, and how far that moves.

The population stability index of a reason is ``(p - q) * ln(p / q)`` for its share p in a period and q in the
reference; the index of a period is the sum over all reasons. Half a row is added to every count, so that a reason never
given has an index too. On few rows the index is large by chance alone: without any shift it is, for r reasons, about
``(r - 1) * (1 / n + 1 / N)`` with n rows in the period and N in the reference, and spread as chi-squared. So it is
judged by what chance gives in 19 of 20 periods. On many rows, below 0.1 is commonly read as stable, above 0.25 as a
shift.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from idnf import count_reasons
from idnf.classifier.fitted import AnyClassifier
from idnf.reporting import Section, sections_to_html

# Periods that a sentence names.
_MOST_NAMED = 5


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
    means : str
        What stands between the name of a reason and its words.
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
    means: str = "if"

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
        now, then = (_smooth(counts) for counts in (self.counts.astype(np.float64), self.reference[None, :]))
        return np.asarray((now - then) * np.log(now / then), dtype=np.float64)

    @property
    def totals(self) -> NDArray[np.float64]:
        """The index of each period."""
        return np.asarray(self.index.sum(axis=1), dtype=np.float64)

    @property
    def expected(self) -> NDArray[np.float64]:
        """The index that chance gives each period on average if nothing shifts."""
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

    def _verdict(self, period: int) -> str:
        more = "more" if self.totals[period] > self.limits[period] else "no more"
        return f"{more} than chance, which gives {self.expected[period]:.3f} on average"

    @property
    def finding(self) -> str:
        """Which periods moved by more than chance, and what moved most in each, in a sentence.

        >>> then, now = np.array([50.0, 50.0]), np.array([[50, 50], [90, 10]])
        >>> print(Stability(("may", "june"), ("a1", "b1"), {}, now, then, "training", {}, {}).finding)
        Moved by more than chance from training: june (b1 from 50.0% to 10.0%). No more than chance: 1 of 2 periods.
        """
        moved = [t for t in range(len(self.periods)) if self.totals[t] > self.limits[t]]
        still, all_of = len(self.periods) - len(moved), f"{len(self.periods)} period{'s' * (len(self.periods) != 1)}"
        if not moved:
            return f"The {self.named}s given moved no more from {self.reference_name} than chance, in {all_of}."
        named = ", ".join(f"{self.periods[t]} ({self._moved_most(t)})" for t in moved[:_MOST_NAMED])
        more = f" and {len(moved) - _MOST_NAMED} more" if len(moved) > _MOST_NAMED else ""
        rest = f" No more than chance: {still} of {all_of}." if still else ""
        return f"Moved by more than chance from {self.reference_name}: {named}{more}.{rest}"

    def _moved_most(self, period: int) -> str:
        before = self.reference / max(self.reference.sum(), 1e-300)
        most = int(np.where(self.shares[period] == before, 0.0, self.index[period]).argmax())
        return f"{self.reasons[most]} from {before[most]:.1%} to {self.shares[period, most]:.1%}"

    def to_text(self) -> str:
        """Return the index, the reasons that moved most and values never seen, a line for each period."""
        lines = [f"{self.named.capitalize()}s by period, compared with {self.reference_name}.", self.finding]
        before = self.reference / max(self.reference.sum(), 1e-300)
        for t, period in enumerate(self.periods):
            moved = np.where(self.shares[t] == before, 0.0, self.index[t])
            lines.append(f"{period}: {self.rows[t]:,} rows, index {self.totals[t]:.3f} ({self._verdict(t)})")
            if moved.any():
                most = int(moved.argmax())
                reason, shares = self.reasons[most], f"from {before[most]:.1%} to {self.shares[t, most]:.1%}"
                said = f" ({self.words.get(reason, '')})" if self.named == "reason" else ""
                lines.append(f"  moved most: {reason}{said}, {shares}")
            for what, found in (("not listed", self.unlisted), ("out of range", self.outside)):
                named = {name: counts[t] for name, counts in found.items() if counts[t]}
                if named:
                    said = ", ".join(f"{name} {count / self.rows[t]:.1%}" for name, count in named.items())
                    lines.append(f"  {what}: {said}")
        return "\n".join(lines)

    __str__ = to_text

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write a page with the shift of each period, values never seen, and how often each reason was given."""
        first, *others = self.sections()
        # What was found stands first, under the title.
        sections_to_html(f"{self.named.capitalize()}s over time", [replace(first, heading=""), *others], path)

    def sections(self) -> list[Section]:
        """Return the same as sections for a page, such as ``reporting.to_html(..., sections=...)``."""
        head = ["period", "rows", "shift", "more than chance?", *(f"new values of {name}" for name in self.unlisted)]
        head += [f"{name} out of range" for name in self.outside]
        total = max(float(self.reference.sum()), 1e-300)
        given = [
            [
                reason,
                self.words.get(reason, "").replace("<=", "≤").replace(">=", "≥"),
                f"{self.reference[r] / total:.1%}",
                *(f"{self.shares[t, r]:.1%}" for t in range(len(self.periods))),
            ]
            for r, reason in enumerate(self.reasons)
        ]
        lines = {
            f"shift of the {self.named}s given": self.totals.tolist(),
            "exceeded by chance in one period of twenty": self.limits.tolist(),
        }
        return [
            Section("Shift by period")
            .paragraph(self.finding)
            .chart(lines, self.periods, x="period", y="shift", least_top=0.25)
            .table(head, [self._row(t) for t in range(len(self.periods))])
            .paragraph(_INDEX.format(named=self.named, then=self.reference_name)),
            Section(f"How often each {self.named} was given").table(
                [self.named, self.means, self.reference_name, *self.periods], given
            ),
        ]

    def _row(self, period: int) -> list[str]:
        """Return the cells of a period: its rows, its shift, and the shares of values never seen."""
        never = [*self.unlisted.values(), *self.outside.values()]
        rows, beyond = int(self.rows[period]), "yes" if self.totals[period] > self.limits[period] else "no"
        chance = f"{beyond} (chance: up to {self.limits[period]:.3f})"
        shares = [f"{counts[period] / max(rows, 1):.1%}" for counts in never]
        return [self.periods[period], f"{rows:,}", f"{self.totals[period]:.3f}", chance, *shares]

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


_INDEX = (
    "How far the {named}s given in each period have moved from {then}. The shift is the population stability "
    "index: the sum over all {named}s of (p - q) ln(p / q), p the share of a {named} in the period and q in "
    "{then}, half a row added to every count. On few rows it is large by chance: the dashed line is what chance "
    "alone exceeds in one period of twenty. On many rows, below 0.1 is commonly read as stable, above 0.25 as a "
    "shift."
)


def _smooth(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    added = counts + 0.5
    return np.asarray(added / added.sum(axis=1, keepdims=True), dtype=np.float64)


def monitor(
    clf: AnyClassifier, X: object, *, by: str | None = None, every: Literal["month", "year"] = "month"
) -> Stability:
    """Return how often each reason is given by period, its stability index, and shares of values never seen.

    Of bands, how many rows are in each: the index that credit officers know. The reasons at a boundary are those of its
    own model, ``bands.models_``.

    Parameters
    ----------
    clf : DNFClassifier or DNFBands
    X : table, lazy table, or mapping of str to table
        Rows with a column of periods, or batches by name. Lazy tables are counted by their engine. Rows that the model
        has no answer for are left out.
    by : str, optional
        The column of periods: dates, which are taken by month or year, or anything else as it is.
    every : {"month", "year"}
        What dates are taken by.

    Returns
    -------
    Stability

    Examples
    --------
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> X = pd.DataFrame({"late": [True, False] * 4, "month": ["jan"] * 4 + ["feb"] * 4})
    >>> clf = DNFClassifier(k=1, learner="greedy").fit(X[["late"]], X["late"])
    >>> print(monitor(clf, X, by="month"))
    Reasons by period, compared with training.
    The reasons given moved no more from training than chance, in 2 periods.
    feb: 4 rows, index 0.000 (no more than chance, which gives 0.375 on average)
    jan: 4 rows, index 0.000 (no more than chance, which gives 0.375 on average)
    """
    counted = count_reasons(clf, X, by=by, every=every)
    known, periods = counted.training_weights.sum() > 0, counted.periods
    return Stability(
        periods,
        counted.reasons,
        counted.words,
        counted.counts,
        counted.training_weights if known or not periods else counted.counts[0].astype(np.float64),
        "training" if known else periods[0] if periods else "nothing",
        counted.unlisted,
        counted.outside,
        counted.named,
        counted.means,
    )
