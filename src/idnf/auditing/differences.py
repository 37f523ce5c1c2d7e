"""The difference of two models: the exact regions in which they disagree, or a proof that they are equal.

A box of one class of the old model and a box of another class of the new one share points iff they conflict on no
column; their intersection is then a region of disagreement, and every point of disagreement lies in such a region. Both
models give every point exactly one class, so that no such pair is left is a proof that they are the same function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.auditing.table_models import TableModel
from idnf.columns.column import TableColumn, box_phrases
from idnf.columns.phrases import Phrase, together
from idnf.columns.raw import RawTable
from idnf.columns.refinement import common_ground
from idnf.explaining.batch import Patterns, holding
from idnf.logic.boxes import Box, Space
from idnf.logic.cubes import outermost
from idnf.logic.errors import InvalidArgument
from idnf.logic.sides import ReducedSpace
from idnf.proving.independent_check import CheckError, Claim, refuted
from idnf.tables.binariser import declared_binariser

MOST = 1000
"""Regions listed if there are many more; the largest ones are."""

_ALL = 4000
"""Up to this many regions all are listed, those inside another left out."""


@dataclass(frozen=True)
class Disagreement:
    """A region in which two models disagree.

    Attributes
    ----------
    old, new : object
        The classes that the two models give there.
    phrases : tuple of Phrase
        What a row of the region meets, in words.
    rows : int or None
        How many rows of the table lie in the region; regions may overlap.
    box : Box
        The conditions as cells of the common columns.
    before, after : float or None
        The share of these rows whose true label is the old and the new class; None if no labels were given, or there is
        no row.
    """

    old: object
    new: object
    phrases: tuple[Phrase, ...]
    rows: int | None
    box: Box
    before: float | None = None
    after: float | None = None

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a row of the region meets; none if the models disagree everywhere."""
        return tuple(phrase.condition for phrase in self.phrases)

    def __str__(self) -> str:
        where = together(self.phrases) or "everywhere"
        count = "" if self.rows is None else f"{self.rows} row{'s' * (self.rows != 1)}"
        right = "" if self.before is None else f"; right for {self.before:.0%} before, {self.after:.0%} after"
        return f"{self.old} becomes {self.new} if {where}" + (f" ({count}{right})" if count else "")

    def to_dict(self) -> dict[str, object]:
        """Return the region as plain data."""
        right = {} if self.before is None else {"before": self.before, "after": self.after}
        return {"old": self.old, "new": self.new, "conditions": list(self.conditions), "rows": self.rows, **right}


