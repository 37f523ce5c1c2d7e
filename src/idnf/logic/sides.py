"""A model as the explainer sees it: the boxes of its classes, or of all but one if that one is too large.

A :class:`ReducedSpace` is the part of a space that a model uses: its columns, with cells it does not distinguish
merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import accumulate, islice, product
from operator import or_

from idnf.logic.boxes import Box, Column, Point, Space, cells_of, contains
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.cubes import outermost
from idnf.logic.deadlines import Budget
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import Term, feature_of, is_negated
from idnf.logic.model import Model
from idnf.logic.primes import TooManyBoxes, maximal_boxes_avoiding, maximal_boxes_within
from idnf.logic.regions import Region


@dataclass(frozen=True)
class ReducedSpace:
    """The columns that some boxes constrain, with cells merged, and the mapping to and from the whole space.

    Neighbouring cells of an ordered column are merged if every box holds both or neither, and so are any cells of an
    unordered one; a missing cell stays apart. So intervals stay intervals, and a box of the frame is a box of the
    space.

    Parameters
    ----------
    space : Space
    columns : tuple of int
        The indices of the columns kept, ascending.
    groups : tuple of tuple of int
        For each column kept, the merged cell that each of its cells belongs to.

    Examples
    --------
    >>> space = Space((Column("age", ("0", "1", "2", "3"), ordered=True), Column("job", ("x", "y"))), ())
    >>> frame = ReducedSpace.of(space, [(0b0011, 0b11)])
    >>> frame.columns, frame.groups, frame.point((3, 1)), frame.expand((0b10,))
    ((0,), ((0, 0, 1, 1),), (1,), (12, 3))
    """

    space: Space
    columns: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, space: Space, boxes: Iterable[Box]) -> ReducedSpace:
        """Return the frame of some boxes."""
        masks: list[dict[int, None]] = [{} for _ in space.columns]
        for box in boxes:
            for column_masks, mask in zip(masks, box, strict=True):
                column_masks[mask] = None
        return cls._of_masks(space, dict(enumerate(map(list, masks))))

    @classmethod
    def of_literals(cls, space: Space, codes: Iterable[int]) -> ReducedSpace:
        """Return the frame of some literals, each about one column; in time linear in their number.

        >>> ReducedSpace.of_literals(Space.boolean("abc"), [0, 5]).columns
        (0, 2)
        """
        masks: dict[int, list[int]] = {}
        for code in sorted(codes):
            column, mask = space.literals[feature_of(code)]
            cells = space.full[column] & ~mask if is_negated(code) else mask
            if cells:
                masks.setdefault(column, []).append(cells)
        return cls._of_masks(space, masks)

    @classmethod
    def _of_masks(cls, space: Space, masks: Mapping[int, Sequence[int]]) -> ReducedSpace:
        used = [j for j in sorted(masks) if any(mask != space.full[j] for mask in masks[j])]
        return cls(space, tuple(used), tuple(_cell_groups(space.columns[j], masks[j]) for j in used))

    @cached_property
    def inner(self) -> Space:
        """The frame as a space of its own."""
        columns = []
        for j, groups in zip(self.columns, self.groups, strict=True):
            column = self.space.columns[j]
            labels = tuple(str(cell) for cell in range(max(groups) + 1))
            columns.append(Column(column.name, labels, ordered=column.ordered, missing=column.missing))
        return Space(tuple(columns), ())

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """For each column kept and each merged cell, the mask of the cells in it."""
        members = []
        for groups in self.groups:
            masks = [0] * (max(groups) + 1)
            for cell, group in enumerate(groups):
                masks[group] |= 1 << cell
            members.append(tuple(masks))
        return tuple(members)

    def point(self, point: Sequence[int]) -> Point:
        """Return a point of the space as a point of the frame."""
        return tuple(groups[point[j]] for j, groups in zip(self.columns, self.groups, strict=True))

    def box(self, box: Box) -> Box:
        """Return a box of the space in the frame; it must be one of the frame's own boxes or a union of its cells."""
        return tuple(
            sum(1 << group for group, cells in enumerate(members) if cells & box[j])
            for j, members in zip(self.columns, self.members, strict=True)
        )

    def expand(self, box: Box) -> Box:
        """Return a box of the frame as a box of the space."""
        masks = list(self.space.full)
        for j, members, mask in zip(self.columns, self.members, box, strict=True):
            if mask != (1 << len(members)) - 1:
                masks[j] = sum(members[group] for group in cells_of(mask))
        return tuple(masks)

    def outer(self, columns: Iterable[int]) -> tuple[int, ...]:
        """Return the indices, in the space, of columns of the frame."""
        return tuple(self.columns[j] for j in columns)


