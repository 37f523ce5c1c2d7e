"""Pictures of the scoreboard: accuracy against the size of reasons and the length of models, and mean ranks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt  # noqa: E402 - the drawing engine is chosen first
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from .means import ACCURACY, CONDITIONS, LARGEST, Board, Measure, title  # noqa: E402
from .methods import METHODS  # noqa: E402
from .significance import Ranks  # noqa: E402

OURS_COLOURS = ("#0b5fa5", "#6aa7d8", "#6aa7d8", "#6aa7d8")
COLOURS = ("#3c8d40", "#1d5a20", "#d1701c", "#b3261e", "#8657a8", "#7a6a00", "#00808a", "#9a9a9a", "#c2185b", "#5d4037")
MARKERS = "sD^vP*Xd<>"
TOP = -0.6
"""Where the axis of ranks is."""


def save(figure: Figure, path: Path) -> None:
    """Write SVG; fixed ids and no date: the same results give the same file. Words stay words, not outlines."""
    with mpl.rc_context({"svg.hashsalt": "idnf", "svg.fonttype": "none"}):
        figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    plt.close(figure)


def draw_accuracy(board: Board, methods: Sequence[str], ceilings: Sequence[str], path: Path) -> None:
    """Draw mean accuracy against the largest reason of a table and the conditions of a model, a point for each k.

    All points are means over the same tables: those that every method drawn has at every k.
    """
    figure, panels = plt.subplots(1, 2, figsize=(10, 5.2), sharey=True, layout="constrained")
    data = board.shared([*methods, *ceilings])
    for axes, measure in zip(panels, (LARGEST, CONDITIONS)):
        _panel(axes, board, methods, data, measure)
        for method in ceilings:
            value = fmean(board.values(method, 0, ACCURACY)[name] for name in data)
            axes.axhline(value, color="#bbbbbb", linestyle="--", linewidth=1, zorder=0)
            axes.annotate(
                title(method), (0, value), (4, 2), xycoords=("axes fraction", "data"),
                textcoords="offset points", size=7, color="#777777",
            )  # fmt: skip
    panels[0].set_xlabel("largest reason on a table, mean (conditions)")
    panels[1].set_xlabel("conditions to write the model, mean")
    panels[0].set_ylabel("mean test accuracy (%)")
    figure.suptitle(f"{len(data)} tables; the number at a point is k", size=10)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, frameon=False, fontsize=8, ncols=4, loc="outside lower center")
    save(figure, path)


def _panel(axes: Axes, board: Board, methods: Sequence[str], data: Sequence[str], measure: Measure) -> None:
    sides = {side: [m for m in methods if METHODS[m].ours == side] for side in (True, False)}
    for method in methods:
        ours = METHODS[method].ours
        place = sides[ours].index(method)
        colour = OURS_COLOURS[place] if ours else COLOURS[place % len(COLOURS)]
        marker = "o" if ours else MARKERS[place % len(MARKERS)]
        points = [_point(board, method, k, data, measure) for k in board.bounds]
        axes.plot(
            *zip(*points), color=colour, marker=marker, linewidth=2.4 if ours else 1.2, label=title(method), zorder=3
        )
        for k, point in zip(board.bounds, points):
            shift = 6 if ours else -11
            axes.annotate(str(k), point, (0, shift), textcoords="offset points", ha="center", color=colour, size=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#eeeeee")
    axes.set_axisbelow(True)


def _point(board: Board, method: str, k: int, data: Sequence[str], measure: Measure) -> tuple[float, float]:
    sizes, values = board.values(method, k, measure), board.values(method, k, ACCURACY)
    return fmean(sizes[name] for name in data if name in sizes), fmean(values[name] for name in data)


def draw_ranks(found: Sequence[Ranks], path: Path) -> None:
    """Draw mean ranks at each k, the best on the left; a bar joins methods that do not differ by the critical value."""
    most = max(len(each.means) for each in found)
    figure, panels = plt.subplots(
        len(found), 1, figsize=(9, len(found) * (0.9 + 0.19 * most)), layout="constrained", squeeze=False
    )
    for axes, each in zip(panels[:, 0], found):
        _ranks_panel(axes, each)
    save(figure, path)


def _ranks_panel(axes: Axes, found: Ranks) -> None:
    count = len(found.means)
    low, high = min(1.0, found.means[0][1]), found.means[-1][1]
    bars = _bars(found)
    half = (count + 1) // 2
    for place, (method, rank) in enumerate(found.means):
        left = place < half
        level = 1 + len(bars) * 0.4 + (place if left else count - 1 - place)
        end = low - 0.3 if left else high + 0.3
        colour = OURS_COLOURS[0] if METHODS[method].ours else "#333333"
        axes.plot([rank, rank, end], [TOP, level, level], color=colour, linewidth=1)
        axes.annotate(
            f"{title(method)} ({rank:.2f})", (end, level), (-3 if left else 3, 0), textcoords="offset points",
            ha="right" if left else "left", va="center", size=8, color=colour,
        )  # fmt: skip
    for place, (first, last) in enumerate(bars):
        axes.plot(
            [first - 0.03, last + 0.03], [0.4 * (place + 1)] * 2, color="black", linewidth=3, solid_capstyle="butt"
        )
    width = high - low
    axes.set_xlim(low - 0.3 - 1.1 * width, high + 0.3 + 1.1 * width)
    axes.set_ylim(half + 1.5 + len(bars) * 0.4, TOP)
    axes.set_yticks([])
    axes.xaxis.tick_top()
    axes.set_xticks(range(int(low), int(high) + 2))
    axes.spines[["left", "right", "bottom"]].set_visible(False)
    axes.set_title(
        f"k = {found.k}: mean ranks on {found.data_sets} tables; critical difference {found.critical:.2f}", size=9
    )


def _bars(found: Ranks) -> list[tuple[float, float]]:
    """Return the longest runs of methods within the critical difference."""
    values = [rank for _, rank in found.means]
    runs = [(low, max(high for high in values if high - low <= found.critical)) for low in values]
    return [
        run
        for i, run in enumerate(runs)
        if run[1] > run[0] and not any(a <= run[0] and b >= run[1] for a, b in runs[:i])
    ]
