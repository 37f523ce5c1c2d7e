"""What was found under a limit on the gap between groups: part of a fitted state, as plain data and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from idnf.explaining.wording import label_words
from idnf.learning.fairness import FairModel, Fairness
from idnf.learning.proved_families import PROVED


@dataclass(frozen=True)
class FairnessReport:
    """The alternatives considered, the one chosen, and what is proved.

    Attributes
    ----------
    fairness : Fairness
        What was asked for.
    label : object
        The class whose rates are compared: the favourable one, else ``classes_[1]``.
    alternatives : tuple of FairModel
        In the order they were learned; the first was learned without regard to groups, the last is constant.
    chosen : int
        The place of the model that was taken.
    bounds : mapping of str to float
        For families of models the least errors, on the training rows, of any of them whose gap is within the limit.
    claimed : bool
        Whether this is what a model file says, and was not proved again.
    """

    fairness: Fairness
    label: object
    alternatives: tuple[FairModel, ...]
    chosen: int
    bounds: Mapping[str, float]
    claimed: bool = False

    @property
    def error(self) -> float:
        """The share of errors of the model that was taken."""
        return self.alternatives[self.chosen].error

    @property
    def gap(self) -> float:
        """The gap of the model that was taken."""
        return self.alternatives[self.chosen].gap

    @property
    def bound(self) -> float | None:
        """The bound for ``bound_family``; None if nothing is proved."""
        return None if self.bound_family is None else self.bounds[self.bound_family]

    @property
    def bound_family(self) -> str | None:
        """The widest family that a bound is proved for."""
        return next((family for family in PROVED if family in self.bounds), None)

    @property
    def curve(self) -> list[tuple[float, float]]:
        """Gap and error of the alternatives that no other one beats in both, the smallest gap first."""
        pairs = sorted((one.gap, one.error) for one in self.alternatives)
        best: list[tuple[float, float]] = []
        for gap, error in pairs:
            if not best or error < best[-1][1] - 1e-12:
                best.append((gap, error))
        return best

    def cells(self) -> list[tuple[str, ...]]:
        """Return the models considered as a table of texts, its head first; those of the same figures share a line."""
        head = ("model", "gap", "errors", "terms", f"given {label_words(self.label)}")
        lines: dict[tuple[str, ...], list[str]] = {}
        for place, one in enumerate(self.alternatives):
            taken = " (taken)" if place == self.chosen else ""
            lines.setdefault(_figures(one), []).append(f"{place + 1}{taken}")
        return [head, *((", ".join(numbers), *figures) for figures, numbers in lines.items())]

    @property
    def request(self) -> str:
        """What was asked for, in words."""
        asked = self.fairness
        metric = asked.metric.replace("_", " ").capitalize()
        return f"{metric} by {asked.column}, at most {asked.limit:.3g}."

    @property
    def findings(self) -> list[str]:
        """What the limit costs on the training rows, a sentence each."""
        first, limit = self.alternatives[0], self.fairness.limit
        kept = "within" if self.gap <= limit + 1e-12 else "above"
        said = [
            f"Without regard to groups: {first.error:.2%} errors, gap {first.gap:.3f}.",
            f"Taken: {self.error:.2%} errors, gap {self.gap:.3f}, {kept} the limit of {limit:.3g}. "
            "All of this is on the training rows.",
        ]
        if self.error < first.error - 1e-12:
            said.append(
                "The model taken has fewer errors there because the size of each is chosen by how it does on rows "
                f"held out: it has {_terms(self.alternatives[self.chosen])}, the other {_terms(first)}."
            )
        return said

    @property
    def proofs(self) -> list[str]:
        """What is proved, in words, a sentence for each family."""
        said = "The model file says, not proved again: " if self.claimed else "Proved: "
        return [
            f"{said}no model of the family {family} with a gap of at most {self.fairness.limit:.3g} has fewer than "
            f"{bound:.2%} errors on these rows.{self._wider(bound)}"
            for family, bound in self.bounds.items()
        ]

    def _wider(self, bound: float) -> str:
        """Return why the model taken errs less than a bound; if it errs more, that what lies between is open."""
        if self.gap > self.fairness.limit + 1e-12:
            return ""
        if self.error < bound - 1e-12:
            return " The model taken is of a wider family."
        if self.error > bound + 1e-12:
            between = f"between {bound:.2%} and {self.error:.2%}"
            return f" Whether one has {between} is not known: there is neither a model nor a proof."
        return ""

    def to_text(self) -> str:
        """Return the report in words."""
        lines = [self.request, *self.findings, *self.proofs]
        lines.append("Alternatives considered (gap, errors, terms, how found):")
        for place, one in enumerate(self.alternatives):
            mark = " <- taken" if place == self.chosen else ""
            lines.append(f"  {one.gap:.3f}  {one.error:7.2%}  {one.terms:3d}  {one.origin}{mark}")
        return "\n".join(lines)

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return the report as plain data."""
        return {
            "column": self.fairness.column,
            "metric": self.fairness.metric,
            "limit": self.fairness.limit,
            "chosen": self.chosen,
            "bounds": dict(self.bounds),
            "alternatives": [
                {**vars(one), "rates": {str(group): rate for group, rate in one.rates.items()}}
                for one in self.alternatives
            ],
        }


def _terms(one: FairModel) -> str:
    return f"{one.terms} term{'s' * (one.terms != 1)}"


def _figures(one: FairModel) -> tuple[str, ...]:
    rates = ", ".join(f"{label_words(group)}: {rate:.1%}" for group, rate in one.rates.items())
    return f"{one.gap:.1%}", f"{one.error:.1%}", str(one.terms), rates
