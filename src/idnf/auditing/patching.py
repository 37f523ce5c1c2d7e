"""The least change of a model that makes it obey rules about regions, and proofs that no model of short reasons can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from idnf.auditing.covering import left_over
from idnf.auditing.rules import RegionRule, label_index, region_of
from idnf.auditing.table_models import TableModel
from idnf.explaining.maximal import maximal_boxes_avoiding
from idnf.logic.boxes import Box, Point


def wanted_regions(model: TableModel, rules: Sequence[RegionRule]) -> list[list[Box]]:
    """Return for each of two classes the rows that rules want to have it."""
    if len(model.classes) != 2:
        raise ValueError(f"rectified is for two classes; this model has {len(model.classes)}.")
    regions: list[list[Box]] = [[], []]
    for rule in rules:
        label = label_index(model, rule.label)
        regions[label if rule.wanted else 1 - label] += region_of(rule, model)
    return regions


def patched(model: TableModel, regions: Sequence[Sequence[Box]]) -> TableModel:
    """Return the model that gives the wanted class on each region and is the same everywhere else.

    Every model that obeys differs from this one's original there, so none is nearer; it may need longer reasons.

    >>> from idnf.columns.intervals import NumberColumn
    >>> age = NumberColumn("age", "refused", cuts=(30.0, 45.0))
    >>> patched(TableModel((age,), ("no", "yes"), (((0b011,),), ((0b100,),)), 1), [[], [(0b010,)]]).boxes
    (((1,),), ((4,), (2,)))
    """
    boxes = []
    for label in (0, 1):
        kept = left_over(model.boxes[label], regions[1 - label])
        boxes.append((*kept, *left_over(regions[label], kept)))
    return replace(model, boxes=(boxes[0], boxes[1]))


def out_of_reach(model: TableModel, regions: Sequence[Sequence[Box]], k: int) -> Point | None:
    """Return a point that no model with reasons of at most k columns can give the class that is wanted there.

    Its reason would have to exclude all points where another class is wanted, and no k columns do.
    """
    full = tuple(column.full for column in model.columns)
    for label in (0, 1):
        short = maximal_boxes_avoiding(regions[1 - label], full, k=k, limit=20_000)
        left = left_over(regions[label], short)
        if left:
            return tuple((mask & -mask).bit_length() - 1 for mask in left[0])
    return None
