"""The monotone constraints that a model file claims, proved of its terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from idnf.columns.column import TableColumn
from idnf.explaining.sides import Sides
from idnf.exporting.documents import DocumentError
from idnf.exporting.proving import MOST_PAIRS, Unproved
from idnf.logic.boxes import Box, cells_of
from idnf.logic.budgets import Budget

# About so many pairs of terms are compared in a step, a microsecond.
_PAIRS_A_STEP = 200


class NotMonotone(DocumentError):
    """A constraint that a model file claims and its model breaks."""


def prove_monotone(
    sides: Sides, columns: Sequence[TableColumn], constraints: Mapping[str, int], budget: Budget | None = None
) -> None:
    """Raise an error for a model of two classes that breaks a monotone constraint.

    A class rises with a column iff each of its terms, stretched upwards on that column, stays inside the class: then no
    term of the other class meets it.
    """
    label = 0 if sides.terms[1] is None else 1
    own, opposite = sides.terms[label] or (), sides.terms[1 - label]
    ways = {j: constraints.get(column.name, 0) * (1 if label else -1) for j, column in enumerate(columns)}
    stretched = [
        (j, box, mask)
        for j, way in ways.items()
        if way
        for box in own
        if (mask := _longer(box[j], columns[j], way)) != box[j]
    ]
    if not stretched:
        return
    if opposite is None or len(stretched) * len(opposite) > MOST_PAIRS:
        where = f"settings.monotonic_cst[{columns[stretched[0][0]].name!r}]"
        raise Unproved(f"{where} must hold of the model; a side of it is too large for the proof.")
    others = _Boxes.of(opposite, sides)
    for j, box, mask in stretched:
        if budget is not None:
            budget.spend(1 + len(opposite) // _PAIRS_A_STEP)
        if others.some_meet({i: mask if i == j else box[i] for i in sides.frame.columns}):
            raise NotMonotone(f"settings.monotonic_cst[{columns[j].name!r}] must hold of the model; it does not.")


def _longer(mask: int, column: TableColumn, way: int) -> int:
    known = mask & column.known_mask
    if not known:
        return mask
    upwards = column.known_mask & -(known & -known)
    downwards = (1 << known.bit_length()) - 1
    return mask | (upwards if way == 1 else downwards)


@dataclass(frozen=True)
class _Boxes:
    """Boxes, asked all at once: for each column and cell those that hold it, a bit each."""

    full: Box
    everything: int
    holders: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, boxes: Sequence[Box], sides: Sides) -> _Boxes:
        """Turn boxes over, for the columns that the model looks at."""
        full = sides.space.full
        holders = {j: _holders(boxes, j, full[j]) for j in sides.frame.columns}
        return cls(full, (1 << len(boxes)) - 1, holders)

    def some_meet(self, box: Mapping[int, int]) -> bool:
        """Tell whether one of them shares a point with a box, given by the columns that the model looks at."""
        meeting = self.everything
        for j, mask in box.items():
            if mask != self.full[j]:
                meeting &= reduce(or_, (self.holders[j][cell] for cell in cells_of(mask)), 0)
        return meeting != 0


def _holders(boxes: Sequence[Box], j: int, full: int) -> list[int]:
    """Return for each cell of a column the boxes that hold it, bit i for the i-th."""
    free = bytearray(len(boxes) // 8 + 1)
    rows = [bytearray(len(free)) for _ in range(full.bit_length())]
    for number, box in enumerate(boxes):
        for row in [free] if box[j] == full else [rows[cell] for cell in cells_of(box[j])]:
            row[number >> 3] |= 1 << (number & 7)
    every = int.from_bytes(free, "little")
    return [every | int.from_bytes(row, "little") for row in rows]
