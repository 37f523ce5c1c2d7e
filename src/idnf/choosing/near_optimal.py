"""The models that are as good as a fitted one: which columns they use, how long they are, and where they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import train_test_split

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.learning_task import task_of
from idnf.classifier.memory_source import training_again
from idnf.columns.eager_frames import rows_of, subgroup_of
from idnf.learning.near_models import WantedModels, near_models
from idnf.learning.objective import Learned
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.pictures.chart import bars_svg, round_ticks
from idnf.pictures.picture import Picture
from idnf.result_frames import Library, Tabular, by_attribute, library_of, text_table
from idnf.tables.binariser import TableBinariser
from idnf.tables.targets import class_numbers

_PART = "part of the rows: a model as good as another"
# Distinct rows looked at.
_MOST_ROWS = 20_000


@dataclass(frozen=True)
class NearOptimalModel:
    """One model.

    Attributes
    ----------
    model : DNFClassifier
    loss : float
        How much more it costs on the training rows than the best one, as a share of them.
    columns : tuple of str
        What it looks at.
    conditions : int
        How many there are to read, in the form with the fewest.
    accuracy, spread : float
        On rows held out, with its standard error; NaN if none were.
    gap : float or None
        The most by which groups differ in the share given a label; None if no groups were named.
    """

    model: DNFClassifier
    loss: float
    columns: tuple[str, ...]
    conditions: int
    accuracy: float
    spread: float
    gap: float | None = None


@dataclass(frozen=True)
class Recurrence(Tabular):
    """How often columns and conditions come back in models learned from resampled rows; a table too.

    Attributes
    ----------
    by_column, by_condition : mapping of str to float
        The share of those models that look at a column, or compare it in that way; the most frequent first.
    own : frozenset of str
        The columns and conditions of the best model on the rows as they are.
    resamples : int
        How often rows were drawn.
    """

    by_column: Mapping[str, float]
    by_condition: Mapping[str, float]
    own: frozenset[str]
    resamples: int
    library: Library | None = None

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return the columns and conditions of the model, then what came back that it has not."""
        names = [*self.by_column, *self.by_condition]
        kinds = ["column"] * len(self.by_column) + ["condition"] * len(self.by_condition)
        return {
            "kind": kinds,
            "name": names,
            "comes back": [*self.by_column.values(), *self.by_condition.values()],
            "in the model": [name in self.own for name in names],
        }

    def to_text(self) -> str:
        """Return a table: what the model has, and what it has not but at least half of the others have."""
        columns = self.columns()
        rows = [row for row in zip(*columns.values()) if row[3] or float(str(row[2])) >= 0.5]
        shown = [(kind, name, f"{share:.0%}", "yes" if own else "no") for kind, name, share, own in rows]
        return text_table({head: [row[place] for row in shown] for place, head in enumerate(columns)})


