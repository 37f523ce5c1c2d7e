"""Tables in memory: training on packed words, answers as arrays and sequences.

How many rows a learner can look at before a time limit is reckoned from a few of them that are tried.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.counted_examples import CountedExamples
from idnf.classifier.fitted import Fitted
from idnf.classifier.fitted_model import State
from idnf.classifier.misclassification_costs import MisclassificationCosts, checked_row_costs
from idnf.classifier.parameters import MOST_WEIGHT, SpaceName, class_weights, is_constrained
from idnf.classifier.training import MOST_VALUES, training_values
from idnf.classifier.training_request import TrainingRequest
from idnf.classifier.value_codes import value_folds
from idnf.columns.column import NO_CELL, RowProblem, TableColumn, without_problems
from idnf.columns.phrases import brief
from idnf.columns.predicates import Field, Plain, field_values, from_plain, holds
from idnf.columns.raw import RawColumn, RawTable, read_values, stripped
from idnf.columns.value_groups import grouped_columns
from idnf.counting.packed import Blocks, PackedTable
from idnf.engines.lazy_frames import as_lazy
from idnf.explaining.batch import Patterns
from idnf.explaining.claims import ExplainedRows
from idnf.explaining.explainer import Explainer
from idnf.explaining.explanation import Explanations, ValueWords
from idnf.explaining.lazy_reasons import LABEL, share_name
from idnf.explaining.training_facts import ColumnValues, TrainingPatterns
from idnf.learning.objective import labels_of
from idnf.learning.trials import Trials
from idnf.learning.value_folds import ValueFolds
from idnf.logic.errors import InvalidArgument
from idnf.result_frames import library_of
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import ColumnsReport, TableWarning, label_decisions
from idnf.tables.cuts import rows_in_time
from idnf.tables.targets import checked_weights, class_numbers, in_range

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier

# Examples that weigh less than this share of the heaviest one are left out: they could only add negligible terms.
_NEGLIGIBLE = 1e-6
# Of the time that is left, the share for choosing cuts, and then the share for making features of the rows.
_FOR_COLUMNS = 0.25
_FOR_FEATURES = 0.3


@dataclass(frozen=True)
class MemoryTraining:
    """A table in memory to learn from, its columns fitted.

    Parameters
    ----------
    binariser : TableBinariser
        Fitted.
    classes : ndarray of shape (n_classes,)
    table : RawTable
        The table as it was read.
    labels : int array of shape (rows,)
        The number of the class of each example.
    examples : CountedExamples
        What a learner counts.
    progress : callable or None
    whole : bool
        Whether a learner may look at every row.
    own : float array of shape (rows,) or None
        What each example weighs, whatever errors on it cost.
    costs : tuple of float or None
        The weights of the classes, none if they are all alike; None if each row has costs of its own.
    some : int array or None
        The rows that the learner looks at, if the time limit does not allow all of them.
    threads : int
        How many parts of the table are turned into features at the same time.
    trials : Trials, optional
        What other learners tried on the same examples.
    monotone : bool
        Whether the model is to keep monotone constraints.
    """

    binariser: TableBinariser
    classes: NDArray[np.generic]
    table: RawTable
    labels: NDArray[np.intp]
    examples: CountedExamples
    progress: Callable[[float], None] | None
    whole: bool = True
    own: NDArray[np.float64] | None = None
    costs: tuple[float, ...] | None = ()
    some: NDArray[np.intp] | None = None
    threads: int = 1
    trials: Trials | None = None
    monotone: bool = False

    @cached_property
    def counts(self) -> PackedTable:
        """The Boolean features as packed words."""
        table, examples, binariser = self.table, self.examples, self.binariser
        if self.some is not None:
            table, examples = table.at(self.some), examples.at(self.some)
        features = Blocks(lambda rows: binariser.features_of(table.at(rows)), len(binariser.literals_), self.threads)
        packed = examples.packed(features, len(self.classes))
        return replace(packed, whole=self.some is None)

    @cached_property
    def value_folds(self) -> ValueFolds | None:
        """The examples with the values of columns that are in groups; None if there are no such columns."""
        columns = self.binariser.columns_
        if not grouped_columns(columns):
            return None
        table, weights = self.table, self.examples.by_label(len(self.classes))
        if self.some is not None:
            table, weights = table.at(self.some), weights[self.some]
        return value_folds(columns, table, self.binariser.features_of, weights)

    def at(self, rows: NDArray[np.intp]) -> MemoryTraining:
        """Return some of the examples, with the same columns."""
        own = None if self.own is None else self.own[rows]
        examples = self.examples.at(rows)
        return replace(self, table=self.table.at(rows), labels=self.labels[rows], examples=examples, own=own)

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """What an error on each example counts, the costliest one."""
        return self.examples.weights

    @property
    def unavoidable(self) -> float:
        """The part of what is counted that no model gets right."""
        return self.examples.unavoidable

    @property
    def rows_for_time(self) -> tuple[int, int] | None:
        """How many rows the learner looks at, and of how many, if the time limit does not allow all of them."""
        return None if self.some is None else (len(self.some), len(self.labels))

    def patterns(self, explainer: Explainer) -> TrainingPatterns:
        """Return the weight of each class among the examples that a model does not distinguish."""
        frame = explainer.sides.frame
        cells = self.binariser.cells_of(self.table, frame.columns)
        patterns, n_classes = Patterns.of(frame, cells), len(self.classes)
        return TrainingPatterns.of(
            patterns, self.labels, self.own, n_classes=n_classes, costs=self.costs, monotone=self.monotone
        )

    def values(self, used: Collection[int]) -> tuple[ColumnValues | None, ...]:
        """Return the ranges and quantiles of the columns in use, from evenly spaced rows if there are very many."""
        some = slice(0, None, max(1, len(self.labels) // MOST_VALUES))
        weights = None if self.weights is None else self.weights[some]
        return training_values(self.binariser, self.table.at(some), weights, used)

    def unweighted(self) -> MemoryTraining:
        """Return the same training with errors on all classes counting alike."""
        return replace(self, examples=CountedExamples(self.labels, self.own), costs=())

    def finish(self) -> None:
        """Do nothing: the learner has told of its end."""


def memory_training(
    X: object, y: ArrayLike, sample_weight: ArrayLike | None, request: TrainingRequest
) -> MemoryTraining:
    """Read the target and the weights, and fit the columns."""
    classes, labels = class_numbers(y)
    examples, own, by_class = _examples(request.clf, labels, classes.tolist(), sample_weight, request.costs)
    binariser, deadline, weights = request.binariser, request.deadline, examples.weights
    table = binariser.fit_read(X, examples.labels, weights, deadline.part(_FOR_COLUMNS))
    of_labels = label_decisions(classes.tolist(), np.bincount(labels).tolist(), weighed=by_class != ())
    binariser.report_ = ColumnsReport((*binariser.report_, *of_labels))
    known = examples.labels if weights is None else np.where(weights > 0, examples.labels, -1)
    some = rows_in_time(
        lambda rows: binariser.features_of(table.at(rows)), known, deadline.part(_FOR_FEATURES), request.seed
    )
    from joblib import effective_n_jobs

    return MemoryTraining(
        binariser,
        classes,
        table,
        labels,
        examples,
        request.progress,
        own=own,
        costs=by_class,
        some=some,
        threads=effective_n_jobs(request.clf.n_jobs),
        monotone=is_constrained(request.clf.monotonic_cst),
    )


def training_again(
    clf: DNFClassifier, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None, costs: ArrayLike | None = None
) -> MemoryTraining:
    """Return a table as the training of a fitted classifier, cut into the cells that the classifier has."""
    fitted, binariser, given = clf.fitted_, clf.binariser_, class_numbers(y)[0].tolist()
    if set(given) != set(fitted.classes.tolist()):
        known, got = (", ".join(map(brief, labels)) for labels in (fitted.classes.tolist(), given))
        raise InvalidArgument("y", f"hold the labels of the model ({known})", got)
    labels = fitted.numbers_of(np.asarray(y))
    examples, own, by_class = _examples(clf, labels, fitted.classes.tolist(), sample_weight, costs)
    table = binariser.read(X)
    return MemoryTraining(
        binariser,
        fitted.classes,
        table,
        labels,
        examples,
        None,
        own=own,
        costs=by_class,
        monotone=is_constrained(clf.monotonic_cst),
    )


Table = TypeVar("Table", bound="ReadTable[Any]")


@dataclass(frozen=True, eq=False)
class ReadTable(ABC, Generic[State]):
    """A table in memory as a fitted model sees it: read once, each part worked out when it is asked for.

    Whatever takes rows takes it in their place: ``clf.predict``, ``clf.explain``, the functions of ``idnf.auditing``.

    Attributes
    ----------
    fitted : FittedModel
    X : table or array of shape (n_samples, n_features)
        As it was given; None if only its columns in use are known.
    """

    fitted: State
    X: object

    def __len__(self) -> int:
        return len(self.read[0])

    @classmethod
    def of(cls, fitted: State, X: object) -> Self:
        """Return a table in memory, which may have been read before, as a fitted model sees it; refuse a lazy one."""
        if isinstance(X, ReadTable):
            return X.shared(cls(fitted, X.X))
        if as_lazy(X) is not None:
            raise TypeError("X must be in memory for this question; got a lazy table. Collect some rows of it first.")
        return cls(fitted, X)

    @classmethod
    def of_read(cls, fitted: State, table: RawTable) -> Self:
        """Return a table of which the columns that the model looks at are read already."""
        made = cls(fitted, None)
        vars(made)["read"] = (table, [])
        return made

    @classmethod
    def of_plain(cls, fitted: State, columns: Mapping[str, Sequence[Plain]]) -> Self:
        """Return rows given as JSON holds them, by the names of fields; a model that looks at none takes one row."""
        fields = [field for column in fitted.inputs for field in column.fields]
        plain = {field.name: [field.from_plain(value) for value in columns[field.name]] for field in fields}
        rows = len(next(iter(columns.values()))) if columns else 1
        return cls.of_read(fitted, RawTable({name: read_values(name, some) for name, some in plain.items()}, rows=rows))

    def shared(self, other: Table) -> Table:
        """Return the same rows for another state; they are not read again if its columns were."""
        if other.fitted is self.fitted and isinstance(self, type(other)):
            return self
        own = self.fitted
        if own.binariser is other.fitted.binariser and set(other.fitted.used) <= set(own.used):
            vars(other).update(read=self.read, examined=self.examined)
        return other

    def at(self, rows: NDArray[np.intp] | slice, X: object = None) -> Self:
        """Return some rows, which all have an answer; `X`, if it is needed, are the same rows as a table."""
        part = type(self)(self.fitted, X)
        vars(part).update(read=(self.read[0].at(rows), []), examined=(self.examined[0][rows], []))
        return part

    @cached_property
    def read(self) -> tuple[RawTable, list[RowProblem]]:
        """The columns that the model looks at, and the values that cannot be read."""
        return self.fitted.binariser.read_rows(self.X, self.fitted.used)

    @cached_property
    def examined(self) -> tuple[NDArray[np.integer], list[RowProblem]]:
        """The cells, -1 if a value has none, and why it has none."""
        columns, used = self.fitted.columns, self.fitted.used
        _report_missing([columns[j] for j in used], self.read[0])
        cells, problems = self.fitted.binariser.examined(self.read[0], used)
        place = {name: j for j in used for name in columns[j].sources}
        for one in self.read[1]:
            cells[one.row, place[one.column]] = NO_CELL
        return cells, self.read[1] + problems

    @cached_property
    def problems(self) -> dict[int, RowProblem]:
        """The first problem of each row that has no answer, by row."""
        found = {one.row: one for one in reversed(self.examined[1])}
        return dict(sorted(found.items()))

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows that have an answer."""
        return np.flatnonzero((self.examined[0] != NO_CELL).all(axis=1))

    @property
    def cells(self) -> NDArray[np.integer]:
        """The cells; a table with a row that has no answer is refused."""
        return without_problems(*self.examined)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the table that the model looks at."""
        return tuple(field for column in self.fitted.inputs for field in column.fields)

    def values(self, field: Field) -> list[str | float | bool | None]:
        """Return the values of a field as they were read: times in microseconds since 1970, None if missing."""
        raw = self.read[0].columns[field.name]
        raw = stripped(raw) if field.kind == "text" else raw
        pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
        return [None if missing else value for value, missing in pairs]

    def holds(self, test: Sequence[object]) -> NDArray[np.bool_]:
        """Return for each row whether a test holds.

        Parameters
        ----------
        test : list
            As ``idnf.exporting.ordered_reasons`` gives it: ``["compare", [name], over, upto]`` (over the one limit,
            at most the other, None if there is none), ``["one of", [name], constants, negated]``, ``["missing",
            [name], negated]``, or ``["and", ...]`` and ``["or", ...]`` of tests. Several names stand for how many of
            these truths hold. On a missing value only ``missing`` is true.
        """
        fields, read = self._as_kinds
        return np.broadcast_to(holds(from_plain(test, fields), read), len(self)) if read else np.ones(len(self), bool)

    @cached_property
    def _as_kinds(self) -> tuple[dict[str, Field], dict[str, RawColumn]]:
        """The fields by name, and their values as the kinds that they are read as."""
        fields = {field.name: field for field in self.fields}
        return fields, {name: field_values(field, self.read[0].columns[name]) for name, field in fields.items()}

    @property
    @abstractmethod
    def labels(self) -> NDArray[np.intp]:
        """The number of the class, or of the band, of each row."""

    @abstractmethod
    def answers(self, *, shares: bool = False) -> dict[str, NDArray[Any]]:
        """Return what each row is given, as columns; of a classifier with the share of each label if asked for."""

    @property
    def decisions(self) -> list[object]:
        """The label, or what the band is called, of each row."""
        outcomes = self.fitted.outcomes
        return [outcomes[number] for number in self.labels.tolist()]

    @property
    @abstractmethod
    def reasons(self) -> ExplainedRows:
        """The explanation of each row, with one or two claims."""


class ExaminedTable(ReadTable[Fitted]):
    """A table in memory as a classifier sees it, each part worked out once, when it is first asked for.

    Parameters
    ----------
    fitted : Fitted
    X : table or array of shape (n_samples, n_features)

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> import polars as pl
    >>> policy = DNFClassifier.from_dnf("late", classes=("no", "yes"))
    >>> table = ExaminedTable(policy.fitted_, pl.DataFrame({"late": [True, None, False]}))
    >>> table.problems[1].why
    "column 'late' must have no missing values, as in training; got one"
    >>> table.rows.tolist(), table.at(table.rows).predicted().tolist()
    ([0, 2], ['yes', 'no'])
    """

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """The class of each row, by its number."""
        table, fitted = self.read[0], self.fitted
        if table.booleans is not None:
            return labels_of(fitted.model, fitted.binariser.features_of(table))
        return fitted.explainer.predict(self.cells)

    @cached_property
    def reasons(self) -> Explanations:
        """The explanation of each row."""
        explanations = self.fitted.explainer.explain(
            self.cells, values=_value_writer(self.fitted.columns, self.read[0])
        )
        explanations.library = library_of(self.X)
        return explanations

    def predicted(self) -> NDArray[np.generic]:
        """Return the label of each row."""
        return self.fitted.classes[self.labels]

    def probabilities(self) -> NDArray[np.float64]:
        """Return the training share of each class among the examples given the same reason, a column each."""
        return self.fitted.confidence.of_rows(self.cells)

    def answers(self, *, shares: bool = False) -> dict[str, NDArray[Any]]:
        """Return the label of each row and, if asked for, the training share of every label."""
        columns: dict[str, NDArray[Any]] = {LABEL: self.predicted()}
        if shares:
            columns |= zip(map(share_name, self.fitted.classes.tolist()), self.probabilities().T, strict=True)
        return columns

    def explained(self, space: SpaceName) -> Explanations:
        """Return the explanation of each row."""
        if space == "columns":
            return self.reasons
        return self.fitted.feature_explainer.explain(self.fitted.binariser.transform(self.X).astype(np.intp))

    def score(self, y: ArrayLike, sample_weight: ArrayLike | None) -> float:
        """Return the share of rows whose label is right."""
        from sklearn.metrics import accuracy_score

        return float(accuracy_score(y, self.predicted(), sample_weight=sample_weight))


def _value_writer(columns: tuple[TableColumn, ...], table: RawTable) -> ValueWords:
    """Return a function that writes the values of some rows in a column of the model as the table has them."""
    return lambda j, rows: columns[j].written(*(raw.at(rows) for raw in table.of(columns[j].sources)))


def _examples(
    clf: DNFClassifier,
    labels: NDArray[np.intp],
    classes: Sequence[object],
    sample_weight: ArrayLike | None,
    costs: ArrayLike | None,
) -> tuple[CountedExamples, NDArray[np.float64] | None, tuple[float, ...] | None]:
    """Return what a learner counts, what each example weighs by itself, and what an error on each class counts."""
    own = None if sample_weight is None else _weights(None, labels, classes, sample_weight)
    if clf.class_weight is None and clf.costs is None and costs is None:
        return CountedExamples(labels, own), own, ()
    by_class = np.array(class_weights(clf.class_weight, classes, np.bincount(labels).tolist()))
    if costs is not None:
        table = checked_row_costs(costs, len(labels), len(classes))
        return CountedExamples.costing(table, _weights(by_class[labels], labels, classes, sample_weight)), own, None
    mistakes = MisclassificationCosts.of(clf.costs, classes)
    by_class *= mistakes.highest
    weights = _weights(by_class[labels], labels, classes, sample_weight)
    if mistakes.is_by_label:
        return CountedExamples(labels, weights), own, tuple(by_class.tolist())
    return CountedExamples.costing(mistakes.relative[labels], weights), own, tuple(by_class.tolist())


def _report_missing(columns: Sequence[TableColumn], table: RawTable) -> None:
    """Warn of values missing in columns that had none in training, and say what they count as."""
    for column in columns:
        count = int(table.columns[column.name].missing.sum()) if column.missing == "counted" else 0
        if count:
            words = f"{column.name}: missing in {count:,} of {len(table):,} rows, though never in training"
            label = column.known_labels[column.stand_in]
            warnings.warn(f"{words}; counted as {label!r}", TableWarning, stacklevel=4)


def _weights(
    factors: NDArray[np.float64] | None,
    labels: NDArray[np.intp],
    classes: Sequence[object],
    sample_weight: ArrayLike | None,
) -> NDArray[np.float64] | None:
    if sample_weight is None and factors is None:
        return None
    weights = checked_weights(sample_weight, len(labels))
    factors = np.ones(1) if factors is None else factors
    with np.errstate(over="ignore", under="ignore"):
        total = float((weights * factors).sum())
    if not total <= MOST_WEIGHT:
        raise InvalidArgument(
            "sample_weight, times class_weight,",
            f"add up to at most {MOST_WEIGHT:g}",
            f"{total:g}",
            "Divide all weights by the largest.",
        )
    weights = in_range(in_range(weights) * in_range(factors))
    of_classes = np.bincount(labels, weights)
    if not of_classes.all():
        without = brief(classes[int(of_classes.argmin())])
        raise InvalidArgument("sample_weight", "leave some weight to each class", f"0 for all rows of {without}")
    return np.where(weights < _NEGLIGIBLE * weights.max(), 0.0, weights)
