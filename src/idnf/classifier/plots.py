"""Pictures of models, drawn as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.printing import model_text
from idnf.pictures.drawing import Points, escape, model_svg

if TYPE_CHECKING:
    from idnf.classifier.fitted import Fitted
    from idnf.classifier.memory_source import ExaminedTable


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


def notebook_html(fitted: Fitted) -> str:
    """Return what a notebook shows of a fitted classifier: a picture, the terms, and how its size was chosen."""
    picture, text = model_svg(fitted.explainer), model_text(fitted.explainer)
    shown = f'<div style="overflow-x:auto">{picture}</div>{_wrapped(text)}'
    path = fitted.learned.path
    if path is None:
        return shown
    return f"{shown}<details><summary>How its size was chosen</summary>{_wrapped(str(path))}</details>"


def _wrapped(text: str) -> str:
    """Return text as it is printed, whose long lines go on in the next one."""
    return f'<pre style="white-space:pre-wrap;overflow-wrap:anywhere">{escape(text)}</pre>'
