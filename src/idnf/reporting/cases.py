"""Rows of a table as the page's script reads them."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta

import numpy as np

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.raw import is_missing
from idnf.tables.rows import value_reader

Plain = str | float | int | bool | None


def cases(classifier: DNFClassifier, X: object, rows: int) -> list[dict[str, Plain]]:
    """Return the first rows of a table, with the columns the model looks at, as plain values."""
    binariser = classifier.binariser_
    names = [name for j in classifier.fitted_.used for name in binariser.columns_[j].sources]
    value = value_reader(X, binariser.input_names)
    count = min(rows, len(classifier.binariser_.read(X)))
    return [{name: plain_value(value(row, name)) for name in names} for row in range(count)]


def plain_value(value: object) -> Plain:
    """Return a value of a table as JSON can hold it: times as ISO text, durations in seconds, missing as None.

    >>> plain_value(timedelta(minutes=1)), plain_value(date(2026, 1, 2)), plain_value(float("nan"))
    (60.0, '2026-01-02', None)
    """
    if is_missing(value):
        return None
    if isinstance(value, np.datetime64):
        return str(value)
    if isinstance(value, np.timedelta64):
        return float(value / np.timedelta64(1, "s"))
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)
