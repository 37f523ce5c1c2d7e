"""The shapes of nested trees that annealing fills, by family."""

from __future__ import annotations

from idnf.learning.local.annealing_task import Shape
from idnf.learning.local.jobs import SearchProblem
from idnf.learning.task import LearningTask

# Matrices beyond this order have too many prefix vectors (924 at 6, 3432 at 7); a larger k uses this one.
_MOST_ORDER = 6


def all_shapes(task: LearningTask, problem: SearchProblem, *, restarts: int) -> list[Shape]:
    """Return the shapes to anneal, those that matter most several times."""
    family, k = task.family, problem.k
    if not family.has_nested:
        return restarts * tree_shapes(problem)
    nested = restarts * nested_shapes(task, problem)
    if not family.has_trees:
        return nested
    splits = [Shape(1, min(k - 1, _MOST_ORDER), (False, True))] if k > 2 and problem.free else []
    return nested + tree_shapes(problem) + splits


def nested_shapes(task: LearningTask, problem: SearchProblem) -> list[Shape]:
    """Return nested DNFs of class 1, of class 0, or both."""
    sides = {"positive": (False,), "negative": (True,), "auto": (False, True)}[task.either_polarity]
    order = min(problem.k, _MOST_ORDER)
    return [Shape(0, order, (side,)) for side in sides] if problem.allowed else []


def tree_shapes(problem: SearchProblem) -> list[Shape]:
    """Return decision trees of depth k, if some split is allowed."""
    depth = min(problem.k, _MOST_ORDER)
    return [Shape(depth, 0, (False,) * (1 << depth))] if problem.free else []
