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

GivenReason = tuple[int, Box]
"""The class given, by its number, and the conditions in the frame."""

# The share of the class given stays so far above every other, so that the likeliest class is the one predicted.
_MARGIN = 2e-6


@dataclass(frozen=True)
class TrainingPatterns:
    """The training examples as a model sees them: distinct patterns with the weight of each class.

    Parameters
    ----------
    cells : int array of shape (patterns, columns of the frame)
    weights : float array of shape (patterns, classes)
        Without the weights that a classifier was told to give its classes: shares are those of the table.
    costs : tuple of float
        What an error on each class counts, where that differs: the class given has the greatest share times cost.
    """

    cells: NDArray[np.intp]
    weights: NDArray[np.float64]
    costs: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        patterns: Patterns,
        labels: NDArray[np.intp],
        weight: NDArray[np.float64] | None,
        *,
        n_classes: int,
        costs: tuple[float, ...] = (),
    ) -> TrainingPatterns:
        """Sum the weights of the examples of each pattern."""
        size = len(patterns.cells)
        slots = patterns.index * n_classes + labels
        totals = np.bincount(slots, weight, minlength=size * n_classes).astype(np.float64)
        return cls(patterns.cells, totals.reshape(size, n_classes), costs)

    @classmethod
    def nothing(cls, frame: Frame, *, n_classes: int) -> TrainingPatterns:
        """Return what is known of a model that was never trained."""
        return cls(np.zeros((0, len(frame.columns)), dtype=np.intp), np.zeros((0, n_classes)))


@dataclass(frozen=True)
class Confidence:
    """The share of each class for every reason given in training, worked out when first asked for.

    Parameters
    ----------
    sides : Sides
    training : TrainingPatterns
    """

    sides: Sides
    training: TrainingPatterns

    @cached_property
    def shares(self) -> dict[GivenReason, NDArray[np.float64]]:
        """The share of each class for each reason, one example of each class being added."""
        found = answers(self.sides, Patterns(self.training.cells, np.arange(len(self.training.cells))))
        totals: dict[GivenReason, NDArray[np.float64]] = {}
        for reason, weights in zip(_reasons(found), self.training.weights):
            if reason in totals:
                totals[reason] = totals[reason] + weights
            else:
                totals[reason] = weights
        return {reason: (total + 1) / (total.sum() + len(total)) for reason, total in totals.items()}

    def of_rows(self, cells: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the share of each class for each row of cells; where a reason was never given, no class is ahead.

        The shape is (rows, classes).
        """
        patterns = Patterns.of(self.sides.frame, cells)
        found = answers(self.sides, patterns)
        shares = [self.of_reason(*reason) for reason in _reasons(found)]
        table = np.array(shares, dtype=np.float64).reshape(len(shares), len(self.sides.labels))
        return np.asarray(table[patterns.index], dtype=np.float64)

    def of_reason(self, label: int, box: Box) -> NDArray[np.float64]:
        """Return the share of each class for a reason: the class it gives and its conditions in the frame.

        Where another class is likelier, or would be by share times cost, all shares move towards the class given until
        it is ahead.
        """
        classes = len(self.sides.labels)
        costs = np.array(self.training.costs or (1.0,) * classes)
        shares = self.shares.get((label, box), 1 / costs / (1 / costs).sum())
        weighed = shares * costs / (shares @ costs)
        ahead = max((weighed[other] for other in self.sides.others(label)), default=0.0)
        if weighed[label] >= ahead + _MARGIN:
            return np.asarray(shares)
        part = (ahead - weighed[label] + _MARGIN) / (1 + ahead - weighed[label])
        moved: NDArray[np.float64] = (1 - part) * weighed
        moved[label] += part
        return np.asarray(moved / costs / (moved / costs).sum())


def _reasons(found: Answers) -> list[GivenReason]:
    return list(zip(found.labels.tolist(), found.boxes))
