"""What a table is read for, and requests that no learner can meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from idnf.learning.families import family_of
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_fitting import Offer
from idnf.tables.targets import seed_of

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier


@dataclass(frozen=True)
class TrainingRequest:
    """What a table is read for.

    Parameters
    ----------
    clf : DNFClassifier
        Its parameters say how to learn.
    binariser : TableBinariser
        To be fitted.
    progress : callable or None
        To be called with the share of the work done.
    deadline : Deadline
        When the model must be ready.
    costs : array-like of shape (n_samples, n_classes), optional
        What each label costs for each row; for a lazy table the names of columns.
    """

    clf: DNFClassifier
    binariser: TableBinariser
    progress: Callable[[float], None] | None
    deadline: Deadline
    costs: ArrayLike | Sequence[str] | None = None

    @property
    def seed(self) -> int:
        """The seed of samples."""
        return seed_of(self.clf.random_state)


def request_of(
    clf: DNFClassifier,
    progress: Callable[[float], None] | None,
    deadline: Deadline,
    costs: ArrayLike | Sequence[str] | None = None,
) -> TrainingRequest:
    """Return what the parameters say about the training."""
    if clf.device == "cuda" and clf.learner != "exact":
        raise InvalidArgument("device", f'be "cpu" for learner {clf.learner!r}', '"cuda", which only "exact" can use')
    family_of(clf.family).refuse_learner(clf.learner)
    if clf.conditions == "auto" and (clf.learner != "search" or not clf.tune or clf.price is not None):
        raise InvalidArgument(
            "conditions",
            'be "cuts", "intervals", "sets" or "all" without a tuned search',
            '"auto", which cross-validation decides',
        )
    if costs is not None and clf.costs is not None:
        raise InvalidArgument("costs", "be a parameter of the classifier or of fit, not both", "both")
    return TrainingRequest(clf, _new_binariser(clf), progress, deadline, costs)


def _new_binariser(clf: DNFClassifier) -> TableBinariser:
    offered: Offer = "all" if clf.conditions == "auto" else clf.conditions
    if clf.binariser is None:
        return TableBinariser(conditions=offered)
    from sklearn.base import clone

    fresh: TableBinariser = clone(clf.binariser)
    own = fresh.conditions
    if clf.conditions != "cuts" and own not in ("cuts", clf.conditions):
        raise InvalidArgument("conditions", f"be those of the binariser if it has some, {own!r}", f"{clf.conditions!r}")
    return fresh if clf.conditions == "cuts" else fresh.set_params(conditions=offered)
