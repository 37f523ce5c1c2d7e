"""The least change of a model that makes it obey rules about regions, and proofs that no model of short reasons can.

That a model is the nearest one, or that there is none, are claims with checks of their own, which go by other means
than the answers: by truth table or SAT, and through all sets of columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from idnf.auditing.rules import RegionRule, label_index, region_of
from idnf.auditing.table_models import TableModel
from idnf.columns.column import space_of
from idnf.logic.boxes import Box, Point, in_conflict
from idnf.logic.primes import maximal_runs_avoiding
from idnf.logic.sides import ClassBoxes
from idnf.proving.independent_check import CheckError, Claim, Masks, refuted

MOST = 20_000
"""Pieces held at a time."""


class TooManyPieces(ValueError):
    """The rules cut the space into more pieces than can be held."""


def box_difference(box: Box, other: Box) -> Iterator[Box]:
    """Yield disjoint boxes that together are a box without another.

    >>> list(box_difference((3, 3), (1, 1)))
    [(2, 3), (1, 2)]
    """
    if in_conflict(box, other):
        yield box
        return
    inside = list(box)
    for j, (own, taken) in enumerate(zip(box, other, strict=True)):
        if own & ~taken:
            yield (*inside[:j], own & ~taken, *inside[j + 1 :])
        inside[j] = own & taken


def uncovered_pieces(boxes: Iterable[Box], taken: Sequence[Box]) -> list[Box]:
    """Return disjoint pieces of some boxes that none of the taken ones holds.

    >>> uncovered_pieces([(3, 3)], [(1, 3), (3, 1)])
    [(2, 2)]
    """
    pieces = list(boxes)
    for other in taken:
        pieces = [piece for box in pieces for piece in box_difference(box, other)]
        if len(pieces) > MOST:
            raise TooManyPieces(f"the rules must cut the space into at most {MOST} pieces; got more.")
    return pieces


def columns_needed_by(
    model: ClassBoxes, label: int, parts: Sequence[frozenset[str]] | None = None
) -> tuple[int, Point | None]:
    """Return the number of columns that the reasons of a class need, and a point that needs that many.

    It is the least k for which the boxes of at most k columns inside the class cover it. None for an empty class. If
    some columns are made of others, `parts` lists those that each counts as; the number is then one that is enough.

    >>> from idnf.logic.boxes import Space
    >>> both = ClassBoxes(Space.boolean("ab"), 2, (((1, 3), (3, 1)), ((2, 2),)))
    >>> columns_needed_by(both, 0), columns_needed_by(both, 1)
    ((1, (0, 0)), (2, (1, 1)))
    """
    space = model.frame.inner
    left: list[Box] = list(model.inner[label] or ())
    if not left:
        return 0, None
    terms = model.regions[label].boxes
    every = None if parts is None else maximal_runs_avoiding(terms, space)
    inner = [] if parts is None else [parts[j] for j in model.frame.columns]
    for k in range(len(frozenset().union(*inner)) + 1 if inner else len(space.columns) + 1):
        if every is None:
            boxes = maximal_runs_avoiding(terms, space, k=k)
        else:
            boxes = [box for box in every if _parts_count(box, space.full, inner) <= k]
        rest = uncovered_pieces(left, boxes)
        if not rest:
            return k, _outer_point(model, left[0])
        left = rest
    raise AssertionError("the boxes of all columns cover the class")


def _parts_count(box: Box, full: Box, parts: Sequence[frozenset[str]]) -> int:
    """Return how many columns a box looks at, those that derived columns are made of counted."""
    held = (part for mask, whole, part in zip(box, full, parts, strict=True) if mask != whole)
    return len(frozenset().union(*held))


def _outer_point(model: ClassBoxes, box: Box) -> Point:
    cells = [0] * len(model.space.columns)
    for j, members, mask in zip(model.frame.columns, model.frame.members, box, strict=True):
        group = members[(mask & -mask).bit_length() - 1]
        cells[j] = (group & -group).bit_length() - 1
    return tuple(cells)


@dataclass(frozen=True)
class Nearest:
    """That a new model of two classes differs from an old one only where rules want a class that the old one breaks.

    Every model that obeys differs from the old one there, so none is nearer.

    Parameters
    ----------
    sizes : sequence of int
        The number of cells of each column.
    old, new : sequences of lists of boxes
        For each class the boxes that give it.
    wanted : sequence of lists of boxes
        For each class the rows that rules want to have it.

    Examples
    --------
    >>> Nearest((2,), ([(3,)], []), ([(1,)], [(2,)]), ([], [(2,)])).check()
    'proved by truth table'
    """

    sizes: Sequence[int]
    old: Sequence[Sequence[Masks]]
    new: Sequence[Sequence[Masks]]
    wanted: Sequence[Sequence[Masks]]

    def check(self) -> str:
        """Prove again that the models differ nowhere else, and that the new one gives what is wanted."""
        claims = [
            claim
            for label in (0, 1)
            for claim in (
                Claim(self.sizes, self.old[1 - label], self.new[label], outside=self.wanted[label]),
                Claim(self.sizes, self.wanted[label], self.new[1 - label]),
            )
        ]
        found, method = refuted(*claims)
        if found:
            raise CheckError("the models must differ only where a rule requires it; they do not.")
        return f"proved by {method}"


@dataclass(frozen=True)
class OutOfReach:
    """That no reason of at most k columns gives a point the class that is wanted there.

    A reason of a point holds for all points that agree with it on its columns. So none is possible if on every k
    columns some point agrees that is wanted to have the other class.

    Parameters
    ----------
    point : sequence of int
        The cells.
    own, other : sequences of boxes
        The rows that rules want to have the class wanted at the point, and those of the other class.
    k : int

    Examples
    --------
    >>> OutOfReach((0, 0), [(1, 1)], [(2, 1), (1, 2)], 1).check()
    'proved by all 2 sets of 1 column'
    """

    point: Sequence[int]
    own: Sequence[Masks]
    other: Sequence[Masks]
    k: int

    def check(self) -> str:
        """Prove again that every set of k columns leaves a point of the other class."""
        if not any(self._agrees(box, range(len(self.point))) for box in self.own):
            raise CheckError("the point must be one that a rule is about; it is not.")
        size = min(self.k, len(self.point))
        count = 0
        for columns in combinations(range(len(self.point)), size):
            count += 1
            if not any(self._agrees(box, columns) for box in self.other):
                raise CheckError(f"every set of {size} columns must leave a point of the other class; one does not.")
        return f"proved by all {count} sets of {size} column{'s' * (size != 1)}"

    def _agrees(self, box: Masks, columns: Sequence[int]) -> bool:
        return all(box) and all(box[j] >> self.point[j] & 1 for j in columns)


def required_regions(model: TableModel, rules: Sequence[RegionRule]) -> list[list[Box]]:
    """Return for each of two classes the rows that rules want to have it."""
    if len(model.classes) != 2:
        raise ValueError(f"the model must have two classes to be rectified; it has {len(model.classes)}.")
    regions: list[list[Box]] = [[], []]
    for rule in rules:
        label = label_index(model, rule.label)
        regions[label if rule.wanted else 1 - label] += region_of(rule, model)
    return regions


def patch_model(model: TableModel, regions: Sequence[Sequence[Box]]) -> TableModel:
    """Return the model that gives the wanted class on each region and is the same everywhere else.

    Every model that obeys differs from this one's original there, so none is nearer; it may need longer reasons.

    >>> from idnf.columns.intervals import NumberColumn
    >>> age = NumberColumn("age", "refused", cuts=(30.0, 45.0))
    >>> patch_model(TableModel((age,), ("no", "yes"), (((0b011,),), ((0b100,),)), 1), [[], [(0b010,)]]).boxes
    (((1,),), ((4,), (2,)))
    """
    boxes = []
    for label in (0, 1):
        kept = uncovered_pieces(model.boxes[label], regions[1 - label])
        boxes.append((*kept, *uncovered_pieces(regions[label], kept)))
    return replace(model, boxes=(boxes[0], boxes[1]))


def out_of_reach(model: TableModel, regions: Sequence[Sequence[Box]], k: int) -> Point | None:
    """Return a point that no model with reasons of at most k columns can give the class required there.

    Its reason would have to exclude all points where another class is wanted, and no k columns do.
    """
    space = space_of(model.columns)
    for label in (0, 1):
        short = maximal_runs_avoiding(regions[1 - label], space, k=k)
        left = uncovered_pieces(regions[label], short)
        if left:
            return tuple((mask & -mask).bit_length() - 1 for mask in left[0])
    return None
