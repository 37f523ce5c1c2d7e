"""Which models are small enough for the caps on lines and reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from idnf.classifier.fitted import table_explainer
from idnf.classifier.training import Training
from idnf.logic.model import Model

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier


def small_enough(clf: DNFClassifier, training: Training) -> Callable[[Model], bool] | None:
    """Return the test whether a model is small enough; None if there are no caps."""
    if clf.max_terms is None and clf.max_reasons is None:
        return None

    def accepts(model: Model) -> bool:
        size = table_explainer(model, training.binariser, range(model.n_classes)).reading.size
        few = clf.max_terms is None or size.terms <= clf.max_terms
        return few and (clf.max_reasons is None or size.reasons is not None and size.reasons <= clf.max_reasons)

    return accepts
