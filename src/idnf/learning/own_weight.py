"""Objectives over rows that are credited for cheap mistakes, as shares of the weight of the rows themselves."""

from __future__ import annotations

from dataclasses import replace

from idnf.counting.contract import DistinctRows
from idnf.learning.objective import Learned


def with_own_weight(learned: Learned, rows: DistinctRows, credited: DistinctRows) -> Learned:
    """Return what was learned from credited rows with its objective as a share of the weight of the rows themselves.

    What is credited beyond the weight of the rows is not an error: it is left out.
    """
    if credited is rows:
        return learned
    scale = credited.total / rows.total
    bound = None if learned.bound is None else learned.bound * scale - scale + 1
    return replace(learned, objective=learned.objective * scale - scale + 1, bound=bound, price=learned.price * scale)