@dataclass(frozen=True)
class Difference:
    """Where two models disagree.

    Attributes
    ----------
    equal : bool
        Whether the two are the same function; True is a proof, which `check` makes again by other means.
    regions : tuple of Disagreement
        The regions of disagreement: all of them if `complete`, otherwise the largest.
    complete : bool
    pairs : int
        How many pairs of opposite terms meet; each is a region, before those inside another are left out.
    rows : int or None
        How many rows of the table the models disagree on.
    total : int or None
        How many rows the table has.
    changes : dict
        The rows by old and new class.
    remarks : tuple of str
        What is left out of the comparison.
    """

    equal: bool
    regions: tuple[Disagreement, ...]
    complete: bool
    pairs: int
    rows: int | None
    total: int | None
    changes: dict[tuple[object, object], int]
    remarks: tuple[str, ...]
    models: tuple[TableModel, TableModel]

    def check(self) -> str:
        """Prove again, from the boxes alone, what is said about the regions.

        That is, that the models are equal; or that each region is one of disagreement and, if `complete`, that they
        agree outside all regions.

        Raises
        ------
        CheckError
            Names what does not hold.
        """
        old, new = self.models
        sizes = [len(column.labels) for column in old.columns]
        method = "truth table"
        for before, after, one, other in _opposite(old, new):
            stated = [region.box for region in self.regions if (region.old, region.new) == (before, after)]
            found, method = refuted(Claim(sizes, one, other, outside=stated))
            if found and (self.equal or self.complete):
                where = "everywhere" if self.equal else "outside the regions"
                raise CheckError(f"the models must agree {where}; one says {before} where the other says {after}.")
        if self.equal == bool(self.regions):
            raise CheckError("there must be a region where models differ, and none if they are equal.")
        for region in self.regions:
            for model, label in ((old, region.old), (new, region.new)):
                others = [box for c, boxes in zip(model.classes, model.boxes) if c != label for box in boxes]
                if refuted(Claim(sizes, [region.box], others))[0]:
                    raise CheckError(f"a region of disagreement must lie inside its classes; {region} does not.")
        return f"{'equal' if self.equal else 'different'}, proved by {method}"

    def to_text(self, most: int = 20) -> str:
        """Return the difference in words, at most that many regions of it."""
        if self.equal:
            return "\n".join(["The models are equal: proved over all values.", *self.remarks])
        count = f"{len(self.regions)}" if self.complete else f"more than {len(self.regions)}"
        lines = [f"The models disagree in {count} region{'s' * (len(self.regions) != 1)}."]
        if self.rows is not None:
            lines.append(f"They disagree on {self.rows} of {self.total} rows.")
            lines += [f"  {old} becomes {new}: {rows}" for (old, new), rows in self.changes.items()]
        lines += [f"- {region}" for region in self.regions[:most]]
        if len(self.regions) > most:
            lines.append(f"- and {len(self.regions) - most} further regions")
        return "\n".join([*lines, *self.remarks])

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return the difference as plain data."""
        return {
            "equal": self.equal,
            "rows": self.rows,
            "total": self.total,
            "changes": [{"old": old, "new": new, "rows": rows} for (old, new), rows in self.changes.items()],
            "complete": self.complete,
            "regions": [region.to_dict() for region in self.regions],
            "remarks": list(self.remarks),
        }


def difference_of(
    old: TableModel, new: TableModel, X: object = None, y: ArrayLike | None = None, *, most: int = MOST
) -> Difference:
    """Return where two models disagree, over all values, and on which rows of a table if one is given.

    With the true labels of the rows, each region has the share of its rows that each model gets right.
    """
    ground, remarks = common_ground([old.columns, new.columns])
    one, other = old.over(ground), new.over(ground)
    space = Space(tuple(column.to_column() for column in ground), ())
    rows = None if X is None else _Rows.of(ground, X, [*one.boxes, *other.boxes], None if y is None else np.asarray(y))
    opposite = [(*pair, meeting(pair[2], pair[3])) for pair in _opposite(one, other) if pair[2] and pair[3]]
    pairs = sum(int(met.sum()) for *_, met in opposite)
    found: list[tuple[object, object, Box]] = []
    for before, after, firsts, seconds, met in opposite:
        if met.any():
            boxes = _regions(space, rows, (firsts, seconds), met, most if pairs > _ALL else None)
            found += [(before, after, box) for box in boxes]
    inside = [box for *_, box in found]
    nothing = [None] * len(found)
    counts = nothing if rows is None else rows.inside(inside)
    shares = [nothing if rows is None else rows.right(inside, [one[side] for one in found]) for side in (0, 1)]
    regions = [
        Disagreement(before, after, tuple(box_phrases(ground, box)), count, box, *right)
        for (before, after, box), count, right in zip(found, counts, zip(*shares, strict=True), strict=True)
    ]
    regions.sort(key=lambda region: (-(region.rows or 0), len(region.phrases)))
    changes = {} if rows is None else rows.changes(one, other)
    return Difference(
        equal=pairs == 0,
        regions=tuple(regions),
        complete=pairs <= _ALL,
        pairs=pairs,
        rows=None if rows is None else sum(changes.values()),
        total=None if rows is None else rows.total,
        changes=changes,
        remarks=remarks,
        models=(one, other),
    )


def _opposite(old: TableModel, new: TableModel) -> Iterator[tuple[object, object, tuple[Box, ...], tuple[Box, ...]]]:
    """Yield each class of the old model with each other class of the new one, and their boxes."""
    for before, firsts in zip(old.classes, old.boxes, strict=True):
        for after, seconds in zip(new.classes, new.boxes, strict=True):
            if before != after:
                yield before, after, firsts, seconds


def meeting(firsts: Sequence[Box], seconds: Sequence[Box]) -> NDArray[np.bool_]:
    """Return for each two boxes whether they share a cell on every column.

    >>> meeting([(1, 1)], [(2, 1), (1, 3)]).tolist()
    [[False, True]]
    """
    meets: NDArray[np.bool_] = np.ones((len(firsts), len(seconds)), dtype=bool)
    for j in range(len(firsts[0])):
        rows, row_of = _distinct([box[j] for box in firsts])
        others, other_of = _distinct([box[j] for box in seconds])
        apart = np.array([[not a & b for b in others] for a in rows], dtype=bool)
        if apart.any():
            meets &= ~apart[row_of][:, other_of]
    return meets


def _distinct(masks: list[int]) -> tuple[list[int], NDArray[np.intp]]:
    number: dict[int, int] = {}
    index = [number.setdefault(mask, len(number)) for mask in masks]
    return list(number), np.array(index, dtype=np.intp)


def _regions(
    space: Space,
    rows: _Rows | None,
    sides: tuple[Sequence[Box], Sequence[Box]],
    meets: NDArray[np.bool_],
    most: int | None,
) -> list[Box]:
    """Return the intersections of boxes that meet: the outermost, or the largest if there are too many."""
    first, second = np.nonzero(meets)
    masks = [_masks(space, side) for side in sides]
    if most is not None and len(first) > most:
        weight = _widths(space, masks, first, second) if rows is None else rows.shared(*sides)[first, second]
        chosen = np.argpartition(-weight, most - 1)[:most]
        first, second = first[chosen], second[chosen]
    boxes = (masks[0][first] & masks[1][second]).tolist()
    return outermost(list(dict.fromkeys(map(tuple, boxes))))


def _masks(space: Space, boxes: Sequence[Box]) -> NDArray[np.uint64]:
    fits = all(column.size <= 63 for column in space.columns)
    return np.array(boxes, dtype=np.uint64 if fits else object).reshape(len(boxes), len(space.columns))


def _widths(
    space: Space, masks: Sequence[NDArray[np.uint64]], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return for each pair of boxes minus the number of columns that one of them constrains."""
    constrained = [np.asarray(side != np.array(space.full, dtype=side.dtype), dtype=np.float32) for side in masks]
    either = constrained[0].sum(axis=1)[:, None] + constrained[1].sum(axis=1) - constrained[0] @ constrained[1].T
    widths: NDArray[np.float32] = -either[first, second]
    return widths


