"""What a missed case costs beside a false alarm: models along a range of costs, measured on rows held out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from idnf.choosing.quiet_fits import quietly_fitted
from idnf.classifier.estimator import DNFClassifier
from idnf.columns.eager_frames import rows_of
from idnf.logic.errors import InvalidArgument
from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.picture import Picture
from idnf.result_frames import Library, Tabular, by_attribute, library_of, text_table
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import quiet
from idnf.tables.targets import name_of
from idnf.tables.text_values import MISSING


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
            raise InvalidArgument("recall", f"be at most {best:.3f}, the greatest reached", recall)
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
    progress: Callable[[float], None] | None = None,
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
        raise InvalidArgument("y", "hold two labels for operating points", len(names))
    known = names.tolist()
    if positive is not None and positive not in known:
        raise InvalidArgument("positive", f"be one of {', '.join(map(str, names))}", positive)
    wanted = known[counts.argmin() if positive is None else known.index(positive)]
    other = known[1 - known.index(wanted)]
    train, test = train_test_split(np.arange(len(labels)), random_state=random_state, stratify=labels)
    ratio = float((labels == other).sum() / (labels == wanted).sum())
    base = clone(estimator or DNFClassifier(binariser=TableBinariser(missing_values=MISSING)))
    base.set_params(k=k)
    found = []
    chosen = _costs(ratio) if costs is None else sorted(float(cost) for cost in costs)
    held = labels[test] == wanted
    for done, cost in enumerate(chosen):
        asked = clone(base).set_params(class_weight={wanted: cost, other: 1.0})
        model = quietly_fitted(asked, rows_of(X, train), labels[train]).with_settings(target=name_of(y))
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
