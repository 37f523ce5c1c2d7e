"""A table with fewer features, and the task over these.

What search looks at grows with the number of features. Above some hundreds, features are ranked on all examples by how
much a split by each one alone purifies the classes, and the best are kept; a model over these is one over all. A
feature that is the same in all examples says nothing, and a reason that names it says a word too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.task import LearningTask
from idnf.logic.model import Model
from idnf.logic.trees import over

MOST_FEATURES = 400
"""Features that search looks at; of more, those that split the examples best."""

# Examples looked at in one step of the ranking.
_BLOCK = 1 << 14


@dataclass(frozen=True)
class Narrowed:
    """A table with fewer features.

    Parameters
    ----------
    rows : DistinctRows
        The examples; some may be alike.
    task : LearningTask
        The task over the features that are kept.
    kept : tuple of int
        The places of these features among all.
    whole : LearningTask
        The task over all features.
    """

    rows: DistinctRows
    task: LearningTask
    kept: tuple[int, ...]
    whole: LearningTask

    @classmethod
    def to(cls, kept: Sequence[int], rows: DistinctRows, task: LearningTask) -> Narrowed:
        """Return a table and a task over some features alone."""
        fewer = replace(rows, features=np.ascontiguousarray(rows.features[:, kept]))
        narrow, accepts = cls(fewer, task.over(kept), tuple(kept), task), task.accepts
        if accepts is None:
            return narrow
        return replace(narrow, task=replace(narrow.task, accepts=lambda model: accepts(narrow.widened(model))))

    def widened(self, model: Model) -> Model:
        """Return a model over the features kept as one over all features."""
        widened, space = model.renumber(self.whole.names, dict(enumerate(self.kept))), self.whole.space
        return widened if model.space is None or space is None else over(widened, space)


def narrowed(rows: DistinctRows, task: LearningTask, *, only_varying: bool = False) -> Narrowed | None:
    """Return a table with the features that split the examples best, or None if all stay.

    With `only_varying`, features that are the same in all examples go too, unless all are. Those that given models are
    written with stay.
    """
    places = np.arange(len(task.names))
    if only_varying and len(rows.features):
        varying = places[(rows.features != rows.features[0]).any(axis=0)]
        places = varying if len(varying) else places
    if len(places) > MOST_FEATURES:
        places = np.sort(places[np.argsort(-split_gains(rows)[places], kind="stable")[:MOST_FEATURES]])
    used = {feature for model in task.starts for feature in model.features()}
    kept = np.union1d(places, np.array(sorted(used), dtype=np.intp)).tolist()
    return None if len(kept) == len(task.names) else Narrowed.to(kept, rows, task)


def split_gains(rows: DistinctRows) -> NDArray[np.float64]:
    """Return by how much a split by each feature alone purifies the classes, in weight (Gini).

    >>> rows = DistinctRows.of_two(np.eye(2, 3, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> split_gains(rows).tolist()
    [1.0, 1.0, 0.0]
    """
    weights = rows.weights.T[::-1]
    held = np.zeros((len(weights), rows.features.shape[1]))
    for start in range(0, len(rows.features), _BLOCK):
        part = slice(start, start + _BLOCK)
        held += weights[:, part] @ rows.features[part].astype(np.float64)
    totals = weights.sum(axis=1, keepdims=True)
    return purity(held) + purity(totals - held) - purity(totals)


def purity(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each column of weights by class, their weight less what a random label of its mix would get wrong."""
    total = weights.sum(axis=0)
    found: NDArray[np.float64] = np.divide((weights**2).sum(axis=0), total, out=np.zeros(len(total)), where=total > 0)
    return found