def _cell_groups(column: Column, masks: Sequence[int]) -> tuple[int, ...]:
    """Return the merged cell of each cell."""
    missing = -1 if column.missing_cell is None else column.missing_cell
    if column.ordered:
        # A merged cell ends wherever a mask changes from a cell to the next.
        ends = reduce(or_, (mask ^ mask >> 1 for mask in masks), 0) | (1 << missing >> 1 if missing > 0 else 0)
        return tuple(accumulate((ends >> cell & 1 for cell in range(column.size - 1)), initial=0))
    signatures = _signatures(column, masks)
    groups: dict[object, int] = {}
    return tuple(
        len(groups) if cell == missing else groups.setdefault(signature, len(groups))
        for cell, signature in enumerate(signatures)
    )


def _signatures(column: Column, masks: Sequence[int]) -> list[tuple[int, ...]]:
    """Return for each cell the numbers of the masks that set it apart; a mask and its complement do the same."""
    every = (1 << column.size) - 1
    signatures: list[list[int]] = [[] for _ in range(column.size)]
    for number, mask in enumerate(masks):
        for cell in cells_of(min(mask, every & ~mask, key=int.bit_count)):
            signatures[cell].append(number)
    return list(map(tuple, signatures))


LARGE = 2048
"""A side with more terms than this is not written down as long as another one is smaller."""

Boxes = tuple[Box, ...]


