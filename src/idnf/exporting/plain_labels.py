"""The labels of a classifier as plain values."""

from __future__ import annotations

import math

from sklearn.utils.validation import check_is_fitted

from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.documents import checked_text

Label = str | int | float | bool


def plain_classes(clf: DNFClassifier) -> tuple[Label, ...]:
    """Return the labels of class 0, class 1 and so on as text, numbers or Booleans.

    >>> plain_classes(DNFClassifier(k=1, learner="greedy").fit([[0], [1]], ["no", "yes"]))
    ('no', 'yes')
    """
    check_is_fitted(clf)
    return tuple(_plain(label) for label in clf.classes_.tolist())


def _plain(label: object) -> Label:
    if isinstance(label, str):
        return checked_text(label, "a label")
    if not isinstance(label, (bool, int, float)) or not math.isfinite(label):
        raise ValueError(f"classes must be text, numbers or Booleans to be exported; got {label!r}.")
    return label
