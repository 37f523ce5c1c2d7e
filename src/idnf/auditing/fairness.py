"""A less discriminatory alternative, or a proof that there is none: fairness as a reweighting.

The gap between the rates at which two groups get class 1 is linear in the predictions. So "errors plus a multiple of
the gap" is the plain learning problem with shifted weights, for every learner. With a learner that proves a bound, the
least of ``errors + multiplier * (gap - limit)`` over a family is a lower bound on the errors of every model of the
family whose gap is within the limit (Lagrange; for linear models see Gillis, Meursault and Ustun, FAccT 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Metric = Literal["demographic_parity", "equal_opportunity"]
METRICS = ("demographic_parity", "equal_opportunity")

_FIRST = 0.02
"""The first multiplier tried: what closing the whole gap is worth, as a share of errors."""

_DOUBLINGS = 8
_HALVINGS = 4


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
    ValueError: limit must be between 0 and 1; got -1.
    """

    column: str
    metric: Metric = "demographic_parity"
    limit: float = 0.05
    groups: tuple[object, ...] | None = None
    feature: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise ValueError(f"metric must be one of {', '.join(METRICS)}; got {self.metric!r}.")
        if not 0 <= self.limit <= 1:
            raise ValueError(f"limit must be between 0 and 1; got {self.limit}.")
        if self.groups is not None and len(self.groups) < 2:
            raise ValueError(f"groups must name at least two groups; got {self.groups!r}.")


