"""Learning under a limit on the gap between groups: plain learners on shifted weights, then trees looked through."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from idnf.auditing.fairness_report import FairnessReport
from idnf.classifier.learning_task import learned_by, task_of
from idnf.classifier.memory_source import MemoryTraining
from idnf.columns.eager_frames import as_frame
from idnf.learning.fair_trees import fair_tree
from idnf.learning.fairness import MOST_MODELS, FairLearned, Fairness, FairProblem, FairSearch, Shifted
from idnf.learning.objective import Learned, labels_of
from idnf.learning.recounting import Recounted
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier


def split_groups(X: object, fairness: Fairness) -> tuple[object, NDArray[np.object_]]:
    """Return a table without the column of groups, unless the model may look at it, and the group of each row."""
    frame = as_frame(X)
    if frame is None:
        raise TypeError(
            "X must be a pandas or polars table in memory for fairness, whose column is known by name; "
            f"got {type(X).__name__}."
        )
    if fairness.column not in frame.columns:
        names = ", ".join(map(str, frame.columns))
        raise ValueError(f"fairness must name a column of the table ({names}); got {fairness.column!r}.")
    values = np.array(frame.get_column(fairness.column).to_list(), dtype=object)
    return X if fairness.feature else frame.drop(fairness.column).to_native(), values


def learn_fairly(
    clf: DNFClassifier, training: MemoryTraining, fairness: Fairness, values: NDArray[np.object_]
) -> tuple[list[Recounted], FairnessReport]:
    """Return all models considered, and the report on them.

    Parameters
    ----------
    clf : DNFClassifier
        Its parameters say how to learn.
    training : MemoryTraining
        Of two classes.
    fairness : Fairness
    values : object array of shape (rows,)
        The group of each row.
    """
    if len(training.classes) != 2:
        raise ValueError(f"fairness must be None for {len(training.classes)} classes; it compares the rates of one.")
    positive = training.labels == 1
    problem = FairProblem.of(fairness, values, positive, training.weights, training.own)
    features = training.binariser.features_of(training.table)
    # Many models share the time for one.
    asked = clone(clf).set_params(time_limit=None if clf.time_limit is None else clf.time_limit / MOST_MODELS)

    def learned(shifted: Shifted) -> FairLearned[Recounted]:
        if not (shifted.weights[shifted.positive].sum() > 0 and shifted.weights[~shifted.positive].sum() > 0):
            return constant(bool(shifted.weights[shifted.positive].sum() > 0))
        # Weights as large as the rows are many, as those of examples that count once each.
        scaled = shifted.weights * (len(positive) / shifted.weights.sum())
        found = learned_by(asked, replace(training, labels=shifted.positive.astype(np.intp), weights=scaled))
        bound = found.learned.bound if not found.learned.price else None
        return considered(found, bound, found.learned.bound_family if bound is not None else None)

    def constant(value: bool) -> FairLearned[Recounted]:
        model = NestedDNF.constant(training.binariser.literals_, value, 1)
        return considered(Recounted(Learned(model, float("nan")), "all rows"))

    def considered(found: Recounted, bound: float | None = None, family: str | None = None) -> FairLearned[Recounted]:
        """Return a model with its errors as its objective: what was proved was of another objective."""
        given = labels_of(found.learned.model, features) == 1
        plain = Learned(found.learned.model, problem.error(given))
        return FairLearned(replace(found, learned=plain), given, bound, family, _terms(found))

    search: FairSearch[Recounted] = FairSearch(problem, fairness.limit)
    search.climb(learned)
    task = task_of(clf, training)
    if clf.family != "nested" and task.allowed is None:
        found = fair_tree(features, problem, fairness.limit, training.binariser.literals_, clf.k)
        if found.tree is not None and (task.accepts is None or task.accepts(found.tree)):
            search.add(considered(Recounted(Learned(found.tree, float("nan")), "distinct rows")), "trees near the best")
        if found.bound is not None:
            search.prove("tree", found.bound)
    search.add(constant(float(problem.weights[positive].sum()) > 0.5), "constant")
    label = training.classes.tolist()[1]
    return search.models, FairnessReport(fairness, label, tuple(search.alternatives), search.chosen, search.bounds)


def _terms(found: Recounted) -> int:
    model = found.learned.model
    nested = NestedTree.of(model).as_nested()
    return len(nested.masks()) if nested else min(dnf.size for dnf in DoubleDNF.of(model).dnfs)
