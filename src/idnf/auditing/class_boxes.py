"""A model as an auditor sees it: for each class the boxes that give it.

Boxes of different classes share no point and together they hold every point. "The other side" of a class is the union
of the boxes of all other classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.outside_sets import outside_sets
from idnf.explaining.batch import Patterns
from idnf.explaining.projection import Frame
from idnf.logic.boxes import Box, Point, Space, contains, outermost


@dataclass(frozen=True)
class ClassBoxes:
    """The boxes of each class over a space.

    Parameters
    ----------
    space : Space
    boxes : tuple of tuple of Box
        For each class the boxes that give it.
    k : int
        The bound on the columns of every reason.
    classes : tuple of object
        What the classes are called.

    Examples
    --------
    >>> either = ClassBoxes(Space.boolean("ab"), (((1, 1),), ((2, 3), (3, 2))), 2)
    >>> either.label((0, 1)), either.label((0, 0)), either.opposite(1)
    (1, 0, ((1, 1),))
    """

    space: Space
    boxes: tuple[tuple[Box, ...], ...]
    k: int
    classes: tuple[object, ...] = ()

    def __post_init__(self) -> None:
        if not self.classes:
            object.__setattr__(self, "classes", tuple(range(len(self.boxes))))
        if len(self.classes) != len(self.boxes):
            raise ValueError(f"classes must have {len(self.boxes)} entries, one a class; got {len(self.classes)}.")

    def opposite(self, label: int) -> tuple[Box, ...]:
        """Return the boxes of all other classes."""
        return tuple(box for other, boxes in enumerate(self.boxes) if other != label for box in boxes)

    def label(self, point: Point) -> int:
        """Return the class of a point, as an index."""
        return next(c for c, boxes in enumerate(self.boxes) if any(contains(box, point) for box in boxes))

    @cached_property
    def frame(self) -> Frame:
        """The columns and cells the model tells apart."""
        return Frame.of(self.space, (box for boxes in self.boxes for box in boxes))

    @cached_property
    def inner(self) -> tuple[tuple[Box, ...], ...]:
        """The boxes of each class in the frame, those that lie in another one left out."""
        return tuple(tuple(outermost([self.frame.box(box) for box in dict.fromkeys(boxes)])) for boxes in self.boxes)

    def others(self, label: int) -> tuple[Box, ...]:
        """Return the boxes of all other classes in the frame."""
        return tuple(box for other, boxes in enumerate(self.inner) if other != label for box in boxes)

    def patterns(self, cells: NDArray[np.integer]) -> Patterns:
        """Return the distinct rows of a table of cells as the model sees them."""
        if cells.ndim != 2 or cells.shape[1] != len(self.space.columns):
            raise ValueError(f"cells must have shape (rows, {len(self.space.columns)}); got {cells.shape}.")
        return Patterns.of(self.frame, cells)

    def labels(self, patterns: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the class of each pattern, as an index; the class with the most boxes is what is left."""
        last = max(range(len(self.inner)), key=lambda label: len(self.inner[label]))
        labels = np.full(len(patterns), last, dtype=np.intp)
        for label, boxes in enumerate(self.inner):
            if label != last:
                for part, family in outside_sets(self.frame.inner, boxes, patterns):
                    labels[part][(family == 0).any(axis=0)] = label
        return labels
