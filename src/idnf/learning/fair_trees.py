"""The best tree under a limit on the gap between groups.

Multipliers reach only models on the convex hull of gap and errors, and leave a distance between the errors of the best
model found and the bound they prove. A tree within the limit that errs less than the best one known costs, with the
multiplier's charge for the gap, at most that distance more than the cheapest tree of all. So it is among the trees near
the cheapest, and if all of those are listed, the best of them within the limit is the best of its family.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import UniqueLines
from idnf.learning.exact.near_best import NearBest, TreeList
from idnf.learning.fairness import FairProblem, Multipliers, climbed, slopes_of
from idnf.learning.local.split_task import Numbers
from idnf.learning.objective import TOLERANCE
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import NestedTree

_HALVINGS = 10
_FIRST_SHARE = 1 / 64
"""The part of the distance to the bound that is looked through first; then twice as much, and so on."""

_MOST_DEPTH = 4
_MOST_WORK = 1.5e8
"""Distinct examples times features to the power of the depth; of more features, those worth most are looked at."""

_MANY = 10_000
"""Of more distinct examples a tenth of that work takes as long: they no longer fit into the fast memory."""


@dataclass(frozen=True)
class FairTree:
    """A tree within the limit.

    Attributes
    ----------
    tree : NestedTree or None
        None if no tree within the limit was found that errs less than the best constant.
    bound : float or None
        What no tree of depth k within the limit can err less than; None if only some trees were looked at.
    """

    tree: NestedTree | None
    bound: float | None


def fair_tree(  # noqa: PLR0913 - a table, what is asked of it, and for how long
    features: NDArray[np.bool_],
    problem: FairProblem,
    limit: float,
    names: Sequence[str],
    k: int,
    deadline: Deadline | None = None,
) -> FairTree:
    """Return the tree of depth at most k with the fewest errors among those found within the limit.

    Parameters
    ----------
    features : bool array of shape (rows, features)
    problem : FairProblem
    limit : float
    names : sequence of str
        The features.
    k : int
        The largest depth; up to depth 4 is looked at.
    deadline : Deadline, optional
        After which the best tree so far is returned, with what is proved by then.

    Examples
    --------
    >>> from idnf.learning.fairness import Fairness
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2, dtype=bool)
    >>> groups = np.array(["x"] * 4 + ["y"] * 4, dtype=object)
    >>> problem = FairProblem.of(Fairness("g"), groups, features[:, 0] & features[:, 1])
    >>> found = fair_tree(features, problem, 0.0, ("a", "b"), 2)
    >>> print(found.tree.side(True), found.bound)
    a & b 0.0
    """
    depth = min(k, _MOST_DEPTH)
    distinct, columns = _distinct(features, problem)
    seen = _worth_most(distinct, columns, depth)
    nothing = float(problem.weights[problem.positive].sum())
    search = _Search(distinct[:, seen], columns, limit, depth, nothing, deadline or Deadline())
    with suppress(TimeoutError):
        climbed(len(problem.names), limit, search.rates_at, halvings=_HALVINGS)
        search.look_through()
    whole = len(seen) == len(names) and depth == k and search.near is not None
    tree = None
    if search.found is not None:
        near, place = search.found
        tree = NestedTree(tuple(names), near.node(place, tuple(names), k, seen), k)
    return FairTree(tree, max(search.bound, 0.0) if whole else None)


class _Search:
    """The best tree so far, and the bound."""

    def __init__(  # noqa: PLR0913 - what a search starts from
        self,
        features: NDArray[np.bool_],
        columns: Numbers,
        limit: float,
        depth: int,
        nothing: float,
        deadline: Deadline,
    ) -> None:
        self.features = features
        self.columns = columns
        self.limit = limit
        self.depth = depth
        self.deadline = deadline
        self.nothing = nothing
        """The errors of the model that gives no row class 1."""
        self.error = nothing + min(0.0, float(columns[:, 0].sum()))
        self.found: tuple[TreeList, int] | None = None
        self.bound = -np.inf
        self.near: NearBest | None = None

    def rates_at(self, multipliers: Multipliers) -> Numbers:
        """Return the rates of the cheapest tree under some multipliers, and keep the bound that they prove."""
        near = NearBest(self.features, self.columns, np.array([1.0, *slopes_of(multipliers)]), self.deadline)
        cheapest = near.near(self.depth, 0.0)
        self._take(cheapest)
        bound = self.nothing + near.least(self.depth) - self.limit * float(multipliers.sum())
        if bound > self.bound:
            self.bound, self.near = bound, near
        rates: Numbers = cheapest.sums[0, 1:]
        return rates

    def look_through(self) -> None:
        """List trees ever further from the cheapest until none further away can be better."""
        assert self.near is not None, "multipliers come first"
        slack = (self.error - self.bound) * _FIRST_SHARE
        while self.error - self.bound > TOLERANCE:
            trees = self.near.near(self.depth, slack)
            self._take(trees)
            if not trees.complete:
                return
            if slack >= self.error - self.bound:
                self.bound = self.error
            slack = min(2 * slack, self.error - self.bound)

    def _take(self, trees: TreeList) -> None:
        """Keep the tree of fewest errors within the limit, if it is better."""
        within = np.flatnonzero(np.ptp(trees.sums[:, 1:], axis=1) <= self.limit + TOLERANCE)
        if len(within):
            place = int(within[trees.sums[within, 0].argmin()])
            error = self.nothing + float(trees.sums[place, 0])
            if error < self.error - TOLERANCE:
                self.error, self.found = error, (trees, place)


def _distinct(features: NDArray[np.bool_], problem: FairProblem) -> tuple[NDArray[np.bool_], Numbers]:
    """Return the distinct examples, and for each what class 1 costs more than class 0 and adds to the rates."""
    unique = UniqueLines.of(np.packbits(features, axis=1))
    costs, rates = problem.weighed()
    sums = [np.bincount(unique.places, column, minlength=len(unique.first)) for column in (costs, *rates.T)]
    return features[unique.first], np.stack(sums, axis=1)


def _worth_most(features: NDArray[np.bool_], columns: Numbers, depth: int) -> list[int]:
    """Return the features to look at: all, or those that tell most by themselves of errors or of a group's rate."""
    work = _MOST_WORK if len(features) <= _MANY else _MOST_WORK / 10
    count = max(2, int((work / max(1, len(features))) ** (1 / max(depth, 2))))
    if features.shape[1] <= count:
        return list(range(features.shape[1]))
    totals = columns.sum(axis=0)
    parts = features.T.astype(np.float64) @ columns
    shares = features.T.astype(np.float64) @ np.abs(columns) / np.maximum(np.abs(columns).sum(axis=0), TOLERANCE)
    told = np.abs(parts - shares * totals).max(axis=1)
    return sorted(np.argsort(-told, kind="stable")[:count].tolist())
