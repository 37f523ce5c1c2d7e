"""Shares of two classes by the set of reasons that hold, as a table that exports write down.

Rows with the same reason may meet very different sets of reasons. The share among the training rows that meet the same
set is drawn towards the share of their reason by some number of examples, the *strength*. It is chosen by the log loss
of every training example under the shares that the others give.

Under monotone constraints shares never fall as reasons of class 1 are added and reasons of class 0 are lost. A set
that is not listed then has the share of the listed set within it that says most, and otherwise that of its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.batch import Patterns, holding
from idnf.explaining.reading import reason_order
from idnf.logic.boxes import Box
from idnf.logic.sides import ClassBoxes

MOST_REASONS = 1000
"""If a model has more reasons than this, every set of them has the share of the reason that is given."""

MOST_SETS = 1000
"""The most sets that are listed, those of the greatest weight; the others have the share of their reason."""

# The least strength is this many examples divided by the training weight, within these limits: search fits the reasons
# to the same examples, so that the fewer there are, the more their sets flatter.
_LEAST, _BETWEEN = 15_000.0, (5.0, 100.0)
# Every strength that is tried is twice the one before; the last one gives the reason's own share.
_TRIED = 7

Held = tuple[int, ...]
"""The reasons that hold, by their places in ascending order."""


@dataclass(frozen=True)
class ReasonSets:
    """The reasons of both classes, in the order in which the first that holds is the one given.

    Parameters
    ----------
    sides : ClassBoxes
    reasons : tuple of (int, Box)
        The class of each reason, and its conditions in the frame.
    """

    sides: ClassBoxes
    reasons: tuple[tuple[int, Box], ...]

    @classmethod
    def of(cls, sides: ClassBoxes) -> ReasonSets | None:
        """Return the reasons of a model of two classes; None if there are other classes or too many reasons."""
        if len(sides.labels) != 2:
            return None
        listed = [(label, box) for label in sides.labels for box in sides.reasons[label] or ()]
        if None in sides.reasons:
            return None
        space = sides.frame.inner
        return cls(sides, tuple(sorted(listed, key=lambda reason: reason_order(space, reason[1]))))

    def held(self, patterns: Patterns) -> NDArray[np.bool_]:
        """Return for each pattern and each reason whether it holds."""
        boxes = [box for _, box in self.reasons]
        parts = [held.T for _, held in holding(self.sides.frame.inner, boxes, patterns)]
        return np.concatenate(parts) if parts else np.zeros((0, len(boxes)), dtype=np.bool_)


def distinct_sets(held: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a line of each distinct set of reasons, in the order in which they come, and the number of each line's.

    >>> distinct_sets(np.array([[True, False], [False, True], [True, False]]))
    (array([0, 1]), array([0, 1, 0]))
    """
    packed = np.packbits(held, axis=1)
    numbers: dict[bytes, int] = {}
    index = np.array([numbers.setdefault(line.tobytes(), len(numbers)) for line in packed], dtype=np.intp)
    first = np.full(len(numbers), len(held), dtype=np.intp)
    np.minimum.at(first, index, np.arange(len(held)))
    return first, index


