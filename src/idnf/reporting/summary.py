"""What a report says, as plain data: figures, terms, reasons, the proof."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf import auditing
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.memory_source import ReadTable
from idnf.columns.eager_frames import as_frame, refuse_unknown, subgroup_of, value_reader
from idnf.columns.phrases import listed
from idnf.columns.raw import is_missing
from idnf.explaining.printed_lines import prove_lines
from idnf.explaining.reading import ModelSize, Reason
from idnf.explaining.wording import ClassWords, label_words
from idnf.exporting.plain_labels import plain_classes
from idnf.logic.errors import InvalidArgument
from idnf.logic.primes import TooManyBoxes
from idnf.tables.outcomes import unwanted_labels

Plain = str | float | int | bool | None

_MOST_GROUPS = 200

# Labels that people are refused or harmed by, in small letters.


def cases(table: ReadTable[Any], rows: Sequence[int]) -> list[dict[str, Plain]]:
    """Return some rows of a table, with the columns the model looks at, as plain values."""
    fitted = table.fitted
    names = [name for j in fitted.used for name in fitted.columns[j].sources]
    value = value_reader(table.X, fitted.binariser.input_names)
    return [{name: plain_value(value(row, name)) for name in names} for row in rows]


def case_names(table: ReadTable[Any], rows: Sequence[int]) -> list[str]:
    """Return what rows are called: by a column that training took for an identifier, else by their number from 1."""
    frame = as_frame(table.X)
    known = [one.column for one in table.fitted.binariser.report_ if one.topic == "identifier"]
    name = next((name for name in known if frame is not None and name in frame.columns), None)
    if frame is None or name is None:
        return [f"row {row + 1}" for row in rows]
    values = frame.get_column(name)
    return [f"{name} {values[row]}" for row in rows]


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


@dataclass(frozen=True)
class ColumnRole:
    """The part of one column.

    Attributes
    ----------
    column : str
    necessary, relevant : float
        The share of rows with the column in every reason, and in some reason.
    decides : bool
        Whether the column alone can change a decision, over all values; False is a proof that it cannot.
    """

    column: str
    necessary: float
    relevant: float
    decides: bool


def column_roles(classifier: DNFClassifier, X: object) -> list[ColumnRole]:
    """Return the part of each column that the model looks at, those in reasons of most rows first.

    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> [(role.column, role.necessary) for role in column_roles(policy, [[1, 0, 0], [0, 1, 1]])]
    [('late', 0.5), ('owner', 0.5), ('member', 0.5)]
    """
    parts = auditing.relevance(classifier, X).shares()
    columns = classifier.fitted_.columns
    names = [columns[j].name for j in classifier.fitted_.used]
    roles = [ColumnRole(name, *parts[name], auditing.can_decide(classifier, name).answer) for name in names]
    return sorted(roles, key=lambda role: (-role.relevant, -role.necessary))


@dataclass(frozen=True)
class Measured:
    """Accuracy on some rows.

    Attributes
    ----------
    name : str
        What the rows have in common.
    rows : int
    accuracy : float
    baseline : float
        The accuracy of always giving the most frequent label of these rows.
    given : float
        The share of rows given ``classes_[1]``.
    shares : tuple of float
        The share of rows given each class.
    confusion : tuple of tuple of int
        True labels by row, given labels by column, in the order of the classes.
    """

    name: str
    rows: int
    accuracy: float
    baseline: float
    given: float
    shares: tuple[float, ...]
    confusion: tuple[tuple[int, ...], ...]

    def figures(self) -> dict[str, object]:
        """Return what was measured as plain data."""
        figures = {name: value for name, value in asdict(self).items() if name != "confusion"}
        return {**figures, "interval": list(self.interval)}

    @property
    def interval(self) -> tuple[float, float]:
        """Where the accuracy on rows like these lies with 95 % confidence, after Wilson."""
        return wilson(sum(row[i] for i, row in enumerate(self.confusion)), self.rows)

    def refused(self, label: int) -> float | None:
        """Return the share of the rows not of a class that are given it; None if there are none."""
        others = [row for i, row in enumerate(self.confusion) if i != label]
        return sum(row[label] for row in others) / total if (total := sum(map(sum, others))) else None

    def recall(self, label: int) -> float | None:
        """Return the share of the rows of a class that are given it; None if there are none."""
        return _share(self.confusion[label], label)

    def precision(self, label: int) -> float | None:
        """Return the share of the rows given a class that are of it; None if there are none."""
        return _share([row[label] for row in self.confusion], label)


def _share(counts: Sequence[int], place: int) -> float | None:
    return counts[place] / sum(counts) if sum(counts) else None


def wilson(right: int, rows: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a share.

    >>> [round(end, 3) for end in wilson(83, 86)]
    [0.902, 0.988]
    """
    z, n = 1.959964, max(rows, 1)
    middle, half = (right + z * z / 2), z * math.sqrt(right * (n - right) / n + z * z / 4)
    return max(0.0, (middle - half) / (n + z * z)), min(1.0, (middle + half) / (n + z * z))


