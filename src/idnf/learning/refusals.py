"""Requests that no learner can meet."""

from __future__ import annotations

from idnf.learning.families import FAMILIES
from idnf.learning.task import LearningTask
from idnf.logic.errors import InvalidArgument


def refuse_constraints_on_trees(task: LearningTask) -> None:
    """Raise an error where CART would have to keep to some literals."""
    if task.allowed is not None:
        raise InvalidArgument(
            "family",
            'be "nested" for learner="greedy" under monotonic_cst',
            f"{task.family.name!r}",
            'learner="search" takes any family.',
        )


def refuse_two_class_options(task: LearningTask) -> None:
    """Raise an error for what has a meaning for two classes only."""
    if not task.family.has_several_classes:
        *most, last = (f'"{family.name}"' for family in FAMILIES if family.has_several_classes)
        raise ValueError(
            f"Only binary classification is supported. family must be {', '.join(most)} or {last} for more than two "
            f"classes; got {task.family.name!r}, which separates two classes."
        )
    if task.polarity != "auto":
        raise ValueError(
            f'Only binary classification is supported. polarity must be "auto" for more than two classes; '
            f"got {task.polarity!r}, which chooses one of two."
        )
    if task.allowed is not None:
        raise InvalidArgument("allowed", "be None for more than two classes", "literals")
