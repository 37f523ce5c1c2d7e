"""What cross-validation says of each k: figures, a table, a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idnf.classifier.plots import plot_choices
from idnf.pictures.k_plot import Curve, k_plot_svg
from idnf.tables.result_frames import Library, Tabular, text_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    """What cross-validation says of one k.

    Attributes
    ----------
    k : int
    accuracy, spread : float
        Mean accuracy on rows held out, and its standard deviation over the folds.
    reasons, conditions : float
        How many reasons the models have in all, and conditions in the lines to be read; means over the folds.
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
    """What cross-validation says of each k, beside a tree of that depth, logistic regression, a forest and a constant.

    Attributes
    ----------
    choices : tuple of KChoice
    forest, constant : Measure
    folds : int
    library : str, optional
        The library of the table, for `to_frame`.
    logistic : Measure, optional
        Logistic regression on the same features; not known of older model files.
    """

    choices: tuple[KChoice, ...]
    forest: Measure
    constant: Measure
    folds: int
    library: Library | None = None
    logistic: Measure | None = None

    @property
    def best(self) -> int:
        """The smallest k whose accuracy is within half a standard error of the greatest."""
        top = max(self.choices, key=lambda one: one.accuracy)
        within = top.accuracy - 0.5 * top.spread / self.folds**0.5
        return next(one.k for one in self.choices if one.accuracy >= within)

    def columns(self) -> dict[str, list[object]]:
        """Return the figures by name, one for each k."""
        names = ("k", "accuracy", "spread", "reasons", "conditions")
        figures: dict[str, list[object]] = {name: [getattr(one, name) for one in self.choices] for name in names}
        return {**figures, "tree of depth k": [one.tree.accuracy for one in self.choices]}

    def to_text(self) -> str:
        """Return the figures as lines, and what to make of them."""
        linear = "" if self.logistic is None else f"logistic regression {self.logistic.accuracy:.3f}, "
        beside = f"{linear}forest {self.forest.accuracy:.3f}, always the commonest label {self.constant.accuracy:.3f}"
        advice = f"k = {self.best} is the smallest that does as well as any"
        if max(one.accuracy for one in self.choices) <= self.constant.accuracy:
            advice = "no k does better than always giving the commonest label; idnf points weighs what is missed"
        return f"{text_table(self.columns())}\n{beside}\n{advice}"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<KChoices of k = {', '.join(str(one.k) for one in self.choices)}; best {self.best}>"

    def to_svg(self) -> str:
        """Return the picture that `plot` draws as SVG, for pages; it needs no matplotlib."""
        ours = Curve(
            "idnf", tuple(one.accuracy for one in self.choices), tuple(one.spread for one in self.choices), ours=True
        )
        tree = Curve("tree of depth k", tuple(one.tree.accuracy for one in self.choices))
        lines = {"forest": self.forest.accuracy, "always the commonest label": self.constant.accuracy}
        lines |= {} if self.logistic is None else {"logistic regression": self.logistic.accuracy}
        above = [f"{one.conditions:.0f}" for one in self.choices]
        return k_plot_svg([one.k for one in self.choices], [ours, tree], lines, above, best=self.best)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw accuracy by k with its spread, beside the others."""
        return plot_choices(self, ax)
