"""Requests that no learner can meet."""

from __future__ import annotations

from idnf.learning.local.search_options import SearchOptions
from idnf.logic.errors import InvalidArgument


def refuse_constraints_on_trees(task: SearchOptions) -> None:
    """Raise an error where CART would have to keep to some literals."""
    if task.allowed is not None:
        raise InvalidArgument(
            "family",
            'be "nested" for learner="greedy" under monotonic_cst',
            f"{task.family!r}",
            'learner="search" takes any family.',
        )


def refuse_two_class_options(task: SearchOptions) -> None:
    """Raise an error for what has a meaning for two classes only."""
    if task.family in ("nested", "checklist"):
        raise ValueError(
            'Only binary classification is supported. family must be "any", "column-tree" or "tree" for '
            f"more than two classes; got {task.family!r}, which separates two classes."
        )
    if task.polarity != "auto":
        raise ValueError(
            f'Only binary classification is supported. polarity must be "auto" for more than two classes; '
            f"got {task.polarity!r}, which chooses one of two."
        )
    if task.allowed is not None:
        raise InvalidArgument("allowed", "be None for more than two classes", "literals")
