"""Models over the columns of a table, and the common ground of several of them.

Two models, or a model and a policy, cut the same column at different places. On common ground every column has the cuts
and categories of all of them, so that each box of each model is a box there too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from idnf.auditing.cell_values import cell_values
from idnf.auditing.class_boxes import ClassBoxes
from idnf.auditing.strict_numbers import StrictNumberColumn
from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import Missing, TableColumn, box_text, space_of
from idnf.columns.intervals import IntervalColumn, NumberColumn, OrderedColumn, TimeColumn
from idnf.logic.boxes import Box


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
    def class_boxes(self) -> ClassBoxes:
        """The same model over the space of its columns."""
        return ClassBoxes(space_of(self.columns), self.boxes, self.k, self.classes)

    def words(self, box: Box) -> str:
        """Return a box as conditions, "always" for the box of all points."""
        return box_text(self.columns, box)

    def over(self, ground: Sequence[TableColumn]) -> TableModel:
        """Return the same model over finer columns, of which there may be more.

        >>> coarse, fine = NumberColumn("age", "refused", cuts=(30.0,)), NumberColumn("age", "refused", cuts=(20., 30.))
        >>> TableModel((coarse,), (0, 1), (((1,),), ((2,),)), 1).over([fine]).boxes
        (((3,),), ((4,),))
        """
        place = {column.name: j for j, column in enumerate(self.columns)}
        lifts = [
            _lifted(column, self.columns[place[column.name]]) if column.name in place else None for column in ground
        ]

        def lift(box: Box) -> Box:
            return tuple(
                column.full if masks is None else _fine_mask(masks, box[place[column.name]])
                for column, masks in zip(ground, lifts, strict=True)
            )

        lifted = tuple(tuple(box for box in map(lift, boxes) if all(box)) for boxes in self.boxes)
        return TableModel(tuple(ground), self.classes, lifted, self.k)


def _lifted(fine: TableColumn, coarse: TableColumn) -> list[int]:
    """Return for each cell of a coarse column the mask of the fine cells in it, found by a value of each."""
    values = [cell_values(fine, cell) for cell in range(len(fine.labels))]
    if isinstance(coarse, BooleanColumn) and not isinstance(fine, BooleanColumn):
        values = [(None if value is None else float(float(str(value)) > 0.5),) for (value,) in values]
    cells = coarse.cells(*map(list, zip(*values, strict=True))).tolist()
    masks = [0] * len(coarse.labels)
    for cell, group in enumerate(cells):
        masks[group] |= 1 << cell
    return masks


def _fine_mask(masks: Sequence[int], coarse: int) -> int:
    return sum(mask for cell, mask in enumerate(masks) if coarse >> cell & 1)


def common_ground(tables: Sequence[Sequence[TableColumn]]) -> tuple[tuple[TableColumn, ...], tuple[str, ...]]:
    """Return columns at least as fine as those of every table, and remarks on what is left out.

    A missing value is on common ground only where every table that has the column takes one.

    >>> one, two = (NumberColumn("age", "refused", cuts=(cut,)) for cut in (30.0, 45.0))
    >>> [column.labels for column in common_ground([[one], [two]])[0]]
    [('<= 30', '(30, 45]', '> 45')]
    """
    by_name: dict[str, list[TableColumn]] = {}
    for table in tables:
        for column in table:
            by_name.setdefault(column.name, []).append(column)
    remarks = tuple(
        f"missing values of {name} are left out: not every model takes them"
        for name, columns in by_name.items()
        if len({column.has_missing_cell for column in columns}) > 1
    )
    return tuple(map(_finest, by_name.values())), remarks


def _finest(columns: Sequence[TableColumn]) -> TableColumn:
    first = columns[0]
    missing: Missing = first.missing if all(column.has_missing_cell for column in columns) else "refused"
    if all(isinstance(column, (NumberColumn, BooleanColumn)) for column in columns):
        return _finest_number(columns, missing)
    kinds = {type(column) for column in columns}
    if len(kinds) > 1:
        got = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise ValueError(f"column {first.name!r} must be of one kind in both; got {got}.")
    if isinstance(first, CategoryColumn):
        values = dict.fromkeys(v for column in columns if isinstance(column, CategoryColumn) for v in column.values)
        return replace(first, missing=missing, values=tuple(values), rare=False)
    if isinstance(first, OrderedColumn):
        _refuse_differences(columns, [getattr(column, "values", None) for column in columns])
        return replace(first, missing=missing, cuts=tuple(map(int, _cuts(columns))))
    if isinstance(first, TimeColumn):
        _refuse_differences(columns, [getattr(column, "kind", None) for column in columns])
        return replace(first, missing=missing, cuts=_cuts(columns), seen=())
    _refuse_differences(columns, [column.sources for column in columns])
    return first


def _finest_number(columns: Sequence[TableColumn], missing: Missing) -> TableColumn:
    first = columns[0]
    if all(isinstance(column, BooleanColumn) for column in columns):
        return replace(first, missing=missing)
    extra = (0.5,) if any(isinstance(column, BooleanColumn) for column in columns) else ()
    cuts = sorted({*_cuts([c for c in columns if isinstance(c, NumberColumn)]), *extra})
    kind = StrictNumberColumn if any(isinstance(c, StrictNumberColumn) for c in columns) else NumberColumn
    return kind(first.name, missing, cuts=tuple(cuts))


def _cuts(columns: Sequence[TableColumn]) -> tuple[float, ...]:
    return tuple(sorted({cut for c in columns if isinstance(c, IntervalColumn) for cut in getattr(c, "cuts", ())}))


def _refuse_differences(columns: Sequence[TableColumn], said: Sequence[object]) -> None:
    for other in said[1:]:
        if other != said[0]:
            raise ValueError(f"column {columns[0].name!r} must be declared alike in both; got {said[0]} and {other}.")
