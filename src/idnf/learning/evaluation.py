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
    values = np.empty(len(features), dtype=bool)
    for start in range(0, len(features), _BLOCK):
        block = features[start : start + _BLOCK]
        values[start : start + len(block)] = _holds(model, _Literals(block))
    return values


class _Literals:
    """The columns of a block of examples as literals, each made contiguous once."""

    def __init__(self, block: NDArray[np.bool_]) -> None:
        self.block = block
        self.known: dict[int, NDArray[np.bool_]] = {}

    def __getitem__(self, code: int) -> NDArray[np.bool_]:
        if code not in self.known:
            column = np.ascontiguousarray(self.block[:, feature_of(code)])
            self.known[code] = ~column if is_negated(code) else column
        return self.known[code]

    def any_of(self, masks: Sequence[int]) -> NDArray[np.bool_]:
        """Return where some term holds."""
        some = np.zeros(len(self.block), dtype=bool)
        for mask in masks:
            every = np.ones(len(self.block), dtype=bool)
            for code in codes_of(mask):
                every &= self[code]
            some |= every
        return some


def _holds(model: Model, literals: _Literals) -> NDArray[np.bool_]:
    if isinstance(model, NestedDNF):
        return literals.any_of(model.masks())
    if isinstance(model, DoubleDNF):
        if model.negative.size < model.positive.size:
            return ~literals.any_of(model.negative.masks)
        return literals.any_of(model.positive.masks)
    return _at_node(model.root, literals)


def _at_node(node: Node, literals: _Literals) -> NDArray[np.bool_]:
    if isinstance(node, Leaf):
        return literals.any_of(node.nested.masks()) ^ node.complemented
    goes_right = literals[2 * node.feature]
    return np.where(goes_right, _at_node(node.if_true, literals), _at_node(node.if_false, literals))
