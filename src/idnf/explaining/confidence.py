"""How sure a decision is: the training share of each class among the examples given the same reason."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.batch import Answers, Patterns, answers
from idnf.explaining.projection import Frame
from idnf.explaining.sides import Sides
from idnf.logic.boxes import Box

Reason = tuple[bool, Box]
"""The class given, and the conditions in the frame."""

# The share of the class given stays above one half, so that the likelier class is the one predicted.
_LEAST = 0.5 + 1e-6


@dataclass(frozen=True)
class TrainingPatterns:
    """The training examples as a model sees them: distinct patterns with the weight of each class.

    Parameters
    ----------
    cells : int array of shape (patterns, columns of the frame)
    positive, negative : float arrays of shape (patterns,)
    """

    cells: NDArray[np.intp]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]

    @classmethod
    def of(
        cls, patterns: Patterns, positive: NDArray[np.bool_], weight: NDArray[np.float64] | None
    ) -> TrainingPatterns:
        """Sum the weights of the examples of each pattern."""
        weights = np.ones(len(positive)) if weight is None else weight
        totals = [
            np.bincount(patterns.index, weights * side, minlength=len(patterns.cells)).astype(np.float64)
            for side in (positive, ~positive)
        ]
        return cls(patterns.cells, *totals)

    @classmethod
    def nothing(cls, frame: Frame) -> TrainingPatterns:
        """Return what is known of a model that was never trained."""
        return cls(np.zeros((0, len(frame.columns)), dtype=np.intp), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class Confidence:
    """The share of class 1 for every reason given in training, worked out when first asked for.

    Parameters
    ----------
    sides : Sides
    training : TrainingPatterns
    """

    sides: Sides
    training: TrainingPatterns

    @cached_property
    def shares(self) -> dict[Reason, float]:
        """The share of class 1 for each reason, one example of each class being added."""
        found = answers(self.sides, Patterns(self.training.cells, np.arange(len(self.training.cells))))
        totals: dict[Reason, list[float]] = {}
        weights = zip(_reasons(found), self.training.positive.tolist(), self.training.negative.tolist())
        for reason, positive, negative in weights:
            total = totals.setdefault(reason, [0.0, 0.0])
            total[0] += positive
            total[1] += negative
        return {reason: (positive + 1) / (positive + negative + 2) for reason, (positive, negative) in totals.items()}

    def of_rows(self, cells: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the share of class 1 for each row of cells; a reason never given in training counts as even odds."""
        patterns = Patterns.of(self.sides.frame, cells)
        found = answers(self.sides, patterns)
        share = np.array([self.share(*reason) for reason in _reasons(found)], dtype=np.float64)
        return np.asarray(share[patterns.index], dtype=np.float64)

    def share(self, positive: bool, box: Box) -> float:
        """Return the share of class 1 for a reason: the class it gives and its conditions in the frame."""
        share = self.shares.get((positive, box), 0.5)
        return max(share, _LEAST) if positive else min(share, 1 - _LEAST)


def _reasons(found: Answers) -> list[Reason]:
    return list(zip(found.labels.tolist(), found.boxes))
