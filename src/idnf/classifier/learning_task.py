"""What a classifier's parameters ask a learner for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idnf.classifier.size_caps import small_enough
from idnf.classifier.training import Training
from idnf.learning.families import family_of
from idnf.learning.task import LearningTask
from idnf.logic.deadlines import Deadline
from idnf.tables.binariser import TableBinariser
from idnf.tables.targets import seed_of

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier


def task_of(clf: DNFClassifier, training: Training, deadline: Deadline | None = None) -> LearningTask:
    """Return what the parameters ask a learner for, before a deadline."""
    allowed = None if clf.monotonic_cst is None else training.binariser.allowed_literals(clf.monotonic_cst)
    return LearningTask(
        names=tuple(training.binariser.literals_),
        k=clf.k,
        learner=clf.learner,
        family=family_of(clf.family),
        price=None if clf.price is None else clf.price * (1 - training.unavoidable),
        effort=clf.effort,
        deadline=deadline or Deadline(),
        n_jobs=clf.n_jobs,
        device=clf.device,
        random_state=seed_of(clf.random_state),
        allowed=allowed,
        accepts=small_enough(clf, training, deadline or Deadline()),
        tune=clf.tune,
        space=training.binariser.space_,
        unavoidable=training.unavoidable,
        ordered=_ordered_features(training.binariser),
        progress=training.progress,
        trials=training.trials,
        values=training.value_folds,
        wide=_wide_features(training.binariser) if clf.conditions == "auto" else (),
    )


def _wide_features(binariser: TableBinariser) -> tuple[int, ...]:
    """Return the features that are intervals between two cuts or sets of categories."""
    columns = binariser.columns_
    return tuple(
        feature for feature, (column, mask) in enumerate(binariser.space_.literals) if mask in columns[column].wide
    )


def _ordered_features(binariser: TableBinariser) -> tuple[tuple[int, ...], ...]:
    """Return the features of each ordered column that has several."""
    space = binariser.space_
    features: dict[int, list[int]] = {}
    for feature, (column, _) in enumerate(space.literals):
        if space.columns[column].ordered:
            features.setdefault(column, []).append(feature)
    return tuple(tuple(several) for several in features.values() if len(several) > 1)
