"""The value of a model on many examples at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from idnf.logic.double import DoubleDNF
from idnf.logic.learned_models import Model
from idnf.logic.literals import codes_of, feature_of, is_negated
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, Node

# Examples handled at a time: the columns in use stay in cache.
_BLOCK = 1 << 15


def holds(model: Model, features: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether each example, a row of Boolean features, is of class 1.

    >>> from idnf.logic.dnf import DNF
    >>> holds(DNF.parse("a & ~b").double(), np.array([[1, 0], [1, 1]], dtype=bool)).tolist()
    [True, False]
    """
    return Asked(features).holds(model)


class Asked:
    """Examples of which many models are asked: each column in use is packed once.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> asked = Asked(np.array([[1, 0], [1, 1]], dtype=bool))
    >>> [asked.holds(DNF.parse(text, names="ab").double()).tolist() for text in ("a & b", "~b")]
    [[False, True], [True, False]]
    """

    def __init__(self, features: NDArray[np.bool_]) -> None:
        self.count = len(features)
        self._blocks = [_Literals(features[start : start + _BLOCK]) for start in range(0, self.count, _BLOCK)]

    def holds(self, model: Model) -> NDArray[np.bool_]:
        """Return whether each example is of class 1."""
        if len(self._blocks) == 1:
            return self._blocks[0].unpacked(_holds(model, self._blocks[0]))
        values = np.empty(self.count, dtype=bool)
        for number, block in enumerate(self._blocks):
            values[number * _BLOCK : (number + 1) * _BLOCK] = block.unpacked(_holds(model, block))
        return values


class _Literals:
    """The columns of a block of examples as literals: integers with a bit for each example, each made once."""

    def __init__(self, block: NDArray[np.bool_]) -> None:
        self.block = block
        self.everything = (1 << len(block)) - 1
        self.known: dict[int, int] = {}

    def __getitem__(self, code: int) -> int:
        found = self.known.get(code)
        if found is None:
            column = np.ascontiguousarray(self.block[:, feature_of(code)])
            packed = np.packbits(column, bitorder="little")
            found = int.from_bytes(packed.tobytes(), "little")
            found = self.known[code] = found ^ self.everything if is_negated(code) else found
        return found

    def any_of(self, masks: Sequence[int]) -> int:
        """Return where some term holds."""
        some = 0
        for mask in masks:
            every = self.everything
            for code in codes_of(mask):
                every &= self[code]
            some |= every
        return some

    def unpacked(self, examples: int) -> NDArray[np.bool_]:
        """Return a set of examples as an array."""
        count = len(self.block)
        line = np.frombuffer(examples.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(line, count=count, bitorder="little").view(np.bool_)


def _holds(model: Model, literals: _Literals) -> int:
    if isinstance(model, NestedDNF):
        return literals.any_of(model.masks())
    if isinstance(model, DoubleDNF):
        if model.negative.size < model.positive.size:
            return literals.any_of(model.negative.masks) ^ literals.everything
        return literals.any_of(model.positive.masks)
    return _at_node(model.root, literals)


def _at_node(node: Node, literals: _Literals) -> int:
    if isinstance(node, Leaf):
        return literals.any_of(node.nested.masks()) ^ (literals.everything if node.complemented else 0)
    low, high = _at_node(node.if_false, literals), _at_node(node.if_true, literals)
    return low ^ (low ^ high) & literals[2 * node.feature]
