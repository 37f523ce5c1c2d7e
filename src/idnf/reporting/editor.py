"""The editor of a page: lines of a model of two labels that a person changes, with the proof running beside them.

What it knows travels as plain data: the grid of the rows, the lines, how conditions are said, the SHA-256 of the model
file. Its scripts are in `templates/editor`, one idea each; what they save, :func:`idnf.adopt` makes a model of.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.misclassification_costs import MisclassificationCosts
from idnf.columns.column import TableColumn
from idnf.columns.eager_frames import subgroup_of
from idnf.columns.phrases import listed, name_words
from idnf.explaining.wording import label_words
from idnf.exporting.adoption import first_lines
from idnf.exporting.programs import portable_words, script_json
from idnf.logic.boxes import cells_of
from idnf.pictures.drawing import escape
from idnf.reporting.edit_grid import MOST_CELLS, Grid
from idnf.reporting.page_frame import PageTool, page_template

Plain = dict[str, object]

MOST_LINES = 60
"""Models of more lines are not edited on a page."""

MILLISECONDS = 300
"""How long the page looks for a verdict."""

MENDING = 700
"""How long it looks for edits that mend."""


ENGINE = ("grid.js", "lines.js", "decisions.js", "proof.js", "verdict.js", "mends.js", "words.js", "reasons.js")
"""What the editor knows of rows, lines and proofs, each script after those it reads; a worker runs them too."""


def engine_script() -> str:
    """Return these scripts as one."""
    return "".join(page_template(f"editor/{name}").template for name in ENGINE)


SCRIPTS = ("history.js", "conditions.js", "cards.js", "effect.js", "editor.js")
"""What shows and changes lines on the page, each script after those it reads."""


def editor_tool(
    clf: DNFClassifier, X: object, true: NDArray[np.intp], *, label: int, model: str, subgroup: str | None = None
) -> PageTool:
    """Return the editor as a part of a page; of a model that it cannot edit, why not.

    Parameters are those of :func:`editor_data`.
    """
    count = len(clf.fitted_.explainer.reading.lines[label])
    if len(clf.classes_) > 2:
        return _view_only(f"It decides between {len(clf.classes_)} labels. Models of two labels can be changed here.")
    if count > MOST_LINES:
        return _view_only(f"It has {count} lines. Models of up to {MOST_LINES} lines can be changed here.")
    data = editor_data(clf, X, true, label=label, model=model, subgroup=subgroup)
    scripts = page_template("editor/scripts.html").substitute(
        engine=engine_script(),
        worker=page_template("editor/worker.js").template,
        given=script_json(json.dumps(data)),
        script="".join(page_template(f"editor/{name}").template for name in SCRIPTS),
    )
    section = page_template("editor.html").substitute(about=escape(_about(len(true), clf.k, data["left_out"])))
    return PageTool(section, page_template("editor/editor.css").template, scripts)


def _view_only(why: str) -> PageTool:
    return PageTool(
        '<section aria-labelledby="h-editor">\n<h2 id="h-editor">Change the model</h2>\n'
        f"<p>This model can be looked at but not changed on this page. {escape(why)}</p>\n</section>"
    )


def _about(rows: int, k: int, left_out: object) -> str:
    names = left_out if isinstance(left_out, list) else []
    absent = f" Left out, since rows would differ too much: {listed(names, 'and')}." if names else ""
    return (
        "Move a cut, tick values, drop a condition or a line, or add one. What it does to the "
        f"{rows:,} rows of this page is shown at once, and whether every decision still has a reason of at most {k} "
        f"condition{'s' * (k != 1)} is proved again. Cuts move in up to {MOST_CELLS} steps.{absent} "
        "The case and the reasons above stay those of the original model."
    )


def editor_data(
    clf: DNFClassifier, X: object, true: NDArray[np.intp], *, label: int, model: str, subgroup: str | None = None
) -> Plain:
    """Return what the editor of a page knows, as plain data.

    Parameters
    ----------
    clf : DNFClassifier
        Of two labels.
    X : table of shape (n_samples, n_features)
    true : int array of shape (n_samples,)
        The number of the true label of each row.
    label : int
        The number of the label whose lines are edited.
    model : str
        The SHA-256 of the model file.
    subgroup : str, optional
        A column by whose values figures are broken down.
    """
    fitted = clf.fitted_
    names, groups = (None, None) if subgroup is None else _groups(X, subgroup)
    grid = Grid.of(fitted, X, true, groups)
    lines = first_lines(clf, label, grid.columns)
    boxes = [
        [[j, list(cells_of(mask))] for j, (mask, column) in enumerate(zip(box, grid.columns)) if mask != column.full]
        for box in lines.values()
    ]
    return {
        "model": model,
        "label": label,
        "k": clf.k,
        "labels": [label_words(one) for one in clf.classes_.tolist()],
        "named": [one.named for one in fitted.explainer.outcomes],
        "milliseconds": MILLISECONDS,
        "mending": MENDING,
        "costs": None if clf.costs is None else MisclassificationCosts.of(clf.costs, clf.classes_.tolist()).table,
        "groups": names,
        "lines": boxes,
        "left_out": list(grid.left_out),
        "columns": list(map(_column_data, grid.columns)),
        "rows": {
            "size": grid.cells.shape[1] if len(grid.columns) else grid.counts.shape[1],
            "cells": [_bytes(cells) for cells in grid.cells],
            "counts": [_bytes(counts.astype("<u4")) for counts in grid.counts],
            "group": None if grid.groups is None else _bytes(grid.groups),
        },
    }


def _groups(X: object, subgroup: str) -> tuple[list[str], NDArray[np.intp]]:
    found, numbers = np.unique(subgroup_of(X, subgroup), return_inverse=True)
    return list(map(str, found)), numbers


def _bytes(values: NDArray[np.generic]) -> str:
    return b64encode(values.tobytes()).decode("ascii")


def _column_data(column: TableColumn) -> Plain:
    return {
        "name": column.name,
        "kind": column.fields[0].kind,
        "ordered": column.ordered,
        "missing": column.has_missing_cell,
        "cells": list(column.labels),
        "cuts": list(column.limits) if column.takes_cuts else None,
        "words": _words(column),
    }


def _words(column: TableColumn) -> Plain:
    """Return how sets of cells of a column are said: lists of labels, runs between bounds, or each set by itself."""
    always: Plain = {
        "name": name_words(column.name),
        "missing": column.words(column.missing_mask) if column.has_missing_cell else "",
        "known": column.words(column.known_mask) if column.has_missing_cell else "",
    }
    if column.ordered:
        bounds = [column.position_words(cut) for cut in column.limits]
        return {**always, "bounds": bounds, "odd": _odd_runs(column, bounds)}
    said_by = portable_words(column, column.to_column(), [1 << cell for cell in range(len(column.labels))])
    if "said" not in said_by:
        return {**said_by, **always}
    said = {
        "".join(str(mask >> cell & 1) for cell in range(len(column.labels))): column.words(mask)
        for mask in range(1, column.full)
    }
    return {**always, "said": said}


def _odd_runs(column: TableColumn, bounds: Sequence[str]) -> dict[str, str]:
    """Return the runs of cells that are not said as comparisons of the name with bounds."""
    name, last = name_words(column.name), len(column.known_labels) - 1
    odd = {}
    for low in range(last + 1):
        for high in range(low, last + 1):
            if (low, high) == (0, last):
                continue
            words = column.words((2 << high) - (1 << low))
            if not bounds or words != _run_words(name, bounds, low, high):
                odd[f"{low}-{high}"] = words
    return odd


def _run_words(name: str, bounds: Sequence[str], low: int, high: int) -> str:
    if low == 0:
        return f"{name} <= {bounds[high]}"
    if high == len(bounds):
        return f"{name} > {bounds[low - 1]}"
    return f"{bounds[low - 1]} < {name} <= {bounds[high]}"
