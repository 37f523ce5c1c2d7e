"""The few steps an ONNX model of rules is built from, each adding nodes and returning the name of what they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
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
            raise ImportError("the onnx export needs onnx: pip install 'idnf[onnx]'") from error
        if "label" in inputs or "" in inputs:
            raise ValueError("columns must not be called 'label' or have no name to be inputs of an ONNX model.")
        self._onnx = onnx
        self._inputs = inputs
        self._nodes: list[object] = []
        self._constants: list[object] = []
        self._label_type = onnx.TensorProto.INT64

    def greater(self, given: str, limit: float) -> str:
        """Return where values lie over a limit; NaN does not."""
        return self._node("Greater", [given, self._constant(np.array(limit, dtype=np.float64))])

    def at_most(self, given: str, limit: float) -> str:
        """Return where values are at most a limit; NaN is not."""
        return self._node("LessOrEqual", [given, self._constant(np.array(limit, dtype=np.float64))])

    def is_nan(self, given: str) -> str:
        """Return where values are NaN."""
        return self._node("IsNaN", [given])

    def looked_up(self, given: str, texts: Sequence[str]) -> str:
        """Return where texts are among some."""
        attributes = {"keys_strings": list(texts), "values_int64s": [1] * len(texts), "default_int64": 0}
        return self._cast(self._node("LabelEncoder", [given], domain="ai.onnx.ml", **attributes), "BOOL")

    def matched(self, given: str, values: Sequence[float]) -> str:
        """Return where numbers are among some."""
        equal = self._node("Equal", [self._column(given), self._constant(np.array([values], dtype=np.float64))])
        return self._cast(self._largest(self._cast(equal, "INT64")), "BOOL")

    def total(self, given: Sequence[str]) -> str:
        """Return the sum of some inputs."""
        return self._node("Sum", list(given))

    def negated(self, given: str) -> str:
        """Return where something does not hold."""
        return self._node("Not", [given])

    def every(self, parts: Sequence[str]) -> str:
        """Return where all of some things hold; everywhere if there are none."""
        return reduce(lambda a, b: self._node("And", [a, b]), parts) if parts else self._everywhere(True)

    def some(self, parts: Sequence[str]) -> str:
        """Return where some of some things hold; nowhere if there are none."""
        return reduce(lambda a, b: self._node("Or", [a, b]), parts) if parts else self._everywhere(False)

    def held_term(self, truths: Sequence[str], terms: NDArray[np.float32], numbers: Sequence[int]) -> str:
        """Return the number of a term, a column of ``terms`` that marks its conditions, with all of them true, or 0."""
        columns = [self._column(self._cast(truth, "FLOAT")) for truth in truths]
        together = columns[0] if len(columns) == 1 else self._node("Concat", columns, axis=1)
        counts = self._node("MatMul", [together, self._constant(terms)])
        enough = self._node("GreaterOrEqual", [counts, self._constant(terms.sum(axis=0, keepdims=True))])
        numbered = self._node("Mul", [self._cast(enough, "INT64"), self._constant(np.array([numbers]))])
        return self._largest(numbered)

    def _largest(self, given: str) -> str:
        return self._node("ReduceMax", [given, self._constant(np.array([1]))], keepdims=0)

    def _everywhere(self, value: bool) -> str:
        return self._cast(self.everywhere(int(value)), "BOOL")

    def everywhere(self, number: int) -> str:
        """Return the same number for every row."""
        shape = self._node("Shape", [next(iter(self._inputs))])
        tensor = self._onnx.numpy_helper.from_array(np.array([number]))
        return self._node("ConstantOfShape", [shape], value=tensor)

    def chosen(self, held: str, labels: Sequence[Label]) -> str:
        """Return the label of each row by its number: the first where nothing holds."""
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
