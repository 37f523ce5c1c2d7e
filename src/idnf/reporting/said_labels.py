"""Labels as a page calls them: 0 and 1 of a table are "declined" and "approved" to its readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.fitted import AnyClassifier
from idnf.columns.eager_frames import refuse_unknown
from idnf.explaining.wording import label_words
from idnf.logic.errors import InvalidArgument

Model = TypeVar("Model", bound=AnyClassifier)


def said_labels(labels: Sequence[object], say: Mapping[Any, str]) -> dict[object, str]:
    """Return what each label is called: by the words given for it, or as it is written.

    >>> said_labels([0, 1], {"0": "declined"})
    {0: 'declined', 1: '1'}
    """
    known = {label_words(label): label for label in labels}
    given = {label_words(label): text for label, text in say.items()}
    refuse_unknown("say", f"name labels ({', '.join(known)})", list(given), list(known))
    said = {label: given.get(words, words) for words, label in known.items()}
    if len(set(said.values())) < len(said):
        raise InvalidArgument("say", "call different labels differently", dict(say))
    return said


def with_said_labels(
    classifier: Model, y: ArrayLike, say: Mapping[Any, str]
) -> tuple[Model, NDArray[np.object_], dict[object, str]]:
    """Return a classifier and true labels with the labels as they are called, and what each is called."""
    truth = np.asarray(y)
    said = said_labels(classifier.classes_.tolist(), say)
    refuse_unknown("y", f"hold the labels {' and '.join(map(repr, said))}", np.unique(truth).tolist(), list(said))
    other = copy(classifier)
    other.fitted_ = classifier.fitted_.with_labels(list(said.values()))
    return other, np.array([said[label] for label in truth.tolist()], dtype=object), said
