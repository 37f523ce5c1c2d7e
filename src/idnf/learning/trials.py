"""What was tried on the same examples: tasks that differ in k alone do it once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar, cast

from idnf.counting.contract import DistinctRows

if TYPE_CHECKING:
    from idnf.learning.task import LearningTask
    from idnf.logic.model import Model

T = TypeVar("T")


class Trials:
    """Results of work by what they depend on.

    Examples
    --------
    >>> trials = Trials()
    >>> [trials.once("folds", lambda: [1, 2]), trials.once("folds", lambda: [3])]
    [[1, 2], [1, 2]]
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, object] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of some work, done if it is not there yet."""
        if key not in self._results:
            self._results[key] = make()
        return cast("T", self._results[key])

    def sizes(self, key: Hashable, most: int, make: Callable[[], list[Model]]) -> list[Model]:
        """Return models of each size up to the most: those of a larger one begin with them."""
        known = cast("list[Model]", self._results.get(key, []))
        if len(known) < most:
            known = self._results[key] = make()
        return known[:most]


def trials_of(task: LearningTask) -> Trials:
    """Return the trials that a task shares with others; its own if time may cut them short."""
    return Trials() if task.trials is None or task.deadline.is_set else task.trials


def examples_key(rows: DistinctRows, task: LearningTask) -> Hashable:
    """Return what the results of a task depend on besides its size: the examples, and how models may look.

    >>> import numpy as np
    >>> from idnf.learning.task import LearningTask
    >>> rows = DistinctRows(np.eye(2, dtype=bool), np.eye(2), True)
    >>> one, other = (examples_key(rows, LearningTask(("a", "b"), k)) for k in (1, 2))
    >>> one == other
    True
    """
    digest = blake2b(rows.features.tobytes(), digest_size=16)
    digest.update(rows.weights.tobytes())
    allowed = (task.names, task.family.name, task.allowed, task.space, task.starts)
    effort = (task.effort, task.random_state, task.references, task.unavoidable, id(task.values))
    return (digest.digest(), rows.features.shape, rows.weights.shape, *allowed, *effort)
