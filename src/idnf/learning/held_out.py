"""What models make of the examples they were not shown, and which setting that speaks for."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import Asked, term_count
from idnf.logic.model import Model

FOLDS = 5
"""In how many parts examples are held out."""

FRACTION = 0.5
"""A setting counts as good as the best one when it errs at most this many standard errors of the difference more."""

CLEARLY = 2.0
"""A wider family is searched when it errs less by more than this many standard errors of the difference."""


class HeldOut:
    """What the models of each setting make of the examples held out, fold by fold."""

    def __init__(
        self, tried: list[list[Model]], folds: list[tuple[DistinctRows, DistinctRows]], examples: float
    ) -> None:
        self.tried = tried
        self.examples = examples
        tests = [test for _, test in folds]
        self.weights = np.concatenate([test.masses for test in tests])
        self.predicted = _predicted(tried, tests)
        self.errors = _errors(self.predicted, tests)
        trains = [train for train, _ in folds]
        self.training_errors = _errors(_predicted(tried, trains), trains)
        self.conditions = np.array([[model.literal_count for model in models] for models in tried]).mean(axis=0)

    def is_clearly_better(self, one: int, other: int) -> bool:
        """Tell whether a setting errs less on the examples held out than another, by more than chance would give."""
        gain = float(self.errors[other] - self.errors[one])
        differs = float((self.predicted[one] != self.predicted[other]) @ self.weights / self.weights.sum())
        return gain > CLEARLY * math.sqrt(max(differs - gain**2, 0.0) / self.examples)

    def smallest_of_the_best(self, eligible: NDArray[np.intp]) -> int:
        """Return the setting of the fewest conditions among the eligible ones that are as good as the best of them."""
        errors = expected_errors(self.errors[eligible], self.training_errors[eligible])
        predicted = self.predicted[eligible]
        differs = (predicted != predicted[int(errors.argmin())]) @ self.weights / self.weights.sum()
        conditions = self.conditions[eligible]
        return int(eligible[smallest_of_the_best(errors, differs, conditions, self.examples, fraction=FRACTION)])

    def figures(self, place: int) -> tuple[float, float, float, float]:
        """Return accuracy, its standard error, conditions and reasons of a setting."""
        error = float(self.errors[place])
        spread = float(np.sqrt(error * (1 - error) / self.examples))
        reasons = float(np.mean([term_count(models[place]) for models in self.tried]))
        return 1 - error, spread, float(self.conditions[place]), reasons


def _predicted(tried: list[list[Model]], parts: list[DistinctRows]) -> NDArray[np.intp]:
    """Return the class each setting's models give to the examples of their parts, a line for each setting."""
    asked = [Asked(part.features) for part in parts]
    columns = [
        np.array([examples.labels(model) for model in models]) for models, examples in zip(tried, asked, strict=True)
    ]
    return np.concatenate(columns, axis=1)


def _errors(predicted: NDArray[np.intp], parts: list[DistinctRows]) -> NDArray[np.float64]:
    """Return the share of the weight of all parts together that each setting's models get wrong."""
    weights = np.concatenate([part.weights for part in parts])
    right = np.array([weights[np.arange(len(weights)), given].sum() for given in predicted])
    errors: NDArray[np.float64] = 1 - right / weights.sum()
    return errors


def expected_errors(held_out: NDArray[np.float64], training: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what models would err on new examples had they been learned from all examples, not from all but a fold.

    What a model errs more on new examples than on its own shrinks as these become more, about in proportion. Larger
    models, for which that is more, gain more by the fold that they were not shown.

    >>> expected_errors(np.array([0.2, 0.3]), np.array([0.2, 0.0])).round(2).tolist()
    [0.2, 0.24]
    """
    errors: NDArray[np.float64] = held_out - (held_out - training) / FOLDS
    return errors


def smallest_of_the_best(
    errors: NDArray[np.float64],
    differs: NDArray[np.float64],
    conditions: NDArray[np.float64],
    examples: float,
    *,
    fraction: float = 0.25,
) -> int:
    """Return the setting of the fewest conditions among those that err hardly more than the best one.

    Parameters
    ----------
    errors : ndarray of shape (n_settings,)
        The share of examples that the models of each setting get wrong.
    differs : ndarray of shape (n_settings,)
        The share of examples that they give another class than the first of the best does.
    conditions : ndarray of shape (n_settings,)
        How many literals they have.
    examples : float
        How many examples there are.
    fraction : float
        How many standard errors of the difference more than the best one a setting may err.

    Examples
    --------
    >>> smallest_of_the_best(np.array([0.20, 0.21]), np.array([0.0, 0.1]), np.array([9.0, 2.0]), 100.0)
    0
    >>> smallest_of_the_best(np.array([0.20, 0.21]), np.array([0.0, 0.2]), np.array([9.0, 2.0]), 100.0)
    1
    """
    excess = errors - errors.min()
    margin = fraction * np.sqrt(np.maximum(differs - excess**2, 0.0) / examples)
    good = np.flatnonzero(excess <= margin + 1e-12)
    return int(min(good, key=lambda place: (conditions[place], errors[place], place)))
