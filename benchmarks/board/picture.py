"""Mean test accuracy against the largest reason, as one picture."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt  # noqa: E402 - the drawing engine is chosen first

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
    """Write the picture; each point is one method at one k, and its number is that k."""
    figure, axes = plt.subplots(figsize=(8, 4.8), layout="constrained")
    for method, (label, colour, marker, width) in STYLES.items():
        points = [
            (largest, mean, k)
            for k in board.bounds
            if (largest := board.largest(method, k)) is not None
            and (mean := board.mean(method, k, lambda result: result.test_accuracy)) is not None
        ]
        if not points:
            continue
        xs, ys, ks = zip(*points)
        axes.plot(xs, ys, color=colour, marker=marker, linewidth=width, markersize=6, label=label, zorder=width)
        for x, y, k in points:
            above = method == "idnf"
            axes.annotate(
                str(k), (x, y), (0, 6 if above else -12), textcoords="offset points", ha="center", color=colour, size=8
            )
    for method in CEILINGS:
        mean = board.mean(method, 0, lambda result: result.test_accuracy)
        if mean is not None:
            axes.axhline(mean, color="#bbbbbb", linestyle="--", linewidth=1, zorder=0)
            axes.annotate(
                f"{method}, no bounded reasons", (1, mean), (-4, 3), xycoords=("axes fraction", "data"),
                textcoords="offset points", ha="right", size=8, color="#777777",
            )  # fmt: skip
    axes.set_xlabel("largest reason of any decision, either class, any data set (conditions)")
    axes.set_ylabel("mean test accuracy (%)")
    axes.set_title(title, size=10, loc="left")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#eeeeee", zorder=0)
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    # Fixed ids and no date: the same results give the same file.
    with mpl.rc_context({"svg.hashsalt": "idnf"}):
        figure.savefig(path, metadata={"Date": None})
    figure.savefig(path.with_suffix(".png"), dpi=130, metadata={"Software": None})
    plt.close(figure)
