"""The target column of a lazy table: two or more classes, counted where the data are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.columns.raw import is_missing
from idnf.engines.lazy_frames import Lazy, selected
from idnf.engines.lazy_sampling import ClassSizes
from idnf.engines.queries import Scans, Step, schema_of
from idnf.tables.targets import MOST_CLASSES

Label = str | bool | int | float | date | None
"""A value of a target; None where it is missing."""

# Values of the target shown when there are too many.
_SHOWN = 10


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
    classes = np.unique(np.array(list(rows_of)))
    known = classes.tolist()
    labels = [~value, value] if isinstance(known[1], bool) else [value == nw.lit(label) for label in known]
    return LazyTarget(name, classes, tuple(labels), ClassSizes(tuple(rows_of[label] for label in known)))


def label_counts(frame: Lazy, name: str, scans: Scans) -> dict[Label, int]:
    """Return how many rows have each value of a column, the commonest values first, in one GROUP BY.

    >>> import polars as pl
    >>> label_counts(nw.from_native(pl.LazyFrame({"sick": ["yes", "no", "yes"]})), "sick", Scans())
    {'yes': 2, 'no': 1}
    """
    step = f"counting the values of {name!r}"
    value = _comparable(name, schema_of(frame)[name])
    with Step(step):
        counted = selected(frame, value.alias("label")).group_by("label").agg(nw.len().alias("rows"))
        commonest = counted.sort("rows", descending=True).head(MOST_CLASSES + 1)
    answer = scans.collect(commonest, step)
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
        raise ValueError("X must have at least one row; got 0.")
    if None in rows_of:
        raise ValueError(f"y must have no missing values; column {name!r} has {rows_of[None]}. Filter them out first.")
    shown = ", ".join(f"{label!r} ({rows} rows)" for label, rows in list(rows_of.items())[:_SHOWN])
    if len(rows_of) > MOST_CLASSES:
        raise ValueError(
            f"y must hold at most {MOST_CLASSES} classes; column {name!r} has {shown} and more. "
            "Where labels are numbers to be predicted, cut them into ranges first."
        )
    if len(rows_of) < 2:
        raise ValueError(f"y must hold two classes or more; column {name!r} has only one, {shown}.")
