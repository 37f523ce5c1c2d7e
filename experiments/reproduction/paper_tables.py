"""The tables of a reproduction as CSV, Markdown and a picture, the paper's figures beside ours.

``printed.csv`` holds Tables 1, 2 and 3 of Cooper, Bousdira, Carbonnel: *Interpretable DNFs*, IJCAI 2025, one figure a
line: test accuracies in percent in Table 2, numbers of leaves (CART) and terms (DNF) in Table 3.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from io import StringIO
from pathlib import Path
from statistics import fmean

from matplotlib.figure import Figure

from idnf.datasets.loading import load_paper

from .protocol import Cell

_TITLES = {"CART": "CART", "DNF": "DNF", "complement": "complement of a DNF"}


def write(cells: Sequence[Cell], folder: Path) -> list[Path]:
    """Write three tables as CSV, all of them as ``tables.md``, and ``accuracy.png``; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {"datasets": _dataset_lines(cells), "accuracy": _accuracy_lines(cells), "size": _size_lines(cells)}
    texts = {f"{name}.csv": _csv(lines) for name, lines in tables.items()} | {"tables.md": to_markdown(cells)}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    draw(cells, folder / "accuracy.png")
    return [folder / name for name in (*texts, "accuracy.png")]


def to_markdown(cells: Sequence[Cell]) -> str:
    """Return the three tables and the means over the data sets as Markdown."""
    bounds = sorted({cell.k for cell in cells})
    accuracy = [_markdown_of(cells, k, table=2) for k in bounds]
    sizes = [_markdown_of(cells, k, table=3) for k in bounds]
    parts = [
        "# The paper's tables beside ours",
        "In each pair of columns ours is on the left and the paper's printed figure on the right.",
        "## Table 1: data sets",
        _markdown(_dataset_lines(cells)),
        "## Table 2: mean test accuracy in percent",
        "### Means over the data sets",
        _markdown(_mean_lines(cells)),
        *accuracy,
        "## Table 3: leaves of the trees, terms of the DNFs (mean over the splits of the best model among the runs)",
        *sizes,
    ]
    return "\n\n".join(parts) + "\n"


def draw(cells: Sequence[Cell], path: Path) -> None:
    """Draw accuracy against k, one panel a data set: ours in full lines, the paper's dashed."""
    names = list(dict.fromkeys(cell.dataset for cell in cells))
    columns = min(4, len(names))
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(3.2 * columns, 2.6 * rows + 0.6), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for panel, name in zip(panels, names, strict=False):
        for colour, method in enumerate(dict.fromkeys(cell.method for cell in cells)):
            ours = sorted((cell.k, cell.accuracy) for cell in cells if (cell.dataset, cell.method) == (name, method))
            style = {"color": f"C{colour}", "marker": "o", "markersize": 3, "linewidth": 1.2}
            panel.plot(*zip(*ours, strict=True), label=_TITLES.get(method, method), **style)
            theirs = [(k, printed_figures(2).get((name, k, method))) for k, _ in ours]
            if all(value is not None for _, value in theirs):
                panel.plot(*zip(*theirs, strict=True), linestyle="--", alpha=0.6, **style)
        panel.set_title(name, fontsize=9)
        panel.set_xticks(sorted({cell.k for cell in cells}))
        panel.tick_params(labelsize=8)
    for panel in panels[len(names) :]:
        panel.set_axis_off()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9)
    figure.suptitle("Test accuracy (%) against k; dashed: as the paper prints", fontsize=10)
    figure.savefig(path, dpi=110)


Line = tuple[str, ...]


def _dataset_lines(cells: Sequence[Cell]) -> list[Line]:
    lines: list[Line] = [("dataset", "examples", "paper", "features", "paper")]
    for name in dict.fromkeys(cell.dataset for cell in cells):
        X, _ = load_paper(name, part="train" if name.startswith("monks") else None)
        examples, features = printed_sizes()[name]
        lines.append((name, str(len(X)), str(examples), str(X.shape[1]), str(features)))
    return lines


