"""Reasons over time, counted in memory or where the rows are: how often each is given, and how far that moves.

The population stability index of a reason is ``(p - q) * ln(p / q)`` for its share p in a period and q in the
reference; the index of a period is the sum over all reasons. Half a row is added to every count, so that a reason never
given has an index too. On few rows the index is large by chance alone: without any shift it is, for r reasons, about
``(r - 1) * (1 / n + 1 / N)`` with n rows in the period and N in the reference, and spread as chi-squared. So it is
judged by what chance gives in 19 of 20 periods. On many rows, below 0.1 is commonly read as stable, above 0.25 as a
shift.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.classifier.fitted import Fitted
from idnf.classifier.fitted_bands import ExaminedBands, FittedBands
from idnf.classifier.memory_source import ExaminedTable, ReadTable
from idnf.classifier.table_input import examined_rows
from idnf.columns.eager_frames import as_frame
from idnf.columns.phrases import BLANKS
from idnf.engines.lazy_frames import OWN, as_lazy, selected
from idnf.engines.queries import Scans, Step, indicator, schema_of
from idnf.explaining.lazy_reasons import REASON
from idnf.logic.errors import InvalidArgument
from idnf.tables.lazy_columns import condition, lazy_column

if TYPE_CHECKING:
    from idnf.classifier.bands import DNFBands
    from idnf.classifier.estimator import DNFClassifier


@dataclass(frozen=True)
class Stability:
    """Shares of reasons by period.

    Attributes
    ----------
    periods : tuple of str
    reasons : tuple of str
        The identifiers of the reasons, all of the catalogue.
    words : mapping of str to str
        The conditions of each reason.
    counts : int array of shape (periods, reasons)
        How many rows were given each reason.
    reference : float array of shape (reasons,)
        The rows, or the training weight, that the shares are compared with.
    reference_name : str
        "training", or the first period if nothing is known of the training rows.
    unlisted, outside : mapping of str to int array of shape (periods,)
        By column, the rows with a category that is not listed, and those with a number or date beyond what was seen
        in training.
    named : str
        What is counted: "reason", or "band" of bands, which then stand for reasons.
    """

    periods: tuple[str, ...]
    reasons: tuple[str, ...]
    words: Mapping[str, str]
    counts: NDArray[np.intp]
    reference: NDArray[np.float64]
    reference_name: str
    unlisted: Mapping[str, NDArray[np.intp]]
    outside: Mapping[str, NDArray[np.intp]]
    named: str = "reason"

    @property
    def rows(self) -> NDArray[np.intp]:
        """The number of rows of each period."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.intp)

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of each reason in each period."""
        return np.asarray(self.counts / np.maximum(self.rows, 1)[:, None], dtype=np.float64)

    @property
    def index(self) -> NDArray[np.float64]:
        """The population stability index of each reason in each period.

        >>> then, now = np.array([50.0, 50.0]), np.array([[50, 50]])
        >>> made = Stability(("1",), ("1.1", "0.1"), {}, now, then, "training", {}, {})
        >>> made.index.tolist()
        [[0.0, 0.0]]
        """
        now, then = (_smoothed(counts) for counts in (self.counts.astype(np.float64), self.reference[None, :]))
        return np.asarray((now - then) * np.log(now / then), dtype=np.float64)

    @property
    def totals(self) -> NDArray[np.float64]:
        """The index of each period."""
        return np.asarray(self.index.sum(axis=1), dtype=np.float64)

    @property
    def expected(self) -> NDArray[np.float64]:
        """The index that chance gives each period on average if nothing shifts."""
        return self._freedom * self._noise

    @property
    def limits(self) -> NDArray[np.float64]:
        """The index that chance alone exceeds in one period of twenty."""
        degrees = np.maximum(self._freedom, 1)
        part = 2 / (9 * degrees)
        # The quantile of chi-squared as Wilson and Hilferty (1931) approximate it, within two per cent.
        return np.asarray(degrees * (1 - part + 1.645 * np.sqrt(part)) ** 3 * self._noise, dtype=np.float64)

    @property
    def _freedom(self) -> NDArray[np.float64]:
        given = (self.counts > 0) | (self.reference > 0)
        return np.asarray(np.maximum(given.sum(axis=1) - 1, 0), dtype=np.float64)

    @property
    def _noise(self) -> NDArray[np.float64]:
        return np.asarray(1 / np.maximum(self.rows, 1) + 1 / max(float(self.reference.sum()), 1.0), dtype=np.float64)

    def _judged(self, period: int) -> str:
        more = "more" if self.totals[period] > self.limits[period] else "no more"
        return f"{more} than chance, which gives {self.expected[period]:.3f} on average"

    def to_text(self) -> str:
        """Return the index, the reasons that moved most and values never seen, a line for each period."""
        lines = [f"{self.named.capitalize()}s by period, compared with {self.reference_name}."]
        before = self.reference / max(self.reference.sum(), 1e-300)
        for t, period in enumerate(self.periods):
            moved = np.where(self.shares[t] == before, 0.0, self.index[t])
            lines.append(f"{period}: {self.rows[t]:,} rows, index {self.totals[t]:.3f} ({self._judged(t)})")
            if moved.any():
                most = int(moved.argmax())
                reason, shares = self.reasons[most], f"from {before[most]:.1%} to {self.shares[t, most]:.1%}"
                said = f" ({self.words.get(reason, '')})" if self.named == "reason" else ""
                lines.append(f"  moved most: {reason}{said}, {shares}")
            for what, found in (("not listed", self.unlisted), ("out of range", self.outside)):
                named = {name: counts[t] for name, counts in found.items() if counts[t]}
                if named:
                    said = ", ".join(f"{name} {count / self.rows[t]:.1%}" for name, count in named.items())
                    lines.append(f"  {what}: {said}")
        return "\n".join(lines)

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "reference": self.reference_name,
            "periods": [
                {
                    "period": period,
                    "rows": int(self.rows[t]),
                    "index": float(self.totals[t]),
                    "expected": float(self.expected[t]),
                    "limit": float(self.limits[t]),
                    f"{self.named}s": {
                        reason: {"rows": int(self.counts[t, r]), "index": float(self.index[t, r])}
                        for r, reason in enumerate(self.reasons)
                    },
                    "unlisted": {name: int(counts[t]) for name, counts in self.unlisted.items()},
                    "outside": {name: int(counts[t]) for name, counts in self.outside.items()},
                }
                for t, period in enumerate(self.periods)
            ],
        }


def _smoothed(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    added = counts + 0.5
    return np.asarray(added / added.sum(axis=1, keepdims=True), dtype=np.float64)


Every = Literal["month", "year"]
_PERIOD, _ROWS = OWN + "period", OWN + "rows"


def monitor(clf: DNFClassifier | DNFBands, X: object, *, by: str | None = None, every: Every = "month") -> Stability:
    """Return how often each reason is given by period, its stability index, and shares of values never seen.

    Of bands, how many rows are in each: the index that credit officers know. The reasons at a boundary are those of its
    own model, ``bands.models_``.

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
    Stability

    Examples
    --------
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> X = pd.DataFrame({"late": [True, False] * 4, "month": ["jan"] * 4 + ["feb"] * 4})
    >>> clf = DNFClassifier(k=1, learner="greedy").fit(X[["late"]], X["late"])
    >>> print(monitor(clf, X, by="month"))
    Reasons by period, compared with training.
    feb: 4 rows, index 0.000 (no more than chance, which gives 0.375 on average)
    jan: 4 rows, index 0.000 (no more than chance, which gives 0.375 on average)
    """
    if every not in ("month", "year"):
        raise InvalidArgument("every", 'be "month" or "year"', f"{every!r}")
    if isinstance(X, Mapping):
        if by is not None:
            raise InvalidArgument("by", "be left out for batches, which have names of their own", "both")
        counted = {str(name): _counted(clf, table, None, every) for name, table in X.items()}
        rows = [(name, reason, sums) for name, part in counted.items() for _, reason, sums in part]
        order = [str(name) for name in X]
    else:
        if by is None:
            raise ValueError("by must name the column of periods of a table; for batches give a mapping of tables.")
        rows = _counted(clf, X, by, every)
        order = sorted({period for period, _, _ in rows})
    return _stability(clf, rows, order)


Counted = list[tuple[str, str, dict[str, int]]]
"""For each period and reason the number of rows, and of those with values never seen, by the name of the indicator."""


def _counted(clf: DNFClassifier | DNFBands, X: object, by: str | None, every: Every) -> Counted:
    lazy = None if isinstance(X, ReadTable) else as_lazy(X)
    if lazy is None:
        table, given = _answered(clf, X)
        columns = _columns(clf.fitted_, dict(table.schema), by, every)
        named = nw.new_series(REASON, given, nw.String, backend=nw.get_native_namespace(table))
        held = table.with_columns(named).select(*(expr.alias(name) for name, expr in columns.items()))
        found = held.group_by(_PERIOD, REASON).agg(*(nw.col(name).sum() for name in list(columns)[2:]))
    else:
        answer, key = (clf.explain, REASON) if isinstance(clf.fitted_, Fitted) else (clf.band, "name")
        explained = as_lazy(answer(lazy.to_native()))
        assert explained is not None, "what an engine answers is lazy"
        columns = _columns(clf.fitted_, schema_of(lazy), by, every) | {REASON: nw.col(key)}
        step = "counting reasons by period"
        with Step(step):
            kept = selected(explained, *(expr.alias(name) for name, expr in columns.items()))
            grouped = kept.group_by(_PERIOD, REASON).agg(*(nw.col(name).sum() for name in list(columns)[2:]))
        found = Scans().collect(grouped, step)
    return [
        (_period_words(row[_PERIOD]), str(row[REASON]), {name: int(row[name]) for name in list(columns)[2:]})
        for row in found.iter_rows(named=True)
        if row[REASON] is not None
    ]


def _answered(clf: DNFClassifier | DNFBands, X: object) -> tuple[nw.DataFrame[Any], list[str]]:
    """Return the rows of a table in memory that have an answer, and the reason, or the band, of each."""
    fitted = clf.fitted_
    asked: ExaminedTable | ExaminedBands = examined_rows(fitted, X)
    frame = as_frame(asked.X)
    if frame is None:
        raise TypeError("X must be a table with names, or a lazy table; got an array.")
    if asked.problems:
        frame, asked = frame[asked.rows.tolist()], asked.at(asked.rows)
    if isinstance(asked, ExaminedTable):
        return frame, [explanation.reason or "" for explanation in asked.reasons]
    return frame, [asked.fitted.names[band] for band in asked.labels.tolist()]


def _columns(
    fitted: Fitted | FittedBands, schema: Mapping[str, nw.dtypes.DType], by: str | None, every: Every
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


def _period_words(period: object) -> str:
    if period is None:
        return "missing"
    text = str(period).strip(BLANKS)
    return f"{text[:4]}-{text[4:]}" if isinstance(period, int) and len(text) == 6 else text


def _flags(fitted: Fitted | FittedBands, schema: Mapping[str, nw.dtypes.DType]) -> dict[str, nw.Expr]:
    """Return for each column in use whether a value is not listed, or out of the range seen in training."""
    flags = {}
    for j in fitted.used:
        column, seen = fitted.columns[j], fitted.values[j]
        if not all(name in schema for name in column.sources):
            continue
        raws = {name: lazy_column(name, schema[name]) for name in column.sources}
        if column.unlisted is not None:
            flags[f"unlisted {column.name}"] = condition(column.unlisted, raws)
        beyond = column.outside(seen.quantiles[0], seen.quantiles[-1]) if seen is not None and seen.quantiles else None
        if beyond is not None:
            flags[f"outside {column.name}"] = condition(beyond, raws)
    return flags


def _stability(clf: DNFClassifier | DNFBands, rows: Counted, order: list[str]) -> Stability:
    words, training, named = _reference(clf)
    place = {reason: r for r, reason in enumerate(words)}
    when = {period: t for t, period in enumerate(order)}
    counts = np.zeros((len(order), len(words)), dtype=np.intp)
    flagged: dict[str, NDArray[np.intp]] = {}
    for period, reason, sums in rows:
        counts[when[period], place[reason]] += sums.pop(_ROWS)
        for name, count in sums.items():
            flagged.setdefault(name, np.zeros(len(order), dtype=np.intp))[when[period]] += count
    known = training.sum() > 0
    return Stability(
        tuple(order),
        tuple(place),
        words,
        counts,
        training if known or not len(counts) else counts[0].astype(np.float64),
        "training" if known else order[0] if order else "nothing",
        {name.removeprefix("unlisted "): found for name, found in flagged.items() if name.startswith("unlisted ")},
        {name.removeprefix("outside "): found for name, found in flagged.items() if name.startswith("outside ")},
        named,
    )


def _reference(clf: DNFClassifier | DNFBands) -> tuple[dict[str, str], NDArray[np.float64], str]:
    """Return the reasons, or the bands, in words, the training weight of each, and which of both they are."""
    fitted = clf.fitted_
    if isinstance(fitted, FittedBands):
        said = {name: fitted.bands.said(band) for band, name in enumerate(fitted.names)}
        return said, fitted.counts.sum(axis=1), "band"
    words = {reason.id: str(reason) for reason in fitted.explainer.reasons()}
    weights = dict.fromkeys(words, 0.0)
    for (label, box), total in fitted.confidence.totals.items():
        reason = fitted.explainer.reason_id(label, fitted.sides.frame.expanded(box))
        assert reason is not None, "all reasons were listed"
        weights[reason] += float(total.sum())
    return words, np.array(list(weights.values())), "reason"
