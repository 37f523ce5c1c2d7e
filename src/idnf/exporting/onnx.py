"""A classifier as an ONNX model, and a table as its inputs.

Each condition becomes a tensor of truths, and a term holds where as many of its conditions are true as it has. Numbers
are doubles throughout, so that a value at a cut falls on the same side as in the classifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn
from idnf.columns.predicates import And, Compare, Field, IsMissing, OneOf, Operand, Or, Predicate, Total, leaves
from idnf.columns.raw import RawColumn
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
    graph = Graph({field.name: _is_text(field) for column in _inputs(rules) for field in column.fields})
    for column in _inputs(rules):
        _refuse_missing_text(column)
    place = {condition: i for i, condition in enumerate(sorted({pair for term in rules.terms for pair in term}))}
    terms = np.zeros((len(place), len(rules.terms)), dtype=np.float32)
    for t, term in enumerate(rules.terms):
        for condition in term:
            terms[place[condition], t] = 1
    truths = [_truth(graph, rules.columns[j].test(mask)) for j, mask in place]
    labels = [rules.otherwise, *dict.fromkeys(rules.labels)]
    numbers = [labels.index(label, 1) for label in rules.labels]
    held = graph.held_term(truths, terms, numbers) if truths else graph.everywhere(max(numbers, default=0))
    return graph.finished(graph.chosen(held, labels))


def onnx_inputs(clf: DNFClassifier, X: object) -> dict[str, NDArray[np.float64] | NDArray[np.object_]]:
    """Return a table as the inputs of the ONNX model of a classifier; refuse what the classifier would refuse.

    >>> clf = DNFClassifier.from_dnf("late & ~'age <= 30'", columns={"age": [30], "late": bool})
    >>> import polars as pl
    >>> onnx_inputs(clf, pl.DataFrame({"age": [20, 40], "late": [True, False]}))
    {'age': array([20., 40.]), 'late': array([1., 0.])}
    """
    table = clf.binariser_.read(X)
    inputs: dict[str, NDArray[np.float64] | NDArray[np.object_]] = {}
    for column in _inputs(rules_of(clf)):
        values = table.of(column.sources)
        column.cells(*values)  # refuses what the model would not notice
        read = column.read(*values)
        inputs |= {field.name: _input(field, read[field.name]) for field in column.fields}
    return inputs


def _input(field: Field, raw: RawColumn) -> NDArray[np.float64] | NDArray[np.object_]:
    if not _is_text(field):
        return raw.values.astype(np.float64, copy=False)
    values = raw.values.astype(object)
    values[raw.missing] = MISSING_TEXT
    return values


def _inputs(rules: Rules) -> list[TableColumn]:
    """Return the columns the model reads; a constant one reads the first to know how many rows there are."""
    return [rules.columns[j] for j in rules.used] or [rules.columns[0]]


def _is_text(field: Field) -> bool:
    return field.kind in ("text", "any")


def _refuse_missing_text(column: TableColumn) -> None:
    for cell in range(len(column.labels)):
        for leaf in leaves(column.test(1 << cell)):
            if isinstance(leaf, OneOf) and MISSING_TEXT in leaf.constants:
                raise ValueError(
                    f"column {column.name!r} must have no category {MISSING_TEXT!r}, which means missing in ONNX."
                )


def _truth(graph: Graph, test: Predicate) -> str:
    """Return the tensor of the truth of a test, Booleans of shape (rows,)."""
    match test:
        case Compare(value, over, upto):
            given = _operand(graph, value)
            parts = [] if over is None else [graph.greater(given, over)]
            return graph.every(parts if upto is None else [*parts, graph.at_most(given, upto)])
        case OneOf(Field(name, "text"), constants, negated):
            texts = [str(constant) for constant in constants]
            found = graph.looked_up(name, [*texts, MISSING_TEXT] if negated else texts)
            return graph.negated(found) if negated else found
        case OneOf(value, constants, negated):
            given = _operand(graph, value)
            found = graph.matched(given, [float(constant) for constant in constants])
            return graph.negated(graph.some([found, graph.is_nan(given)])) if negated else found
        case IsMissing(field, negated):
            found = graph.looked_up(field.name, [MISSING_TEXT]) if _is_text(field) else graph.is_nan(field.name)
            return graph.negated(found) if negated else found
        case And(parts):
            return graph.every([_truth(graph, part) for part in parts])
        case Or(parts):
            return graph.some([_truth(graph, part) for part in parts])


def _operand(graph: Graph, value: Operand) -> str:
    return graph.total([field.name for field in value.fields]) if isinstance(value, Total) else value.name
