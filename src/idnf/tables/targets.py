"""The target of a classifier: two labels of any type."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import column_or_1d


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return a seed: the number given, or one drawn from a generator.

    >>> seed_of(7)
    7
    """
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def two_labels(classes: Sequence[object]) -> NDArray[np.generic]:
    """Return two different labels as an array."""
    if len(classes) != 2 or classes[0] == classes[1]:
        raise ValueError(f"classes must be two different labels; got {tuple(classes)}.")
    return np.array(list(classes))


def two_classes(y: ArrayLike) -> tuple[NDArray[np.generic], NDArray[np.bool_]]:
    """Return the two labels in order, and where the second one stands."""
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind not in "biu":
        check_classification_targets(y)
    classes = np.unique(labels)
    if len(classes) > 2:
        found = ", ".join(repr(label) for label in classes[:10].tolist())
        raise ValueError(
            "Only binary classification is supported. "
            f"y must hold two classes; got {len(classes)} ({type_of_target(y)}): {found}. "
            "Use sklearn.multiclass.OneVsRestClassifier for one against the rest."
        )
    if len(classes) < 2:
        found = f"only one class, {classes.tolist()[0]!r}" if len(classes) else "no rows"
        raise ValueError(f"y must hold two classes; got {found}.")
    return classes, labels == classes[1]
