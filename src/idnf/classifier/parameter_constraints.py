"""What the parameters of every estimator of tables must be; scikit-learn checks it, and is imported with it."""

from __future__ import annotations

from numbers import Integral, Real

from sklearn.utils._param_validation import Interval, StrOptions

from idnf.learning.choices import CONDITIONS, DEVICES, FAMILIES, LEARNERS
from idnf.tables.binariser import TableBinariser

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
"""Constraints, in scikit-learn's form, on the parameters that all estimators of tables share."""

OF_CLASSIFIER = {
    **CONSTRAINTS,
    "family": [StrOptions({*FAMILIES})],
    "learner": [StrOptions({*LEARNERS})],
    "costs": [dict, None],
    "device": [StrOptions({*DEVICES})],
}
"""The same of `DNFClassifier`."""

OF_BANDS = {
    **CONSTRAINTS,
    "boundaries": [COUNT, "array-like", None],
    "names": ["array-like", None],
    "order": ["array-like", None],
}
"""The same of `DNFBands`."""
