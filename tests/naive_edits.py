"""Edits of a model the obvious way: every line asked of every row, every set of columns tried for a reason."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from idnf.exporting.edits_json import AddedLine, ChosenCells, ConditionEdit


def printed_lines(clf, label):
    """The lines of a label by number, each a list of conditions: a column's place and what holds for its values."""
    fitted = clf.fitted_
    boxes = map(fitted.sides.frame.expand, fitted.explainer.reading.boxes[label])
    return {number: dict(enumerate(box)) for number, box in enumerate(boxes, 1)}


def holds(column, chosen, values):
    """Whether each value of a column meets a condition: a mask of the model's cells, or what an edit names."""
    cells = column.cells(*values)
    if chosen is None:
        return np.ones(len(cells), dtype=bool)
    if isinstance(chosen, int):
        return np.array([bool(chosen >> cell & 1) for cell in cells.tolist()], dtype=bool)
    if isinstance(chosen, ChosenCells):
        return np.isin(cells, chosen.cells)
    missing = cells == len(column.known_labels)
    if column.missing == "counted":
        missing = np.zeros(len(cells), dtype=bool)
    positions, unknown = column.positions(*values)
    # A missing value without a cell of its own lies above all cuts.
    positions = np.where(unknown, np.inf, positions)
    inside = np.zeros(len(cells), dtype=bool)
    for low, high in chosen.intervals:
        inside |= (positions > (-np.inf if low is None else low)) & (positions <= (np.inf if high is None else high))
    return np.where(missing, chosen.missing, inside)


def edited_lines(clf, edits):
    """The lines after all edits."""
    place = {column.name: j for j, column in enumerate(clf.binariser_.columns_)}
    lines = printed_lines(clf, edits.label)
    for edit in edits.edits:
        if isinstance(edit, AddedLine):
            lines[edit.line] = {place[name]: chosen for name, chosen in edit.conditions}
        elif isinstance(edit, ConditionEdit):
            lines[edit.line] = {**lines[edit.line], place[edit.column]: edit.new}
        else:
            del lines[edit.line]
    return lines


def decisions(clf, edits, X):
    """The label of each row under the edited lines."""
    columns = clf.binariser_.columns_
    given = np.zeros(X.height, dtype=bool)
    for line in edited_lines(clf, edits).values():
        held = np.ones(X.height, dtype=bool)
        for j, chosen in line.items():
            held &= holds(columns[j], chosen, [X[name] for name in columns[j].sources])
        given |= held
    return clf.classes_[np.where(given, edits.label, 1 - edits.label)]


def needed(values):
    """The most columns that some point's smallest reason has, of a function given as an array with an axis a column."""
    left = np.ones(values.shape, dtype=bool)
    for size in range(values.ndim + 1):
        for kept in combinations(range(values.ndim), size):
            others = tuple(j for j in range(values.ndim) if j not in kept)
            left &= values.min(axis=others, keepdims=True) != values.max(axis=others, keepdims=True)
        if not left.any():
            return size
    raise AssertionError("all columns together decide")
