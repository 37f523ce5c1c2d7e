"""A model for new rows that changes few decisions of the old one, and says which.

The answers of the old model are costs like any other: a price for each row whose label changes. A path of prices
(:mod:`idnf.learning.price_path`) gives the models between the old one and one learned without regard to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from idnf.auditing.differences import difference_of
from idnf.choosing.contract_rows import ContractRows, with_new_columns
from idnf.choosing.retrained import HeldOutChange, Retrained, RetrainedPoint, RetrainingCurve
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import Fitted
from idnf.classifier.memory_source import MemoryTraining, training_again
from idnf.learning.choices import LEARNERS, LearnerName
from idnf.learning.dispatch import LearningResult
from idnf.learning.objective import Learned
from idnf.learning.price_path import PricedModel, PricePath
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.result_frames import library_of
from idnf.tables.targets import name_of, seed_of

# Prices learned with at most, and points of the curve that cross-validation measures.
_MOST_PRICES = 10
_MOST_POINTS = 6


def retrain(  # noqa: PLR0913 - each option is a word of its own
    old: DNFClassifier,
    X: object,
    y: ArrayLike,
    most_changed: float = 0.02,
    *,
    sample_weight: ArrayLike | None = None,
    costs: ArrayLike | None = None,
    learner: LearnerName | None = None,
    new_columns: Sequence[str] = (),
    cv: int = 5,
    progress: Callable[[float], None] | None = None,
) -> Retrained:
    """Return the best model found on new rows that decides at most a share of them differently from the old one.

    It keeps the columns of the old model with their cuts and groups of values, its k, monotone constraints, class
    weights, costs of mistakes, favourable outcome and all other parameters.

    Parameters
    ----------
    old : DNFClassifier
        Fitted.
    X : table or array of shape (n_samples, n_features)
        In memory.
    y : array-like of shape (n_samples,)
        The labels of the old model, each at least once.
    most_changed : float, default=0.02
        The largest share of the rows, by weight, that may be decided differently; with 0 the old model is recounted.
    sample_weight : array-like of shape (n_samples,), optional
    costs : array-like of shape (n_samples, n_classes), optional
        What it costs to give each row each label, as for :meth:`DNFClassifier.fit`.
    learner : {"search", "exact", "greedy"}, optional
        That of the old model if not given; "exact" proves a bound on every model within the limit.
    new_columns : sequence of str
        Columns of a table that the old model does not know, and that the new one may look at.
    cv : int, default=5
        How often part of the rows is held out for the curve; 0 for no cross-validation.
    progress : callable, optional
        Called with the share of the work done.

    Returns
    -------
    Retrained
        ``.model``, ``.changes`` (a proved difference), ``.curve``, ``.bound``.

    Examples
    --------
    >>> import pandas as pd
    >>> old = DNFClassifier.from_dnf("~'debt <= 2'", columns={"debt": [2, 4, 6]}, classes=("no", "yes"))
    >>> X = pd.DataFrame({"debt": [1, 3, 5, 7] * 10})
    >>> y = ["no", "yes", "yes", "no"] * 9 + ["no", "no", "yes", "no"]
    >>> found = retrain(old, X, y, most_changed=0.3, learner="exact", cv=0)
    >>> print(found.changes)
    The models disagree in 1 region.
    They disagree on 10 of 40 rows.
      yes becomes no: 10
    - yes becomes no if debt > 6 (10 rows; right for 0% before, 100% after)
    """
    if not 0 <= most_changed <= 1:
        raise InvalidArgument("most_changed", "be from 0 to 1", most_changed)
    if cv < 0 or cv == 1:
        raise InvalidArgument("cv", "be 0 or at least 2", cv)
    if learner is not None and learner not in LEARNERS:
        raise InvalidArgument("learner", f"be one of {', '.join(LEARNERS)}", f"{learner!r}")
    training = training_again(old, X, y, sample_weight, costs)
    model = old.fitted_.model
    if new_columns:
        training, model = with_new_columns(old, training, X, new_columns)
    asked = clone(old) if learner is None else clone(old).set_params(learner=learner)
    if old.time_limit is not None:
        asked.set_params(time_limit=old.time_limit / (_MOST_PRICES + cv * (_MOST_POINTS - 1)))
    rows = ContractRows.of(asked, training, model)
    work = _Progress(progress, _MOST_PRICES + cv * (_MOST_POINTS - 1))
    path = _price_path(rows, most_changed, work)
    chosen = _points_of(path)
    held, within = _hold_out(rows, chosen, most_changed, cv, seed_of(old.random_state), work)
    work.finish()

    def made(found: Model, loss: float) -> DNFClassifier:
        return _as_classifier(old, training, found, loss, name_of(y))

    points = [
        RetrainedPoint(price, one.changed, rows.accuracy(one.model), one.loss, made(one.model, one.loss), held_out)
        for (price, one), held_out in zip(chosen, held, strict=True)
    ]
    best = path.best
    new = made(best.model, best.loss)
    labels = training.classes[training.labels]
    return Retrained(
        new,
        difference_of(old.fitted_.table_model, new.fitted_.table_model, training.table, labels),
        RetrainingCurve(tuple(points), library_of(X)),
        most_changed,
        best.changed,
        rows.accuracy(best.model),
        best.loss,
        rows.accuracy(model),
        within,
        path.bounds,
    )


def _price_path(rows: ContractRows, limit: float, work: _Progress) -> PricePath[Model]:
    """Return the prices that settle what there is within a limit, then the rest of the hull."""
    path = PricePath(limit, rows.priced(rows.old))
    for _ in range(_MOST_PRICES):
        price = path.next_price()
        if price is None:
            break
        rows.learn(price, path)
        work.step()
    return path


def _points_of(path: PricePath[Model]) -> list[tuple[float | None, PricedModel[Model]]]:
    """Return vertices of the hull with their prices: the old model, the last one, and those nearest to the limit."""
    hull = path.hull
    inner = sorted(range(1, len(hull) - 1), key=lambda place: (abs(hull[place].changed - path.limit), place))
    places = sorted({0, len(hull) - 1, *inner[: _MOST_POINTS - 2]})
    return [(None if place == 0 else path.price_of(place), hull[place]) for place in places]


def _hold_out(  # noqa: PLR0913 - what is measured, how often, and its progress
    rows: ContractRows,
    chosen: Sequence[tuple[float | None, PricedModel[Model]]],
    limit: float,
    cv: int,
    seed: int,
    work: _Progress,
) -> tuple[list[HeldOutChange | None], HeldOutChange | None]:
    """Return how models of the same prices do on rows held out, and how the best within the limit does."""
    if not cv:
        return [None] * len(chosen), None
    folds = _folds(rows.training.labels, cv, seed)
    parts: list[list[tuple[ContractRows, Model]]] = [[] for _ in range(len(chosen) + 1)]
    for fold in range(cv):
        train, test = rows.at(np.flatnonzero(folds != fold)), rows.at(np.flatnonzero(folds == fold))
        path = PricePath(limit, train.priced(rows.old))
        parts[0].append((test, rows.old))
        for place, (price, _) in enumerate(chosen[1:], 1):
            assert price is not None, "the old model alone has no price"
            train.learn(price, path)
            parts[place].append((test, path.models[-1].model))
            work.step()
        parts[-1].append((test, path.best.model))
    found = [_measure(part) for part in parts]
    return [*found[:-1]], found[-1]


def _measure(parts: Sequence[tuple[ContractRows, Model]]) -> HeldOutChange:
    """Return how models do on the parts of the rows that they were not learned from."""
    gains, changed, right = [], [], []
    for rows, model in parts:
        labels = rows.labels(model)
        gains.append(rows.losses(rows.given) - rows.losses(labels))
        changed.append(labels != rows.given)
        right.append(labels == rows.training.labels)
    weights = np.concatenate([rows.weights for rows, _ in parts])
    gain = np.concatenate(gains) / sum(rows.most_loss for rows, _ in parts)
    return HeldOutChange(
        float(np.average(np.concatenate(changed), weights=weights)),
        float(np.average(np.concatenate(right), weights=weights)),
        float(gain.sum()),
        float(gain.std(ddof=1) * np.sqrt(len(gain))),
    )


def _folds(labels: NDArray[np.intp], cv: int, seed: int) -> NDArray[np.intp]:
    """Return the fold of each row: as many rows of each label in every fold as can be.

    >>> sorted(_folds(np.array([0, 0, 0, 1, 1, 1]), 3, 0).tolist())
    [0, 0, 1, 1, 2, 2]
    """
    order = np.lexsort((np.random.default_rng(seed).random(len(labels)), labels))
    folds = np.empty(len(labels), dtype=np.intp)
    folds[order] = np.arange(len(labels)) % cv
    return folds


def _as_classifier(
    old: DNFClassifier, training: MemoryTraining, model: Model, loss: float, target: str | None
) -> DNFClassifier:
    """Return a model as a classifier like the old one, its examples those of the new rows."""
    own = old.fitted_
    state = Fitted.trained(training, LearningResult(Learned(model.within(old.k), loss), "all rows, under a contract"))
    state = replace(state, reason_texts=own.reason_texts)
    return old.with_state(
        state.with_settings(target=own.target or target, favourable=own.favourable, immutable=own.immutable)
    )


class _Progress:
    """Tells a callable how much of some work is done."""

    def __init__(self, tell: Callable[[float], None] | None, steps: int) -> None:
        self.tell, self.steps, self.done = tell, steps, 0

    def step(self) -> None:
        """Count one step."""
        self.done += 1
        if self.tell is not None:
            self.tell(min(self.done / self.steps, 1.0))

    def finish(self) -> None:
        """Note that all is done, however few the steps were."""
        if self.tell is not None:
            self.tell(1.0)