@dataclass(frozen=True)
class ScoreTable:
    """The share of class 1 by the set of reasons that hold.

    Parameters
    ----------
    sets : ReasonSets
    listed : tuple of (tuple of int, float)
        Sets of reasons, by their places, each with its share.
    otherwise : tuple of float
        The share of each reason, for the rows that are given it and have a set that is not listed.
    exact : bool
        Whether the share of a listed set is that of rows for which these reasons and no others hold. If not, the first
        listed set of which all reasons hold counts.
    """

    sets: ReasonSets
    listed: tuple[tuple[Held, float], ...]
    otherwise: tuple[float, ...]
    exact: bool = True

    @cached_property
    def _by_set(self) -> Mapping[Held, float]:
        return dict(self.listed)

    def box(self, held: Sequence[int]) -> Box:
        """Return the box in the frame of the rows for which all of some reasons hold; there are such rows."""
        masks = zip(*(self.sets.reasons[place][1] for place in held), strict=True)
        return tuple(reduce(and_, column) for column in masks)

    def share(self, held: Sequence[int]) -> float:
        """Return the share of rows for which these reasons hold, given by their places in ascending order."""
        if self.exact:
            return self._by_set.get(tuple(held), self.otherwise[held[0]])
        found = (share for places, share in self.listed if set(places) <= set(held))
        return next(found, self.otherwise[held[0]])

    def of_rows(self, cells: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the share of class 1 for each row of cells."""
        patterns = Patterns.of(self.sets.sides.frame, cells)
        held = self.sets.held(patterns)
        first, index = distinct_sets(held)
        shares = np.array([self.share(np.flatnonzero(held[line]).tolist()) for line in first.tolist()])
        return np.asarray(shares[index][patterns.index], dtype=np.float64)


@dataclass(frozen=True)
class SetWeights:
    """The training weight of each class by the set of reasons that hold.

    Parameters
    ----------
    weights : float array of shape (sets, 2)
    reason : int array of shape (sets,)
        The reason that is given where the set holds.
    totals : float array of shape (reasons, 2)
        The weight of each class by the reason given.
    """

    weights: NDArray[np.float64]
    reason: NDArray[np.intp]
    totals: NDArray[np.float64]

    def drawn(self, strength: float, less: NDArray[np.float64] | float = 0.0) -> NDArray[np.float64]:
        """Return the share of class 1 of each set, drawn to that of its reason, with some weight less in each.

        One example of each class is added to every reason.
        """
        totals, own = self.totals[self.reason] - less, self.weights - less
        shares = (totals[:, 1] + 1) / (totals.sum(axis=1) + 2)
        if np.isinf(strength):
            return np.asarray(shares)
        return np.asarray((own[:, 1] + strength * shares) / (own.sum(axis=1) + strength))

    def strengths(self) -> list[float]:
        """Return the strengths that are tried, the least first."""
        low, high = _BETWEEN
        least = min(max(_LEAST / max(float(self.weights.sum()), 1.0), low), high)
        return [*(least * 2**i for i in range(_TRIED)), np.inf]

    def losses(self, bounds: NDArray[np.float64]) -> list[float]:
        """Return for each strength the log loss of every example under the shares that the others give.

        Parameters
        ----------
        bounds : float array of shape (sets, 2)
            Between what the share of each set lies, whatever the examples say.
        """
        found = []
        for strength in self.strengths():
            loss = 0.0
            for label in (0, 1):
                weight, less = self.weights[:, label], np.zeros_like(self.weights)
                # An example weighs 1, or less if its set does.
                less[:, label] = np.minimum(weight, 1.0)
                share = self.drawn(strength, less).clip(*bounds.T)
                loss -= float(weight @ np.log(share if label else 1 - share))
            found.append(loss)
        return found

    def strength(self, bounds: NDArray[np.float64]) -> float:
        """Return the strength of the least log loss; of equal ones the greatest."""
        losses = np.round(np.array(self.losses(bounds)) / max(float(self.weights.sum()), 1e-300), 9)
        return self.strengths()[len(losses) - 1 - int(losses[::-1].argmin())]


def growing_shares(
    held: NDArray[np.bool_], labels: NDArray[np.intp], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return shares of sets that never fall as reasons of class 1 are added and reasons of class 0 are lost.

    Each is halfway between the greatest share of a set below it and the least share of a set above it.

    Parameters
    ----------
    held : bool array of shape (sets, reasons)
    labels : int array of shape (sets,)
        The class whose reasons each set has.
    shares : float array of shape (sets,)

    Examples
    --------
    >>> held = np.array([[True, False], [True, True], [False, True]])
    >>> growing_shares(held, np.array([1, 1, 1]), np.array([0.8, 0.6, 0.7])).round(2).tolist()
    [0.7, 0.7, 0.65]
    """
    few = held.astype(np.float32)
    # The reasons of one that the other lacks.
    inside = few @ (1 - few).T == 0
    same = labels[:, None] == labels[None, :]
    below = np.where(labels[:, None] == 1, inside, inside.T) & same | (labels[:, None] < labels[None, :])
    low = np.where(below, shares[:, None], -np.inf).max(axis=0, initial=-np.inf)
    high = np.where(below.T, shares[:, None], np.inf).min(axis=0, initial=np.inf)
    return np.asarray((low + high) / 2)
