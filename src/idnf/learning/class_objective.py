"""The training objective for several classes: weighted share of errors plus a price for every literal written.

The same as :mod:`idnf.learning.objective` for two: a literal of a tree is a split or stands in a leaf, one of DNFs by
class in any class but the longest, which is read as "otherwise".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.evaluation import labels_of
from idnf.logic.model import Model

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class ClassObjective:
    """The examples as they are weighed, and the price of a literal as a share of all their weight."""

    rows: DistinctRows
    price: float

    def __call__(self, model: Model) -> float:
        """Return what a model costs."""
        return class_errors(self.rows, model) / self.rows.total + self.price * model.literal_count


def class_errors(rows: DistinctRows, model: Model) -> float:
    """Return the weight of the examples that are given another class than theirs."""
    given = labels_of(model, rows.features)
    return rows.total - float(rows.weights[np.arange(len(given)), given].sum())
