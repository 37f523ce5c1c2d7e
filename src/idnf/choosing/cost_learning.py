"""What a learner makes of costs by row and label, and what it proves, in the units of the costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.capped_learning import learned_by
from idnf.classifier.counted_examples import CountedExamples
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.memory_source import MemoryTraining
from idnf.learning.constants import constant_model
from idnf.learning.dispatch import LearningResult
from idnf.learning.objective import Learned
from idnf.logic.model import Model


@dataclass(frozen=True)
class CostResult:
    """A model, and the total below which no model of a family can come; None if that is not proved."""

    found: LearningResult
    bound: float | None = None
    family: str | None = None


def learn_costs(
    clf: DNFClassifier, training: MemoryTraining, costs: NDArray[np.float64], starts: tuple[Model, ...] = ()
) -> CostResult:
    """Return what the learner of a classifier makes of costs for each row and label of a training table.

    Parameters
    ----------
    clf : DNFClassifier
        Its parameters say how to learn.
    training : MemoryTraining
    costs : float array of shape (rows, classes)
    starts : tuple of Model
        Models that search starts from.

    Examples
    --------
    >>> from idnf.classifier.memory_source import training_again
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]
    >>> clf = DNFClassifier(k=1, learner="exact", price=0).fit(X, y)
    >>> costs = np.array([[0, 1], [3, 0], [0, 1], [1, 0]], dtype=float)
    >>> result = learn_costs(clf, training_again(clf, X, y), costs)
    >>> print(result.found.learned.model.side(1), result.bound)
    x1 0.0
    """
    spreads = np.ptp(costs, axis=1)
    best = costs.argmin(axis=1)
    least, total = float(costs.min(axis=1).sum()), float(spreads.sum())
    wanted = np.unique(best[spreads > 0])
    if len(wanted) <= 1:
        label = int(wanted[0]) if len(wanted) else 0
        model = constant_model(training.binariser.literals_, label, clf.k, len(training.classes))
        return CostResult(LearningResult(Learned(model, float("nan")), "all rows"))
    # Weights as large as the rows are many, as those of examples that count once each.
    examples = CountedExamples.costing(costs * (len(costs) / total), None)
    found = learned_by(clf, replace(training, examples=examples), starts=starts)
    share = found.learned.bound
    if share is None or found.learned.price:
        return CostResult(found)
    return CostResult(found, least + share * total, found.learned.bound_family)
