"""Models as services run them: as ONNX, and as plain data for each row.

In ONNX each condition becomes a tensor of truths, and a term holds where as many of its conditions are true as it has.
Numbers are doubles throughout, so that a value at a cut falls on the same side as in the classifier.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier
from idnf.columns.column import TableColumn
from idnf.columns.phrases import BLANKS
from idnf.columns.predicates import And, Compare, Field, IsMissing, OneOf, Operand, Or, Predicate, Total, leaves
from idnf.columns.raw import RawColumn
from idnf.explaining.explanation import condition_text
from idnf.explaining.score_table import ScoreTable
from idnf.exporting.plain_labels import Label
from idnf.exporting.rule_list import Conditions, Rules, conditions_of, rules_of
from idnf.logic.errors import InvalidArgument

if TYPE_CHECKING:
    from onnx import ModelProto

MISSING_TEXT = "<missing>"
"""What stands for a missing value in an input of texts, which has no other way to say so."""

_OPSETS = {"": 20, "ai.onnx.ml": 3}
_IR_VERSION = 9
_BATCH = "rows"


def to_onnx(clf: AnyClassifier) -> ModelProto:
    """Return a classifier as an ONNX model with one input for each column it looks at, and the output ``label``.

    Of two labels the output ``probability`` is the share of the second, as ``predict_proba`` has it, if the reasons of
    the model can be listed. The label of bands is the number of the band, from 0 on.

    Inputs have shape (rows,): doubles with NaN for missing, or texts; `onnx_inputs` makes them from a table. Values
    that the classifier would refuse must not be given.

    >>> model = to_onnx(DNFClassifier.from_dnf("late & ~'age <= 30'", columns={"age": [30], "late": bool}))
    >>> [given.name for given in model.graph.input], [found.name for found in model.graph.output]
    (['age', 'late'], ['label', 'probability'])
    """
    rules, table = rules_of(clf), clf.fitted_.scores
    graph = Graph({field.name: _is_text(field) for column in _inputs(rules) for field in column.fields})
    for column in _inputs(rules):
        _refuse_missing_text(column)
    reasons = [] if table is None else _reason_conditions(table)
    place = {pair: i for i, pair in enumerate(sorted({pair for term in (*rules.terms, *reasons) for pair in term}))}
    truths = [_truth(graph, rules.columns[j].test(mask)) for j, mask in place]
    # Of terms that hold together the one of the greatest number is taken: it is the first of the rules.
    labels = [rules.otherwise, *dict.fromkeys(rules.labels[::-1])]
    numbers = [labels.index(label, 1) for label in rules.labels]
    if not truths:
        held = graph.everywhere(max(numbers, default=0))
        shares = None if table is None else graph.chosen(graph.everywhere(0), [table.share([0])])
    else:
        together = graph.together(truths)
        terms = graph.met(together, _marks(rules.terms, place))
        held = graph.greatest(terms, numbers) if rules.terms else graph.everywhere(0)
        shares = None if table is None else _shares(graph, table, graph.met(together, _marks(reasons, place)))
    return graph.finished(graph.chosen(held, labels), np.array(labels), shares)


def _reason_conditions(table: ScoreTable) -> list[Conditions]:
    sides = table.sets.sides
    return [conditions_of(sides, sides.frame.expand(box)) for _, box in table.sets.reasons]


def _marks(terms: Sequence[Conditions], place: Mapping[tuple[int, int], int]) -> NDArray[np.float32]:
    """Return a column for each term that marks its conditions."""
    marks = np.zeros((len(place), len(terms)), dtype=np.float32)
    for t, term in enumerate(terms):
        for condition in term:
            marks[place[condition], t] = 1
    return marks


def _shares(graph: Graph, table: ScoreTable, held: str) -> str:
    """Return the share of each row: that of the first listed set that it has, or of the first reason that holds."""
    marks = np.full((len(table.otherwise), len(table.listed)), -1.0 if table.exact else 0.0, dtype=np.float32)
    for one, (places, _) in enumerate(table.listed):
        marks[list(places), one] = 1
    found = graph.joined([graph.met(held, marks), held]) if table.listed else held
    values = [*table.otherwise[::-1], *(share for _, share in table.listed[::-1])]
    return graph.chosen(graph.greatest(found, range(len(values))[::-1]), values)


def onnx_inputs(clf: AnyClassifier, X: object) -> dict[str, NDArray[np.float64] | NDArray[np.object_]]:
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
                raise InvalidArgument(
                    f"column {column.name!r}", f"have no category {MISSING_TEXT!r}, which means missing in ONNX"
                )


def _truth(graph: Graph, test: Predicate) -> str:
    """Return the tensor of the truth of a test, Booleans of shape (rows,)."""
    match test:
        case Compare(value, over, upto):
            given = _operand(graph, value)
            parts = [] if over is None else [graph.compared(given, "Greater", over)]
            return graph.every(parts if upto is None else [*parts, graph.compared(given, "LessOrEqual", upto)])
        case OneOf(Field(name, "text"), constants, negated):
            texts = [*map(str, constants), *([MISSING_TEXT] if negated else [])]
            found = graph.looked_up(name, texts, stripped=True)
            return graph.node("Not", [found]) if negated else found
        case OneOf(value, constants, negated):
            given = _operand(graph, value)
            found = graph.matched(given, [float(constant) for constant in constants])
            return graph.node("Not", [graph.some([found, graph.node("IsNaN", [given])])]) if negated else found
        case IsMissing(field, negated):
            found = (
                graph.looked_up(field.name, [MISSING_TEXT]) if _is_text(field) else graph.node("IsNaN", [field.name])
            )
            return graph.node("Not", [found]) if negated else found
        case And(parts):
            return graph.every([_truth(graph, part) for part in parts])
        case Or(parts):
            return graph.some([_truth(graph, part) for part in parts])


def _operand(graph: Graph, value: Operand) -> str:
    return graph.node("Sum", [field.name for field in value.fields]) if isinstance(value, Total) else value.name


class Graph:
    """An ONNX graph under construction.

    Parameters
    ----------
    inputs : mapping of str to bool
        The names of the inputs, and whether they are texts; the others are doubles.
    """

    def __init__(self, inputs: Mapping[str, bool]) -> None:
        try:
            import onnx
        except ImportError as error:
            raise ImportError("the onnx export needs onnx: pip install 'idnf[onnx]'") from error
        if {"label", "probability", ""} & set(inputs):
            rule = "not be called 'label' or 'probability' or have no name to be inputs of an ONNX model"
            raise InvalidArgument("columns", rule)
        self._onnx = onnx
        self._inputs = inputs
        self._nodes: list[object] = []
        self._constants: list[object] = []

    def compared(self, given: str, operator: str, limit: float) -> str:
        """Return where values compare so with a limit; NaN never does."""
        return self.node(operator, [given, self._constant(np.array(limit, dtype=np.float64))])

    def looked_up(self, given: str, texts: Sequence[str], *, stripped: bool = False) -> str:
        """Return where texts are among some; stripped, whatever blanks stand around them."""
        if stripped:
            any_text = "|".join(map(re.escape, texts))
            return self.node("RegexFullMatch", [given], pattern=f"[{BLANKS}]*(?:{any_text})[{BLANKS}]*")
        attributes = {"keys_strings": list(texts), "values_int64s": [1] * len(texts), "default_int64": 0}
        return self._cast(self.node("LabelEncoder", [given], domain="ai.onnx.ml", **attributes), "BOOL")

    def matched(self, given: str, values: Sequence[float]) -> str:
        """Return where numbers are among some."""
        equal = self.node("Equal", [self._column(given), self._constant(np.array([values], dtype=np.float64))])
        return self._cast(self._largest(self._cast(equal, "INT64")), "BOOL")

    def every(self, parts: Sequence[str]) -> str:
        """Return where all of some things hold; everywhere if there are none."""
        return reduce(lambda a, b: self.node("And", [a, b]), parts) if parts else self._everywhere(True)

    def some(self, parts: Sequence[str]) -> str:
        """Return where some of some things hold; nowhere if there are none."""
        return reduce(lambda a, b: self.node("Or", [a, b]), parts) if parts else self._everywhere(False)

    def together(self, truths: Sequence[str]) -> str:
        """Return some tensors of truths as one with a column for each."""
        return self.joined([self._column(truth) for truth in truths])

    def joined(self, tensors: Sequence[str]) -> str:
        """Return tensors of truths side by side."""
        return tensors[0] if len(tensors) == 1 else self.node("Concat", list(tensors), axis=1)

    def met(self, truths: str, marks: NDArray[np.float32]) -> str:
        """Return which terms are met: columns of ``marks`` with 1 for what must hold and -1 for what must not."""
        counts = self.node("MatMul", [self._cast(truths, "FLOAT"), self._constant(marks)])
        wanted = marks.clip(0).sum(axis=0, keepdims=True)
        return self.node("GreaterOrEqual", [counts, self._constant(wanted)])

    def greatest(self, met: str, numbers: Sequence[int]) -> str:
        """Return the greatest number of a term that is met, or 0."""
        return self._largest(self.node("Mul", [self._cast(met, "INT64"), self._constant(np.array([numbers]))]))

    def _largest(self, given: str) -> str:
        return self.node("ReduceMax", [given, self._constant(np.array([1]))], keepdims=0)

    def _everywhere(self, value: bool) -> str:
        return self._cast(self.everywhere(int(value)), "BOOL")

    def everywhere(self, number: int) -> str:
        """Return the same number for every row."""
        shape = self.node("Shape", [next(iter(self._inputs))])
        tensor = self._onnx.numpy_helper.from_array(np.array([number]))
        return self.node("ConstantOfShape", [shape], value=tensor)

    def chosen(self, held: str, values: Sequence[Label]) -> str:
        """Return the value of each row by its number."""
        array = np.array(values, dtype=object if isinstance(values[0], str) else None)
        return self.node("Gather", [self._constant(array), held], axis=0)

    def finished(self, label: str, labels: NDArray[np.generic], share: str | None) -> ModelProto:
        """Return the model whose outputs are the label and, if given, the share, as ``probability``."""
        helper, types = self._onnx.helper, self._onnx.TensorProto
        kinds = {"U": types.STRING, "O": types.STRING, "b": types.BOOL, "i": types.INT64, "f": types.DOUBLE}
        given = {"label": (label, kinds[labels.dtype.kind])}
        if share is not None:
            given["probability"] = (share, types.DOUBLE)
        self._nodes += [helper.make_node("Identity", [made], [name]) for name, (made, _) in given.items()]
        read = {name: types.STRING if text else types.DOUBLE for name, text in self._inputs.items()}
        inputs = [helper.make_tensor_value_info(name, kind, [_BATCH]) for name, kind in read.items()]
        outputs = [helper.make_tensor_value_info(name, kind, [_BATCH]) for name, (_, kind) in given.items()]
        graph = helper.make_graph(self._nodes, "idnf", inputs, outputs, self._constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in _OPSETS.items()]
        model: ModelProto = helper.make_model(graph, opset_imports=opsets, producer_name="idnf", ir_version=_IR_VERSION)
        self._onnx.checker.check_model(model)
        return model

    def _column(self, given: str) -> str:
        return self.node("Unsqueeze", [given, self._constant(np.array([1]))])

    def _cast(self, given: str, kind: str) -> str:
        return self.node("Cast", [given], to=getattr(self._onnx.TensorProto, kind))

    def _constant(self, array: NDArray[np.generic]) -> str:
        name = self._new_name()
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def node(self, operator: str, inputs: Sequence[str], *, domain: str = "", **attributes: object) -> str:
        """Add a node and return the name of what it gives."""
        name = self._new_name()
        node = self._onnx.helper.make_node(operator, list(inputs), [name], domain=domain)
        node.attribute.extend(self._onnx.helper.make_attribute(key, value) for key, value in attributes.items())
        self._nodes.append(node)
        return name

    def _new_name(self) -> str:
        """Return a name that no input has."""
        name = f"step {len(self._nodes)}.{len(self._constants)}"
        while name in self._inputs:
            name += "'"
        return name


class Decision(TypedDict):
    """One decision: the label, its reason in words, the reason's number and conditions, and the nearest change."""

    label: object
    reason: str
    reason_id: str | None
    conditions: list[str]
    change: list[str]
    text: str


def decisions(clf: DNFClassifier, X: object) -> list[Decision]:
    """Return the decision for each row of a table.

    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> import pandas as pd
    >>> decisions(policy, pd.DataFrame({"late": [False], "owner": [True], "member": [False]}))[0]["reason"]
    'late is false and member is false'
    """
    return [
        Decision(
            label=one.label,
            reason=condition_text(one.axp) or "always",
            reason_id=one.reason,
            conditions=[condition.words for condition in one.axp],
            change=[condition.words for condition in one.cxp],
            text=one.to_text(),
        )
        for one in clf.explain(X)
    ]