def asked_about(labels: Sequence[object], counts: Sequence[int], favourable: int | None = None) -> int:
    """Return the class that people ask about, by its number: the rarest of those that are not the favourable one.

    Without a favourable one it is the class that people are refused by, else the rarest.

    >>> asked_about(["bad", "good"], [9, 1]), asked_about(["a", "b"], [9, 1]), asked_about(["a", "b"], [9, 1], 1)
    (0, 1, 0)
    """
    named = [labels.index(label) for label in unwanted_labels(labels)]
    if favourable is None and len(named) == 1:
        return named[0]
    others = [number for number in range(len(labels)) if number != favourable]
    return min(others, key=lambda number: (counts[number], -number))


def errors_in_words(found: Measured, outcomes: Sequence[ClassWords], first: int) -> str:
    """Return what a model misses, as a sentence that begins with a class.

    >>> found = measured("all", np.array([0, 1, 1, 1]), np.array([1, 0, 1, 1]), (0, 1))
    >>> print(errors_in_words(found, [ClassWords("bad", "Status"), ClassWords("good", "Status")], 0))
    Misses 1 of 1 whose Status is bad, and gives bad to 1 of 3 whose Status is good.
    """
    rows = [sum(row) for row in found.confusion]
    whose = [f"whose {one.named}" if one.target else f"that are {one.words}" for one in outcomes]
    missed = [rows[i] - row[i] for i, row in enumerate(found.confusion)]
    order = [first, *(i for i in range(len(rows)) if i != first)]
    if len(order) == 2:
        other = order[1]
        given = f"gives {label_words(outcomes[first].label)} to {missed[other]:,} of {rows[other]:,} {whose[other]}"
        return f"Misses {missed[first]:,} of {rows[first]:,} {whose[first]}, and {given}."
    return f"Misses {listed([f'{missed[i]:,} of {rows[i]:,} {whose[i]}' for i in order], 'and')}."


@dataclass(frozen=True)
class Summary:
    """All a report says.

    Attributes
    ----------
    optimal : str or None
        The family in which the training objective is least; ``claimed`` if that is what a model file says.
    looks_at, ignores : tuple of str
        The columns that can, and cannot, make a difference.
    target : str or None
        What the column of labels is called.
    withheld : tuple of str
        Columns of the table that the model was not given.
    first : int
        The class that people ask about.
    size : ModelSize
    subgroups : tuple of Measured
        Accuracy by the values of one column.
    reasons : tuple of Reason
        All reasons, the most used first; ``n_reasons`` counts them, None if they are too many to list.
    true : array
        The number of the true class of each row.
    proof : str
        What verification says.
    """

    classes: tuple[str, ...]
    k: int
    family: str
    optimal: str | None
    looks_at: tuple[str, ...]
    ignores: tuple[str, ...]
    overall: Measured
    subgroup: str | None
    subgroups: tuple[Measured, ...]
    size: ModelSize
    reasons: tuple[Reason, ...]
    n_reasons: int | None
    proof: str
    claimed: bool = False
    target: str | None = None
    withheld: tuple[str, ...] = ()
    first: int = 0
    true: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp), repr=False, compare=False)

    def figures(self) -> dict[str, object]:
        """Return what was measured as plain data."""
        return {
            "target": self.target,
            "labels": list(self.classes),
            "k": self.k,
            "model": self.family,
            "optimal": self.optimal,
            "optimal_claimed": self.claimed,
            "looks_at": list(self.looks_at),
            "ignores": list(self.ignores),
            "withheld": list(self.withheld),
            **self.overall.figures(),
            "confusion": [list(row) for row in self.overall.confusion],
            "subgroups": [group.figures() for group in self.subgroups],
            "lines": self.size.terms,
            "conditions": self.size.conditions,
            "reasons": self.n_reasons,
            "proof": self.proof,
        }


