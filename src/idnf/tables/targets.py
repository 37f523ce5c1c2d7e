"""The target of a classifier: two or more labels of any type, in memory or counted where the data are.

Of what examples weigh, only the ratios of very large or very small weights count (`in_range`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from numbers import Integral
from typing import TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.columns.categories import MOST_EXACT
from idnf.columns.phrases import brief, whole_text
from idnf.columns.raw import is_missing
from idnf.engines.lazy_frames import Lazy
from idnf.engines.queries import ClassSizes, Scans, Step, schema_of
from idnf.logic.errors import InvalidArgument

_MOST = 2.0**40
"""A heaviest example beyond this, or below its inverse, gets a weight near 1."""


def in_range(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights, scaled by a power of two if the largest is far from 1.

    Sums and squares of the result neither overflow nor vanish, and no ratio of weights has changed.

    >>> in_range(np.array([1.0, 3.0])).tolist(), in_range(np.array([1e300, 2e300])).tolist()[0] < 1
    ([1.0, 3.0], True)
    """
    most = float(weights.max(initial=0.0))
    if not most or 1 / _MOST <= most <= _MOST:
        return weights
    scaled: NDArray[np.float64] = np.ldexp(weights, -int(np.frexp(most)[1]))
    return scaled


def checked_weights(sample_weight: ArrayLike | None, rows: int) -> NDArray[np.float64]:
    """Return what each row weighs: 1 by default, and if all weigh the same, no more than that.

    >>> checked_weights([1 / 3, 1 / 3], 2).tolist()
    [1.0, 1.0]

    >>> checked_weights([1, "a"], 2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: sample_weight must be a finite number of at least 0 for each of 2 rows; got: ... string to float: 'a'
    """
    from sklearn.utils.validation import _check_sample_weight

    try:
        weights: NDArray[np.float64] = _check_sample_weight(
            sample_weight, np.empty((rows, 1)), dtype=np.float64, ensure_non_negative=True
        )
    except (TypeError, ValueError) as error:
        rule = f"sample_weight must be a finite number of at least 0 for each of {rows} rows"
        raise ValueError(f"{rule}; got: {error}") from error
    # Sums of a third would be rounded, and what ties would not tie.
    is_one_weight = weights.size > 0 and 0 < weights[0] <= 1 and bool((weights == weights[0]).all())
    return np.ones_like(weights) if is_one_weight else weights


MOST_CLASSES = 100
"""The most classes a classifier takes."""

Label = str | bool | int | float | date | None
"""A value of a target; None if it is missing."""

Labels = TypeVar("Labels", Sequence[object], NDArray[np.generic])

