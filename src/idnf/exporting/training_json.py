"""What a model file keeps of the training table: weights of the classes by reason, and ranges of values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import TableColumn
from idnf.explaining.batch import Patterns, answers
from idnf.explaining.confidence import Confidence, TrainingPatterns
from idnf.explaining.projection import Frame
from idnf.explaining.training_values import ColumnValues
from idnf.exporting.documents import DocumentError, Place, shown

MOST_REASONS = 1_000_000
MOST_QUANTILES = 1_001
MOST_WEIGHT = 1e300

# Sums of shares are as good as this.
_ROUNDING = 1e-6


def training_to_plain(confidence: Confidence) -> dict[str, object]:
    """Return the training weight of every reason given in training, with one example of it as cells of the frame."""
    training = confidence.training
    found = answers(confidence.sides, Patterns(training.cells, np.arange(len(training.cells))))
    first: dict[object, int] = {}
    reasons = zip(found.labels.tolist(), found.boxes)
    number = np.array([first.setdefault(reason, len(first)) for reason in reasons], dtype=np.intp)
    rows = np.unique(number, return_index=True)[1]
    # Added one after the other, as the classifier adds them, so that the sums are the same to the last bit.
    totals = np.zeros((len(first), training.weights.shape[1]))
    np.add.at(totals, number, training.weights)
    by_class = dict(zip(_keys(totals.shape[1]), totals.T.tolist()))
    return {"cells": training.cells[rows].tolist(), **by_class, "costs": list(training.costs)}


def _keys(n_classes: int) -> list[str]:
    """Return where the weights of each class stand in a file; those of two classes have names."""
    return ["negative", "positive"] if n_classes == 2 else [f"class {label}" for label in range(n_classes)]


def read_training(place: Place, frame: Frame, *, n_classes: int) -> TrainingPatterns:
    """Return the training weights in a document."""
    keys = _keys(n_classes)
    place.object(["cells", *keys, "costs"])
    sizes = [len(members) for members in frame.members]
    rows = place.key("cells").items(MOST_REASONS)
    cells = [
        [item.integer(0, size - 1) for item, size in zip(row.items(len(sizes), least=len(sizes)), sizes)]
        for row in rows
    ]
    weights = np.stack([_read_weights(place.key(key), len(rows)) for key in keys], axis=1)
    costs = tuple(item.number() for item in place.key("costs").items(n_classes))
    if costs and (len(costs) < n_classes or not all(0 < cost <= MOST_WEIGHT for cost in costs)):
        raise place.key("costs").error(f"{n_classes} numbers above 0, or none")
    return TrainingPatterns(np.array(cells, dtype=np.intp).reshape(len(rows), len(sizes)), weights, costs)


def _read_weights(place: Place, count: int) -> NDArray[np.float64]:
    weights = []
    for item in place.items(count, least=count):
        weight = item.number()
        if not 0 <= weight <= MOST_WEIGHT:
            raise item.error(f"a weight from 0 to {MOST_WEIGHT:g}")
        weights.append(weight)
    return np.array(weights, dtype=np.float64)


def values_to_plain(values: ColumnValues | None) -> dict[str, object] | None:
    """Return the training values of a column.

    >>> values_to_plain(ColumnValues((None, (3.0, 4.0)), (0.0, 1.0), (3.0, 4.0)))
    {'seen': [None, [3.0, 4.0]], 'shares': [0.0, 1.0], 'quantiles': [3.0, 4.0]}
    """
    if values is None:
        return None
    seen = [None if pair is None else list(pair) for pair in values.seen]
    return {"seen": seen, "shares": list(values.shares), "quantiles": list(values.quantiles)}


def read_values(place: Place, columns: Sequence[TableColumn]) -> tuple[ColumnValues | None, ...]:
    """Return the training values of every column; nothing where a model was never trained.

    Recourse proposes these values, so each must lie in the cell that it is said to be of.
    """
    items = place.items(len(columns))
    if items and len(items) != len(columns):
        raise place.error(f"a list of {len(columns)} entries, or an empty one")
    return tuple(None if item.is_null else _read_column(item, column) for item, column in zip(items, columns))


def _read_column(place: Place, column: TableColumn) -> ColumnValues:
    place.object(["seen", "shares", "quantiles"])
    size = len(column.labels)
    shares = _read_shares(place.key("shares"), size)
    pairs = place.key("seen").items(size, least=size)
    seen = tuple(_read_pair(item, column, cell, shares[cell]) for cell, item in enumerate(pairs))
    return ColumnValues(seen, shares, _read_quantiles(place.key("quantiles"), seen))


def _read_shares(place: Place, size: int) -> tuple[float, ...]:
    shares = tuple(item.number() for item in place.items(size, least=size))
    if not all(0 <= share <= 1 for share in shares):
        raise place.error("a list of shares from 0 to 1")
    if any(shares) and abs(sum(shares) - 1) > _ROUNDING:
        raise place.error(f"a list of shares that add up to 1, not to {sum(shares):g}")
    return shares


def _read_quantiles(place: Place, seen: Sequence[tuple[float, float] | None]) -> tuple[float, ...]:
    quantiles = tuple(item.number() for item in place.items(MOST_QUANTILES))
    if any(low > high for low, high in pairwise(quantiles)):
        raise place.error("a list of ascending numbers")
    ranges = [pair for pair in seen if pair is not None]
    if quantiles and (not ranges or quantiles[0] < ranges[0][0] or quantiles[-1] > ranges[-1][1]):
        raise place.error("a list of numbers within the values seen")
    return quantiles


def _read_pair(place: Place, column: TableColumn, cell: int, share: float) -> tuple[float, float] | None:
    if place.is_null:
        return None
    low, high = (item.number() for item in place.items(2, least=2))
    if low > high:
        raise place.error("two numbers in ascending order")
    for value in (low, high):
        if column.position_cell(value) != cell or cell == len(column.known_labels):
            where = f"{shown(column.labels[cell])} of {shown(column.name)}"
            raise DocumentError(f"{place.path} must lie in its cell, {where}; got {value:g}.")
    if not share:
        raise place.error("null where the share of its cell is 0")
    return low, high
