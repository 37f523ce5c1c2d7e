"""What the parameters of every estimator of tables must be: one place that checks them for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Literal

from sklearn.utils._param_validation import Interval, StrOptions

from idnf.columns.phrases import brief
from idnf.learning.choices import CONDITIONS
from idnf.logic.errors import InvalidArgument
from idnf.tables.binariser import TableBinariser

ClassWeight = Mapping[object, float] | Literal["balanced"] | None

MOST_WEIGHT = 1e100
"""The most that a class may weigh, and that all examples may weigh together: their squares are numbers too."""

# Threads beyond this are a slip of the hand, and the library that starts them stops at a million.
_MOST_JOBS = 1000


class Number(Interval):
    """An interval of numbers; True and False are none.

    >>> count = Number(Integral, 1, None, closed="left")
    >>> count.is_satisfied_by(1), count.is_satisfied_by(True)
    (True, False)
    """

    def is_satisfied_by(self, val: object) -> bool:
        """Return whether a value is a number of the interval."""
        if isinstance(val, bool) or not isinstance(val, Real) or not isinstance(val, self.type):
            return False
        try:
            return (val if self.type is Integral else float(val)) in self
        except OverflowError:
            return False


COUNT = Number(Integral, 1, None, closed="left")
"""A whole number from 1 on."""

CONSTRAINTS = {
    "k": [COUNT],
    "binariser": [TableBinariser, None],
    "conditions": [StrOptions({*CONDITIONS})],
    "monotonic_cst": [dict, "array-like", None],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "price": [Number(Real, 0, None, closed="left"), None],
    "tune": ["boolean"],
    "max_terms": [COUNT, None],
    "max_reasons": [COUNT, None],
    "effort": [Number(Real, 0, None, closed="neither")],
    "time_limit": [Number(Real, 0, None, closed="neither"), None],
    "n_jobs": [Number(Integral, 1, _MOST_JOBS, closed="both"), Number(Integral, None, -1, closed="right"), None],
    "random_state": ["random_state"],
    "progress": [callable, "boolean", None],
    "favourable": "no_validation",
}
"""What scikit-learn checks of each parameter that all estimators of tables have."""


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


SpaceName = Literal["columns", "boolean"]
