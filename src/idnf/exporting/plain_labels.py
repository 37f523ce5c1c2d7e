"""Labels as text, numbers or Booleans, which is what files and programs can hold."""

from __future__ import annotations

import math

from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.documents import checked_text
from idnf.logic.errors import InvalidArgument

Label = str | int | float | bool


def plain_classes(clf: DNFClassifier) -> tuple[Label, ...]:
    """Return the labels of class 0, class 1 and so on as text, numbers or Booleans.

    >>> plain_classes(DNFClassifier(k=1, learner="greedy").fit([[0], [1]], ["no", "yes"]))
    ('no', 'yes')
    """
    return tuple(map(plain_label, clf.classes_.tolist()))


def plain_label(label: object) -> Label:
    """Return a label as text, a number or a Boolean."""
    if isinstance(label, str):
        return checked_text(label, "a label")
    if not isinstance(label, (bool, int, float)) or not math.isfinite(label):
        raise InvalidArgument("classes", "be text, numbers or Booleans to be exported", f"{label!r}")
    return label
