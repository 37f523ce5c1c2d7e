"""Single values out of a table or an array, by row and name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from idnf.columns.eager_frames import as_frame
from idnf.columns.raw import is_record_array


def named_values(x: object, names: Sequence[str]) -> Mapping[str, object]:
    """Return the values of one row, given as a mapping, a table or an array, by name.

    >>> named_values([30, 1], ["age", "late"])
    {'age': np.int64(30), 'late': np.int64(1)}
    """
    if isinstance(x, Mapping):
        return x
    if is_record_array(x):
        if np.size(x) != 1:
            raise ValueError(f"x must be one row; got {np.size(x)}.")
        return {name: np.atleast_1d(x)[name][0] for name in names if name in (x.dtype.names or ())}
    frame = as_frame(x)
    if frame is None:
        array = np.atleast_2d(np.asarray(x))
        if array.shape[1] != len(names):
            raise ValueError(f"x must have {len(names)} values, one a column; got {array.shape[1]}.")
        rows: object = array
        count, present = len(array), names
    else:
        rows = x
        count, present = len(frame), [name for name in names if name in frame.columns]
    if count != 1:
        raise ValueError(f"x must be one row; got {count}.")
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
