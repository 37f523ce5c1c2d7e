"""How many conditions a reason may have, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, clone

from idnf.choosing.quiet_fits import quietly_fitted
from idnf.classifier.capped_learning import learned_by
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import Fitted
from idnf.classifier.k_choices import KChoice, KChoices, Measure
from idnf.classifier.memory_source import MemoryTraining
from idnf.classifier.training import Training
from idnf.columns.eager_frames import rows_of
from idnf.learning.fairness import Fairness
from idnf.learning.local.single_thread import single_threaded
from idnf.learning.trials import Trials
from idnf.logic.deadlines import Deadline
from idnf.result_frames import library_of
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import quiet
from idnf.tables.targets import class_numbers
from idnf.tables.text_values import MISSING


def choose_k(  # noqa: PLR0913 - each option is a word of its own
    X: object,
    y: ArrayLike,
    ks: Iterable[int] = range(1, 6),
    *,
    cv: int = 5,
    estimator: DNFClassifier | None = None,
    fairness: Fairness | None = None,
    random_state: int = 0,
    progress: Callable[[float], None] | None = None,
) -> KChoices:
    """Measure models of several k by cross-validation.

    Parameters
    ----------
    X : table or array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    ks : iterable of int, default 1 to 5
    cv : int, default=5
        How often part of the rows is held out.
    estimator : DNFClassifier, optional
        Learns with its parameters but for k; by default one that takes missing values in every column.
    fairness : Fairness, optional
        The limit on the gap between groups that each model keeps to.
    random_state : int, default=0
        Seed of the folds and of the forest.
    progress : callable, optional
        Called with the share of the work done.

    Returns
    -------
    KChoices
        ``.best``, ``.to_frame()``, ``.plot()``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (200, 4))
    >>> found = choose_k(X, X[:, 0] & X[:, 1], ks=[1, 2, 3], cv=3, estimator=DNFClassifier(learner="greedy"))
    >>> found.best
    2
    """
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    labels = np.asarray(y)
    classes = class_numbers(labels)[1]
    base = DNFClassifier(binariser=TableBinariser(missing_values=MISSING)) if estimator is None else estimator
    sizes = sorted(set(ks))
    folds = list(StratifiedKFold(cv, shuffle=True, random_state=random_state).split(labels, classes))
    scores: dict[object, list[float]] = {}
    read: dict[int, list[tuple[int | None, int]]] = {k: [] for k in sizes}
    for done, (train, test) in enumerate(folds):
        models = _models_by_k(base, sizes, rows_of(X, train), labels[train], fairness)
        features = _fold_features(models[0], X, train, test)
        for place, (k, model) in enumerate(zip(sizes, models, strict=True)):
            with quiet():
                scores.setdefault(k, []).append(float(model.score(rows_of(X, test), labels[test])))
            size = model.size_
            read[k].append((size.reasons, size.conditions))
            tree = DecisionTreeClassifier(max_depth=k, random_state=random_state)
            scores.setdefault(("tree", k), []).append(_peer_score(tree, features, classes, (train, test)))
            if progress is not None:
                progress((done + (place + 1) / len(sizes)) / len(folds))
        scores.setdefault("constant", []).append(float(np.mean(classes[test] == np.bincount(classes[train]).argmax())))
        forest, logistic = RandomForestClassifier(random_state=random_state), LogisticRegression(max_iter=1000)
        for name, peer in (("forest", forest), ("logistic", logistic)):
            scores.setdefault(name, []).append(_peer_score(peer, features, classes, (train, test)))
    choices = []
    for k in sizes:
        own, tree = Measure.of(scores[k]), Measure.of(scores["tree", k])
        counted = [reasons for reasons, _ in read[k] if reasons is not None]
        reasons = float(np.mean(counted)) if counted else float("nan")
        conditions = float(np.mean([conditions for _, conditions in read[k]]))
        choices.append(KChoice(k, own.accuracy, own.spread, reasons, conditions, tree))
    others = {name: Measure.of(scores[name]) for name in ("forest", "constant", "logistic")}
    return KChoices(tuple(choices), **others, folds=len(folds), library=library_of(X))


def _models_by_k(
    base: DNFClassifier, sizes: Sequence[int], X: object, labels: NDArray[np.generic], fairness: Fairness | None
) -> list[DNFClassifier]:
    """Return a model of each size; they share the table, its columns and what cross-validation tries of it."""
    sized = [clone(base).set_params(k=k) for k in sizes]
    if fairness is not None:
        return [quietly_fitted(model, X, labels, fairness) for model in sized]

    def learn(training: Training, _: Deadline) -> Fitted:
        if isinstance(training, MemoryTraining):
            training = replace(training, trials=Trials())
        # The largest first: the others' trials are part of its own.
        for model in reversed(sized):
            model.fitted_ = Fitted.trained(training, learned_by(model, training))
        largest: Fitted = sized[-1].fitted_
        return largest

    with quiet():
        clone(sized[-1]).fit_by(learn, X, labels)
    return sized


def _fold_features(
    model: DNFClassifier, X: object, train: NDArray[np.intp], test: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the features of the rows to learn from and of those held out."""
    learned, held = (model.binariser_.transform(rows_of(X, part)) for part in (train, test))
    return learned, held


def _peer_score(
    peer: ClassifierMixin,
    features: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    classes: NDArray[np.intp],
    fold: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> float:
    """Return the accuracy of another learner on the same features."""
    train, test = fold
    with single_threaded():
        return float(peer.fit(features[0], classes[train]).score(features[1], classes[test]))
