"""Learning under a limit on the gap between groups.

Plain learners on shifted weights come first, then trees are looked through.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from idnf.choosing.cost_learning import learn_costs
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fairness_report import FairnessReport
from idnf.classifier.fitted import Fitted
from idnf.classifier.learning_task import task_of
from idnf.classifier.memory_source import MemoryTraining
from idnf.classifier.training import Training
from idnf.columns.eager_frames import as_frame, refuse_unknown
from idnf.learning.dispatch import LearningResult
from idnf.learning.fair_trees import fair_tree
from idnf.learning.fairness import MOST_MODELS, FairLearned, Fairness, FairProblem, FairSearch, Shifted
from idnf.learning.objective import Learned, labels_of
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree
from idnf.tables.outcomes import favourable_label


def fit_fairly(
    clf: DNFClassifier, X: object, y: ArrayLike, fairness: Fairness, sample_weight: ArrayLike | None = None
) -> DNFClassifier:
    """Return a classifier fitted under a limit on the gap between groups; ``fairness_`` says what was considered.

    Parameters
    ----------
    clf : DNFClassifier
        Learns with its parameters; each model considered has its time limit. It is not changed.
    X : table of shape (n_samples, n_features)
        In memory, with the column of groups, which the model does not look at unless ``fairness.feature`` says so.
    y : array-like of shape (n_samples,)
        Two labels; the rates at which groups are given the favourable one are compared, or the second if none is known.
    fairness : Fairness
    sample_weight : array-like of shape (n_samples,), optional

    Examples
    --------
    >>> import pandas as pd
    >>> from idnf.choosing import Fairness, fit_fairly
    >>> X = pd.DataFrame({"owner": [0, 1, 1, 1] * 20, "debt": [0, 0, 1, 0] * 20, "sex": ["f", "f", "m", "m"] * 20})
    >>> clf = fit_fairly(DNFClassifier(k=1, learner="greedy"), X, X["owner"], Fairness("sex", limit=0.1))
    >>> clf.fairness_.gap <= 0.1
    True
    """
    table, groups = split_groups(X, fairness)

    def learn(training: Training, _: Deadline) -> Fitted:
        assert isinstance(training, MemoryTraining), "groups come from a table in memory"
        found, report = learn_fairly(clf, training, fairness, groups)
        fitted = Fitted.trained(training, found[report.chosen])
        return replace(fitted, fairness=report, alternatives=tuple(one.learned for one in found))

    made = copy(clf)
    made.fit_by(learn, table, y, sample_weight)
    return made


def fair_alternative(clf: DNFClassifier, place: int) -> DNFClassifier:
    """Return one of the models considered under a limit on the gap, by its place in ``fairness_.alternatives``.

    It gives no probabilities: the training rows are not kept.
    """
    models = clf.fitted_.alternatives
    if not 0 <= place < len(models):
        raise InvalidArgument("place", f"be below {len(models)}, the number of alternatives", place)
    return clf.with_state(clf.fitted_.with_model(models[place], "not kept: an alternative"))


# The share of the time limit that trees have at least.
_LISTING = 0.1


def split_groups(X: object, fairness: Fairness) -> tuple[object, NDArray[np.object_]]:
    """Return a table without the column of groups, unless the model may look at it, and the group of each row."""
    frame = as_frame(X)
    if frame is None:
        raise TypeError(
            "X must be a pandas or polars table in memory for fairness, whose column is known by name; "
            f"got {type(X).__name__}."
        )
    names = ", ".join(map(str, frame.columns))
    refuse_unknown("fairness", f"name a column of the table ({names})", [fairness.column], frame.columns)
    values = np.array(frame.get_column(fairness.column).to_list(), dtype=object)
    return X if fairness.feature else frame.drop(fairness.column).to_native(), values


def learn_fairly(
    clf: DNFClassifier, training: MemoryTraining, fairness: Fairness, values: NDArray[np.object_]
) -> tuple[list[LearningResult], FairnessReport]:
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
        raise InvalidArgument(
            "y", "hold two labels for fairness, which compares the rates of one", len(training.classes)
        )
    classes = training.classes.tolist()
    wanted = favourable_label(classes) if clf.favourable is None else clf.favourable
    favourable = 1 if wanted is None else classes.index(wanted)
    positive = training.labels == favourable
    problem = FairProblem.of(fairness, values, positive, training.weights, training.own)
    features = training.binariser.features_of(training.table)
    deadline = Deadline.after(clf.time_limit)
    # Many models share the time for one.
    asked = clone(clf).set_params(time_limit=None if clf.time_limit is None else clf.time_limit / MOST_MODELS)

    def learned(shifted: Shifted) -> FairLearned[LearningResult]:
        costs = np.zeros((len(positive), 2))
        costs[np.arange(len(positive)), np.where(shifted.positive, 1 - favourable, favourable)] = shifted.weights
        result = learn_costs(asked, training, costs)
        return considered(result.found, result.bound, result.family)

    def constant(value: bool) -> FairLearned[LearningResult]:
        model = NestedDNF.constant(training.binariser.literals_, value == bool(favourable), 1)
        return considered(LearningResult(Learned(model, float("nan")), "all rows"))

    def considered(
        found: LearningResult, bound: float | None = None, family: str | None = None
    ) -> FairLearned[LearningResult]:
        """Return a model with its errors as its objective: what was proved was of another objective."""
        given = labels_of(found.learned.model, features) == favourable
        plain = Learned(found.learned.model, problem.error(given))
        return FairLearned(replace(found, learned=plain), given, bound, family, _terms(found))

    search: FairSearch[LearningResult] = FairSearch(problem, fairness.limit)
    search.climb(learned)
    listing = deadline if clf.time_limit is None else deadline.at_least(_LISTING * clf.time_limit)
    task = task_of(clf, training, listing)
    if task.family.has_trees and task.allowed is None:
        found = fair_tree(features, problem, fairness.limit, training.binariser.literals_, clf.k, listing)
        tree = found.tree if found.tree is None or favourable else _swap_labels(found.tree)
        if tree is not None and (task.accepts is None or task.accepts(tree)):
            search.add(considered(LearningResult(Learned(tree, float("nan")), "distinct rows")), "trees near the best")
        if found.bound is not None:
            search.prove("tree", found.bound)
    search.add(constant(float(problem.weights[positive].sum()) > 0.5), "constant")
    return search.models, FairnessReport(
        fairness, classes[favourable], tuple(search.alternatives), search.chosen, search.bounds
    )


def _swap_labels(tree: NestedTree) -> NestedTree:
    """Return a tree with its two labels swapped."""
    return replace(tree, root=tree.root.relabel((1, 0), 2))


def _terms(found: LearningResult) -> int:
    model = found.learned.model
    nested = NestedTree.of(model).as_nested()
    return len(nested.masks()) if nested else min(dnf.size for dnf in DoubleDNF.of(model).dnfs)
