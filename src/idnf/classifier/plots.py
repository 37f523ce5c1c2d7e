"""Pictures of models for notebooks, and of choices, drawn with matplotlib."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.printing import model_text
from idnf.pictures.drawing import Points, escape, model_svg

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from idnf.classifier.fitted import Fitted
    from idnf.classifier.k_choices import KChoices
    from idnf.classifier.memory_source import ExaminedTable

_OURS, _OTHERS = "#1f5fa8", "#8a8a8a"


def plot_choices(found: KChoices, ax: Axes | None = None) -> Axes:
    """Draw accuracy by k with its spread, beside a tree of the same depth, a forest and a constant."""
    ax = ax or _axes()
    ks = [one.k for one in found.choices]
    spreads = [one.spread for one in found.choices]
    ax.errorbar(ks, [one.accuracy for one in found.choices], spreads, color=_OURS, marker="o", capsize=3, label="idnf")
    ax.plot(
        ks, [one.tree.accuracy for one in found.choices], color=_OTHERS, marker="s", ls="--", label="tree of depth k"
    )
    ax.axhline(found.forest.accuracy, color=_OTHERS, ls=":", label="forest")
    ax.axhline(found.constant.accuracy, color=_OTHERS, ls="-.", lw=0.8, label="always the commonest label")
    ax.axvline(found.best, color=_OURS, lw=0.6)
    for one in found.choices:
        ax.annotate(f"{one.conditions:.0f}", (one.k, one.accuracy), (4, 6), textcoords="offset points", fontsize=8)
    ax.set_xticks(ks)
    ax.set_xlabel("k, the most conditions in a reason (above each point: conditions to read)")
    ax.set_ylabel("accuracy on rows held out")
    ax.legend(fontsize=8)
    return ax


def plot_points(found: Any, ax: Axes | None = None) -> Axes:
    """Draw recall against precision, with cost and length of each model."""
    ax = ax or _axes()
    costs: dict[tuple[float, float, int], list[str]] = {}
    for one in found.points:
        if one.precision is not None:
            costs.setdefault((one.recall, one.precision, one.terms), []).append(f"{one.cost:g}")
    ax.plot([recall for recall, *_ in costs], [precision for _, precision, _ in costs], color=_OURS, marker="o")
    for (recall, precision, terms), given in costs.items():
        said = f"cost {', '.join(given)}: {terms} line{'s' * (terms != 1)}"
        side, away = ("left", 6) if recall < 0.5 else ("right", -6)
        ax.annotate(said, (recall, precision), (away, 5), textcoords="offset points", fontsize=8, ha=side)
    ax.set_xlim(0, 1.02)
    ax.set_ylim(0, 1.02)
    ax.set_xlabel(f"recall: share of {found.positive} found")
    ax.set_ylabel("precision: share of alarms that are right")
    return ax


def plot_columns(shares: Mapping[str, float], ax: Axes | None = None) -> Axes:
    """Draw the share of models that look at each column."""
    ax = ax or _axes()
    ranked = sorted(shares.items(), key=lambda pair: pair[1])
    ax.barh([name for name, _ in ranked], [share for _, share in ranked], color=_OURS)
    ax.set_xlim(0, 1)
    ax.set_xlabel("share of the models that look at the column")
    return ax


def plot_reliability(bands: Mapping[str, Sequence[Any]], ax: Axes | None = None) -> Axes:
    """Draw the share seen in each band against the share estimated.

    A circle is larger the more rows there are; its bar is two standard errors of the share seen.
    """
    ax = ax or _axes()
    ax.plot([0, 1], [0, 1], color="0.8", linewidth=1)
    total = sum(bands["rows"])
    for name, rows, estimated, seen in zip(*bands.values(), strict=True):
        if seen is None:
            continue
        error = 2 * (seen * (1 - seen) / rows) ** 0.5
        ax.errorbar(estimated, seen, yerr=error, color=_OURS, linewidth=1)
        ax.scatter(estimated, seen, s=20 + 400 * rows / total, color=_OURS, alpha=0.7)
        ax.annotate(name, (estimated, seen), (6, -10), textcoords="offset points", fontsize=8)
    ax.set_xlabel("share estimated for the band")
    ax.set_ylabel("share seen among these rows")
    return ax


def drawn_points(table: ExaminedTable, labels: NDArray[np.integer] | None = None) -> list[Points]:
    """Return the values of some rows in each column that the model looks at, by the numbers of their classes."""
    fitted, read = table.fitted, table.read[0]
    weights = np.ones((len(table), 1)) if labels is None else np.eye(len(fitted.classes))[labels]
    found = []
    for j in fitted.used:
        placed = fitted.columns[j].positions(*read.of(fitted.columns[j].sources))
        positions = None if placed is None else np.where(placed[1], np.nan, placed[0])
        found.append(Points(table.cells[:, j], weights, positions))
    return found


class Picture:
    """A picture of a model that notebooks show and `save` writes as SVG."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def __repr__(self) -> str:
        return f"<Picture of {len(self.svg)} characters>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.svg}</div>'

    def save(self, path: str) -> None:
        """Write the picture to a file."""
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(self.svg)


def notebook_html(fitted: Fitted) -> str:
    """Return what a notebook shows of a fitted classifier: a picture, the terms, and how its size was chosen."""
    picture, text = model_svg(fitted.explainer), model_text(fitted.explainer)
    shown = f'<div style="overflow-x:auto">{picture}</div><pre>{escape(text)}</pre>'
    path = fitted.learned.path
    if path is None:
        return shown
    return f"{shown}<details><summary>How its size was chosen</summary><pre>{escape(str(path))}</pre></details>"


def _axes() -> Axes:
    if find_spec("matplotlib") is None:
        raise ModuleNotFoundError("plots need matplotlib: pip install 'idnf[plot]'")
    import matplotlib.pyplot as plt

    axes: Axes = plt.subplots(figsize=(6.5, 4), layout="constrained")[1]
    return axes
