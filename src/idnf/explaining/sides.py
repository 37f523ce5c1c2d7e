"""A model as the explainer sees it: the boxes of its two classes, or of one where the other is too large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from idnf.explaining.maximal import TooManyBoxes, maximal_boxes_avoiding, maximal_boxes_within
from idnf.explaining.projection import Frame
from idnf.explaining.regions import Region
from idnf.logic.boxes import Box, Point, Space, contains
from idnf.logic.double import DoubleDNF
from idnf.logic.literals import codes_of, is_consistent
from idnf.logic.nested import NestedDNF
from idnf.logic.terms import Term
from idnf.logic.trees import NestedTree

LARGE = 2048
"""A side with more terms than this is not written down as long as the other side is smaller."""

Model = NestedDNF | NestedTree | DoubleDNF
Terms = tuple[tuple[Box, ...] | None, tuple[Box, ...] | None]


@dataclass(frozen=True)
class Sides:
    """The two classes of a model over a space.

    Parameters
    ----------
    space : Space
    k : int
        The bound on the columns of every reason.
    given : tuple of two, optional
        The boxes of class 0 and of class 1; None for a side that is not written down. Made from ``source`` when first
        asked for, if not given.
    source : NestedDNF, NestedTree or DoubleDNF, optional
        Where a side that is not written down comes from; needed when there is one.
    large : int
        A side with more terms is left out if the other one is smaller.

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> sides = Sides.of(DNF.parse("a & b | c").double(), Space.boolean("abc"))
    >>> sides.label((1, 1, 0)), sides.label((1, 0, 0))
    (1, 0)
    """

    space: Space
    k: int
    given: Terms | None = None
    source: Model | None = None
    large: int = LARGE

    def __post_init__(self) -> None:
        given = self.given
        if self.source is None and (given is None or None in given) or given == (None, None):
            raise ValueError("given must be the boxes of both classes, or of one class and a source; got neither.")

    @classmethod
    def of(cls, model: Model, space: Space, *, large: int = LARGE) -> Sides:
        """Return the sides of a model; one of more than ``large`` terms is left out if the other is smaller."""
        return cls(space, model.k, None, model, large)

    @cached_property
    def terms(self) -> Terms:
        """The boxes of class 0 and of class 1; None for a side that is not written down. At least one is."""
        if self.given is not None:
            return self.given
        assert self.source is not None, "sides that are not given have a source"
        negative, positive = (_boxes(self.source, self.space, value, self.large) for value in (False, True))
        if negative is None and positive is None:
            negative, positive = (_boxes(self.source, self.space, value, None) for value in (False, True))
        return negative, positive

    @cached_property
    def frame(self) -> Frame:
        """The columns and cells the model tells apart."""
        if self.given is not None:
            return Frame.of(self.space, (box for side in self.given for box in side or ()))
        assert self.source is not None, "sides that are not given have a source"
        boxes = (self.space.box(Term(1 << code)) for code in _literals(self.source))
        return Frame.of(self.space, [box for box in boxes if box is not None])

    @cached_property
    def inner(self) -> tuple[tuple[Box, ...] | None, tuple[Box, ...] | None]:
        """The boxes of class 0 and class 1 in the frame."""
        negative, positive = (None if side is None else tuple(map(self.frame.box, side)) for side in self.terms)
        return negative, positive

    @cached_property
    def regions(self) -> tuple[Region, Region]:
        """Class 0 and class 1 as regions of the frame."""
        return self._region(0), self._region(1)

    @cached_property
    def maximal(self) -> tuple[tuple[Box, ...] | None, tuple[Box, ...] | None]:
        """The maximal boxes of at most k columns inside class 0 and class 1, in the frame; None where too many."""
        return self._maximal(0), self._maximal(1)

    def _maximal(self, label: int) -> tuple[Box, ...] | None:
        region, full = self.regions[label], self.frame.inner.full
        if region.by_maximal:
            return tuple(box for box in region.boxes if len(self.frame.inner.constrained(box)) <= self.k)
        try:
            return tuple(maximal_boxes_avoiding(region.boxes, full, k=self.k, limit=LARGE))
        except TooManyBoxes:
            return None

    def _region(self, label: int) -> Region:
        full, opposite = self.frame.inner.full, self.inner[1 - label]
        if opposite is not None:
            return Region(full, opposite)
        try:
            return Region(
                full, tuple(maximal_boxes_within(self.inner[label] or (), full, limit=LARGE)), by_maximal=True
            )
        except TooManyBoxes:
            return Region(full, tuple(map(self.frame.box, self.written(1 - label))))

    def written(self, label: int) -> tuple[Box, ...]:
        """Return the boxes of one class, made now if they are not written down; up to k**k of them."""
        side = self.terms[label]
        if side is None:
            assert self.source is not None, "a side that is not written down has a source"
            side = _boxes(self.source, self.space, bool(label), None)
        assert side is not None, "without a limit every side is written down"
        return side

    def label(self, point: Point) -> int:
        """Return the class, 0 or 1, of a point of the space."""
        negative, positive = self.terms
        if positive is not None:
            return int(any(contains(box, point) for box in positive))
        assert negative is not None, "one side is always written down"
        return int(not any(contains(box, point) for box in negative))


def _literals(model: Model) -> set[int]:
    """Return the literals whose truth decides the class; the other class is written with their negations."""
    if isinstance(model, NestedDNF):
        return {code for mask in model.masks() for code in codes_of(mask)}
    if isinstance(model, DoubleDNF):
        return {*model.positive.literals(), *model.negative.literals()}
    found = set()
    for path, leaf in model.leaves():
        found |= {*codes_of(path), *_literals(leaf.nested)}
    return found


def _boxes(model: Model, space: Space, value: bool, large: int | None) -> tuple[Box, ...] | None:
    """Return the boxes of one class, or None when there are more than ``large`` terms."""
    masks = list(islice(_masks(model, value), None if large is None else large + 1))
    if large is not None and len(masks) > large:
        return None
    boxes = (space.box(Term(mask)) for mask in masks)
    return tuple(dict.fromkeys(box for box in boxes if box is not None))


def _masks(model: Model, value: bool) -> Iterator[int]:
    """Yield the terms of one class as they are made, so that a large side need not be made to its end."""
    if isinstance(model, DoubleDNF):
        yield from model.side(value).masks
    elif isinstance(model, NestedDNF):
        yield from model.masks() if value else model.complement_masks()
    else:
        for path, leaf in model.leaves():
            together = (path | mask for mask in _masks(leaf.nested, value != leaf.complemented))
            yield from filter(is_consistent, together)
