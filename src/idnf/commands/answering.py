"""Rows that a model answers, and those it cannot: one bad row never loses the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.predicates import Field
from idnf.commands.cell_text import typed
from idnf.commands.console import Console

if TYPE_CHECKING:
    import polars as pl

_SHOWN = 5


@dataclass(frozen=True)
class Answered:
    """Labels and shares of the rows that have an answer."""

    rows: NDArray[np.intp]
    labels: NDArray[np.generic]
    shares: NDArray[np.float64]


@dataclass(frozen=True)
class Readable:
    """The rows of a table that a model can take, typed; their places; and what is wrong with the others."""

    table: pl.DataFrame
    rows: NDArray[np.intp]
    problems: dict[int, str]


def readable(classifier: DNFClassifier, table: pl.DataFrame) -> Readable:
    """Return the rows of a table that a model can take, and what is wrong with the others."""
    used = used_columns(classifier)
    found, problems = typed(table, classifier.binariser_, used)
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


def answered(classifier: DNFClassifier, table: pl.DataFrame) -> Answered:
    """Return the labels and shares of the rows that have an answer."""
    found = readable(classifier, table)
    if not len(found.rows):
        return Answered(found.rows, classifier.classes_[:0], np.zeros((0, len(classifier.classes_))))
    return Answered(found.rows, classifier.predict(found.table), classifier.predict_proba(found.table))


def used_columns(classifier: DNFClassifier) -> tuple[int, ...]:
    """Return the columns that a model looks at."""
    return classifier.fitted_.used


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
        for j in used_columns(self.classifier):
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
            shown = ", ".join(f"{text!r} ({rows})" for text, rows in counts.most_common(_SHOWN))
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
