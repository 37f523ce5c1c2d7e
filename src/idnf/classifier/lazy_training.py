"""Fitting, predicting and explaining where the data are: what a classifier does with a lazy table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from sys import float_info
from typing import Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.classifier.questions import MOST_VALUES, training_values
from idnf.columns.raw import KIND_WORDS
from idnf.counting.lazy_table import LazyTable
from idnf.engines.counts import count_rows
from idnf.engines.lazy_frames import Lazy
from idnf.engines.lazy_sampling import CLASS, Sampling
from idnf.engines.queries import Scans, Step, schema_of
from idnf.explaining.confidence import TrainingPatterns
from idnf.explaining.lazy_reasons import LazyExplainer
from idnf.explaining.training_values import ColumnValues
from idnf.learning.local.search import SearchOptions
from idnf.learning.recounting import LearnerName, Recounted, learn_recounted
from idnf.tables.binariser import TableBinariser
from idnf.tables.lazy_columns import conditions, lazy_column
from idnf.tables.lazy_fitting import WEIGHT, LazyExamples, fit_lazily
from idnf.tables.lazy_target import LazyTarget, read_target

ClassWeight = Mapping[object, float] | Literal["balanced"] | None


@dataclass(frozen=True)
class LazyTraining:
    """A lazy table to learn from, its columns fitted.

    Parameters
    ----------
    examples : LazyExamples
    binariser : TableBinariser
        Fitted.
    """

    examples: LazyExamples
    binariser: TableBinariser

    @classmethod
    def of(
        cls,
        frame: Lazy,
        names: tuple[str, str | None],
        binariser: TableBinariser,
        class_weight: ClassWeight,
        seed: int,
        scans: Scans,
    ) -> LazyTraining:
        """Read the target and fit the columns.

        Parameters
        ----------
        frame : lazy table
        names : tuple of str and (str or None)
            The column of the labels and the column of the weights.
        binariser : TableBinariser
        class_weight : dict, "balanced" or None
        seed : int
        scans : Scans
        """
        schema = schema_of(frame)
        target_name, weight_name = names
        # Categories are counted column by column.
        scans.expected += sum(schema[name] in (nw.String, nw.Categorical) for name in schema if name not in names)
        target = read_target(frame, target_name, schema, scans)
        class_weights = _class_weights(class_weight, target)
        if weight_name is not None:
            _refuse_bad_weights(frame, weight_name, schema, scans)
            frame = frame.filter(nw.col(weight_name) > 0)
            target = read_target(frame, target_name, schema, scans)
        raws = {name: lazy_column(name, dtype) for name, dtype in schema.items() if name not in names}
        if not raws:
            raise ValueError("X must have at least one column beside the target; got 0.")
        weight = None if weight_name is None else nw.col(weight_name)
        examples = LazyExamples(frame, raws, target, weight, class_weights, seed, scans)
        fit_lazily(binariser, examples)
        return cls(examples, binariser)

    def learned(self, k: int, task: SearchOptions, learner: LearnerName) -> Recounted:
        """Learn a model."""
        examples = self.examples
        literals = [c for column in self.binariser.columns_ for c in conditions(column, examples.raws)]
        table = LazyTable(
            examples.frame,
            tuple(literals),
            examples.target.positive,
            examples.weight,
            examples.class_weights,
            examples.scans,
        )
        return learn_recounted(table, self.binariser.literals_, k, task, learner)

    def training_patterns(self, explainer: LazyExplainer) -> TrainingPatterns:
        """Count the rows given each reason."""
        examples = self.examples
        one = nw.lit(1) if examples.weight is None else examples.weight.cast(nw.Float64)
        in_class = examples.target.positive
        weights = (
            nw.when(in_class).then(nw.lit(0)).otherwise(one),
            nw.when(in_class).then(one).otherwise(nw.lit(0)),
        )
        found = explainer.training_patterns(examples.frame, examples.raws, weights, examples.scans)
        low, high = examples.class_weights
        return replace(found, positive=high * found.positive, negative=low * found.negative)

    def training_values(self, used: tuple[int, ...]) -> tuple[ColumnValues | None, ...]:
        """Take the ranges and quantiles of the columns in use from a sample."""
        examples = self.examples
        sampling = Sampling(examples.target.positive, examples.target.sizes, MOST_VALUES, examples.seed)
        weight = [] if examples.weight is None else [examples.weight.cast(nw.Float64).alias(WEIGHT)]
        columns = [*(nw.col(name) for name in examples.raws), *weight]
        sampled = sampling.taken(examples.frame, columns, examples.scans)
        classes = sampled.get_column(CLASS).to_numpy().astype(np.intp)
        weights = np.array(examples.class_weights)[classes]
        if weight:
            weights = weights * sampled.get_column(WEIGHT).to_numpy().astype(np.float64)
        table = self.binariser.read(sampled.select(list(examples.raws)).to_native())
        return training_values(self.binariser, table, weights, used)


def score_lazily(frame: Lazy, target: str, explainer: LazyExplainer, classes: NDArray[np.generic]) -> float:
    """Return the share of rows whose label is right, in one scan; one without a label, or with another, is not."""
    if target not in schema_of(frame):
        raise ValueError(f"y must name a column of the table; got {target!r}.")
    value, (low, high) = nw.col(target), classes.tolist()
    labels = (~value, value) if isinstance(high, bool) else (value == nw.lit(low), value == nw.lit(high))
    with Step("counting right labels"):
        counted = explainer.counted(frame, explainer.raws(frame), labels)
        answer = Scans().collect(counted, "counting right labels").select("right", "rows", "outside").row(0)
    right, rows, outside = (int(value or 0) for value in answer)
    if not rows:
        raise ValueError("X must have at least one row; got 0.")
    if outside:
        raise ValueError(f"X must hold values like those in training; {outside} rows have missing or unknown ones.")
    return right / rows


class FitProgress:
    """Tells how much of a fit in an engine is done: by scans and, but for greedy learning, by the learner's own steps.

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


def _refuse_bad_weights(frame: Lazy, name: str, schema: Mapping[str, nw.dtypes.DType], scans: Scans) -> None:
    if name not in schema:
        raise ValueError(f"sample_weight must name a column of the table; got {name!r}.")
    raw = lazy_column(name, schema[name])
    if raw.kind != "number":
        raise ValueError(f"sample_weight must name a column of numbers; {name!r} holds {KIND_WORDS[raw.kind]}.")
    bad = raw.missing | (raw.value < 0) | (raw.value > float_info.max)
    (rows,) = count_rows(frame, [bad], "checking the weights", scans)
    if rows:
        raise ValueError(
            f"sample_weight must be at least 0 and finite; {name!r} is not, or is missing, in {rows} rows."
        )


def _class_weights(given: ClassWeight, target: LazyTarget) -> tuple[float, float]:
    if given is None:
        return 1.0, 1.0
    sizes = (target.sizes.negative, target.sizes.positive)
    if given == "balanced":
        return sum(sizes) / (2 * sizes[0]), sum(sizes) / (2 * sizes[1])
    assert not isinstance(given, str), "class_weight is checked when parameters are"
    labels = target.classes.tolist()
    others = [label for label in given if label not in labels]
    if others and any(label not in given for label in labels):
        raise ValueError(f"class_weight must name the labels {labels[0]!r} and {labels[1]!r}; got {others[0]!r}.")
    low, high = (float(given.get(label, 1.0)) for label in labels)
    if not low > 0 or not high > 0:
        raise ValueError(f"class_weight must leave some weight to each class; got {low:g} and {high:g}.")
    return low, high
