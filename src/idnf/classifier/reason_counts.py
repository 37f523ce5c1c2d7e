"""How often each reason is given in each period, counted in memory or where the rows are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.classifier.fitted import AnyClassifier
from idnf.classifier.fitted_model import FittedModel, Tally
from idnf.classifier.memory_source import ReadTable
from idnf.columns.eager_frames import as_frame, group_words
from idnf.columns.phrases import BLANKS
from idnf.columns.raw import is_missing
from idnf.engines.lazy_frames import OWN, as_lazy
from idnf.engines.queries import Scans, Step, indicator, schema_of
from idnf.explaining.lazy_reasons import REASON
from idnf.logic.errors import InvalidArgument
from idnf.tables.lazy_columns import condition, lazy_column

Every = Literal["month", "year"]
_PERIOD, _ROWS = OWN + "period", OWN + "rows"
_UNLISTED, _OUTSIDE = "unlisted ", "outside "


@dataclass(frozen=True)
class ReasonCounts:
    """How many rows were given each reason, by period.

    Attributes
    ----------
    periods : tuple of str
    reasons : tuple of str
        The identifiers of the reasons, all of the catalogue; of bands the names of the bands.
    words : mapping of str to str
        The conditions of each reason; of a band its share.
    counts : int array of shape (periods, reasons)
        How many rows were given each reason.
    training_weights : float array of shape (reasons,)
        The weight of the training rows that each reason was given, 0 for all if nothing is known of them.
    unlisted, outside : mapping of str to int array of shape (periods,)
        By column, the rows with a category that is not listed, and those with a number or date beyond what was seen
        in training.
    named : str
        What is counted: "reason", or "band" of bands, which then stand for reasons.
    means : str
        What stands between the name of a reason and its words.
    """

    periods: tuple[str, ...]
    reasons: tuple[str, ...]
    words: Mapping[str, str]
    counts: NDArray[np.intp]
    training_weights: NDArray[np.float64]
    unlisted: Mapping[str, NDArray[np.intp]]
    outside: Mapping[str, NDArray[np.intp]]
    named: str = "reason"
    means: str = "if"


def count_reasons(clf: AnyClassifier, X: object, *, by: str | None = None, every: Every = "month") -> ReasonCounts:
    """Count how often each reason is given, and values never seen in training, by period.

    For bands, count the rows in each band. The reasons at a boundary are those of its own model, ``bands.models_``.

    Parameters
    ----------
    clf : DNFClassifier or DNFBands
    X : table, lazy table, or mapping of str to table
        Rows with a column of periods, or batches by name. Lazy tables are counted where they are. Rows that the model
        has no answer for are left out.
    by : str, optional
        The column of periods: dates, which are taken by month or year, or anything else as it is.
    every : {"month", "year"}
        What dates are taken by.

    Returns
    -------
    ReasonCounts

    Examples
    --------
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late", classes=("yes", "no"))
    >>> X = pd.DataFrame({"late": [True, False, True], "month": ["1", "1", "2"]})
    >>> counted = count_reasons(policy, X, by="month")
    >>> counted.periods, counted.reasons, counted.counts.tolist()
    (('1', '2'), ('b1', 'a1'), [[1, 1], [1, 0]])
    """
    if every not in ("month", "year"):
        raise InvalidArgument("every", 'be "month" or "year"', f"{every!r}")
    tally = clf.fitted_.tally()
    if isinstance(X, Mapping):
        if by is not None:
            raise InvalidArgument("by", "be left out for batches, which have names of their own", "both")
        if len({str(name) for name in X}) < len(X):
            raise InvalidArgument("X", "have different names for its batches as text", ", ".join(map(repr, X)))
        counted = {str(name): _count_periods(clf, tally, table, None, every) for name, table in X.items()}
        rows = [(name, reason, sums) for name, part in counted.items() for _, reason, sums in part]
        order = [str(name) for name in X]
    else:
        if by is None:
            raise ValueError("by must name the column of periods of a table; for batches give a mapping of tables.")
        rows = _count_periods(clf, tally, X, by, every)
        order = sorted({period for period, _, _ in rows})
    return _arrange(tally, rows, order)


Counted = list[tuple[str, str, dict[str, int]]]
"""For each period and reason the number of rows, and of those with values never seen, by the name of the indicator."""


def _count_periods(clf: AnyClassifier, tally: Tally, X: object, by: str | None, every: Every) -> Counted:
    lazy = None if isinstance(X, ReadTable) else as_lazy(X)
    if lazy is None:
        table, given = _rows_with_answers(clf.fitted_, X, tally)
        columns = _columns(clf.fitted_, dict(table.schema), by, every)
        periods = [""] * len(table) if by is None else [_day_words(v, every) for v in table.get_column(by).to_list()]
        library = nw.get_native_namespace(table)
        own = [nw.new_series(n, v, nw.String, backend=library) for n, v in ((_PERIOD, periods), (REASON, given))]
        columns[_PERIOD] = nw.col(_PERIOD)
        held = table.with_columns(*own).select(*(expr.alias(name) for name, expr in columns.items()))
        found = held.group_by(_PERIOD, REASON).agg(*(nw.col(name).sum() for name in list(columns)[2:]))
    else:
        explained = as_lazy(clf.explain(lazy.to_native()))
        assert explained is not None, "what an engine answers is lazy"
        columns = _columns(clf.fitted_, schema_of(lazy), by, every) | {REASON: nw.col(tally.column)}
        step = "counting reasons by period"
        with Step(step):
            kept = explained.select(*(expr.alias(name) for name, expr in columns.items()))
            grouped = kept.group_by(_PERIOD, REASON).agg(*(nw.col(name).sum() for name in list(columns)[2:]))
        found = Scans().collect(grouped, step)
    return [
        (_period_words(row[_PERIOD]), str(row[REASON]), {name: int(row[name]) for name in list(columns)[2:]})
        for row in found.iter_rows(named=True)
        if row[REASON] is not None
    ]


def _rows_with_answers(fitted: FittedModel, X: object, tally: Tally) -> tuple[nw.DataFrame[Any], list[Any]]:
    """Return the rows of a table in memory that have an answer, and what is counted of each."""
    asked = fitted.read(X)
    frame = as_frame(asked.X)
    if frame is None:
        raise TypeError("X must be a table with names, or a lazy table; got an array.")
    if asked.problems:
        frame, asked = frame[asked.rows.tolist()], asked.at(asked.rows)
    return frame, list(asked.reasons.columns()[tally.column])


def _columns(
    fitted: FittedModel, schema: Mapping[str, nw.dtypes.DType], by: str | None, every: Every
) -> dict[str, nw.Expr]:
    """Return what is counted of each row: its period and reason, 1, and whether it has values never seen."""
    if by is not None and by not in schema:
        raise InvalidArgument("by", f"name a column of the table ({', '.join(schema)})", f"{by!r}")
    period = nw.lit("") if by is None else _period(by, schema[by], every)
    flags = {name: indicator(flag) for name, flag in _flags(fitted, schema).items()}
    return {_PERIOD: period, REASON: nw.col(REASON), _ROWS: nw.lit(1), **flags}


def _period(by: str, kind: nw.dtypes.DType, every: Every) -> nw.Expr:
    value = nw.col(by)
    if not kind.is_temporal():
        return value.cast(nw.String)
    year = value.dt.year()
    return year if every == "year" else year * 100 + value.dt.month()


def _day_words(value: object, every: Every) -> str:
    """Return the month or year of a date as text, and any other value as it is."""
    if is_missing(value) or not isinstance(value, date):
        return group_words(value)
    return f"{value.year:04}" if every == "year" else f"{value.year:04}-{value.month:02}"


def _period_words(period: object) -> str:
    if period is None:
        return "missing"
    text = str(period).strip(BLANKS)
    return f"{text[:4]}-{text[4:]}" if isinstance(period, int) and len(text) == 6 else text


def _flags(fitted: FittedModel, schema: Mapping[str, nw.dtypes.DType]) -> dict[str, nw.Expr]:
    """Return for each column in use whether a value is not listed, or out of the range seen in training."""
    flags = {}
    for j in fitted.used:
        column, seen = fitted.columns[j], fitted.values[j]
        if not all(name in schema for name in column.sources):
            continue
        raws = {name: lazy_column(name, schema[name]) for name in column.sources}
        if column.unlisted is not None:
            flags[f"{_UNLISTED}{column.name}"] = condition(column.unlisted, raws)
        beyond = column.outside(seen.quantiles[0], seen.quantiles[-1]) if seen is not None and seen.quantiles else None
        if beyond is not None:
            flags[f"{_OUTSIDE}{column.name}"] = condition(beyond, raws)
    return flags


def _arrange(tally: Tally, rows: Counted, order: list[str]) -> ReasonCounts:
    place = {reason: r for r, reason in enumerate(tally.words)}
    when = {period: t for t, period in enumerate(order)}
    counts = np.zeros((len(order), len(place)), dtype=np.intp)
    flagged: dict[str, NDArray[np.intp]] = {}
    for period, reason, sums in rows:
        counts[when[period], place[reason]] += sums.pop(_ROWS)
        for name, count in sums.items():
            flagged.setdefault(name, np.zeros(len(order), dtype=np.intp))[when[period]] += count
    unlisted, outside = (
        {name.removeprefix(kind): found for name, found in flagged.items() if name.startswith(kind)}
        for kind in (_UNLISTED, _OUTSIDE)
    )
    return ReasonCounts(
        tuple(order), tuple(place), tally.words, counts, tally.weights, unlisted, outside, tally.named, tally.means
    )