# Integer labels from the least to the greatest that are counted rather than sorted.
_MOST_SPAN = 1 << 12
# Values of the target shown when there are too many.
_SHOWN = 10


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return a seed: the number given, or one drawn from a generator.

    >>> seed_of(7)
    7
    """
    if isinstance(random_state, Integral):
        return int(random_state)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31 - 1))


def checked_target(target: str | None) -> str | None:
    """Return what sentences call the target; None for nothing.

    >>> checked_target("churn"), checked_target("")
    ('churn', None)
    """
    if target is not None and not isinstance(target, str):
        raise InvalidArgument("target", "be a text or None", brief(target))
    return whole_text("target", target) if target else None


def name_of(y: object) -> str | None:
    """Return what the column of labels is called: the name of a series or of a lazy column.

    >>> name_of("churn"), name_of([0, 1])
    ('churn', None)
    """
    columns = getattr(y, "columns", None)
    name = y if isinstance(y, str) else getattr(y, "name", None) if columns is None else columns[0]
    return whole_text("the name of y", name) if isinstance(name, str) and name.strip() else None


def two_labels(classes: Sequence[object]) -> NDArray[np.generic]:
    """Return two different labels as an array."""
    if len(classes) != 2 or classes[0] == classes[1]:
        raise InvalidArgument("classes", "be two different labels", tuple(classes))
    return np.array(list(_exact_labels("classes", classes)))


def class_numbers(y: ArrayLike) -> tuple[NDArray[np.generic], NDArray[np.intp]]:
    """Return the labels in order, and the number of the label of each example.

    >>> labels, numbers = class_numbers(["tin", "gold", "tin"])
    >>> labels.tolist(), numbers.tolist()
    (['gold', 'tin'], [1, 0, 1])
    """
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import column_or_1d

    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind not in "biu":
        _refuse_mixed(labels)
        check_classification_targets(y)
    classes, numbers = sorted_labels(labels)
    if len(classes) < 2:
        found = f"only one class, {classes.tolist()[0]!r}" if len(classes) else "no rows"
        raise InvalidArgument("y", "hold two classes or more", found)
    if len(classes) > MOST_CLASSES:
        raise InvalidArgument(
            "y",
            f"hold at most {MOST_CLASSES} classes",
            f"{len(classes)} in {len(labels)} rows",
            "If labels are numbers to be predicted, cut them into ranges first.",
        )
    return _exact_labels("y", classes), numbers


def _exact_labels(name: str, labels: Labels) -> Labels:
    """Return labels; refuse texts that cannot be written, and numbers that JavaScript and doubles take for others.

    >>> _exact_labels("y", [2**53 - 1, 2**53])
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: y must have labels below 2**53 = 9007199254740992 if they are numbers; got
    9007199254740992. Convert them to text.
    """
    for label in labels:
        if isinstance(label, str):
            whole_text(f"a label of {name}", label)
        elif isinstance(label, (int, float, np.number)) and not -MOST_EXACT < label < MOST_EXACT:
            raise InvalidArgument(
                name,
                f"have labels below 2**53 = {MOST_EXACT} if they are numbers",
                f"{label:.0f}",
                "Convert them to text.",
            )
    return labels


def sorted_labels(labels: NDArray[np.generic]) -> tuple[NDArray[np.generic], NDArray[np.intp]]:
    """Return the different labels in order, and the number of each; integers close together are counted, not sorted."""
    if labels.dtype.kind in "biu" and np.can_cast(labels.dtype, np.int64) and len(labels):
        low, high = int(labels.min()), int(labels.max())
        if high - low < _MOST_SPAN:
            offsets = labels.astype(np.int64) - low
            there = np.bincount(offsets) > 0
            return (np.flatnonzero(there) + low).astype(labels.dtype), (np.cumsum(there) - 1)[offsets]
    classes, numbers = np.unique(labels, return_inverse=True)
    return classes, numbers.astype(np.intp)


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
        raise InvalidArgument("y", "hold labels of one type", " and ".join(sorted(k.__name__ for k in kinds)))


@dataclass(frozen=True)
class LazyTarget:
    """The target.

    Parameters
    ----------
    name : str
    classes : ndarray of shape (n_classes,)
        The labels, sorted.
    labels : tuple of narwhals Expr
        The condition for each label.
    sizes : ClassSizes
        How many rows have each label.
    """

    name: str
    classes: NDArray[np.generic]
    labels: tuple[nw.Expr, ...]
    sizes: ClassSizes


def read_target(frame: Lazy, name: str, schema: Mapping[str, nw.dtypes.DType], scans: Scans) -> LazyTarget:
    """Count the labels of the target in one GROUP BY; refuse a target that is not there or has one label.

    >>> import polars as pl
    >>> table = pl.LazyFrame({"sick": ["yes", "no", "yes"]})
    >>> target = read_target(nw.from_native(table), "sick", table.collect_schema(), Scans())
    >>> target.classes.tolist(), target.sizes
    (['no', 'yes'], ClassSizes(rows=(1, 2)))
    """
    if name not in schema:
        raise ValueError(f"y must name a column of the table; {name!r} is not among {list(schema)}.")
    value = _comparable(name, schema[name])
    rows_of = label_counts(frame, name, scans)
    _refuse_unless_classes(name, rows_of)
    classes = np.unique(np.array(_exact_labels("y", list(rows_of))))
    known = classes.tolist()
    labels = [~value, value] if isinstance(known[1], bool) else [value == nw.lit(label) for label in known]
    return LazyTarget(name, classes, tuple(labels), ClassSizes(tuple(rows_of[label] for label in known)))


def label_counts(frame: Lazy, name: str, scans: Scans) -> dict[Label, int]:
    """Return how many rows have each value of a column, the most frequent values first, in one GROUP BY.

    >>> import polars as pl
    >>> label_counts(nw.from_native(pl.LazyFrame({"sick": ["yes", "no", "yes"]})), "sick", Scans())
    {'yes': 2, 'no': 1}
    """
    step = f"counting the values of {name!r}"
    value = _comparable(name, schema_of(frame)[name])
    with Step(step):
        counted = frame.select(value.alias("label")).group_by("label").agg(nw.len().alias("rows"))
        frequent = counted.sort("rows", descending=True).head(MOST_CLASSES + 1)
    answer = scans.collect(frequent, step)
    return {_plain(label): int(rows) for label, rows in answer.select("label", "rows").rows()}


def _comparable(name: str, dtype: nw.dtypes.DType) -> nw.Expr:
    return nw.col(name).cast(nw.String) if dtype in (nw.Categorical, nw.Enum) else nw.col(name)


def _plain(label: object) -> Label:
    if is_missing(label):
        return None
    known: object = label.item() if isinstance(label, np.generic) else label
    return known if isinstance(known, (str, bool, int, float, date)) else float(str(known))


def _refuse_unless_classes(name: str, rows_of: Mapping[Label, int]) -> None:
    if not rows_of:
        raise InvalidArgument("X", "have at least one row", "0")
    if None in rows_of:
        raise ValueError(f"y must have no missing values; column {name!r} has {rows_of[None]}. Filter them out first.")
    shown = ", ".join(f"{brief(label)} ({rows} rows)" for label, rows in list(rows_of.items())[:_SHOWN])
    if len(rows_of) > MOST_CLASSES:
        raise ValueError(
            f"y must hold at most {MOST_CLASSES} classes; column {name!r} has {shown} and more. "
            "If labels are numbers to be predicted, cut them into ranges first."
        )
    if len(rows_of) < 2:
        raise ValueError(f"y must hold two classes or more; column {name!r} has only one, {shown}.")
