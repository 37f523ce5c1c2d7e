"""The training objective: weighted share of errors plus a price for every literal written in the model.

A literal must earn more than luck would give it. Where the classes can be told apart, a literal that wins a single
example is worth keeping. Where a share e of errors is unavoidable, the best of many literals gains examples by luck,
the more so the closer e is to one half. Hence a price of a small part of one example plus a multiple of
e(1 - e) / (1 - 2e) examples, and two objectives. The plain one takes every label as it is and the least price. The
cautious one believes a label in part, other models that were not shown the example for the rest
(:mod:`idnf.learning.belief`), and takes the price for as much noise as they show. Which of the two suits the data is
decided by cross-validation (:mod:`idnf.learning.path`); a search that is not tuned minimises the cautious one. The
constants were chosen on data that is not the paper's; experiments/prices.py shows what they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.evaluation import Asked
from idnf.logic.model import Model

# Parts of one example's weight.
_LEAST_PRICE = 0.05
_NOISE_PRICE = 1.2
# A larger share of errors counts as this one; at one half the price would be infinite.
_MOST_NOISE = 0.45


@dataclass(frozen=True)
class Objective:
    """The examples as they are weighed, and the price of a literal as a share of all their weight."""

    rows: DistinctRows
    price: float

    def __call__(self, model: Model) -> float:
        """Return what a model costs."""
        return self.errors(model) / self.rows.total + self.price * model.literal_count

    def errors(self, model: Model) -> float:
        """Return the weight of the examples that are given another class than theirs."""
        wrong, gains = self._against_class_0
        for label, gain in enumerate(gains, start=1):
            wrong -= float(gain[self._asked.holds(model, label)].sum())
        return wrong

    def credited(self, credit: Sequence[Sequence[float]] | None) -> Objective:
        """Return what models cost where mistakes differ, but for what even the right labels would."""
        rows = self.rows.credited(credit)
        return Objective(rows, self.price * self.rows.total / rows.total) if credit else self

    @cached_property
    def _asked(self) -> Asked:
        return Asked(self.rows.features)

    @cached_property
    def _against_class_0(self) -> tuple[float, list[Weights]]:
        """What always giving class 0 gets wrong, and what giving each other class in its place gets right more."""
        zero, *others = np.ascontiguousarray(self.rows.weights.T)
        return float(self.rows.totals[1:].sum()), [other - zero for other in others]


def plain_objective(rows: DistinctRows) -> Objective:
    """Return the objective for data in which no error is unavoidable."""
    return Objective(rows, noise_price(rows, 0.0))


def error_share(rows: DistinctRows, model: Model) -> float:
    """Return the weighted share of training errors of a model."""
    return Objective(rows, 0.0)(model)


def noise_price(rows: DistinctRows, errors: float) -> float:
    """Return the price of a literal, as a share of all weight, where this share of errors is unavoidable.

    >>> import numpy as np
    >>> rows = DistinctRows.of_two(np.eye(4, dtype=bool), np.ones(4), np.zeros(4), True)
    >>> noise_price(rows, 0.0), round(noise_price(rows, 0.2), 3)
    (0.0125, 0.092)
    """
    return noise_examples(errors) * rows.example / rows.total


def noise_examples(errors: float) -> float:
    """Return how many examples a literal must win where this share of errors is unavoidable.

    >>> noise_examples(0.0), round(noise_examples(0.2), 2)
    (0.05, 0.37)
    """
    noise = min(errors, _MOST_NOISE)
    return _LEAST_PRICE + _NOISE_PRICE * noise * (1 - noise) / (1 - 2 * noise)
