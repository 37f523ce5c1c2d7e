"""The model that gives every example the same label."""

from __future__ import annotations

from idnf.counting.contract import DistinctRows
from idnf.learning.local.quick_search import constant_model
from idnf.learning.objective import Learned, error_share


def best_constant(rows: DistinctRows, k: int) -> Learned:
    """Return the class of most weight, whatever the example."""
    constant = constant_model((), int(rows.totals.argmax()), k, rows.n_classes)
    return Learned(constant, error_share(rows, constant))
