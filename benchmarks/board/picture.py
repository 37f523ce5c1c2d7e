"""Mean test accuracy against the size of reasons, as one picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt  # noqa: E402 - the drawing engine is chosen first
from matplotlib.axes import Axes  # noqa: E402

from .tables import CEILINGS, Board  # noqa: E402

STYLES = {
    "idnf": ("idnf (default)", "#0b5fa5", "o", 2.4),
    "idnf-nested": ("idnf, nested", "#6aa7d8", "o", 1.4),
    "idnf-greedy": ("the paper's heuristic", "#9a9a9a", "v", 1.2),
    "cart": ("CART", "#3c8d40", "s", 1.4),
    "pystreed": ("optimal trees (pystreed)", "#1d5a20", "D", 1.4),
    "brcg-dnf": ("BRCG, DNF", "#d1701c", "^", 1.2),
    "brcg-cnf": ("BRCG, CNF", "#b3261e", "^", 1.2),
    "ripper": ("RIPPER", "#8657a8", "P", 1.2),
}


def draw(board: Board, path: Path, title: str) -> None:
    """Write the picture; each point is one method at one k, and its number is that k.

    Above: the bound that holds for every decision. Below: the same for a data set, on average; kinder to methods that
    have long reasons on few data sets.
    """
    figure, (above, below) = plt.subplots(2, 1, figsize=(7.5, 8.5), sharey=True, layout="constrained")
    _panel(above, board, board.largest)
    _panel(below, board, board.mean_largest)
    above.set_xlabel("largest reason of any decision on any data set (conditions)")
    below.set_xlabel("largest reason on a data set, mean over data sets (conditions)")
    for axes in (above, below):
        axes.set_ylabel("mean test accuracy (%)")
    above.set_title(title, size=10, loc="left")
    figure.legend(*above.get_legend_handles_labels(), frameon=False, fontsize=8, ncols=4, loc="outside lower center")
    # Fixed ids and no date: the same results give the same file.
    with mpl.rc_context({"svg.hashsalt": "idnf"}):
        figure.savefig(path, metadata={"Date": None})
    figure.savefig(path.with_suffix(".png"), dpi=130, metadata={"Software": None})
    plt.close(figure)


def _panel(axes: Axes, board: Board, size: Callable[[str, int], float | None]) -> None:
    for method in STYLES:
        points = [
            (x, mean, k)
            for k in board.bounds
            if (x := size(method, k)) is not None
            and (mean := board.mean(method, k, lambda result: result.test_accuracy)) is not None
        ]
        if points:
            _line(axes, method, points)
    for method in CEILINGS:
        mean = board.mean(method, 0, lambda result: result.test_accuracy)
        if mean is not None:
            axes.axhline(mean, color="#bbbbbb", linestyle="--", linewidth=1, zorder=0)
            axes.annotate(
                f"{method}, no bounded reasons", (0, mean), (4, 3), xycoords=("axes fraction", "data"),
                textcoords="offset points", ha="left", size=7, color="#777777",
            )  # fmt: skip
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#eeeeee")
    axes.set_axisbelow(True)


def _line(axes: Axes, method: str, points: list[tuple[float, float, int]]) -> None:
    label, colour, marker, width = STYLES[method]
    xs, ys, _ = zip(*points)
    axes.plot(xs, ys, color=colour, marker=marker, linewidth=width, markersize=6, label=label, zorder=2 + width)
    for place in dict.fromkeys((x, round(y, 1)) for x, y, _ in points):
        here = ", ".join(str(k) for x, y, k in points if (x, round(y, 1)) == place)
        shift = 6 if method == "idnf" else -12
        axes.annotate(here, place, (0, shift), textcoords="offset points", ha="center", color=colour, size=8)
