"""Rows that a model answers, and those it cannot: one bad row never loses the others; and how often it is right.

A table comes as its file has it; the columns of the model are read out of it, each with the type the model expects.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier
from idnf.classifier.memory_source import ReadTable
from idnf.columns.column import TableColumn
from idnf.columns.phrases import BLANKS, brief
from idnf.columns.predicates import Field
from idnf.columns.raw import RawColumn, RawTable, stripped
from idnf.commands.output import Console
from idnf.explaining.wording import label_words
from idnf.logic.errors import InvalidArgument
from idnf.tables.column_check import TableWarning, UnreadValuesWarning
from idnf.tables.text_values import MISSING, time_reading

if TYPE_CHECKING:
    import polars as pl

_SHOWN = 5


def typed(table: pl.DataFrame, read: RawTable) -> pl.DataFrame:
    """Return the columns of a table that were read for a model, text as what it was read as.

    >>> import polars as pl
    >>> from idnf.tables.binariser import TableBinariser
    >>> fitted = TableBinariser(missing_values=["none"]).fit(pl.DataFrame({"age": ["30", "none", "45,5"]}), [0, 1, 1])
    >>> table = pl.DataFrame({"age": ["41,5", "none"]})
    >>> typed(table, fitted.read(table)).rows()
    [(41.5,), (None,)]
    """
    import polars as pl

    return pl.DataFrame(
        [to_series(raw) if table[name].dtype == pl.String else table[name] for name, raw in read.columns.items()]
    )


def refuse_absent(table: pl.DataFrame, columns: Iterable[TableColumn]) -> None:
    """Refuse a table that lacks a column."""
    absent = [name for column in columns for name in column.sources if name not in table.columns]
    if absent:
        raise InvalidArgument(
            "table",
            "have the columns of the model",
            f"none called {absent[0]!r} among {', '.join(table.columns)[:400]}",
            "If the file was read wrong, --read says how it is written." if table.width < 2 else "",
        )


def to_series(raw: RawColumn) -> pl.Series:
    """Return a raw column as a series of polars.

    >>> from idnf.columns.raw import read_values
    >>> to_series(read_values("age", [30, None])).to_list()
    [30.0, None]
    """
    import polars as pl

    if raw.values.dtype == object:
        pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
        values = [None if missing else value for value, missing in pairs]
        return pl.Series(raw.name, values, dtype=pl.String if raw.kind == "empty" else None, strict=False)
    if raw.kind in ("number", "boolean", "empty"):
        series = pl.Series(raw.name, raw.values)
    else:
        micro = pl.Series(raw.name, np.where(raw.missing, 0, raw.values).astype(np.int64))
        kinds = {"datetime-utc": pl.Datetime("us", "UTC"), "duration": pl.Duration("us")}
        series = micro.cast(kinds.get(raw.kind, pl.Datetime("us")))
        series = series.cast(pl.Date) if raw.kind == "date" else series
    return series.set(pl.Series(raw.missing), None) if raw.missing.any() else series


def with_dates(column: pl.Series) -> pl.Series:
    """Return a column of a table, its dates as such however they are written.

    >>> import polars as pl
    >>> with_dates(pl.Series("day", ["31.12.2025", None, "01.01.2026"])).dtype
    Date
    """
    import polars as pl

    known = column.drop_nulls().unique().to_list() if column.dtype == pl.String else []
    reading = time_reading([text for text in known if text.strip(BLANKS) not in MISSING])
    return column if reading is None else to_series(reading.column(column.name, column.to_list())[0])


@dataclass(frozen=True)
class Readable:
    """The rows of a table that a model can take; their places; and what is wrong with the others."""

    given: pl.DataFrame
    table: ReadTable[Any]
    rows: NDArray[np.intp]
    problems: dict[int, str]

    def framed(self, *beside: pl.Series) -> ReadTable[Any]:
        """Return the same rows with their table: the columns that the model looks at, typed, and some beside them."""
        frame = typed(self.given[self.rows], self.table.read[0])
        return self.table.at(slice(None), frame.with_columns(series[self.rows] for series in beside))


def readable(classifier: AnyClassifier, table: pl.DataFrame) -> Readable:
    """Return the rows of a table that a model can take, and what is wrong with the others."""
    refuse_absent(table, (classifier.fitted_.columns[j] for j in classifier.fitted_.used))
    found = classifier.fitted_.read(table)
    why = {row: one.why for row, one in found.problems.items()}
    rows = found.rows if why else np.arange(table.height)
    return Readable(table, found.at(rows) if why else found, rows, why)


class Listing:
    """Collects what there is to say about the rows of a table, part by part, and says it at the end.

    Parameters
    ----------
    classifier : DNFClassifier or DNFBands
    """

    def __init__(self, classifier: AnyClassifier) -> None:
        self.classifier = classifier
        self.done = 0
        self.problems: list[tuple[int, str]] = []
        self.unseen: dict[str, Counter[str]] = {}
        self.counted: Counter[str] = Counter()
        self.unread: list[str] = []

    def take(self, table: pl.DataFrame) -> Readable:
        """Return the rows of a part that have an answer, and note the others and unknown categories."""
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always", TableWarning)
            found = readable(self.classifier, table)
        self.unread += [str(each.message) for each in heard if issubclass(each.category, UnreadValuesWarning)]
        self.problems += [(self.done + row + 1, why) for row, why in found.problems.items()]
        self.done += table.height
        for j in self.classifier.fitted_.used:
            column = self.classifier.binariser_.columns_[j]
            if column.missing == "counted":
                self.counted[column.name] += int(found.table.read[0].columns[column.name].missing.sum())
            rare = self.classifier.binariser_.rare_values_.get(column.name, ())
            listed = column.unlisted
            if listed is None or listed.value != Field(column.name, "text"):
                continue
            # Where rare texts were too many to keep, one that is not listed may yet have been seen.
            if rare or not any(literal.mask == 1 << len(listed.constants) for literal in column.literals):
                known = {*listed.constants, *rare}
                given = stripped(found.table.read[0].columns[column.name]).known.tolist()
                texts = [text for text in given if text not in known]
                if texts:
                    self.unseen.setdefault(column.name, Counter()).update(texts)
        return found

    def remark(self, console: Console, output: str = "-") -> None:
        """Say which rows have no answer, which categories were never seen in training, and where the answers are."""
        if self.problems:
            count = len(self.problems)
            console.remark(f"{count:,} of {self.done:,} rows {'has' if count == 1 else 'have'} no answer:")
            for row, why in self.problems[:_SHOWN]:
                console.remark(f"  row {row:,}: {why}")
            if count > _SHOWN:
                console.remark(f"  and {count - _SHOWN:,} more")
            if self.classifier.binariser_.missing == "refuse":
                console.remark("  (idnf fit --missing allow makes a model that answers these too)")
        for name, count in (+self.counted).items():
            column = next(column for column in self.classifier.binariser_.columns_ if column.name == name)
            label = column.known_labels[column.stand_in]
            rows = f"{count:,} of {self.done:,} rows"
            console.remark(f"{name}: missing in {rows}, though never in training; counted as {label!r}")
        for text in dict.fromkeys(self.unread):
            console.remark(text)
        for name, counts in self.unseen.items():
            shown = ", ".join(f"{brief(text)} ({rows})" for text, rows in counts.most_common(_SHOWN))
            more = f" and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else ""
            rows = f"{counts.total():,} of {self.done:,} rows"
            console.remark(f"{name}: not seen in training, so taken as other, in {rows}: {shown}{more}")
        if output != "-":
            console.remark(f"written to {output}")


@dataclass(frozen=True)
class FitScores:
    """How a model does on the rows it learned from and on those held out.

    Parameters
    ----------
    train_rows : int, optional
        Not known where the rows stay in an engine.
    train_accuracy : float
    test_rows : int
        Rows held out that the model answers.
    test_accuracy, test_baseline : float, optional
        The share of right labels; the share of the label that is most frequent in training.
    recall, precision, balanced_accuracy, auc : float, optional
        On the rows held out; all but the balanced accuracy for the positive of two labels.
    unanswered : int
        Rows held out that the model does not answer.
    constant : bool
        Whether all rows get the same label.
    group_rates : dict of str to tuple of int and float, optional
        Of the groups a limit is set for: rows held out that count, and the share that is given the label compared.
    gap_limit : float, optional
        The limit on the difference of these shares, which was set for the training rows.
    two_labels : bool
        Whether there are no more than two.
    """

    train_rows: int | None
    train_accuracy: float
    test_rows: int = 0
    test_accuracy: float | None = None
    test_baseline: float | None = None
    recall: float | None = None
    precision: float | None = None
    balanced_accuracy: float | None = None
    auc: float | None = None
    unanswered: int = 0
    constant: bool = False
    two_labels: bool = True
    group_rates: dict[str, tuple[int, float]] | None = None
    gap_limit: float | None = None

    @property
    def beats_nothing(self) -> bool:
        """Whether always giving the most frequent label is right as often on the rows held out."""
        if self.test_accuracy is None or self.test_baseline is None:
            return False
        return self.test_accuracy <= self.test_baseline

    @property
    def test_interval(self) -> tuple[float, float] | None:
        """Between which shares the accuracy on new rows lies with 95 % confidence (Wilson)."""
        if self.test_accuracy is None:
            return None
        from idnf.reporting.summary import wilson

        return wilson(round(self.test_accuracy * self.test_rows), self.test_rows)

    @property
    def interval_words(self) -> str:
        """The interval in words."""
        low, high = self.test_interval or (0.0, 1.0)
        return f"95% interval {low:.1%} to {high:.1%}"

    def to_text(self, positive: object) -> str:
        """Return the figures as sentences."""
        rows = "training rows" if self.train_rows is None else f"{self.train_rows:,} training rows"
        text = f"accuracy on the {rows}: {self.train_accuracy:.1%}"
        if self.test_accuracy is None or self.test_baseline is None:
            return text + "\nno rows were held out, so nothing is known about new ones"
        balanced = f"balanced accuracy {_figure(self.balanced_accuracy)}"
        of_two = f"{label_words(positive)}: recall {_figure(self.recall)}, precision {_figure(self.precision)}; "
        further = f"{of_two}{balanced}, AUC {_figure(self.auc, '.3f')}" if self.two_labels else balanced
        lines = [
            f"accuracy on {self.test_rows:,} rows held out: {self.test_accuracy:.1%} "
            f"({self.interval_words}; always the most frequent label: {self.test_baseline:.1%})",
            f"  {further}",
        ]
        if self.group_rates:
            rates = [rate for _, rate in self.group_rates.values()]
            groups = ", ".join(f"{name} {rate:.1%} of {rows:,}" for name, (rows, rate) in self.group_rates.items())
            gap = max(rates) - min(rates)
            above = self.gap_limit is not None and gap > self.gap_limit
            missed = f", above your limit of {self.gap_limit:g}, which holds on the training rows" if above else ""
            lines.append(f"  gap between groups {gap:.3f}{missed} ({groups})")
        return "\n".join([*lines, text])


def measure(
    classifier: DNFClassifier,
    X: pl.DataFrame,
    y: NDArray[np.generic],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    positive: object,
) -> FitScores:
    """Measure a model on the rows it learned from and on those held out."""
    learned = classifier.predict(X[train])
    train_accuracy = float(np.mean(learned == y[train]))
    constant = len(np.unique(learned)) == 1
    if len(test) == 0:
        return FitScores(len(train), train_accuracy, constant=constant)
    from sklearn.metrics import roc_auc_score

    from idnf.reporting.summary import measured

    answered = readable(classifier, X[test])
    rows = test[answered.rows]
    found, truth = classifier.predict(answered.table), y[rows]
    labels = classifier.classes_.tolist()
    figures, place, two = measured("held out", truth, found, labels), labels.index(positive), len(labels) == 2
    known = [recall for recall in map(figures.recall, range(len(labels))) if recall is not None]
    learned_from, counts = np.unique(y[train], return_counts=True)
    is_positive, share = truth == positive, classifier.predict_proba(answered.table)[:, place]
    return FitScores(
        len(train),
        train_accuracy,
        len(rows),
        figures.accuracy,
        float(np.mean(truth == learned_from[counts.argmax()])),
        figures.recall(place) if two else None,
        figures.precision(place) if two else None,
        float(np.mean(known)) if known else None,
        float(roc_auc_score(is_positive, share)) if two and 0 < is_positive.sum() < len(rows) else None,
        len(test) - len(rows),
        constant,
        two,
        _group_rates(classifier, X[rows], found, truth),
        None if classifier.fitted_.fairness is None else classifier.fitted_.fairness.fairness.limit,
    )


def _group_rates(
    classifier: DNFClassifier, table: pl.DataFrame, found: NDArray[np.generic], truth: NDArray[np.generic]
) -> dict[str, tuple[int, float]] | None:
    """Return how many rows of each group count, and the share of these that is given the label compared."""
    report = classifier.fitted_.fairness
    if report is None or not len(found):
        return None
    asked = report.fairness
    counts = truth == report.label if asked.metric == "equal_opportunity" else np.ones(len(truth), dtype=bool)
    named = ("missing" if value is None else label_words(value) for value in table[asked.column].to_list())
    values = np.array([*named])
    groups = {name: (values == name) & counts for name in sorted(set(values.tolist()))}
    return {
        name: (int(inside.sum()), float(np.mean(found[inside] == report.label)))
        for name, inside in groups.items()
        if inside.any()
    }


def _figure(value: float | None, form: str = ".1%") -> str:
    return "none" if value is None else format(value, form)