@dataclass(frozen=True)
class _Rows:
    """The rows of a table on common ground, as the patterns that the two models distinguish."""

    frame: ReducedSpace
    patterns: Patterns
    counts: NDArray[np.intp]
    labels: NDArray[np.generic] | None
    # What each side holds is asked for once for every side of the other model.
    known: dict[tuple[Box, ...], NDArray[np.float32]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        ground: Sequence[TableColumn],
        X: object,
        sides: Sequence[Sequence[Box]],
        labels: NDArray[np.generic] | None,
    ) -> _Rows:
        binariser = declared_binariser(ground)
        frame = ReducedSpace.of(binariser.space_, (box for boxes in sides for box in boxes))
        cells = binariser.cells_of(X) if isinstance(X, RawTable) else binariser.cells(X)
        patterns = Patterns.of(frame, cells)
        counts = np.bincount(patterns.index, minlength=len(patterns.cells))
        if labels is not None and len(labels) != len(patterns.index):
            raise InvalidArgument("y", f"hold a label for each of the {len(patterns.index)} rows", len(labels))
        return cls(frame, patterns, counts, labels)

    @property
    def total(self) -> int:
        return len(self.patterns.index)

    def side(self, boxes: Sequence[Box]) -> NDArray[np.float32]:
        """Return for each box of a side of a model and each pattern whether the box holds it."""
        key = tuple(boxes)
        if key not in self.known:
            self.known[key] = self.holding(key)
        return self.known[key]

    def holding(self, boxes: Sequence[Box]) -> NDArray[np.float32]:
        """Return for each box and pattern whether the box holds it."""
        held = np.zeros((len(boxes), len(self.patterns.cells)), dtype=np.float32)
        inner = [self.frame.box(box) for box in boxes]
        for part, holds in holding(self.frame.inner, inner, self.patterns):
            held[:, part] = holds
        return held

    def inside(self, boxes: Sequence[Box]) -> list[int]:
        """Return how many rows each box holds."""
        return [round(count) for count in (self.holding(boxes).astype(np.float64) @ self.counts).tolist()]

    def right(self, boxes: Sequence[Box], given: Sequence[object]) -> list[float | None]:
        """Return the share of the rows in each box whose true label is the one given there; None without rows."""
        if self.labels is None:
            return [None] * len(boxes)
        held, shares = self.holding(boxes).astype(np.float64), np.full(len(boxes), np.nan)
        for label in set(given):
            counts = np.bincount(self.patterns.index[self.labels == label], minlength=len(self.counts))
            of = [i for i, other in enumerate(given) if other == label]
            total = held[of] @ self.counts
            shares[of] = np.divide(held[of] @ counts, total, out=np.full(len(of), np.nan), where=total > 0)
        return [None if np.isnan(share) else share for share in shares.tolist()]

    def shared(self, firsts: Sequence[Box], seconds: Sequence[Box]) -> NDArray[np.float32]:
        """Return how many rows each two boxes share."""
        return (self.side(firsts) * self.counts.astype(np.float32)) @ self.side(seconds).T

    def changes(self, old: TableModel, new: TableModel) -> dict[tuple[object, object], int]:
        """Return the rows on which the models disagree, by old and new class, most first."""
        held = [[self.side(boxes).any(axis=0) for boxes in model.boxes] for model in (old, new)]
        counts = {
            (before, after): int(self.counts[one & other].sum())
            for before, one in zip(old.classes, held[0], strict=True)
            for after, other in zip(new.classes, held[1], strict=True)
            if before != after
        }
        return dict(sorted(((pair, count) for pair, count in counts.items() if count), key=lambda item: -item[1]))
