"""The target column of a lazy table: two classes, counted where the data are."""

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

Label = str | bool | int | float | date | None
"""A value of a target; None where it is missing."""

# Values of the target shown when there are not two.
_SHOWN = 10


@dataclass(frozen=True)
class LazyTarget:
    """The target.

    Parameters
    ----------
    name : str
    classes : ndarray of shape (2,)
        The two labels, sorted.
    positive : narwhals Expr
        The condition for the second label.
    sizes : ClassSizes
        How many rows have each label.
    """

    name: str
    classes: NDArray[np.generic]
    positive: nw.Expr
    sizes: ClassSizes


def read_target(frame: Lazy, name: str, schema: Mapping[str, nw.dtypes.DType], scans: Scans) -> LazyTarget:
    """Count the labels of the target in one GROUP BY; refuse a target that is not there or has not two of them.

    >>> import polars as pl
    >>> table = pl.LazyFrame({"sick": ["yes", "no", "yes"]})
    >>> target = read_target(nw.from_native(table), "sick", table.collect_schema(), Scans())
    >>> target.classes.tolist(), target.sizes
    (['no', 'yes'], ClassSizes(negative=1, positive=2))
    """
    if name not in schema:
        raise ValueError(f"y must name a column of the table; {name!r} is not among {list(schema)}.")
    value = _comparable(name, schema[name])
    rows_of = label_counts(frame, name, scans)
    _refuse_unless_binary(name, rows_of)
    classes = np.unique(np.array(list(rows_of)))
    negative, positive = classes.tolist()
    is_positive = value if isinstance(positive, bool) else value == nw.lit(positive)
    return LazyTarget(name, classes, is_positive, ClassSizes(rows_of[negative], rows_of[positive]))


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
        commonest = counted.sort("rows", descending=True).head(_SHOWN + 1)
    answer = scans.collect(commonest, step)
    return {_plain(label): int(rows) for label, rows in answer.select("label", "rows").rows()}


def _comparable(name: str, dtype: nw.dtypes.DType) -> nw.Expr:
    return nw.col(name).cast(nw.String) if dtype in (nw.Categorical, nw.Enum) else nw.col(name)


def _plain(label: object) -> Label:
    if is_missing(label):
        return None
    known: object = label.item() if isinstance(label, np.generic) else label
    return known if isinstance(known, (str, bool, int, float, date)) else float(str(known))


def _refuse_unless_binary(name: str, rows_of: Mapping[Label, int]) -> None:
    if not rows_of:
        raise ValueError("X must have at least one row; got 0.")
    if None in rows_of:
        raise ValueError(f"y must have no missing values; column {name!r} has {rows_of[None]}. Filter them out first.")
    shown = ", ".join(f"{label!r} ({rows} rows)" for label, rows in list(rows_of.items())[:_SHOWN])
    if len(rows_of) > 2:
        more = " and more" if len(rows_of) > _SHOWN else ""
        raise ValueError(
            f"Only binary classification is supported. y must hold two classes; column {name!r} has {shown}{more}."
        )
    if len(rows_of) < 2:
        raise ValueError(f"y must hold two classes; column {name!r} has only one, {shown}.")
