"""Which learner does what for which family, as one function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from idnf.counting.contract import Counts
from idnf.learning.greedy import learn_greedy
from idnf.learning.result import Learned

Family = Literal["nested", "tree", "nested-tree", "any"]
LearnerName = Literal["greedy", "search", "exact"]
Polarity = Literal["positive", "negative", "auto"]


@dataclass(frozen=True)
class Task:
    """What to learn and how; see :class:`idnf.DNFClassifier` for the meaning of each.

    ``allowed`` is None or the codes of the literals class 1 may use, their negations being left to class 0.
    """

    family: Family
    learner: LearnerName
    polarity: Polarity = "auto"
    price: float | None = None
    effort: float = 1.0
    time_limit: float | None = None
    n_jobs: int | None = None
    random_state: int = 0
    allowed: frozenset[int] | None = None
    progress: Callable[[float], None] | None = None


def learn(counts: Counts, names: Sequence[str], k: int, task: Task) -> Learned:
    """Learn a model of class 1 from counts."""
    return learn_greedy(
        counts, names, k, polarity=task.polarity, allowed=task.allowed, random_state=task.random_state
    )
