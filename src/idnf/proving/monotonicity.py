"""The proof that a class rises or falls with a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idnf.columns.column import TableColumn
from idnf.logic.cubes import Layout, OverlapIndex
from idnf.logic.deadlines import Budget
from idnf.logic.sides import ClassBoxes
from idnf.proving.guarantee import MOST_PAIRS, Unproved


class NotMonotone(ValueError):
    """A constraint that a model file claims and its model breaks."""


def prove_monotone(
    sides: ClassBoxes, columns: Sequence[TableColumn], constraints: Mapping[str, int], budget: Budget | None = None
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
        raise Unproved(f"{where} must hold for the model; a side of it is too large for the proof.")
    used = sides.frame.columns
    layout = Layout(tuple(sides.space.columns[j].size for j in used))
    others = OverlapIndex([layout.mask(tuple(box[i] for i in used)) for box in opposite], layout)
    for j, box, mask in stretched:
        longer = layout.mask(tuple(mask if i == j else box[i] for i in used))
        if any(others.pairs([longer], budget=budget)):
            raise NotMonotone(f"settings.monotonic_cst[{columns[j].name!r}] must hold for the model; it does not.")


def _longer(mask: int, column: TableColumn, way: int) -> int:
    known = mask & column.known_mask
    if not known:
        return mask
    upwards = column.known_mask & -(known & -known)
    downwards = (1 << known.bit_length()) - 1
    return mask | (upwards if way == 1 else downwards)
