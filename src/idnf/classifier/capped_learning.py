"""What the learner makes of the examples, within the caps on the size of its model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from idnf.classifier.learning_task import task_of
from idnf.classifier.size_caps import CUTTING, small_enough
from idnf.classifier.training import Training
from idnf.learning.dispatch import MOST_ROWS, LearningResult, learn_model
from idnf.learning.objective import cut_to_size
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier

# Prices tried where a model of several classes is too large, none below the least, as shares of all weight; and the
# share of the time for a model without caps.
_PRICES, _LEAST_PRICE, _FIRST = 7, 1e-4, 0.3
# The share of the time left that is for learning; then all rows are looked at once more for the columns in use.
_LEARNING = 0.9


def learned_by(
    clf: DNFClassifier, training: Training, deadline: Deadline | None = None, starts: tuple[Model, ...] = ()
) -> LearningResult:
    """Return what the learner makes of the examples; before a deadline if one is given, else within the limit.

    Learners that search start from the models given, which must be of the family asked for.
    """
    limit = Deadline.after(clf.time_limit) if deadline is None else deadline.part(_LEARNING)
    found = (_learned_two if len(training.classes) == 2 else _learned_classes)(clf, training, limit, starts)
    found = replace(found, learned=found.learned.beyond(training.unavoidable))
    looked_at = training.rows_for_time
    if looked_at is None:
        return found
    return replace(found, training_data=f"sample of {looked_at[0]} of {looked_at[1]} rows, as the time limit allows")


def _learned_two(
    clf: DNFClassifier, training: Training, deadline: Deadline, starts: tuple[Model, ...]
) -> LearningResult:
    """Return what the learner makes of examples of two classes."""
    task = replace(task_of(clf, training, deadline), starts=starts)
    found = learn_model(training.counts, task, whole=training.whole)
    learned = found.learned
    if task.accepts is None or task.accepts(learned.model):
        return found
    rows = training.counts.distinct_rows(MOST_ROWS, task.random_state)
    return replace(found, learned=cut_to_size(learned, rows, task.accepts, deadline.at_least(CUTTING).is_over))


def _learned_classes(
    clf: DNFClassifier, training: Training, deadline: Deadline, starts: tuple[Model, ...]
) -> LearningResult:
    """Return what the learner makes of examples of more than two classes."""
    if clf.monotonic_cst is not None:
        raise ValueError(
            "Only binary classification is supported under monotonic_cst: it says which of two classes becomes "
            f"likelier. monotonic_cst must be None for {len(training.classes)} classes; got {clf.monotonic_cst!r}."
        )
    accepts = small_enough(clf, training, deadline)
    if accepts is not None and clf.learner != "search":
        raise InvalidArgument(
            "learner", 'be "search" under max_terms and max_reasons for more than two classes', f"{clf.learner!r}"
        )
    first = deadline if accepts is None else deadline.part(_FIRST)
    task = replace(task_of(clf, training, first), accepts=None, starts=starts)
    found = learn_model(training.counts, task)
    if accepts is None or accepts(found.learned.model):
        return found
    # The more literals cost, the fewer a model has; at a price of one a constant is best.
    best, too_low, enough = None, max(found.learned.price, _LEAST_PRICE), 1.0
    for left in range(_PRICES, 0, -1):
        if deadline.is_over():
            break
        price = math.sqrt(too_low * enough)
        task = replace(task, price=price, deadline=deadline.part(1 / (left + 1)))
        found = learn_model(training.counts, task)
        if accepts(found.learned.model):
            best, enough = found, price
        else:
            too_low = price
    if best is not None:
        return best
    task = replace(task, price=1.0, deadline=deadline)
    return learn_model(training.counts, task)
