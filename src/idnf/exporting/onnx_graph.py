"""The few steps an ONNX model of rules is built from, each adding nodes and returning the name of what they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.exporting.plain_labels import Label

if TYPE_CHECKING:
    from onnx import ModelProto

_OPSETS = {"": 18, "ai.onnx.ml": 3}
_IR_VERSION = 8
_BATCH = "rows"


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
            raise ImportError("the onnx export needs onnx: pip install idnf[onnx]") from error
        if "label" in inputs or "" in inputs:
            raise ValueError("columns must not be called 'label' or have no name to be inputs of an ONNX model.")
        self._onnx = onnx
        self._inputs = inputs
        self._nodes: list[object] = []
        self._constants: list[object] = []
        self._label_type = onnx.TensorProto.INT64

    def cuts_below(self, given: str, cuts: Sequence[float]) -> str:
        """Return how many cuts lie below each value, 0 for NaN."""
        above = self._node("Greater", [self._column(given), self._constant(np.array([cuts], dtype=np.float64))])
        return self._node("ReduceSum", [self._cast(above, "INT64"), self._constant(np.array([1]))], keepdims=0)

    def unless_nan(self, given: str, cell: str, missing: int) -> str:
        """Return the cells, with another one where the value is NaN."""
        return self._node("Where", [self._node("IsNaN", [given]), self._constant(np.array(missing)), cell])

    def looked_up(self, given: str, cells: Mapping[str, int], *, default: int) -> str:
        """Return the cells of texts."""
        return self._node(
            "LabelEncoder",
            [given],
            domain="ai.onnx.ml",
            # The operator wants at least one text; the default is as good for the empty one as for any other.
            keys_strings=[*cells] or [""],
            values_int64s=[*cells.values()] or [default],
            default_int64=default,
        )

    def matched(self, given: str, values: Sequence[float], cells: Sequence[int], default: int) -> str:
        """Return the cells of numbers that stand for categories."""
        equal = self._node("Equal", [self._column(given), self._constant(np.array([values], dtype=np.float64))])
        return self._summed(self._cast(equal, "DOUBLE"), [cell - default for cell in cells], default)

    def weighted(self, given: Sequence[str], weights: Sequence[int], start: int) -> str:
        """Return a weighted sum of inputs as cells."""
        return self._summed(self._node("Concat", [self._column(name) for name in given], axis=1), weights, start)

    def truths(self, cell: str, masks: Sequence[int], full: int) -> str:
        """Return the truth of each condition on a column, floats of shape (rows, conditions)."""
        table = [[mask >> c & 1 for mask in masks] for c in range(full.bit_length())]
        return self._node("Gather", [self._constant(np.array(table, dtype=np.float32)), cell], axis=0)

    def any_term(self, truths: Sequence[str], terms: NDArray[np.float32]) -> str:
        """Return where some term, a column of ``terms`` that marks its conditions, has all of them true."""
        together = truths[0] if len(truths) == 1 else self._node("Concat", truths, axis=1)
        counts = self._node("MatMul", [together, self._constant(terms)])
        enough = self._node("GreaterOrEqual", [counts, self._constant(terms.sum(axis=0, keepdims=True))])
        return self._node("ReduceMax", [self._cast(enough, "INT64"), self._constant(np.array([1]))], keepdims=0)

    def everywhere(self, value: bool) -> str:
        """Return the same truth for every row."""
        shape = self._node("Shape", [next(iter(self._inputs))])
        tensor = self._onnx.numpy_helper.from_array(np.array([int(value)]))
        return self._node("ConstantOfShape", [shape], value=tensor)

    def chosen(self, held: str, labels: tuple[Label, Label]) -> str:
        """Return the label of each row: the first where nothing holds, the second where something does."""
        array = np.array(labels, dtype=object if isinstance(labels[0], str) else None)
        types = {"O": "STRING", "b": "BOOL", "i": "INT64", "f": "DOUBLE"}
        self._label_type = getattr(self._onnx.TensorProto, types[array.dtype.kind])
        return self._node("Gather", [self._constant(array), held], axis=0)

    def finished(self, label: str) -> ModelProto:
        """Return the model whose output ``label`` is what the given name stands for."""
        helper, types = self._onnx.helper, self._onnx.TensorProto
        self._nodes.append(helper.make_node("Identity", [label], ["label"]))
        kinds = {name: types.STRING if text else types.DOUBLE for name, text in self._inputs.items()}
        inputs = [helper.make_tensor_value_info(name, kind, [_BATCH]) for name, kind in kinds.items()]
        outputs = [helper.make_tensor_value_info("label", self._label_type, [_BATCH])]
        graph = helper.make_graph(self._nodes, "idnf", inputs, outputs, self._constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in _OPSETS.items()]
        model: ModelProto = helper.make_model(graph, opset_imports=opsets, producer_name="idnf", ir_version=_IR_VERSION)
        self._onnx.checker.check_model(model)
        return model

    def _column(self, given: str) -> str:
        return self._node("Unsqueeze", [given, self._constant(np.array([1]))])

    def _summed(self, bits: str, weights: Sequence[int], start: int) -> str:
        column = self._constant(np.array([[weight] for weight in weights], dtype=np.float64))
        total = self._node("Squeeze", [self._node("MatMul", [bits, column]), self._constant(np.array([1]))])
        return self._cast(self._node("Add", [total, self._constant(np.array(float(start)))]), "INT64")

    def _cast(self, given: str, kind: str) -> str:
        return self._node("Cast", [given], to=getattr(self._onnx.TensorProto, kind))

    def _constant(self, array: NDArray[np.generic]) -> str:
        name = self._new_name()
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def _node(self, operator: str, inputs: Sequence[str], *, domain: str = "", **attributes: object) -> str:
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