@dataclass(frozen=True)
class NearOptimalModels(Tabular):
    """Models that are as good, the best first; a table too.

    Attributes
    ----------
    models : tuple of NearOptimalModel
    complete : bool
        Whether all models of the family were looked at, so that no other within the loss labels the training rows
        differently.
    settled : bool array of shape (n_samples,)
        The rows to which all of them give the same label.
    recurrence : Recurrence
        How often each column and condition comes back over resampled rows.
    """

    models: tuple[NearOptimalModel, ...]
    complete: bool
    settled: NDArray[np.bool_]
    recurrence: Recurrence
    library: Library | None = None

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, place: int) -> NearOptimalModel:
        return self.models[place]

    def without(self, *columns: str) -> tuple[NearOptimalModel, ...]:
        """Return the models that do not look at some columns."""
        known = {name for one in self.models for name in one.columns}
        return tuple(one for one in self.models if not known & set(columns) & set(one.columns))

    @property
    def shortest(self) -> NearOptimalModel:
        """The model with the fewest conditions to read, the best of several."""
        return min(self.models, key=lambda one: one.conditions)

    @property
    def fairest(self) -> NearOptimalModel:
        """The model that differs least between the groups named, the best of several; without groups the best."""
        return min(self.models, key=lambda one: one.gap or 0.0)

    @property
    def steadiest(self) -> NearOptimalModel:
        """The model whose columns come back most often over resampled rows, the best of several."""
        back = self.recurrence.by_column
        return max(self.models, key=lambda one: min((back.get(name, 0.0) for name in one.columns), default=1.0))

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return the models by the names of the table's columns."""
        gaps = by_attribute(self.models, "gap") if self.models[0].gap is not None else {}
        figures = by_attribute(self.models, "loss", "conditions", "accuracy", "spread")
        return {**figures, "columns": [", ".join(one.columns) for one in self.models], **gaps}

    @property
    def share(self) -> float:
        """The share of rows to which all of them give the same label."""
        return float(self.settled.mean()) if len(self.settled) else 1.0

    def to_text(self) -> str:
        """Return a table: a line for each model."""
        rounded = {
            "loss": [round(one.loss, 4) for one in self.models],
            "accuracy": [round(one.accuracy, 3) for one in self.models],
            "spread": [round(one.spread, 3) for one in self.models],
        }
        gaps = {"gap": [round(one.gap, 3) for one in self.models if one.gap is not None]}
        return text_table({**self.columns(), **rounded, **(gaps if gaps["gap"] else {})})

    def plot(self) -> Picture:
        """Return a picture of how many of the models look at each column."""
        models = Counter(name for one in self.models for name in one.columns)
        shares = {name: count / len(self.models) for name, count in models.most_common()}
        return Picture(bars_svg(shares, round_ticks(0, 1), x="share of the models that look at the column"))

    def __str__(self) -> str:
        count, share = len(self.models), self.share
        what = "One model" if count == 1 else f"{count} models"
        agree = "" if count == 1 else f"; all of them agree on {share:.1%} of the rows"
        end = (
            "No other in this family labels the training rows differently."
            if self.complete
            else "Not every model was looked at: there may be others."
        )
        return f"{what} within the loss{agree}. {end}"


