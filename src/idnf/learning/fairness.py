"""A less discriminatory alternative, or a proof that there is none: fairness as a reweighting.

The gap between the rates at which two groups get class 1 is linear in the predictions. So "errors plus a multiple of
the gap" is the plain learning problem with shifted weights, for every learner. With a learner that proves a bound, the
least of ``errors + multiplier * (gap - limit)`` over a family is a lower bound on the errors of every model of the
family whose gap is within the limit (Lagrange; for linear models see Gillis, Meursault and Ustun, FAccT 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.learning.choices import METRICS, Metric
from idnf.learning.objective import TOLERANCE
from idnf.logic.errors import InvalidArgument

MOST_GROUPS = 20
"""A column of more values is hardly one of groups."""

_FIRST = 0.02
"""The first multiplier tried: what closing the whole gap is worth, as a share of errors."""

_DOUBLINGS = 8
_HALVINGS = 4
MOST_MODELS = 1 + _DOUBLINGS + _HALVINGS
"""Models that a learner is asked for."""


@dataclass(frozen=True)
class Fairness:
    """What a fair model is: the rates at which groups get class 1 differ by at most a limit.

    Parameters
    ----------
    column : str
        The column of the table that holds the groups.
    metric : {"demographic_parity", "equal_opportunity"}
        Whether the rates are among all rows, or among those whose true class is class 1.
    limit : float
        The largest difference of two groups' rates allowed.
    groups : tuple, optional
        The groups to compare; all values of the column if not given.
    feature : bool
        Whether the model may look at the column.

    Examples
    --------
    >>> Fairness("sex", limit=0.02)
    Fairness(column='sex', metric='demographic_parity', limit=0.02, groups=None, feature=False)
    >>> Fairness("sex", limit=-1)
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: limit must be between 0 and 1; got -1.
    """

    column: str
    metric: Metric = "demographic_parity"
    limit: float = 0.05
    groups: tuple[object, ...] | None = None
    feature: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise InvalidArgument("metric", f"be one of {', '.join(METRICS)}", f"{self.metric!r}")
        if not 0 <= self.limit <= 1:
            raise InvalidArgument("limit", "be between 0 and 1", self.limit)
        if self.groups is not None and len(self.groups) < 2:
            raise InvalidArgument("groups", "name at least two groups", f"{self.groups!r}")


@dataclass(frozen=True)
class FairProblem:
    """Examples with their groups.

    Parameters
    ----------
    positive : bool array of shape (rows,)
        Whether the true class is class 1.
    weights : float array of shape (rows,)
        What an error on each row counts; their sum is 1.
    shares : float array of shape (rows,)
        What each row counts in the rate of its group.
    groups : int array of shape (rows,)
        The group of each row, -1 for rows of none.
    names : tuple of object
        What the groups are called.
    metric : Metric
    """

    positive: NDArray[np.bool_]
    weights: NDArray[np.float64]
    shares: NDArray[np.float64]
    groups: NDArray[np.intp]
    names: tuple[object, ...]
    metric: Metric

    @classmethod
    def of(
        cls,
        fairness: Fairness,
        values: NDArray[np.object_],
        positive: NDArray[np.bool_],
        weights: NDArray[np.float64] | None = None,
        shares: NDArray[np.float64] | None = None,
    ) -> FairProblem:
        """Return the problem of some rows, given the group of each; refuse groups without rows."""
        known = np.array([value is not None and value == value for value in values], dtype=bool)
        names = fairness.groups or tuple(sorted(set(values[known]), key=str))
        if not 2 <= len(names) <= MOST_GROUPS:
            raise InvalidArgument(
                f"column {fairness.column!r}",
                f"hold 2 to {MOST_GROUPS} groups",
                len(names),
                "Fairness(groups=...) names those to compare.",
            )
        number = {name: g for g, name in enumerate(names)}
        groups = np.array([number.get(value, -1) if k else -1 for value, k in zip(values, known)], dtype=np.intp)
        ones = np.ones(len(positive))
        costs = ones if weights is None else weights
        counted = ones if shares is None else shares
        problem = cls(positive, costs / costs.sum(), counted, groups, names, fairness.metric)
        for name, total in zip(names, problem.totals.tolist(), strict=True):
            if not total > 0:
                kind = " whose true class is class 1" if fairness.metric == "equal_opportunity" else ""
                raise ValueError(f"every group of {fairness.column!r} must have rows{kind}; {name!r} has none.")
        return problem

    @property
    def counted(self) -> NDArray[np.bool_]:
        """The rows that rates are taken over."""
        return self.groups >= 0 if self.metric == "demographic_parity" else (self.groups >= 0) & self.positive

    @property
    def totals(self) -> NDArray[np.float64]:
        """What each group counts."""
        return self._by_group(self.counted)

    def rates(self, given: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the share of each group that is given class 1."""
        return self._by_group(self.counted & given) / self.totals

    def _by_group(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        sums = np.bincount(self.groups[chosen], self.shares[chosen], minlength=len(self.names))
        return sums.astype(np.float64)

    def error(self, given: NDArray[np.bool_]) -> float:
        """Return the weighted share of errors."""
        return float(self.weights[given != self.positive].sum())

    def weighed(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return for each row what class 1 costs more than class 0, and what it adds to the rate of each group."""
        rates = np.zeros((len(self.groups), len(self.names)))
        (rows,) = np.nonzero(self.counted)
        rates[rows, self.groups[rows]] = self.shares[rows] / self.totals[self.groups[rows]]
        return np.where(self.positive, -self.weights, self.weights), rates

    def shifted(self, slopes: NDArray[np.float64]) -> Shifted:
        """Return the plain learning problem that stands for errors plus the given multiple of each group's rate."""
        costs, rates = self.weighed()
        net = costs + rates @ slopes
        constant = self.weights[self.positive].sum() + np.minimum(net, 0.0).sum()
        return Shifted(net < 0, np.abs(net), float(constant))


@dataclass(frozen=True)
class Shifted:
    """A plain learning problem: labels, weights, and what every model pays."""

    positive: NDArray[np.bool_]
    weights: NDArray[np.float64]
    constant: float


Model = TypeVar("Model")
Multipliers = NDArray[np.float64]


@dataclass(frozen=True)
class FairLearned(Generic[Model]):
    """What a learner makes of a shifted problem.

    Parameters
    ----------
    model : object
    given : bool array of shape (rows,)
        Whether each training row is given class 1.
    bound : float or None
        The least that a model of the family ``bound_family`` can cost on the shifted problem.
    bound_family : str or None
    terms : int
        The terms of its shorter side.
    """

    model: Model
    given: NDArray[np.bool_]
    bound: float | None = None
    bound_family: str | None = None
    terms: int = 0


@dataclass(frozen=True)
class FairModel:
    """One of the models considered.

    Attributes
    ----------
    error, gap : float
        On the training rows: the share of errors, and the largest difference of two groups' rates.
    rates : mapping of group to float
        The share of each group that is given class 1.
    origin : str
        How it was found: with a multiplier, what a gap of 1 costs as a share of errors; among the trees near the best;
        or constant.
    terms : int
        The terms of its shorter side.
    """

    error: float
    gap: float
    rates: Mapping[object, float]
    origin: str
    terms: int


def climbed(
    groups: int, limit: float, rates_at: Callable[[Multipliers], NDArray[np.float64]], *, halvings: int = _HALVINGS
) -> None:
    """Try multipliers, of the excess of each group's rate over each other's, for a gap as near a limit as can be.

    The pair of groups furthest apart gets a larger one until the gap is within the limit or turned round; then all are
    halved towards the last ones that were too small. For two groups this climbs to the best bound.

    Parameters
    ----------
    groups : int
    limit : float
    rates_at : callable
        Gives the rates of a model learned with some multipliers.
    halvings : int
    """
    high = low = np.zeros((groups, groups))
    pair = _apart(rates_at(high), limit, high)
    for step in range(_DOUBLINGS):
        if pair is None:
            break
        low, high = high, high.copy()
        high[pair] = max(2 * high[pair], _FIRST * 2**step)
        pair = _apart(rates_at(high), limit, high)
    if pair is None and high.any():
        for _ in range(halvings):
            middle = (low + high) / 2
            too_small = _apart(rates_at(middle), limit, middle) is not None
            low, high = (middle, high) if too_small else (low, middle)


def _apart(rates: NDArray[np.float64], limit: float, multipliers: Multipliers) -> tuple[int, int] | None:
    """Return the groups of the highest and the lowest rate; None if they are within the limit or turned round."""
    highest, lowest = int(rates.argmax()), int(rates.argmin())
    within = rates[highest] - rates[lowest] <= limit + TOLERANCE
    return None if within or multipliers[lowest, highest] > 0 else (highest, lowest)


def slopes_of(multipliers: Multipliers) -> NDArray[np.float64]:
    """Return what each group's rate costs under some multipliers."""
    slopes: NDArray[np.float64] = multipliers.sum(axis=1) - multipliers.sum(axis=0)
    return slopes


class FairSearch(Generic[Model]):
    """The models considered so far, and what is proved.

    Parameters
    ----------
    problem : FairProblem
    limit : float

    Attributes
    ----------
    models : list of object
        In the order they were learned; the first is the model without regard to groups.
    alternatives : list of FairModel
        What is known of each.
    bounds : dict of str to float
        The errors below which no model of a family within the limit can come.
    """

    def __init__(self, problem: FairProblem, limit: float) -> None:
        self.problem = problem
        self.limit = limit
        self.models: list[Model] = []
        self.alternatives: list[FairModel] = []
        self.bounds: dict[str, float] = {}

    def climb(self, learn: Callable[[Shifted], FairLearned[Model]]) -> None:
        """Learn with multipliers that bring the gap near the limit."""

        def rates_at(multipliers: Multipliers) -> NDArray[np.float64]:
            total = float(multipliers.sum())
            shifted = self.problem.shifted(slopes_of(multipliers))
            found = learn(shifted)
            if found.bound is not None and found.bound_family is not None:
                least = shifted.constant + found.bound - self.limit * total
                self.prove(found.bound_family, least)
            self.add(found, f"errors + {total:.3g} x gap" if total else "without regard to groups")
            return self.problem.rates(found.given)

        climbed(len(self.problem.names), self.limit, rates_at)

    def add(self, found: FairLearned[Model], origin: str) -> None:
        """Add a model."""
        rates = self.problem.rates(found.given)
        named = dict(zip(self.problem.names, rates.tolist(), strict=True))
        error = self.problem.error(found.given)
        self.models.append(found.model)
        self.alternatives.append(FairModel(error, float(np.ptp(rates)), named, origin, found.terms))

    def prove(self, family: str, bound: float) -> None:
        """Add a bound on the errors of all models of a family within the limit."""
        self.bounds[family] = max(bound, self.bounds.get(family, 0.0))

    @property
    def chosen(self) -> int:
        """The place of the model with the fewest errors among those within the limit."""
        within = [i for i, one in enumerate(self.alternatives) if one.gap <= self.limit + TOLERANCE]
        return min(within, key=lambda i: (round(self.alternatives[i].error, 12), i))
