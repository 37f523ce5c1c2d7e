"""What audits read of a fitted classifier: its model over the columns of a table.

Two models, or a model and a policy, cut the same column at different places. On common ground every column has the cuts
and categories of all of them, so that each box of each model is a box there too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from idnf.auditing.example_rows import row_values
from idnf.columns.categories import HALF
from idnf.columns.column import TableColumn, space_of
from idnf.columns.predicates import Value
from idnf.logic.boxes import Box, Point, cells_of
from idnf.logic.sides import ClassBoxes


@dataclass(frozen=True)
class TableModel:
    """A model over the columns of a user's table.

    Parameters
    ----------
    columns : tuple of TableColumn
    classes : tuple of object
        The labels.
    boxes : tuple of tuple of Box
        For each class the boxes that give it.
    k : int
    """

    columns: tuple[TableColumn, ...]
    classes: tuple[object, ...]
    boxes: tuple[tuple[Box, ...], ...]
    k: int

    @cached_property
    def sides(self) -> ClassBoxes:
        """The same model over the space of its columns."""
        return ClassBoxes(space_of(self.columns), self.k, self.boxes)

    def label(self, point: Point) -> object:
        """Return what the class of a point is called."""
        return self.classes[self.sides.label(point)]

    def shown_at(self, points: Iterable[Point]) -> tuple[tuple[dict[str, Value], ...], tuple[object, ...]]:
        """Return a row of the user's table at each of some points, and what their classes are called."""
        shown = tuple(points)
        return tuple(row_values(self.columns, point) for point in shown), tuple(map(self.label, shown))

    def over(self, ground: Sequence[TableColumn]) -> TableModel:
        """Return the same model over finer columns, of which there may be more.

        >>> from idnf.columns.intervals import NumberColumn
        >>> coarse, fine = NumberColumn("age", "refused", cuts=(30.0,)), NumberColumn("age", "refused", cuts=(20., 30.))
        >>> TableModel((coarse,), (0, 1), (((1,),), ((2,),)), 1).over([fine]).boxes
        (((3,),), ((4,),))
        """
        place = {column.name: j for j, column in enumerate(self.columns)}
        lifts = [
            _fine_masks(column, self.columns[place[column.name]]) if column.name in place else None for column in ground
        ]

        def lift(box: Box) -> Box:
            return tuple(
                column.full if masks is None else sum(masks[cell] for cell in cells_of(box[place[column.name]]))
                for column, masks in zip(ground, lifts, strict=True)
            )

        lifted = tuple(tuple(box for box in map(lift, boxes) if all(box)) for boxes in self.boxes)
        return TableModel(tuple(ground), self.classes, lifted, self.k)


def _fine_masks(fine: TableColumn, coarse: TableColumn) -> list[int]:
    """Return for each cell of a coarse column the mask of the fine cells in it, found by a value of each."""
    values = [fine.example(cell) for cell in range(len(fine.labels))]
    if coarse.fields[0].kind in ("truth", "digit") and fine.fields[0].kind == "number":
        values = [(None if value is None else float(float(str(value)) > HALF),) for (value,) in values]
    cells = coarse.cells(*map(list, zip(*values, strict=True))).tolist()
    masks = [0] * len(coarse.labels)
    for cell, group in enumerate(cells):
        masks[group] |= 1 << cell
    return masks