@dataclass(frozen=True)
class FairProblem:
    """Examples with their groups.

    Parameters
    ----------
    positive : bool array of shape (rows,)
        Whether the true class is class 1.
    weights : float array of shape (rows,)
        Their sum is 1.
    groups : int array of shape (rows,)
        The group of each row, -1 for rows of none.
    names : tuple of object
        What the groups are called.
    metric : Metric
    """

    positive: NDArray[np.bool_]
    weights: NDArray[np.float64]
    groups: NDArray[np.intp]
    names: tuple[object, ...]
    metric: Metric

    @classmethod
    def of(
        cls,
        fairness: Fairness,
        values: NDArray[np.object_],
        positive: NDArray[np.bool_],
        weights: NDArray[np.float64] | None,
    ) -> FairProblem:
        """Return the problem of some rows, given the group of each; refuse groups without rows."""
        known = np.array([value is not None and value == value for value in values], dtype=bool)
        found = sorted(set(values[known]), key=str)
        names = tuple(found) if fairness.groups is None else fairness.groups
        number = {name: g for g, name in enumerate(names)}
        groups = np.array([number.get(value, -1) if k else -1 for value, k in zip(values, known)], dtype=np.intp)
        share = np.full(len(positive), 1.0) if weights is None else weights
        problem = cls(positive, share / share.sum(), groups, names, fairness.metric)
        if len(names) < 2:
            raise ValueError(f"column {fairness.column!r} must hold at least two groups; got {list(names)}.")
        for g, name in enumerate(names):
            if not problem.totals[g] > 0:
                kind = " whose true class is class 1" if fairness.metric == "equal_opportunity" else ""
                raise ValueError(f"every group of {fairness.column!r} must have rows{kind}; {name!r} has none.")
        return problem

    @property
    def counted(self) -> NDArray[np.bool_]:
        """The rows that rates are taken over."""
        return self.groups >= 0 if self.metric == "demographic_parity" else (self.groups >= 0) & self.positive

    @property
    def totals(self) -> NDArray[np.float64]:
        """The weight of each group."""
        chosen = self.counted
        totals = np.bincount(self.groups[chosen], self.weights[chosen], minlength=len(self.names))
        return totals.astype(np.float64)

    def rates(self, given: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the share of each group that is given class 1."""
        chosen = self.counted & given
        return np.bincount(self.groups[chosen], self.weights[chosen], minlength=len(self.names)) / self.totals

    def error(self, given: NDArray[np.bool_]) -> float:
        """Return the weighted share of errors."""
        return float(self.weights[given != self.positive].sum())

    def shifted(self, slopes: NDArray[np.float64]) -> Shifted:
        """Return the plain learning problem that stands for errors plus the given multiple of each group's rate."""
        ones = self.weights * ~self.positive
        chosen = self.counted
        ones[chosen] += self.weights[chosen] * (slopes / self.totals)[self.groups[chosen]]
        zeros = self.weights * self.positive
        return Shifted(ones < zeros, np.abs(zeros - ones), float(np.minimum(ones, zeros).sum()))


@dataclass(frozen=True)
class Shifted:
    """A plain learning problem: labels, weights, and what every model pays."""

    positive: NDArray[np.bool_]
    weights: NDArray[np.float64]
    constant: float


Model = TypeVar("Model")


@dataclass(frozen=True)
class FairLearned(Generic[Model]):
    """What a learner makes of a shifted problem.

    Parameters
    ----------
    model : object
    given : bool array of shape (rows,)
        Whether each training row is given class 1.
    bound : float or None
        What no model of the family ``bound_family`` can beat on the shifted problem, as a share of its weight.
    bound_family : str or None
    """

    model: Model
    given: NDArray[np.bool_]
    bound: float | None = None
    bound_family: str | None = None


@dataclass(frozen=True)
class Alternative(Generic[Model]):
    """A model that was considered: how often it errs, and how far groups differ.

    Attributes
    ----------
    error, gap : float
        On the training rows.
    rates : mapping of group to float
    multiplier : float
        What closing the gap was worth when it was learned, in all.
    model : object
    """

    error: float
    gap: float
    rates: Mapping[object, float]
    multiplier: float
    model: Model


@dataclass(frozen=True)
class FairSearch(Generic[Model]):
    """The alternatives considered, and what is proved.

    Attributes
    ----------
    alternatives : tuple of Alternative
        In the order they were learned; the first is the model without regard to groups.
    chosen : int
        The one with the fewest errors among those within the limit.
    bound : float or None
        No model of the family ``bound_family`` within the limit errs less on the training rows.
    bound_family : str or None
    """

    alternatives: tuple[Alternative[Model], ...]
    chosen: int
    bound: float | None
    bound_family: str | None


def fair_search(
    problem: FairProblem, limit: float, learn: Callable[[Shifted], FairLearned[Model]], constant: FairLearned[Model]
) -> FairSearch[Model]:
    """Look for the model with the fewest errors whose gap is within a limit.

    The pair of groups furthest apart gets a larger multiplier until the gap is within the limit; then all multipliers
    are halved towards the last ones that were too small. A constant model always is within the limit.

    Parameters
    ----------
    problem : FairProblem
    limit : float
    learn : callable
        Learns from a shifted problem.
    constant : FairLearned
        The best model that gives all rows one class.
    """
    search = _Search(problem, limit, learn)
    multipliers = np.zeros((len(problem.names), len(problem.names)))
    low = multipliers
    gap = search.tried(multipliers)
    for step in range(_DOUBLINGS):
        if gap <= limit:
            break
        low = multipliers
        rates = problem.rates(search.learned[-1].given)
        pair = int(rates.argmax()), int(rates.argmin())
        multipliers = multipliers.copy()
        multipliers[pair] = max(2 * multipliers[pair], _FIRST * 2**step)
        gap = search.tried(multipliers)
    if gap <= limit and len(search.learned) > 1:
        high = multipliers
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if search.tried(middle) <= limit else (middle, high)
    search.add(constant, float("nan"))
    return search.result()


class _Search(Generic[Model]):
    def __init__(self, problem: FairProblem, limit: float, learn: Callable[[Shifted], FairLearned[Model]]) -> None:
        self.problem = problem
        self.limit = limit
        self.learn = learn
        self.learned: list[FairLearned[Model]] = []
        self.alternatives: list[Alternative[Model]] = []
        self.bounds: list[tuple[float, str]] = []

    def tried(self, multipliers: NDArray[np.float64]) -> float:
        """Learn with some multipliers, of the excess of one group's rate over another's; return the gap."""
        shifted = self.problem.shifted(multipliers.sum(axis=1) - multipliers.sum(axis=0))
        found = self.learn(shifted)
        total = float(multipliers.sum())
        if found.bound is not None and found.bound_family is not None:
            least = shifted.constant + found.bound * float(shifted.weights.sum()) - self.limit * total
            self.bounds.append((least, found.bound_family))
        return self.add(found, total)

    def add(self, found: FairLearned[Model], multiplier: float) -> float:
        rates = self.problem.rates(found.given)
        gap = float(rates.max() - rates.min())
        named = dict(zip(self.problem.names, rates.tolist(), strict=True))
        self.learned.append(found)
        self.alternatives.append(Alternative(self.problem.error(found.given), gap, named, multiplier, found.model))
        return gap

    def result(self) -> FairSearch[Model]:
        within = [i for i, one in enumerate(self.alternatives) if one.gap <= self.limit + 1e-12]
        chosen = min(within, key=lambda i: (round(self.alternatives[i].error, 12), i))
        bound, family = max(self.bounds, default=(None, None), key=lambda pair: pair[0])
        return FairSearch(tuple(self.alternatives), chosen, None if bound is None else max(bound, 0.0), family)
