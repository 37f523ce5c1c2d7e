"""Can these columns alone decide? Whether two points exist that differ on them only and get different classes.

Two boxes of different classes hold such points iff they conflict on these columns only. So "no" has a short proof: for
every pair of boxes of different classes, another column on which they conflict.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.class_boxes import ClassBoxes
from idnf.auditing.outside_sets import as_set
from idnf.auditing.proofs import Claim
from idnf.auditing.row_answers import contrast_families
from idnf.auditing.witnesses import refutation
from idnf.logic.boxes import Point


def deciding_pair(model: ClassBoxes, columns: Collection[int]) -> tuple[Point, Point] | None:
    """Return two points that differ on the given columns only and get different classes; None proves there are none.

    >>> from idnf.logic.boxes import Space
    >>> both = ClassBoxes(Space.boolean("ab"), (((1, 3), (3, 1)), ((2, 2),)), 2)
    >>> deciding_pair(both, [0]), deciding_pair(ClassBoxes(both.space, (((1, 3),), ((2, 3),)), 1), [1])
    (((0, 1), (1, 1)), None)
    """
    found = (refutation(claim) for claim in invariance_claims(model, columns))
    return next((pair for pair in found if pair is not None), None)


def invariance_claims(model: ClassBoxes, columns: Collection[int]) -> list[Claim]:
    """Return the claims that together say that the given columns alone never decide, one for each two classes."""
    sizes = [column.size for column in model.space.columns]
    pairs = combinations(range(len(model.boxes)), 2)
    return [Claim(sizes, model.boxes[first], model.boxes[second], columns) for first, second in pairs]


def rows_decided(model: ClassBoxes, columns: Collection[int], cells: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return for each row whether changing only the given columns can change its class."""
    patterns = model.patterns(cells)
    free = sum(1 << model.frame.columns.index(j) for j in columns if j in model.frame.columns)
    decided = np.zeros(len(patterns.cells), dtype=bool)
    for chosen, family in contrast_families(model, patterns.cells, model.labels(patterns.cells)):
        fixed = family & ~as_set(free, family)
        decided[chosen] = (fixed == 0).any(axis=0)
    return decided[patterns.index]
