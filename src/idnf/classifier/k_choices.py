"""What cross-validation says about each k: part of a fitted state whose k was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.picture import Picture
from idnf.result_frames import Library, Tabular, by_attribute, text_table


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
        beside = (
            f"{linear}, forest {self.forest.accuracy:.3f}, always the most frequent label {self.constant.accuracy:.3f}"
        )
        advice = f"k = {self.best} is the smallest that does as well as any"
        if max(one.accuracy for one in self.choices) <= self.constant.accuracy:
            advice = "no k does better than always giving the most frequent label; idnf points weighs what is missed"
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
        tree = Series("tree of depth k", tuple((one.k, one.tree.accuracy) for one in self.choices), dotted=True)
        levels = {"forest": self.forest, "always the most frequent label": self.constant}
        levels |= {"logistic regression": self.logistic}
        level = [Series(name, tuple((end, one.accuracy) for end in ends)) for name, one in levels.items()]
        seen = [y for one in (ours, tree, *level) for _, y in one.points]
        seen += [y + sign * spread for (_, y), spread in zip(ours.points, ours.spreads) for sign in (-1, 1)]
        across = [(ends[0], ""), *((k, f"k = {k}" + " (chosen)" * (k == best)) for k in ks), (ends[1], "")]
        up = round_ticks(min(seen), min(1.0, max(seen)))
        return Picture(chart_svg([ours, tree, *level], across, up, x="", y="accuracy on rows held out"))