def summarise(classifier: DNFClassifier, X: object, y: ArrayLike, *, subgroup: str | None = None) -> Summary:
    """Return what there is to say about a classifier and how it does on some labelled rows."""
    labels = list(plain_classes(classifier))
    true = np.asarray(y)
    refuse_unknown("y", f"hold the labels {' and '.join(map(repr, labels))}", np.unique(true).tolist(), labels)
    table = classifier.fitted_.read(X)
    given = table.predicted()
    reasons, n_reasons = _reasons(classifier, table, true)
    names = [column.name for column in classifier.binariser_.columns_]
    used = set(classifier.fitted_.used)
    groups = () if subgroup is None else _by_value(table.X, subgroup, true, given, labels)
    return Summary(
        classes=tuple(map(label_words, labels)),
        k=classifier.k,
        family=_family(classifier),
        optimal=classifier.optimal_,
        looks_at=tuple(name for j, name in enumerate(names) if j in used),
        ignores=tuple(name for j, name in enumerate(names) if j not in used),
        overall=measured("all rows", true, given, labels),
        subgroup=subgroup,
        subgroups=groups,
        size=classifier.size_,
        reasons=reasons,
        n_reasons=n_reasons,
        proof=_proof(classifier),
        claimed=classifier.optimal_ is not None and classifier.fitted_.learned.claimed,
        target=classifier.fitted_.target,
        withheld=_withheld(classifier, table.X),
        first=asked_about(
            labels, [int((true == label).sum()) for label in labels], classifier.fitted_.explainer.favourable
        ),
        true=classifier.fitted_.numbers_of(true),
    )


def _withheld(classifier: DNFClassifier, X: object) -> tuple[str, ...]:
    """Return the columns that were in the training table, or are in this one, and the model was not given."""
    frame, binariser = as_frame(X), classifier.binariser_
    offered = {name for column in binariser.columns_ for name in column.sources} | {classifier.fitted_.target}
    names = dict.fromkeys([*binariser.input_names, *([] if frame is None else frame.columns)])
    return tuple(name for name in names if name not in offered)


def measured(name: str, true: NDArray[np.generic], given: NDArray[np.generic], labels: Sequence[object]) -> Measured:
    """Return how often labels that were given are right; a row of another label than these counts as wrong.

    >>> found = measured("all", np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1]), (0, 1))
    >>> found.accuracy, found.baseline, found.confusion, found.precision(0)
    (0.75, 0.75, ((1, 0), (1, 2)), 0.5)
    """
    from sklearn.metrics import confusion_matrix

    counts = np.unique(true, return_counts=True)[1]
    shares = tuple(float(np.mean(given == label)) for label in labels)
    baseline = float(counts.max(initial=0) / max(1, len(true)))
    confusion = tuple(map(tuple, confusion_matrix(true, given, labels=labels).tolist()))
    return Measured(name, len(true), float(np.mean(true == given)), baseline, shares[1], shares, confusion)


def _by_value(
    X: object, subgroup: str, true: NDArray[np.generic], given: NDArray[np.generic], labels: Sequence[object]
) -> tuple[Measured, ...]:
    values = subgroup_of(X, subgroup)
    found, counts = np.unique(values, return_counts=True)
    if len(found) > _MOST_GROUPS:
        raise InvalidArgument("subgroup", f"have at most {_MOST_GROUPS} values", f"{len(found)} in {subgroup!r}")
    order = np.argsort(-counts, kind="stable")
    groups = [(str(found[i]), values == found[i]) for i in order]
    return tuple(measured(name, true[rows], given[rows], labels) for name, rows in groups)


def _proof(classifier: DNFClassifier) -> str:
    """Return what is proved of the lines, or of the Boolean terms if the lines are too many."""
    certificate, lines = classifier.verify(), prove_lines(classifier.fitted_.explainer)
    return str(certificate) if lines is None else str(lines)


def _reasons(classifier: DNFClassifier, X: object, true: NDArray[np.generic]) -> tuple[tuple[Reason, ...], int | None]:
    try:
        reasons = classifier.reasons(X, true)
    except TooManyBoxes:
        return (), None
    return tuple(sorted(reasons, key=lambda reason: -(reason.coverage or 0.0))), len(reasons)


def _family(classifier: DNFClassifier) -> str:
    model = classifier.nested_
    if model is None:
        return f"a {classifier.k}-AXp-interpretable function"
    if hasattr(model, "matrix"):
        return f"a nested {classifier.k}-DNF of {classifier.classes_.tolist()[1]}"
    if model.depth == 0:
        return f"a nested {classifier.k}-DNF of {classifier.classes_.tolist()[0]}"
    return f"a decision tree of depth {model.depth}" if model.is_plain else f"a nested tree of order {classifier.k}"