def near_optimal_models(  # noqa: PLR0913 - each option is a word of its own
    clf: DNFClassifier,
    X: object,
    y: ArrayLike,
    *,
    within: float = 0.01,
    count: int = 20,
    test_size: float = 0.25,
    resamples: int = 10,
    subgroup: str | None = None,
    time_limit: float | None = None,
    random_state: int = 0,
    progress: Callable[[float], None] | None = None,
) -> NearOptimalModels:
    """Return the models that are as good as a fitted one, distinct on the training rows.

    They are learned from part of the rows with the columns, k, family and price of the classifier, and measured on the
    rest. The fitted model is listed too if it is within the loss; it may have seen the rows it is measured on. Every
    model of a small family is looked at: trees of depth up to 3, and functions of k up to 2 over few Boolean columns,
    without caps or constraints.

    Parameters
    ----------
    clf : DNFClassifier
        Fitted.
    X : table or array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    within : float, default=0.01
        The loss: how much more a model may cost than the best one, as a share of the training rows.
    count : int, default=20
        The most models to return.
    test_size : float, default=0.25
        The share of rows held out to measure on; 0 for none.
    resamples : int, default=10
        How often rows are redrawn, to see which columns and conditions come back.
    subgroup : str, optional
        A column by whose values people are grouped, to say how far groups differ in what they are given.
    time_limit : float, optional
        Seconds after which no further search begins.
    random_state : int, default=0
        Seed of the rows held out and of the searches.
    progress : callable, optional
        Called with the share of the work done.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (400, 4)).astype(bool)
    >>> y = np.where(X[:, 0] & X[:, 1] | (rng.random(400) < 0.02), "yes", "no")
    >>> near = near_optimal_models(DNFClassifier(k=2, price=0).fit(X, y), X, y)
    >>> near.complete, near[0].columns
    (True, ('x0', 'x1'))
    """
    if not 0 <= within <= 1:
        raise InvalidArgument("within", "be from 0 to 1", within)
    if count < 1:
        raise InvalidArgument("count", "be at least 1", count)
    if not 0 <= test_size < 1:
        raise InvalidArgument("test_size", "be at least 0 and below 1", test_size)
    if resamples < 0:
        raise InvalidArgument("resamples", "be at least 0", resamples)
    labels, groups = np.asarray(y), None if subgroup is None else subgroup_of(X, subgroup)
    train, test = _parts(labels, test_size, random_state)
    training = training_again(clf, rows_of(X, train), labels[train])
    task = task_of(clf, training, Deadline.after(time_limit))
    task = replace(task, price=clf.fitted_.learned.price, random_state=random_state, progress=progress)
    rows = training.counts.distinct_rows(_MOST_ROWS, random_state)
    fitted, binariser = clf.fitted_, clf.binariser_
    features: dict[int, list[int]] = {}
    for feature, (column, _) in enumerate(binariser.space_.literals):
        features.setdefault(column, []).append(feature)
    found = near_models(
        rows,
        task,
        WantedModels(within, count, resamples),
        columns=list(features.values()),
        known=[clf.fitted_.model.within(clf.k)],
    )
    models = [
        clf.with_state(fitted.with_model(Learned(model, cost, price=fitted.learned.price), _PART))
        for model, cost in zip(found.models, found.objectives)
    ]
    given = np.stack([model.predict(X) for model in models])
    settled = (given == given[0]).all(axis=0)
    near = tuple(
        NearOptimalModel(
            model,
            cost - found.objectives[0],
            tuple(model.fitted_.columns[j].name for j in model.fitted_.used),
            model.size_.printed or model.size_.conditions,
            *_accuracy(answers[test] == labels[test]),
            None if groups is None else largest_gap(answers, groups),
        )
        for model, cost, answers in zip(models, found.objectives, given)
    )
    back = _recurrence(binariser, found.models[0], found.resampled, library_of(X))
    return NearOptimalModels(near, found.complete, settled, back, library_of(X))


def _recurrence(binariser: TableBinariser, best: Model, again: Sequence[Model], library: Library | None) -> Recurrence:
    names, space = binariser.literals_, binariser.space_

    def said(model: Model) -> tuple[set[str], set[str]]:
        used = model.features()
        return {space.columns[space.literals[j][0]].name for j in used}, {names[j] for j in used}

    own, found = said(best), [said(model) for model in again]
    shares = []
    for place in (0, 1):
        every = sorted(own[place].union(*(one[place] for one in found)))
        share = {name: sum(name in one[place] for one in found) / max(1, len(found)) for name in every}
        shares.append(dict(sorted(share.items(), key=lambda pair: -pair[1])))
    return Recurrence(shares[0], shares[1], frozenset(own[0] | own[1]), len(found), library)


def _parts(labels: NDArray[np.generic], share: float, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows to learn from and those held out, of each class in proportion."""
    every = np.arange(len(labels))
    if not share:
        return every, every[:0]
    train, test = train_test_split(every, test_size=share, random_state=seed, stratify=class_numbers(labels)[1])
    return np.sort(train), np.sort(test)


def largest_gap(given: NDArray[np.generic], groups: NDArray[np.generic]) -> float:
    """Return the most by which two groups differ in the share that is given one label.

    >>> largest_gap(np.array(["yes", "no", "no", "no"]), np.array(["f", "f", "m", "m"]))
    0.5
    """
    parts = [given[groups == one] for one in np.unique(groups)]
    shares = ([float(np.mean(part == label)) for part in parts] for label in np.unique(given))
    return max(max(row) - min(row) for row in shares)


def _accuracy(right: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the share of rows that are right and its standard error.

    >>> _accuracy(np.array([True, True, False, False]))
    (0.5, 0.25)
    """
    if not len(right):
        return float("nan"), float("nan")
    share = float(right.mean())
    return share, sqrt(share * (1 - share) / len(right))
