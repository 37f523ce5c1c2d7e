"""Parameters that estimators of tables share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Literal

import numpy as np

from idnf.columns.phrases import brief
from idnf.logic.errors import InvalidArgument

ClassWeight = Mapping[object, float] | Literal["balanced"] | None

MOST_WEIGHT = 1e100
"""The most that a class may weigh, and that all examples may weigh together: their squares are numbers too."""


def class_weights(given: ClassWeight, labels: Sequence[object], sizes: Sequence[float]) -> tuple[float, ...]:
    """Return the weight of each label, given the number of its examples; one that is not named weighs 1.

    As in scikit-learn, labels that do not occur may be named if all that occur are.

    >>> class_weights("balanced", ["no", "yes"], [3, 1]), class_weights({"yes": 2}, ["no", "yes"], [3, 1])
    ((0.6666666666666666, 2.0), (1.0, 2.0))
    >>> class_weights({"Yes": 2}, ["no", "yes"], [3, 1])
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: class_weight must name labels of y ('no', 'yes'); got 'Yes'.
    >>> class_weights({"yes": -1}, ["no", "yes"], [3, 1])
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: class_weight must be numbers above 0, at most 1e+100; got -1 for label 'yes'.
    """
    if given is None:
        return (1.0,) * len(labels)
    if isinstance(given, str):
        return tuple(float(sum(sizes) / (len(sizes) * size)) for size in sizes)
    others = list(set(given) - set(labels))
    if others and any(label not in given for label in labels):
        known = ", ".join(map(brief, labels))
        raise InvalidArgument("class_weight", f"name labels of y ({known})", brief(others[0]))
    for label in labels:
        weight = given.get(label, 1.0)
        if not isinstance(weight, Real) or isinstance(weight, bool) or not 0 < weight <= MOST_WEIGHT:
            got = f"{brief(weight)} for label {brief(label)}"
            raise InvalidArgument("class_weight", f"be numbers above 0, at most {MOST_WEIGHT:g}", got)
    return tuple(float(given.get(label, 1.0)) for label in labels)


def is_constrained(monotonic_cst: Mapping[str, int] | Sequence[int] | None) -> bool:
    """Return whether monotone constraints say anything about any column.

    >>> is_constrained({"age": 1}), is_constrained([0, 0]), is_constrained(None)
    (True, False, False)
    """
    if monotonic_cst is None:
        return False
    given = list(monotonic_cst.values()) if isinstance(monotonic_cst, Mapping) else monotonic_cst
    return any(np.ravel(np.asarray(given, dtype=object)))


SpaceName = Literal["columns", "boolean"]