def _accuracy_lines(cells: Sequence[Cell]) -> list[Line]:
    ours = ((cell, f"{cell.accuracy:.2f}", f"{cell.spread:.2f}") for cell in cells)
    lines = [(c.dataset, str(c.k), c.method, *figures, _printed(c, table=2)) for c, *figures in ours]
    return [("dataset", "k", "method", "accuracy", "spread", "paper"), *lines]


def _size_lines(cells: Sequence[Cell]) -> list[Line]:
    lines = [(c.dataset, str(c.k), c.method, f"{c.size:.1f}", _printed(c, table=3)) for c in cells]
    return [("dataset", "k", "method", "size", "paper"), *lines]


def _mean_lines(cells: Sequence[Cell]) -> list[Line]:
    methods = tuple(dict.fromkeys(cell.method for cell in cells))
    lines = [_header("k", methods, table=2)]
    for k in sorted({cell.k for cell in cells}):
        line = [str(k)]
        for method in methods:
            column = [cell for cell in cells if (cell.k, cell.method) == (k, method)]
            line.append(f"{fmean(cell.accuracy for cell in column):.2f}")
            line += _printed_mean(column)
        lines.append(tuple(line))
    return lines


def _printed_mean(column: Sequence[Cell]) -> list[str]:
    printed = [printed_figures(2).get((cell.dataset, cell.k, cell.method)) for cell in column]
    known = [value for value in printed if value is not None]
    return [f"{fmean(known):.2f}" if len(known) == len(printed) else ""] * _is_printed(column[0].method, table=2)


def _markdown_of(cells: Sequence[Cell], k: int, *, table: int) -> str:
    methods = tuple(dict.fromkeys(cell.method for cell in cells))
    lines = [_header("dataset", methods, table=table)]
    for name in dict.fromkeys(cell.dataset for cell in cells):
        line = [name]
        for cell in (cell for cell in cells if (cell.dataset, cell.k) == (name, k)):
            line.append(f"{cell.accuracy:.2f}" if table == 2 else f"{cell.size:.1f}")
            line += [_printed(cell, table=table)] * _is_printed(cell.method, table=table)
        lines.append(tuple(line))
    return f"### k = {k}\n\n{_markdown(lines)}"


def _header(first: str, methods: Sequence[str], *, table: int) -> Line:
    return (
        first,
        *(title for method in methods for title in [method, "paper"][: 1 + _is_printed(method, table=table)]),
    )


def _is_printed(method: str, *, table: int) -> bool:
    return any(method == known for _, _, known in printed_figures(table))


def _printed(cell: Cell, *, table: int) -> str:
    value = printed_figures(table).get((cell.dataset, cell.k, cell.method))
    return "" if value is None else f"{value:.2f}" if table == 2 else f"{value:.1f}"


def _csv(lines: Sequence[Line]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _markdown(lines: Sequence[Line]) -> str:
    rule = ("---", *["---:"] * (len(lines[0]) - 1))
    return "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], rule, *lines[1:]))


@cache
def printed_sizes() -> dict[str, tuple[int, int]]:
    """Return the numbers of examples and features by data set, Table 1."""
    found = {(line["dataset"], line["method"]): int(line["value"]) for line in _lines("1")}
    return {dataset: (found[dataset, "examples"], found[dataset, "features"]) for dataset, _ in found}


@cache
def printed_figures(table: int) -> dict[tuple[str, int, str], float]:
    """Return the figures of Table 2 or 3 by data set, k and method."""
    return {(line["dataset"], int(line["k"]), line["method"]): float(line["value"]) for line in _lines(str(table))}


def _lines(table: str) -> list[dict[str, str]]:
    with Path(__file__).with_name("printed.csv").open(encoding="utf-8") as file:
        return [line for line in csv.DictReader(file) if line["table"] == table]
