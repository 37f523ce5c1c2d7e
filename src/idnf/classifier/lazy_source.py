"""Lazy tables: training by queries, answers as further columns that the engine works out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from sys import float_info
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.classifier.fitted import Fitted
from idnf.classifier.lazy_costs import CountedRows, costs_of_pairs
from idnf.classifier.misclassification_costs import MOST_COST, MisclassificationCosts
from idnf.classifier.parameters import SpaceName, class_weights, is_constrained
from idnf.classifier.training import MOST_VALUES, training_values
from idnf.classifier.training_request import TrainingRequest
from idnf.classifier.value_codes import MOST_EXAMPLES, value_folds
from idnf.columns.raw import KIND_WORDS
from idnf.columns.value_groups import grouped_columns
from idnf.counting.lazy_table import LazyTable
from idnf.engines.lazy_frames import Lazy
from idnf.engines.queries import Scans, count_rows, indicator, schema_of, total
from idnf.explaining.explainer import Explainer
from idnf.explaining.lazy_reasons import LazyExplainer
from idnf.explaining.training_facts import ColumnValues, TrainingPatterns
from idnf.learning.choices import LearnerName
from idnf.learning.trials import Trials
from idnf.learning.value_folds import ValueFolds
from idnf.logic.errors import InvalidArgument
from idnf.tables.binariser import TableBinariser
from idnf.tables.lazy_columns import conditions, lazy_column
from idnf.tables.lazy_fitting import MOST_SAMPLED_VALUES, LazyExamples, fit_lazily
from idnf.tables.targets import read_target

# An engine adds weights up as they are.
_MOST_WEIGHT = 1e15


def lazy_training(frame: Lazy, y: object, sample_weight: object, request: TrainingRequest) -> LazyTraining:
    """Read the target and the weights, columns of the table, and fit the other columns."""
    if not isinstance(y, str) or not (sample_weight is None or isinstance(sample_weight, str)):
        given = f"{type(y).__name__} and {type(sample_weight).__name__}"
        raise TypeError(f"y and sample_weight must name columns of a lazy table; got {given}.")
    told = FitProgress(request.progress, request.clf.k, request.clf.learner)
    schema, scans = schema_of(frame), told.scans
    columns = _cost_columns(request.costs)
    beside = [name for name in schema if name not in (y, sample_weight, *columns)]
    # Categories are counted column by column.
    scans.expected += sum(schema[name] in (nw.String, nw.Categorical) for name in beside)
    target = read_target(frame, y, schema, scans)
    mistakes = MisclassificationCosts.of(request.clf.costs, target.classes.tolist())
    weights = class_weights(request.clf.class_weight, target.classes.tolist(), target.sizes.rows)
    of_classes = tuple(weight * factor for weight, factor in zip(weights, mistakes.highest.tolist(), strict=True))
    if sample_weight is not None:
        _refuse_bad_numbers(frame, "sample_weight", sample_weight, schema, scans, most=_MOST_WEIGHT)
        frame = frame.filter(nw.col(sample_weight) > 0)
        target = read_target(frame, y, schema, scans)
    if not beside:
        raise InvalidArgument("X", "have at least one column besides the target", "0")
    raws = {name: lazy_column(name, schema[name]) for name in beside}
    weight = None if sample_weight is None else nw.col(sample_weight)
    examples = LazyExamples(frame, raws, target, weight, of_classes, request.seed, scans)
    examples = fit_lazily(request.binariser, examples)
    monotone = is_constrained(request.clf.monotonic_cst)
    if not columns and mistakes.is_by_label:
        return LazyTraining(examples, request.binariser, told, monotone=monotone)
    if columns and len(columns) != len(target.classes):
        known = ", ".join(map(repr, target.classes.tolist()))
        raise InvalidArgument("costs", f"name a column for each label in sorted order ({known})", list(columns))
    for name in columns:
        _refuse_bad_numbers(frame, "costs", name, schema, scans, most=MOST_COST)
    costs = [nw.col(name).cast(nw.Float64) for name in columns] or costs_of_pairs(mistakes, target)
    of_rows = total([indicator(label) * factor for label, factor in zip(target.labels, of_classes)])
    if weight is not None:
        of_rows = of_rows * weight.cast(nw.Float64)
    counted = CountedRows.costing(frame, costs, of_rows, scans)
    return LazyTraining(
        examples,
        request.binariser,
        told,
        counted,
        by_row=bool(columns),
        monotone=is_constrained(request.clf.monotonic_cst),
    )


def _cost_columns(costs: object) -> tuple[str, ...]:
    """Return the columns that hold costs, none by default."""
    if costs is None:
        return ()
    if isinstance(costs, (list, tuple)) and all(isinstance(name, str) for name in costs):
        return tuple(costs)
    raise TypeError(f"costs must be a list of names of columns for a lazy table; got {type(costs).__name__}.")


@dataclass(frozen=True)
class LazyExamined:
    """A lazy table that a model is asked about; its engine answers."""

    fitted: Fitted
    frame: Lazy

    @property
    def _explainer(self) -> LazyExplainer:
        return LazyExplainer(self.fitted.explainer, self.fitted.columns)

    def predicted(self) -> Any:
        """Return the table with the label of each row."""
        return _native(self._explainer.predicted(self.frame))

    def probabilities(self) -> Any:
        """Return the table with the training share of the second class, or of each if there are more than two."""
        return _native(self._explainer.with_probability(self.frame, self.fitted.confidence))

    def explained(self, space: SpaceName) -> Any:
        """Return the table with the label, the reason and its conditions for each row."""
        if space != "columns":
            raise InvalidArgument("space", 'be "columns" for a lazy table', f"{space!r}")
        return _native(self._explainer.explained(self.frame))

    def score(self, y: object, sample_weight: object) -> float:
        """Return the share of rows whose label is right, in one scan; a row without a label counts as wrong."""
        if not isinstance(y, str) or sample_weight is not None:
            raise InvalidArgument("y", "name a column of a lazy table, without sample_weight", type(y).__name__)
        if y not in schema_of(self.frame):
            raise InvalidArgument("y", "name a column of the table", f"{y!r}")
        value, known = nw.col(y), self.fitted.classes.tolist()
        labels = [~value, value] if isinstance(known[1], bool) else [value == nw.lit(label) for label in known]
        right, rows, outside = self._explainer.counted(self.frame, labels)
        if not rows:
            raise InvalidArgument("X", "have at least one row", "0")
        if outside:
            raise ValueError(f"X must hold values like those in training; {outside} rows have missing or unknown ones.")
        return right / rows


def _native(frame: Lazy) -> Any:
    # The user's own kind of table.
    return nw.to_native(frame, pass_through=True)


@dataclass(frozen=True)
class LazyTraining:
    """A lazy table to learn from, its columns fitted.

    Parameters
    ----------
    examples : LazyExamples
    binariser : TableBinariser
        Fitted.
    told : FitProgress
    counted : CountedRows, optional
        What the learner counts, if not every row for its own label.
    by_row : bool
        Whether each row has costs of its own.
    monotone : bool
        Whether the model is to keep monotone constraints.
    """

    examples: LazyExamples
    binariser: TableBinariser
    told: FitProgress
    counted: CountedRows | None = None
    by_row: bool = False
    monotone: bool = False
    whole: bool = False
    rows_for_time: tuple[int, int] | None = None
    trials: Trials | None = None

    @property
    def classes(self) -> NDArray[np.generic]:
        """The labels, sorted."""
        return self.examples.target.classes

    @cached_property
    def counts(self) -> LazyTable:
        """The literals as conditions that the engine counts."""
        examples, counted = self.examples, self.counted
        literals = tuple(c for column in self.binariser.columns_ for c in conditions(column, examples.raws))
        if counted is not None:
            sizes, weight = counted.sizes, counted.weight
            return LazyTable(counted.frame, literals, counted.labels, sizes, weight, scans=examples.scans)
        return LazyTable(
            examples.frame,
            literals,
            examples.target.labels,
            examples.target.sizes,
            examples.weight,
            examples.class_weights,
            examples.scans,
        )

    @cached_property
    def value_folds(self) -> ValueFolds | None:
        """A sample of the examples with the values of columns that are in groups; None if there are no such columns.

        With costs of their own, rows are not examples of one label, and folds keep the groups made of all rows.
        """
        columns = self.binariser.columns_
        if self.counted is not None or not grouped_columns(columns):
            return None
        names, factors = list(self.examples.raws), np.array(self.examples.class_weights)
        sampled, classes, weights = self.examples.sampled(names, min(MOST_EXAMPLES, MOST_SAMPLED_VALUES // len(names)))
        table = self.binariser.read(sampled.select(names).to_native())
        sizes = np.array(self.examples.target.sizes.rows) / np.maximum(np.bincount(classes, minlength=len(factors)), 1)
        by_label = np.zeros((len(classes), len(factors)))
        by_label[np.arange(len(classes)), classes] = weights * (factors * sizes)[classes]
        return value_folds(columns, table, self.binariser.features_of, by_label)

    @property
    def unavoidable(self) -> float:
        """The part of what is counted that no model gets right."""
        return 0.0 if self.counted is None else self.counted.unavoidable

    @property
    def progress(self) -> Callable[[float], None] | None:
        """What the learner tells how much of its work is done."""
        return None if self.told.report is None else self.told.learned

    def unweighted(self) -> LazyTraining:
        """Return the same training with errors on all classes counting alike."""
        return replace(self, examples=replace(self.examples, class_weights=(1.0,) * len(self.classes)))

    def finish(self) -> None:
        """Note that all is done."""
        self.told.finish()

    def patterns(self, explainer: Explainer) -> TrainingPatterns:
        """Count the rows given each reason."""
        examples = self.examples
        one = nw.lit(1) if examples.weight is None else examples.weight.cast(nw.Float64)
        weights = [nw.when(label).then(one).otherwise(nw.lit(0)) for label in examples.target.labels]
        lazily = LazyExplainer(explainer, self.binariser.columns_)
        found = lazily.training_patterns(examples.frame, examples.raws, weights, examples.scans)
        costs = None if self.by_row else tuple(map(float, examples.class_weights))
        return replace(found, costs=costs, monotone=self.monotone)

    def values(self, used: Collection[int]) -> tuple[ColumnValues | None, ...]:
        """Take the ranges and quantiles of the columns in use from a sample."""
        sampled, classes, weights = self.examples.sampled(list(self.examples.raws), MOST_VALUES)
        table = self.binariser.read(sampled.select(list(self.examples.raws)).to_native())
        return training_values(self.binariser, table, np.array(self.examples.class_weights)[classes] * weights, used)


class FitProgress:
    """Reports the progress of a fit in an engine: scans and, except in greedy learning, the learner's own steps.

    Parameters
    ----------
    report : callable or None
        Called with a share from 0 to 1 that never shrinks.
    k : int
    learner : {"greedy", "search", "exact"}

    >>> told = []
    >>> progress = FitProgress(told.append, 3, "search")
    >>> progress.learned(0.5)
    >>> progress.finish()
    >>> told
    [0.25, 1.0]
    """

    def __init__(self, report: Callable[[float], None] | None, k: int, learner: LearnerName) -> None:
        self.report = report
        self.by_scans = 1.0 if learner == "greedy" else 0.5
        self.scan_share = self.learner_share = 0.0
        # The target, missing values, cuts and all literals; then the learner's; then shares and ranges of values.
        of_learner = k * (k - 1) + 1 if learner == "greedy" else 2
        self.scans = Scans(self._scanned, expected=4 + of_learner + 2)

    def learned(self, share: float) -> None:
        """Note how much the learner has done."""
        self.learner_share = max(self.learner_share, share)
        self._tell()

    def finish(self) -> None:
        """Note that all is done."""
        self.scan_share = self.learner_share = 1.0
        self._tell()

    def _scanned(self, share: float) -> None:
        self.scan_share = share
        self._tell()

    def _tell(self) -> None:
        if self.report is not None:
            self.report(self.by_scans * self.scan_share + (1 - self.by_scans) * self.learner_share)


def _refuse_bad_numbers(
    frame: Lazy, parameter: str, name: str, schema: Mapping[str, nw.dtypes.DType], scans: Scans, *, most: float
) -> None:
    """Raise an error if a column does not hold a finite number of at least 0 for each row."""
    if name not in schema:
        raise InvalidArgument(parameter, "name a column of the table", f"{name!r}")
    raw = lazy_column(name, schema[name])
    if raw.kind != "number":
        raise ValueError(f"{parameter} must name a column of numbers; {name!r} holds {KIND_WORDS[raw.kind]}.")
    bad = raw.missing | (raw.value < 0) | (raw.value > float_info.max)
    rows, heavy = count_rows(frame, [bad, raw.value > most], f"checking column {name!r}", scans)
    if rows:
        raise ValueError(f"{parameter} must be at least 0 and finite; {name!r} is not, or is missing, in {rows} rows.")
    if heavy:
        raise ValueError(
            f"{parameter} must be at most {most:g} in a lazy table; {name!r} is more in {heavy} rows. "
            "Divide all of them by the largest."
        )
