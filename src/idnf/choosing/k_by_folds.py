"""How many conditions a reason may have, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from idnf.choosing.quiet_fits import quietly_fitted
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.k_choices import KChoice, KChoices, Measure
from idnf.columns.eager_frames import rows_of
from idnf.learning.fairness import Fairness
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
    from sklearn.model_selection import StratifiedKFold

    labels = np.asarray(y)
    classes = class_numbers(labels)[1]
    base = DNFClassifier(binariser=TableBinariser(missing_values=MISSING)) if estimator is None else estimator
    sizes = sorted(set(ks))
    folds = list(StratifiedKFold(cv, shuffle=True, random_state=random_state).split(labels, classes))
    scores: dict[object, list[float]] = {}
    read: dict[int, list[tuple[int | None, int]]] = {k: [] for k in sizes}
    for done, (k, (train, test)) in enumerate(product(sizes, folds)):
        model = quietly_fitted(clone(base).set_params(k=k), rows_of(X, train), labels[train], fairness)
        with quiet():
            scores.setdefault(k, []).append(float(model.score(rows_of(X, test), labels[test])))
        size = model.size_
        read[k].append((size.reasons, size.conditions))
        for name, score in _peers(model, X, classes, (train, test), k == sizes[0], random_state):
            scores.setdefault((name, k) if name == "tree" else name, []).append(score)
        if progress is not None:
            progress((done + 1) / (len(sizes) * len(folds)))
    choices = []
    for k in sizes:
        own, tree = Measure.of(scores[k]), Measure.of(scores["tree", k])
        counted = [reasons for reasons, _ in read[k] if reasons is not None]
        reasons = float(np.mean(counted)) if counted else float("nan")
        conditions = float(np.mean([conditions for _, conditions in read[k]]))
        choices.append(KChoice(k, own.accuracy, own.spread, reasons, conditions, tree))
    forest, constant, logistic = (Measure.of(scores[name]) for name in ("forest", "constant", "logistic"))
    return KChoices(tuple(choices), forest, constant, logistic, len(folds), library_of(X))


def _peers(
    model: DNFClassifier,
    X: object,
    classes: NDArray[np.intp],
    fold: tuple[NDArray[np.intp], NDArray[np.intp]],
    first: bool,
    seed: int,
) -> Iterator[tuple[str, float]]:
    """Yield what a tree of depth k scores on the same features; once for each fold the others too."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    train, test = fold
    learned, held = (model.binariser_.transform(rows_of(X, part)) for part in fold)
    peers = {"tree": DecisionTreeClassifier(max_depth=model.k, random_state=seed)}
    if first:
        peers |= {"forest": RandomForestClassifier(random_state=seed), "logistic": LogisticRegression(max_iter=1000)}
        yield "constant", float(np.mean(classes[test] == np.bincount(classes[train]).argmax()))
    for name, peer in peers.items():
        yield name, float(peer.fit(learned, classes[train]).score(held, classes[test]))