@dataclass(frozen=True)
class ClassBoxes:
    """The classes of a model over a space, two or more; with two, the other side of one is the other class.

    Parameters
    ----------
    space : Space
    k : int
        The bound on the columns of every reason.
    boxes : tuple, optional
        The boxes of class 0, of class 1 and so on; None for a side that is not written down. By default they are made
        from ``source`` on first use.
    source : Model, optional
        The model that provides the sides that are not written down; required if there are any.
    large : int
        Of two sides, one with more terms is left out if the other is smaller.
    budget : Budget, optional
        The most work for maximal boxes; for models from untrusted sources.

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> sides = ClassBoxes.of(DNF.parse("a & b | c").double(), Space.boolean("abc"))
    >>> sides.label((1, 1, 0)), sides.label((1, 0, 0))
    (1, 0)
    """

    space: Space
    k: int
    boxes: tuple[Boxes | None, ...] | None = None
    source: Model | None = None
    large: int = LARGE
    budget: Budget | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        unwritten = 1 if self.boxes is None else self.boxes.count(None)
        if unwritten and (self.source is None or self.boxes == (None,) * unwritten):
            raise InvalidArgument("boxes", "be those of both classes, or of one class and a source", "neither")

    @classmethod
    def of(cls, model: Model, space: Space, *, large: int = LARGE) -> ClassBoxes:
        """Return the sides of a model; one of more than ``large`` terms is left out if the other is smaller."""
        return cls(space, model.k, None, model, large)

    @property
    def labels(self) -> range:
        """The classes by their numbers."""
        return range(self._model.n_classes if self.boxes is None else len(self.boxes))

    @cached_property
    def _model(self) -> Model:
        """The model that provides the sides; more than two classes are all written down, without absorbed terms."""
        assert self.source is not None, "a side without boxes has a source"
        return self.source if self.source.n_classes == 2 else ClassDNFs.of(self.source)

    def others(self, label: int) -> list[int]:
        """Return the other classes."""
        return [other for other in self.labels if other != label]

    @cached_property
    def terms(self) -> tuple[Boxes | None, ...]:
        """The boxes of class 0, of class 1 and so on; None for one that is not written down. At least one is."""
        if self.boxes is not None:
            return self.boxes
        large = self.large if len(self.labels) == 2 else None
        sides = [_boxes(self._model, self.space, label, large) for label in self.labels]
        if not any(side is not None for side in sides):
            sides = [_boxes(self._model, self.space, label, None) for label in self.labels]
        return tuple(sides)

    @cached_property
    def default(self) -> int:
        """The class of a point that lies in no box of the others: one not written down, or the longest."""
        sizes = [float("inf") if side is None else len(side) for side in self.terms]
        return sizes.index(max(sizes))

    @cached_property
    def frame(self) -> ReducedSpace:
        """The columns and cells the model distinguishes."""
        if self.boxes is not None:
            return ReducedSpace.of(self.space, (box for side in self.boxes for box in side or ()))
        return ReducedSpace.of_literals(self.space, self._model.literals())

    @cached_property
    def inner(self) -> tuple[Boxes | None, ...]:
        """The boxes of each class in the frame."""
        return tuple(None if side is None else tuple(map(self.frame.box, side)) for side in self.terms)

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """Each class as a region of the frame."""
        return tuple(map(self._region, self.labels))

    @cached_property
    def maximal(self) -> tuple[Boxes | None, ...]:
        """The maximal boxes of at most k columns inside each class, in the frame; None if too many."""
        return tuple(map(self._maximal, self.labels))

    def _maximal(self, label: int) -> tuple[Box, ...] | None:
        region, full = self.regions[label], self.frame.inner.full
        if region.by_maximal:
            return tuple(box for box in region.boxes if len(self.frame.inner.constrained(box)) <= self.k)
        try:
            return tuple(maximal_boxes_avoiding(region.boxes, full, k=self.k, limit=LARGE, budget=self.budget))
        except TooManyBoxes:
            return None

    @cached_property
    def reasons(self) -> tuple[Boxes | None, ...]:
        """The reasons of each class as boxes of the frame, in their fixed order; None if there are too many.

        Fewer columns come first, then column order, then the lower cells.
        """
        return tuple(map(self._reasons, self.labels))

    def _reasons(self, label: int) -> Boxes | None:
        maximal, space = self.maximal[label], self.frame.inner
        if maximal is None:
            return None
        pieces: set[Box] = set()
        for box in maximal:
            # The largest boxes inside whose conditions on ordered columns are intervals.
            pieces.update(product(*(column.conditions(mask) for column, mask in zip(space.columns, box, strict=True))))
            if len(pieces) > LARGE:
                return None
        boxes = outermost(list(pieces))
        return tuple(sorted(boxes, key=lambda box: (len(space.constrained(box)), space.constrained(box), box)))

    def _region(self, label: int) -> Region:
        full, opposite = self.frame.inner.full, [self.inner[other] for other in self.others(label)]
        if None not in opposite:
            return Region(full, tuple(box for side in opposite for box in side or ()))
        try:
            within = maximal_boxes_within(self.inner[label] or (), full, limit=LARGE, budget=self.budget)
            return Region(full, tuple(within), by_maximal=True)
        except TooManyBoxes:
            return Region(full, tuple(map(self.frame.box, self.opposite(label))))

    def boxes_of(self, label: int) -> Boxes:
        """Return the boxes of one class, generated if they are not written down; up to k**k of them."""
        side = self.terms[label]
        if side is None:
            side = _boxes(self._model, self.space, label, None)
        assert side is not None, "without a limit every side is written down"
        return side

    def opposite(self, label: int) -> Boxes:
        """Return the boxes of all other classes, generated if they are not written down."""
        return tuple(box for other in self.others(label) for box in self.boxes_of(other))

    def label(self, point: Point) -> int:
        """Return the class of a point of the space, by its number."""
        for label in self.others(self.default):
            if any(contains(box, point) for box in self.terms[label] or ()):
                return label
        return self.default


def _boxes(model: Model, space: Space, label: int, large: int | None) -> Boxes | None:
    """Return the boxes of one class, or None if there are more than ``large`` terms."""
    masks = list(islice(model.terms(label), None if large is None else large + 1))
    if large is not None and len(masks) > large:
        return None
    boxes = (space.box(Term(mask)) for mask in masks)
    return tuple(dict.fromkeys(box for box in boxes if box is not None))
