"""Help with two choices: how many conditions a reason may have, and what a missed case costs beside a false alarm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.eager_frames import rows_of
from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.picture import Picture
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import quiet
from idnf.tables.result_frames import Library, Tabular, by_attribute, library_of, text_table
from idnf.tables.targets import class_numbers, name_of
from idnf.tables.text_values import MISSING

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Measure:
    """Mean accuracy on rows held out, and its spread: the standard deviation over the folds."""

    accuracy: float
    spread: float

    @classmethod
    def of(cls, scores: Sequence[float]) -> Measure:
        """Return mean and spread of the scores of the folds."""
        return cls(float(np.mean(scores)), float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0)


@dataclass(frozen=True)
class KChoice:
    """What cross-validation says about one k.

    Attributes
    ----------
    k : int
    accuracy, spread : float
        Mean accuracy on rows held out, and its standard deviation over the folds.
    reasons, conditions : float
        How many reasons the models have in all, NaN if they are too many to count in every fold, and conditions in
        the lines to be read; means over the folds.
    tree : Measure
        A decision tree (CART) of depth k on the same features.
    """

    k: int
    accuracy: float
    spread: float
    reasons: float
    conditions: float
    tree: Measure


@dataclass(frozen=True, repr=False)
class KChoices(Tabular):
    """What cross-validation says about each k, a tree of that depth, logistic regression, a forest and a constant.

    Attributes
    ----------
    choices : tuple of KChoice
    forest, constant, logistic : Measure
    folds : int
    library : str, optional
        The library of the table, for `to_frame`.
    """

    choices: tuple[KChoice, ...]
    forest: Measure
    constant: Measure
    logistic: Measure
    folds: int
    library: Library | None = None

    @property
    def best(self) -> int:
        """The smallest k whose accuracy is within half a standard error of the greatest."""
        top = max(self.choices, key=lambda one: one.accuracy)
        within = top.accuracy - 0.5 * top.spread / self.folds**0.5
        return next(one.k for one in self.choices if one.accuracy >= within)

    def columns(self) -> dict[str, list[object]]:
        """Return the figures by name, one for each k."""
        figures = by_attribute(self.choices, "k", "accuracy", "spread", "reasons", "conditions")
        figures["reasons"] = [None if np.isnan(one.reasons) else one.reasons for one in self.choices]
        return {**figures, "tree of depth k": [one.tree.accuracy for one in self.choices]}

    def to_text(self) -> str:
        """Return the figures as lines, and what to make of them."""
        linear = f"logistic regression {self.logistic.accuracy:.3f}"
        beside = f"{linear}, forest {self.forest.accuracy:.3f}, always the commonest label {self.constant.accuracy:.3f}"
        advice = f"k = {self.best} is the smallest that does as well as any"
        if max(one.accuracy for one in self.choices) <= self.constant.accuracy:
            advice = "no k does better than always giving the commonest label; idnf points weighs what is missed"
        shown = self.columns()
        shown["reasons"] = ["many" if one is None else one for one in shown["reasons"]]
        return f"{text_table(shown)}\n{beside}\n{advice}"

    __str__ = to_text

    def __repr__(self) -> str:
        return f"<KChoices of k = {', '.join(str(one.k) for one in self.choices)}; best {self.best}>"

    def plot(self) -> Picture:
        """Return a picture of accuracy by k with its spread, beside the others."""
        ks = [one.k for one in self.choices]
        ends, best = (ks[0] - 0.5, ks[-1] + 0.5), self.best
        ours = Series(
            "idnf (above each point: conditions to read)",
            tuple((one.k, one.accuracy) for one in self.choices),
            dotted=True,
            ours=True,
            spreads=tuple(one.spread for one in self.choices),
            notes=tuple(f"{one.conditions:.0f}" for one in self.choices),
        )
        tree = Series("tree of depth k", tuple((one.k, one.tree.accuracy) for one in self.choices))
        levels = {"forest": self.forest, "always the commonest label": self.constant}
        levels |= {"logistic regression": self.logistic}
        level = [Series(name, tuple((end, one.accuracy) for end in ends)) for name, one in levels.items()]
        seen = [y for one in (ours, tree, *level) for _, y in one.points]
        seen += [y + sign * spread for (_, y), spread in zip(ours.points, ours.spreads) for sign in (-1, 1)]
        across = [(ends[0], ""), *((k, f"k = {k}" + " (chosen)" * (k == best)) for k in ks), (ends[1], "")]
        up = round_ticks(min(seen), min(1.0, max(seen)))
        return Picture(chart_svg([ours, tree, *level], across, up, x="", y="accuracy on rows held out"))


def choose_k(  # noqa: PLR0913 - each option is a word of its own
    X: object,
    y: ArrayLike,
    ks: Iterable[int] = range(1, 6),
    *,
    cv: int = 5,
    estimator: DNFClassifier | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
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
        model = quietly_fitted(clone(base).set_params(k=k), rows_of(X, train), labels[train])
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


@dataclass(frozen=True)
class OperatingPoint:
    """A model for one cost of a missed case, measured on rows held out.

    Attributes
    ----------
    cost : float
        What a missed positive case counts, a false alarm counting 1.
    recall : float
        The share of positive cases found.
    precision : float or None
        The share of alarms that are right; None if there are no alarms.
    share : float
        The share of rows called positive.
    terms, reasons : int
        Lines to be read, and reasons in all.
    model : DNFClassifier
        Its reasons are its own.
    """

    cost: float
    recall: float
    precision: float | None
    share: float
    terms: int
    reasons: int | None
    model: DNFClassifier


@dataclass(frozen=True, repr=False)
class OperatingPoints(Tabular):
    """Models along a range of costs, from few alarms to many.

    Attributes
    ----------
    points : tuple of OperatingPoint
    positive : label
    rows, cases : int
        Rows held out, and positive cases among them.
    library : str, optional
    """

    points: tuple[OperatingPoint, ...]
    positive: object
    rows: int
    cases: int
    library: Library | None = None

    @property
    def models(self) -> tuple[DNFClassifier, ...]:
        """The model of each point."""
        return tuple(point.model for point in self.points)

    def at(self, *, recall: float) -> OperatingPoint:
        """Return the point of the greatest precision among those that find at least this share of the cases."""
        enough = [point for point in self.points if point.recall >= recall]
        if not enough:
            best = max(point.recall for point in self.points)
            raise ValueError(f"recall must be at most {best:.3f}, the greatest reached; got {recall}.")
        return max(enough, key=lambda point: (point.precision or 0.0, -point.cost))

    def columns(self) -> dict[str, list[object]]:
        """Return the figures by name, one for each cost."""
        return by_attribute(self.points, "cost", "recall", "precision", "share", "terms", "reasons")

    def to_text(self) -> str:
        """Return the figures as lines."""
        head = f"on {self.rows} rows held out, {self.cases} of them {self.positive}"
        shown = self.columns()
        shown["precision"] = ["none" if point.precision is None else point.precision for point in self.points]
        return f"{head}; cost: what a missed one counts beside a false alarm\n{text_table(shown)}"

    __str__ = to_text

    def __repr__(self) -> str:
        return f"<OperatingPoints of {len(self.points)} costs>"

    def plot(self) -> Picture:
        """Return a picture of recall against precision, with the cost and length of each model."""
        costs: dict[tuple[float, float, int], list[str]] = {}
        for one in self.points:
            if one.precision is not None:
                costs.setdefault((one.recall, one.precision, one.terms), []).append(f"{one.cost:g}")
        series = Series(
            "models by what a missed one costs beside a false alarm",
            tuple((recall, precision) for recall, precision, _ in costs),
            dotted=True,
            ours=True,
            notes=tuple(
                f"cost {', '.join(same)}: {terms} line{'s' * (terms != 1)}" for (*_, terms), same in costs.items()
            ),
        )
        recalls, precisions = zip(*series.points) if series.points else ((0.0, 1.0), (0.0, 1.0))
        across, up = (round_ticks(min(shares), max(shares)) for shares in (recalls, precisions))
        x, y = f"recall: share of {self.positive} found", "precision: share of alarms that are right"
        return Picture(chart_svg([series], across, up, x=x, y=y))


def operating_points(  # noqa: PLR0913 - each option is a word of its own
    X: object,
    y: ArrayLike,
    k: int = 3,
    *,
    costs: Sequence[float] | None = None,
    positive: object = None,
    estimator: DNFClassifier | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
) -> OperatingPoints:
    """Fit models along a range of costs and measure recall against precision, each with its own reasons.

    Parameters
    ----------
    X : table or array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Two labels.
    k : int, default=3
    costs : sequence of float, optional
        What a missed positive case counts, a false alarm counting 1; by default seven, around the ratio of the classes.
    positive : label, optional
        The label of the cases to be found; the rarer one if not given.
    estimator : DNFClassifier, optional
        Learns with its parameters but for k and the class weights.
    random_state : int, default=0
        Seed of the rows held out to measure on, a quarter of them.
    progress : callable, optional

    Returns
    -------
    OperatingPoints
        ``.points``, ``.models``, ``.at(recall=0.8).model``, ``.to_frame()``, ``.plot()``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 3))
    >>> y = np.where(X[:, 0] + rng.normal(size=400) > 1.6, "ill", "well")
    >>> found = operating_points(X, y, 2, costs=[1, 8], estimator=DNFClassifier(learner="greedy"))
    >>> found.points[0].recall < found.points[1].recall
    True
    """
    from sklearn.model_selection import train_test_split

    labels = np.asarray(y)
    names, counts = np.unique(labels, return_counts=True)
    if len(names) != 2:
        raise ValueError(f"y must hold two labels for operating points; got {len(names)}.")
    known = names.tolist()
    if positive is not None and positive not in known:
        raise ValueError(f"positive must be one of {', '.join(map(str, names))}; got {positive}.")
    wanted = known[counts.argmin() if positive is None else known.index(positive)]
    other = known[1 - known.index(wanted)]
    train, test = train_test_split(np.arange(len(labels)), random_state=random_state, stratify=labels)
    ratio = float((labels == other).sum() / (labels == wanted).sum())
    base = clone(estimator or DNFClassifier(binariser=TableBinariser(missing_values=MISSING)))
    base.set_params(k=k, target=name_of(y, base.target))
    found = []
    chosen = _costs(ratio) if costs is None else sorted(float(cost) for cost in costs)
    held = labels[test] == wanted
    for done, cost in enumerate(chosen):
        asked = clone(base).set_params(class_weight={wanted: cost, other: 1.0})
        model = quietly_fitted(asked, rows_of(X, train), labels[train])
        with quiet():
            given = model.predict(rows_of(X, test)) == wanted
        precision = float(held[given].mean()) if given.any() else None
        size = model.size_
        measured = (float(given[held].mean()), precision, float(given.mean()))
        found.append(OperatingPoint(cost, *measured, size.terms, size.reasons, model))
        if progress is not None:
            progress((done + 1) / len(chosen))
    return OperatingPoints(tuple(found), wanted, len(test), int(held.sum()), library_of(X))


def _costs(ratio: float) -> list[float]:
    """Return seven costs from half the smaller to twice the larger of 1 and the ratio of the classes, round ones."""
    low, high = 0.5 * min(1.0, ratio), 2 * max(1.0, ratio)
    return sorted({float(f"{cost:.2g}") for cost in np.geomspace(low, high, 7)})


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


def quietly_fitted(model: DNFClassifier, X: object, y: ArrayLike) -> DNFClassifier:
    """Fit a model without warnings about its table: they are not repeated for every part of it, or are said by others.

    >>> quietly_fitted(DNFClassifier(k=1, learner="greedy"), [[0], [1]] * 4, [0, 1] * 4).k
    1
    """
    with quiet():
        model.fit(X, y)
    return model
