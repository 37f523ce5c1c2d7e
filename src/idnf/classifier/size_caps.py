"""Which models are small enough for the caps on lines and reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from idnf.classifier.fitted import table_explainer
from idnf.classifier.training import Training
from idnf.learning.objective import term_count
from idnf.logic.deadlines import Deadline
from idnf.logic.model import Model

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier


# The least seconds for cutting down a model that is too large.
CUTTING = 0.2
# About how long a term takes to be put in words, with those that it is compared with.
_SECONDS_PER_TERM = 5e-4


def small_enough(clf: DNFClassifier, training: Training, deadline: Deadline) -> Callable[[Model], bool] | None:
    """Return the test whether a model is small enough; None if there are no caps.

    A model that there is no time to read is too large.
    """
    if clf.max_terms is None and clf.max_reasons is None:
        return None

    def accepts(model: Model) -> bool:
        if deadline.is_set and term_count(model) * _SECONDS_PER_TERM > deadline.at_least(CUTTING).left:
            return False
        size = table_explainer(model, training.binariser, range(model.n_classes)).reading.size
        few = clf.max_terms is None or size.terms <= clf.max_terms
        return few and (clf.max_reasons is None or size.reasons is not None and size.reasons <= clf.max_reasons)

    return accepts
