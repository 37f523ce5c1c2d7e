"""The model that gives every example the same label."""

from __future__ import annotations

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import Learned, error_share
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree


def constant_model(names: tuple[str, ...], label: int, k: int, n_classes: int) -> Model:
    """Return the model that gives every example one label.

    >>> constant_model(("a",), 2, 1, 3).evaluate({"a": 0})
    2
    """
    if n_classes == 2:
        return NestedDNF.constant(names, bool(label), k)
    return NestedTree(names, Leaf.constant(names, label), k, n_classes)


def best_constant(rows: DistinctRows, k: int) -> Learned:
    """Return the class of most weight, whatever the example."""
    constant = constant_model((), int(rows.totals.argmax()), k, rows.n_classes)
    return Learned(constant, error_share(rows, constant))
