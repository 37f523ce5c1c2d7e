"""How many rows a learner can look at before a time limit: a few of them are tried, and the rest reckoned from that."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from idnf.logic.deadlines import Deadline

# What is done with the features of a row before learning begins, counted in the time that making them takes.
_STEPS = 8
# Tables with fewer rows are not sampled; of others a part is tried to see how long it takes.
_FEW = 2000
_TRIED = 20
# Rows of each class that a sample has at least, where there are so many.
_LEAST_OF_CLASS = 50


def rows_in_time(
    make: Callable[[slice], object], labels: NDArray[np.intp], deadline: Deadline, seed: int
) -> NDArray[np.intp] | None:
    """Return the rows that there is time to look at; None where that are all.

    Parameters
    ----------
    make : callable
        Makes the features of some rows.
    labels : int array of shape (rows,)
        The class of each row, -1 for rows that do not count.
    deadline : Deadline
        When all features are to be there.
    seed : int
    """
    rows = len(labels)
    if not deadline.is_set or rows <= _FEW:
        return None
    tried = max(_FEW // 2, rows // _TRIED)
    left, began = deadline.left, deadline.clock()
    make(slice(0, tried))
    each = _STEPS * (deadline.clock() - began) / tried
    most = max(_FEW // 2, int(left / max(each, 1e-12)))
    return None if most >= rows else _sample(labels, most, np.random.default_rng([seed, 3]))


def _sample(labels: NDArray[np.intp], most: int, generator: np.random.Generator) -> NDArray[np.intp]:
    """Return about so many rows, of each class in proportion and not too few.

    >>> labels = np.repeat([0, 1], [900, 100])
    >>> np.bincount(labels[_sample(labels, 500, np.random.default_rng(0))]).tolist()
    [450, 50]
    """
    share = most / len(labels)
    chosen = []
    for label in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == label)
        count = min(len(members), max(_LEAST_OF_CLASS, round(share * len(members))))
        chosen.append(generator.permutation(members)[:count])
    return np.sort(np.concatenate(chosen))
