"""What a search for a fair model found, as plain data and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from idnf.auditing.fairness import Fairness


@dataclass(frozen=True)
class FairModel:
    """One of the models considered.

    Attributes
    ----------
    error, gap : float
        On the training rows: the share of errors, and the largest difference of two groups' rates.
    rates : mapping of group to float
        The share of each group that is given class 1.
    multiplier : float
        What closing the gap was worth, in errors, when the model was learned; nan for the constant model.
    terms : int
        The terms of its shorter side.
    """

    error: float
    gap: float
    rates: Mapping[object, float]
    multiplier: float
    terms: int


@dataclass(frozen=True)
class FairnessReport:
    """The alternatives considered, the one chosen, and what is proved.

    Attributes
    ----------
    fairness : Fairness
        What was asked for.
    label : object
        The class whose rates are compared, ``classes_[1]``.
    alternatives : tuple of FairModel
        In the order they were learned; the first was learned without regard to groups, the last is constant.
    chosen : int
        The place of the model that was taken.
    bound : float or None
        The least errors, on the training rows, of any model of the family ``bound_family`` whose gap is within the
        limit; None where the learner proves nothing.
    bound_family : str or None
    """

    fairness: Fairness
    label: object
    alternatives: tuple[FairModel, ...]
    chosen: int
    bound: float | None
    bound_family: str | None

    @property
    def error(self) -> float:
        """The share of errors of the model that was taken."""
        return self.alternatives[self.chosen].error

    @property
    def gap(self) -> float:
        """The gap of the model that was taken."""
        return self.alternatives[self.chosen].gap

    @property
    def curve(self) -> list[tuple[float, float]]:
        """Gap and error of the alternatives that no other one beats in both, the smallest gap first."""
        pairs = sorted((one.gap, one.error) for one in self.alternatives)
        best: list[tuple[float, float]] = []
        for gap, error in pairs:
            if not best or error < best[-1][1] - 1e-12:
                best.append((gap, error))
        return best

    def to_text(self) -> str:
        """Return the report in words."""
        asked = self.fairness
        first = self.alternatives[0]
        lines = [
            f"{asked.metric.replace('_', ' ').capitalize()} by {asked.column}, at most {asked.limit:.3g}.",
            f"Without regard to groups: {first.error:.2%} errors, gap {first.gap:.3f}.",
            f"Taken: {self.error:.2%} errors, gap {self.gap:.3f}.",
        ]
        if self.bound is not None:
            lines.append(
                f"Proved: no model of the family {self.bound_family} within the limit has fewer than "
                f"{self.bound:.2%} errors on these rows."
            )
        lines.append("Alternatives considered (gap, errors, terms):")
        for place, one in enumerate(self.alternatives):
            mark = " <- taken" if place == self.chosen else ""
            lines.append(f"  {one.gap:.3f}  {one.error:7.2%}  {one.terms}{mark}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def to_dict(self) -> dict[str, object]:
        """Return the report as plain data."""
        return {
            "column": self.fairness.column,
            "metric": self.fairness.metric,
            "limit": self.fairness.limit,
            "chosen": self.chosen,
            "bound": self.bound,
            "bound_family": self.bound_family,
            "alternatives": [
                {
                    "error": one.error,
                    "gap": one.gap,
                    "rates": {str(group): rate for group, rate in one.rates.items()},
                    "terms": one.terms,
                }
                for one in self.alternatives
            ],
        }
