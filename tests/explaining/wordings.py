"""Words for columns that are known only by the labels of their cells."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.columns.phrases import Phrase, listed, said
from idnf.explaining.wording import FeatureWording, TableWording, Wording
from idnf.logic.boxes import Column, Space, cells_of


@dataclass(frozen=True)
class LabelledCells:
    """A column known only by the labels of its cells."""

    column: Column

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    def phrase(self, mask: int) -> Phrase:
        """Return the labels of the cells."""
        labels = [self.column.cells[cell] for cell in cells_of(mask)]
        return said(self.name, listed(labels, "or"), alternatives=len(labels) > 1, exact=len(labels) == 1)

    def position_words(self, position: float) -> str:
        """Return a number as it prints."""
        return f"{position:g}"

    def proposed_words(self, _cell: int, seen: float, *, upwards: bool) -> str:
        """Return a number as it prints."""
        del upwards
        return self.position_words(seen)


def default_wordings(space: Space) -> tuple[Wording, ...]:
    """Return feature wording for columns of the two cells "0" and "1", and labels of the cells for all others."""
    return tuple(
        FeatureWording(column.name) if column.cells == ("0", "1") else TableWording(LabelledCells(column))
        for column in space.columns
    )
