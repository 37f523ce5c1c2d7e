"""A classifier as an ONNX model, and a table as its inputs.

Each column the model looks at becomes a cell number, a cell the truth of every condition on its column, and a term
holds where as many of its conditions are true as it has. Numbers are doubles throughout, so that a value at a cut falls
on the same side as in the classifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.categories import HALF, BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup
from idnf.columns.intervals import IntervalColumn, OrderedColumn
from idnf.columns.raw import Category, RawColumn
from idnf.exporting.onnx_graph import Graph
from idnf.exporting.rule_list import Rules, rules_of

if TYPE_CHECKING:
    from onnx import ModelProto

MISSING_TEXT = "<missing>"
"""What stands for a missing value in an input of texts, which has no other way to say so."""


def to_onnx(clf: DNFClassifier) -> ModelProto:
    """Return a classifier as an ONNX model with one input for each column it looks at, and the output ``label``.

    Inputs have shape (rows,): doubles with NaN for missing, or texts; `onnx_inputs` makes them from a table. Values
    that the classifier would refuse must not be given.

    >>> model = to_onnx(DNFClassifier.from_dnf("late & ~'age <= 30'", columns={"age": [30], "late": bool}))
    >>> [given.name for given in model.graph.input], [found.name for found in model.graph.output]
    (['age', 'late'], ['label'])
    """
    rules = rules_of(clf)
    graph = Graph({source: _is_text(column) for column in _inputs(rules) for source in column.sources})
    masks = {j: sorted({mask for term in rules.terms for i, mask in term if i == j}) for j in rules.used}
    place = {condition: i for i, condition in enumerate((j, mask) for j in rules.used for mask in masks[j])}
    terms = np.zeros((len(place), len(rules.terms)), dtype=np.float32)
    for t, term in enumerate(rules.terms):
        for condition in term:
            terms[place[condition], t] = 1
    truths = [graph.truths(_cell(graph, rules.columns[j]), masks[j], rules.columns[j].full) for j in masks if masks[j]]
    held = graph.any_term(truths, terms) if truths else graph.everywhere(bool(rules.terms))
    return graph.finished(graph.chosen(held, (rules.otherwise, rules.label)))


def onnx_inputs(clf: DNFClassifier, X: object) -> dict[str, NDArray[np.float64] | NDArray[np.object_]]:
    """Return a table as the inputs of the ONNX model of a classifier.

    >>> clf = DNFClassifier.from_dnf("late & ~'age <= 30'", columns={"age": [30], "late": bool})
    >>> import polars as pl
    >>> onnx_inputs(clf, pl.DataFrame({"age": [20, 40], "late": [True, False]}))
    {'age': array([20., 40.]), 'late': array([1., 0.])}
    """
    table = clf.binariser_.read(X)
    return {
        source: _text_input(raw) if _is_text(column) else _number_input(column, raw)
        for column in _inputs(rules_of(clf))
        for source, raw in zip(column.sources, table.of(column.sources))
    }


def _text_input(raw: RawColumn) -> NDArray[np.object_]:
    values = raw.values.astype(object)
    values[raw.missing] = MISSING_TEXT
    return values


def _number_input(column: TableColumn, raw: RawColumn) -> NDArray[np.float64]:
    if isinstance(column, IntervalColumn) and not isinstance(column, OrderedColumn):
        numbers = column.positions(raw)[0]
    else:
        numbers = np.where(raw.missing, np.nan, raw.values).astype(np.float64)
    return np.where(raw.missing, np.nan, numbers)


def _inputs(rules: Rules) -> list[TableColumn]:
    """Return the columns the model reads; a constant one reads the first to know how many rows there are."""
    return [rules.columns[j] for j in rules.used] or [rules.columns[0]]


def _is_text(column: TableColumn) -> bool:
    if not isinstance(column, (CategoryColumn, OrderedColumn)):
        return False
    return not column.values or isinstance(column.values[0], str)


def _cell(graph: Graph, column: TableColumn) -> str:
    """Return the tensor of the cells of a column, int64 of shape (rows,)."""
    missing = len(column.known_labels) if column.has_missing_cell else None
    if isinstance(column, GroupColumn):
        return _group_cell(graph, column)
    given = column.sources[0]
    if isinstance(column, (CategoryColumn, OrderedColumn)):
        cells = _cells_by_value(column)
        if _is_text(column):
            return graph.looked_up(given, _text_cells(column, cells, missing), default=len(cells))
        cell = graph.matched(given, [float(value) for value in cells], list(cells.values()), len(cells))
    elif isinstance(column, IntervalColumn):
        cell = graph.cuts_below(given, column.limits)
    else:
        assert isinstance(column, BooleanColumn), "every kind of column has its cells"
        cell = graph.cuts_below(given, (HALF,))
    return cell if missing is None else graph.unless_nan(given, cell, missing)


def _cells_by_value(column: CategoryColumn | OrderedColumn) -> dict[Category, int]:
    if isinstance(column, CategoryColumn):
        return {value: cell for cell, value in enumerate(column.values)}
    return {value: sum(rank > cut for cut in column.cuts) for rank, value in enumerate(column.values)}


def _text_cells(column: TableColumn, cells: dict[Category, int], missing: int | None) -> dict[str, int]:
    if MISSING_TEXT in cells:
        raise ValueError(f"column {column.name!r} must have no category {MISSING_TEXT!r}, which means missing in ONNX.")
    texts = {str(value): cell for value, cell in cells.items()}
    return texts if missing is None else {**texts, MISSING_TEXT: missing}


def _group_cell(graph: Graph, column: GroupColumn) -> str:
    n = len(column.members)
    # One-hot: the number of the column set, or n; ordered: as many cells from the top as columns are set.
    weights = [member - n for member in range(n)] if isinstance(column, OneHotGroup) else [-1] * n
    return graph.weighted(column.members, weights, n)
