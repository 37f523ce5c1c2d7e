"""The target of a classifier: two or more labels of any type."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from idnf.columns.raw import is_missing

MOST_CLASSES = 100
"""The most classes a classifier takes."""


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return a seed: the number given, or one drawn from a generator.

    >>> seed_of(7)
    7
    """
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def name_of(y: object) -> str | None:
    """Return what the column of labels is called: the name of a series, of a column of a lazy table; or None.

    >>> name_of("churn"), name_of([0, 1])
    ('churn', None)
    """
    columns = getattr(y, "columns", None)
    name = y if isinstance(y, str) else getattr(y, "name", None) if columns is None else columns[0]
    return name if isinstance(name, str) and name.strip() else None


def two_labels(classes: Sequence[object]) -> NDArray[np.generic]:
    """Return two different labels as an array."""
    if len(classes) != 2 or classes[0] == classes[1]:
        raise ValueError(f"classes must be two different labels; got {tuple(classes)}.")
    return np.array(list(classes))


def class_numbers(y: ArrayLike) -> tuple[NDArray[np.generic], NDArray[np.intp]]:
    """Return the labels in order, and the number of the label of each example.

    >>> labels, numbers = class_numbers(["tin", "gold", "tin"])
    >>> labels.tolist(), numbers.tolist()
    (['gold', 'tin'], [1, 0, 1])
    """
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind not in "biu":
        _refuse_mixed(labels)
        check_classification_targets(y)
    classes, numbers = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        found = f"only one class, {classes.tolist()[0]!r}" if len(classes) else "no rows"
        raise ValueError(f"y must hold two classes or more; got {found}.")
    refuse_many_classes(len(classes), len(labels))
    return classes, numbers.astype(np.intp)


def refuse_many_classes(count: int, rows: int) -> None:
    """Raise an error where there are more classes than a model of few conditions could tell apart."""
    if count > MOST_CLASSES:
        raise ValueError(
            f"y must hold at most {MOST_CLASSES} classes; got {count} in {rows} rows. "
            "Where labels are numbers to be predicted, cut them into ranges first."
        )


def _refuse_mixed(labels: NDArray[np.generic]) -> None:
    """Raise an error for labels of which some are texts and some are not: they have no order."""
    kinds = {type(label) for label in labels.tolist()} if labels.dtype == object else set()
    missing = sum(is_missing(label) for label in labels.tolist()) if labels.dtype == object else 0
    if missing:
        raise ValueError(
            f"y must hold a label for every row; {missing} of {len(labels)} are missing. "
            "Leave these rows out: known = y.notna(), then fit(X[known], y[known])."
        )
    if str in kinds and len(kinds) > 1:
        raise ValueError(f"y must hold labels of one type; got {' and '.join(sorted(k.__name__ for k in kinds))}.")
