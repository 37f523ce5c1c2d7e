"""Learning under a limit on the gap between groups: the plain learners on shifted weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.fairness import FairLearned, Fairness, FairProblem, Shifted, fair_search
from idnf.auditing.fairness_report import FairModel, FairnessReport
from idnf.classifier.memory_source import MemoryTraining
from idnf.columns.eager_frames import as_frame
from idnf.learning.class_objective import labels_of
from idnf.learning.recounting import Recounted
from idnf.learning.result import Learned
from idnf.logic.double import DoubleDNF
from idnf.logic.nested import NestedDNF


def split_groups(X: object, fairness: Fairness) -> tuple[object, NDArray[np.object_]]:
    """Return a table without the column of groups, unless the model may look at it, and the group of each row."""
    frame = as_frame(X)
    if frame is None:
        raise TypeError("X must be a pandas or polars table for fairness, whose column is known by name; got an array.")
    if fairness.column not in frame.columns:
        names = ", ".join(map(str, frame.columns))
        raise ValueError(f"fairness must name a column of the table ({names}); got {fairness.column!r}.")
    values = np.array(frame.get_column(fairness.column).to_list(), dtype=object)
    return X if fairness.feature else frame.drop(fairness.column).to_native(), values


def learn_fairly(
    training: MemoryTraining,
    fairness: Fairness,
    values: NDArray[np.object_],
    learn: Callable[[MemoryTraining], Recounted],
) -> tuple[list[Recounted], FairnessReport]:
    """Return all models considered, and the report on them.

    Parameters
    ----------
    training : MemoryTraining
        Of two classes.
    fairness : Fairness
    values : object array of shape (rows,)
        The group of each row.
    learn : callable
        What the learner makes of some examples.
    """
    if len(training.classes) != 2:
        raise ValueError(f"fairness must be None for {len(training.classes)} classes; it compares the rates of one.")
    positive = training.labels == 1
    problem = FairProblem.of(fairness, values, positive, training.weights)
    features = training.binariser.features_of(training.table)

    def learned(shifted: Shifted) -> FairLearned[Recounted]:
        if not (shifted.weights[shifted.positive].sum() > 0 and shifted.weights[~shifted.positive].sum() > 0):
            return _constant(training, bool(shifted.weights[shifted.positive].sum() > 0))
        # Weights as large as the rows are many, as those of examples that count once each.
        scaled = shifted.weights * (len(positive) / shifted.weights.sum())
        found = learn(replace(training, labels=shifted.positive.astype(np.intp), weights=scaled))
        given = labels_of(found.learned.model, features) == 1
        price = found.learned.price
        bound = found.learned.bound if not price else None
        return FairLearned(found, given, bound, found.learned.bound_family if bound is not None else None)

    share = float(problem.weights[positive].sum())
    search = fair_search(problem, fairness.limit, learned, _constant(training, share > 0.5))
    models = tuple(
        FairModel(one.error, one.gap, one.rates, one.multiplier, _terms(one.model)) for one in search.alternatives
    )
    label = training.classes.tolist()[1]
    report = FairnessReport(fairness, label, models, search.chosen, search.bound, search.bound_family)
    return [one.model for one in search.alternatives], report


def _constant(training: MemoryTraining, value: bool) -> FairLearned[Recounted]:
    """Return the model that gives every row one class."""
    rows = len(training.labels)
    model = NestedDNF.constant(training.binariser.literals_, value, 1)
    wrong = float(np.mean((training.labels == 1) != value))
    return FairLearned(Recounted(Learned(model, wrong), "all rows"), np.full(rows, value))


def _terms(found: Recounted) -> int:
    model = found.learned.model
    if isinstance(model, NestedDNF):
        return len(model.masks())
    double = model if isinstance(model, DoubleDNF) else model.double()  # type: ignore[union-attr]
    return min(double.positive.size, double.negative.size)
