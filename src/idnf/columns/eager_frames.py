"""Tables of any eager library that narwhals knows, checked in words, and single values out of them and of arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from narwhals.typing import IntoDataFrame
from numpy.typing import NDArray

from idnf.columns.phrases import brief
from idnf.columns.raw import is_missing, is_record_array
from idnf.logic.errors import InvalidArgument


def as_frame(table: object) -> nw.DataFrame[IntoDataFrame] | None:
    """Return a table as a narwhals frame, or None when it is an array or a list.

    >>> import polars as pl
    >>> as_frame(pl.DataFrame({"a": [1]})).columns, as_frame([[1]])
    (['a'], None)
    """
    if isinstance(table, (np.ndarray, list)):
        return None
    try:
        frame = nw.from_native(table, pass_through=True)
    except DuplicateError as error:
        raise InvalidArgument("X", "have distinct column names", remedy=f"{' '.join(str(error).split())}.") from error
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("X must be a table in memory; got a lazy one. Collect it first.")
    if not isinstance(frame, nw.DataFrame):
        return None
    if any(isinstance(name, tuple) for name in frame.columns):
        # Names of several levels, as pandas has them, become one.
        names = [" ".join(map(str, name)) if isinstance(name, tuple) else name for name in frame.columns]
        return as_frame(frame.to_native().set_axis(names, axis=1))
    if any(name != name for name in frame.columns):  # noqa: PLR0124 - NaN differs from itself
        raise InvalidArgument("X", "have a name for each column", "NaN", "Rename the column.")
    return frame


def rows_of(table: object, rows: NDArray[np.intp]) -> object:
    """Return some rows of a table or an array.

    >>> rows_of([[1], [2], [3]], np.array([0, 2])).tolist()
    [[1], [3]]
    """
    frame = as_frame(table)
    return np.asarray(table)[rows] if frame is None else frame[rows.tolist()].to_native()


def subgroup_of(X: object, subgroup: str) -> NDArray[np.str_]:
    """Return the value of each row, as text, in the column by which figures are broken down.

    >>> import polars as pl
    >>> subgroup_of(pl.DataFrame({"sex": ["f", None]}), "sex").tolist()
    ['f', 'missing']
    """
    frame = as_frame(X)
    if frame is None or subgroup not in frame.columns:
        known = "a table" if frame is None else ", ".join(frame.columns)
        raise InvalidArgument("subgroup", f"name a column of X ({known})", f"{subgroup!r}")
    return np.array([group_words(value) for value in frame.get_column(subgroup).to_list()], dtype=str)


def group_words(value: object) -> str:
    """Return a value by which rows are grouped as text, the same whatever library the table is of.

    >>> group_words(float("nan")), group_words(None), group_words(True), group_words("f")
    ('missing', 'missing', 'true', 'f')
    """
    if is_missing(value):
        return "missing"
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def select_columns(frame: nw.DataFrame[IntoDataFrame], names: Sequence[str]) -> nw.DataFrame[IntoDataFrame]:
    """Return the named columns of a table in the order of the names."""
    absent = [name for name in names if name not in frame.columns]
    if absent:
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise ValueError(
            f"X must have the columns seen in training; {absent[0]!r}{more} is not among {brief(frame.columns, 400)}."
        )
    return frame.select(names)


def refuse_empty(frame: nw.DataFrame[IntoDataFrame]) -> None:
    """Raise an error for a table without rows or without columns."""
    rows, columns = frame.shape
    if columns == 0:
        raise InvalidArgument("X", "have at least one column", "0")
    if rows == 0:
        raise InvalidArgument("X", "have at least one row", "0")


def refuse_unknown(name: str, rule: str, named: Iterable[object], known: Collection[object]) -> None:
    """Refuse the first thing named that is not known, with the rule that a parameter must keep to.

    >>> refuse_unknown("kinds", "name columns of the table", ["age", "sex"], ["age"])
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: kinds must name columns of the table; got 'sex'.
    """
    for one in named:
        if one not in known:
            raise InvalidArgument(name, rule, f"{one!r}")


def named_values(x: object, names: Sequence[str]) -> Mapping[str, object]:
    """Return the values of one row, given as a mapping, a table or an array, by name.

    >>> named_values([30, 1], ["age", "late"])
    {'age': np.int64(30), 'late': np.int64(1)}
    """
    if isinstance(x, Mapping):
        return x
    if is_record_array(x):
        if np.size(x) != 1:
            raise InvalidArgument("x", "be one row", np.size(x))
        return {name: np.atleast_1d(x)[name][0] for name in names if name in (x.dtype.names or ())}
    frame = as_frame(x)
    if frame is None:
        array = np.atleast_2d(np.asarray(x))
        if array.shape[1] != len(names):
            raise InvalidArgument("x", f"have {len(names)} values, one per column", array.shape[1])
        rows: object = array
        count, present = len(array), names
    else:
        rows = x
        count, present = len(frame), [name for name in names if name in frame.columns]
    if count != 1:
        raise InvalidArgument("x", "be one row", count)
    value = value_reader(rows, names)
    return {name: value(0, name) for name in present}


def value_reader(X: object, names: Sequence[str]) -> Callable[[int, str], object]:
    """Return a function from a row and the name of a column to the value in a table or array.

    >>> value_reader([["a", "b"], ["c", "d"]], ["x0", "x1"])(1, "x0")
    np.str_('c')
    """
    if is_record_array(X):
        return lambda row, name: X[name][row]
    frame = as_frame(X)
    if frame is not None and set(frame.columns) & set(names):
        return lambda row, name: frame.get_column(name)[row]
    rows = np.asarray(X) if frame is None else frame.to_numpy()
    place = {name: i for i, name in enumerate(names)}
    return lambda row, name: rows[row, place[name]]


def single_rows(X: object) -> list[object] | None:
    """Return the rows of a table or array of several, each as a table or array of one; None if there is only one row.

    >>> [row.tolist() for row in single_rows([[1, 2], [3, 4]])], single_rows([[1, 2]]), single_rows({"a": 1})
    ([[[1, 2]], [[3, 4]]], None, None)
    """
    if isinstance(X, Mapping):
        return None
    if is_record_array(X):
        rows = np.atleast_1d(X)
        return None if len(rows) == 1 else [rows[i : i + 1] for i in range(len(rows))]
    frame = as_frame(X)
    if frame is not None:
        return None if len(frame) == 1 else [frame[i : i + 1].to_native() for i in range(len(frame))]
    array = np.atleast_2d(np.asarray(X))
    return None if len(array) == 1 else [array[i : i + 1] for i in range(len(array))]
