"""Rows that a model answers, and those it cannot: one bad row never loses the others; and how often it is right.

A table comes as its file has it; the columns of the model are read out of it, each with the type the model expects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.phrases import brief
from idnf.columns.predicates import Field
from idnf.columns.raw import RawColumn
from idnf.commands.output import Console
from idnf.explaining.wording import label_words
from idnf.tables.binariser import RowProblem, TableBinariser

if TYPE_CHECKING:
    import polars as pl

_SHOWN = 5


def typed(
    table: pl.DataFrame, binariser: TableBinariser, used: Collection[int] | None = None
) -> tuple[pl.DataFrame, list[RowProblem]]:
    """Return the columns of a model, text read as in training; and the values that the model cannot take.

    Parameters
    ----------
    table : polars table
    binariser : TableBinariser
        Fitted; it remembers how text was read.
    used : collection of int, optional
        The columns the model looks at, which a table must have; others are taken along where they are there.

    >>> import polars as pl
    >>> fitted = TableBinariser(missing_values=["none"]).fit(pl.DataFrame({"age": ["30", "none", "45,5"]}), [0, 1, 1])
    >>> typed(pl.DataFrame({"age": ["41,5", "none"]}), fitted)[0].rows()
    [(41.5,), (None,)]
    """
    import polars as pl

    there = [j for j, column in enumerate(binariser.columns_) if set(column.sources) <= set(table.columns)]
    absent = [j for j in (range(len(binariser.columns_)) if used is None else sorted(used)) if j not in there]
    if absent:
        name = next(name for name in binariser.columns_[absent[0]].sources if name not in table.columns)
        names = ", ".join(table.columns)[:400]
        raise ValueError(f"table must have the columns of the model; got none called {name!r} among {names}.")
    read, problems = binariser.read_rows(table, there)
    found = [to_series(raw) if table[name].dtype == pl.String else table[name] for name, raw in read.columns.items()]
    needed = {name for j in there if used is None or j in used for name in binariser.columns_[j].sources}
    return pl.DataFrame(found), [one for one in problems if one.column in needed]


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


@dataclass(frozen=True)
class Readable:
    """The rows of a table that a model can take, typed; their places; and what is wrong with the others."""

    table: pl.DataFrame
    rows: NDArray[np.intp]
    problems: dict[int, str]


def readable(classifier: DNFClassifier, table: pl.DataFrame) -> Readable:
    """Return the rows of a table that a model can take, and what is wrong with the others."""
    found, problems = typed(table, classifier.binariser_, classifier.fitted_.used)
    why: dict[int, str] = {}
    for one in problems:
        why.setdefault(one.row, f"column {one.column!r} {one.why}")
    rows = np.array([row for row in range(table.height) if row not in why], dtype=np.intp)
    kept = found[rows] if why else found
    if kept.height:
        for row in _refused(lambda part: classifier.predict(kept[part]), np.arange(kept.height)):
            why[int(rows[row[0]])] = row[1]
    rows = np.array([row for row in range(table.height) if row not in why], dtype=np.intp)
    return Readable(found[rows] if why else found, rows, dict(sorted(why.items())))


class Listing:
    """Collects what there is to say of the rows of a table, part by part, and says it at the end.

    Parameters
    ----------
    classifier : DNFClassifier
    """

    def __init__(self, classifier: DNFClassifier) -> None:
        self.classifier = classifier
        self.done = 0
        self.problems: list[tuple[int, str]] = []
        self.unseen: dict[str, Counter[str]] = {}

    def take(self, table: pl.DataFrame) -> Readable:
        """Return the rows of a part that have an answer, and note the others and unknown categories."""
        found = readable(self.classifier, table)
        self.problems += [(self.done + row + 1, why) for row, why in found.problems.items()]
        self.done += table.height
        for j in self.classifier.fitted_.used:
            column = self.classifier.binariser_.columns_[j]
            rare = self.classifier.binariser_.rare_values_.get(column.name, ())
            listed = column.unlisted
            if listed is None or listed.value != Field(column.name, "text"):
                continue
            # Where rare texts were too many to keep, one that is not listed may yet have been seen.
            if rare or not any(literal.mask == 1 << len(listed.constants) for literal in column.literals):
                known = {*listed.constants, *rare}
                texts = [text for text in found.table[column.name].to_list() if text is not None and text not in known]
                if texts:
                    self.unseen.setdefault(column.name, Counter()).update(texts)
        return found

    def remark(self, console: Console, output: str = "-") -> None:
        """Say which rows have no answer, which categories were never seen in training, and where the answers are."""
        if self.problems:
            count = len(self.problems)
            console.remark(f"{count:,} of {self.done:,} rows have no answer:")
            for row, why in self.problems[:_SHOWN]:
                console.remark(f"  row {row}: {why}")
            if count > _SHOWN:
                console.remark(f"  and {count - _SHOWN:,} more")
            if any("missing values" in why for _, why in self.problems):
                console.remark("  (idnf fit --missing allow makes a model that answers these too)")
        for name, counts in self.unseen.items():
            shown = ", ".join(f"{brief(text)} ({rows})" for text, rows in counts.most_common(_SHOWN))
            more = f" and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else ""
            console.remark(f"{name}: {counts.total():,} values never seen in training, taken as other: {shown}{more}")
        if output != "-":
            console.remark(f"written to {output}")


def _refused(answer: Callable[[NDArray[np.intp]], object], rows: NDArray[np.intp]) -> list[tuple[int, str]]:
    """Return the rows that a question refuses, found by halving, each with the reason."""
    try:
        answer(rows)
    except ValueError as error:
        if len(rows) == 1:
            return [(int(rows[0]), str(error).split(" in row ")[0].rstrip("."))]
        middle = len(rows) // 2
        return _refused(answer, rows[:middle]) + _refused(answer, rows[middle:])
    return []


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
        The share of right labels; the share of the label that is commoner in training.
    recall, precision, balanced_accuracy, auc : float, optional
        On the rows held out; all but the balanced accuracy for the positive of two labels.
    unanswered : int
        Rows held out that the model does not answer.
    constant : bool
        Whether all rows get the same label.
    group_rates : dict of str to tuple of int and float, optional
        Of the groups a limit is set for: rows held out that count, and the share that is given ``classes_[1]``.
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

    @property
    def beats_nothing(self) -> bool:
        """Whether always giving the commonest label is right as often on the rows held out."""
        if self.test_accuracy is None or self.test_baseline is None:
            return False
        return self.test_accuracy <= self.test_baseline

    def to_text(self, positive: object) -> str:
        """Return the figures as sentences."""
        rows = "rows" if self.train_rows is None else f"{self.train_rows:,} rows"
        text = f"accuracy on the {rows} learned from: {self.train_accuracy:.1%}"
        if self.test_accuracy is None or self.test_baseline is None:
            return text + "\nno rows were held out, so nothing is known about new ones"
        balanced = f"balanced accuracy {_said(self.balanced_accuracy)}"
        of_two = f"{label_words(positive)}: recall {_said(self.recall)}, precision {_said(self.precision)}; "
        further = f"{of_two}{balanced}, AUC {_said(self.auc, '.3f')}" if self.two_labels else balanced
        lines = [
            f"accuracy on {self.test_rows:,} rows held out: {self.test_accuracy:.1%} "
            f"(always the commonest label: {self.test_baseline:.1%})",
            f"  {further}",
        ]
        if self.group_rates:
            rates = [rate for _, rate in self.group_rates.values()]
            groups = ", ".join(f"{name} {rate:.1%} of {rows:,}" for name, (rows, rate) in self.group_rates.items())
            lines.append(f"  gap between groups {max(rates) - min(rates):.3f} ({groups})")
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
    readable_rows = readable(classifier, X[test])
    rows, table = test[readable_rows.rows], readable_rows.table
    found = classifier.predict(table) if len(rows) else classifier.classes_[:0]
    shares = classifier.predict_proba(table) if len(rows) else np.zeros((0, len(classifier.classes_)))
    truth = y[rows]
    labels, counts = np.unique(y[train], return_counts=True)
    given, held = found == positive, truth == positive
    recalls = [_part(found == label, truth == label) for label in labels]
    known = [recall for recall in recalls if recall is not None]
    two = len(labels) == 2
    share = shares[:, classifier.classes_.tolist().index(positive)]
    return FitScores(
        len(train),
        train_accuracy,
        len(rows),
        float(np.mean(found == truth)),
        float(np.mean(truth == labels[counts.argmax()])),
        _part(given, held) if two else None,
        _part(held, given) if two else None,
        float(np.mean(known)) if known else None,
        float(roc_auc_score(held, share)) if two and 0 < held.sum() < len(held) else None,
        len(test) - len(rows),
        constant,
        two,
        _group_rates(classifier, X[rows], found, truth),
    )


def _group_rates(
    classifier: DNFClassifier, table: pl.DataFrame, found: NDArray[np.generic], truth: NDArray[np.generic]
) -> dict[str, tuple[int, float]] | None:
    """Return how many rows of each group count, and how many of these are given the second label."""
    asked = classifier.fairness
    if asked is None or not len(found):
        return None
    second = classifier.classes_[1]
    counts = truth == second if asked.metric == "equal_opportunity" else np.ones(len(truth), dtype=bool)
    named = ("missing" if value is None else label_words(value) for value in table[asked.column].to_list())
    values = np.array([*named])
    groups = {name: (values == name) & counts for name in sorted(set(values.tolist()))}
    return {
        name: (int(inside.sum()), float(np.mean(found[inside] == second)))
        for name, inside in groups.items()
        if inside.any()
    }


def _part(wanted: NDArray[np.bool_], among: NDArray[np.bool_]) -> float | None:
    """Return the share of some rows among others; None where there are none."""
    return float(np.mean(wanted[among])) if among.any() else None


def _said(value: float | None, form: str = ".1%") -> str:
    return "none" if value is None else format(value, form)
