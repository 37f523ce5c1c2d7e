"""The guarantee of a model from a file, proved again within a bound on the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_

from idnf.columns.column import TableColumn
from idnf.explaining.sides import LARGE, Sides
from idnf.exporting.documents import DocumentError
from idnf.logic.boxes import Box, cells_of
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of
from idnf.logic.model import Model
from idnf.logic.parsing import literal_text, term_text
from idnf.logic.primes import first_overlap, uncovered
from idnf.logic.trees import NestedTree

MOST_PAIRS = 500_000_000
"""The most pairs of opposite terms that are compared."""

MOST_STEPS = 5_000_000
"""The most terms that are looked at, counted once for each case, to prove that no point escapes."""

MOST_CHOICES = 1 << 21
"""The most ways to refute a nested DNF row by row that are gone through to write down its complement."""


MOST_MASKS = 20_000_000
"""The most cells of columns, term by term, that a side may take when both sides are large."""

# About so many pairs of terms are compared in a step, a microsecond.
_PAIRS_A_STEP = 200


class Unproved(DocumentError):
    """A model that may well keep its promise, but is too large for the proof."""


def refuse_large(model: Model, columns: int) -> None:
    """Raise an error for a nested model whose sides would take too long to write down over so many columns."""
    sizes = [
        sum(leaf.most_terms(label) for _, leaf in NestedTree.of(model).leaves()) for label in range(model.n_classes)
    ]
    several = model.n_classes > 2 or min(sizes) > LARGE
    if max(sizes) > MOST_CHOICES or (several and max(sizes) * columns > MOST_MASKS):
        raise DocumentError(f"model must have sides that can be written down; got about {max(sizes)} terms.")


def prove(sides: Mapping[str, DNF], k: int) -> None:
    """Prove that the DNFs of named classes are at most k wide, exclude each other and leave no point out.

    >>> prove({"1": DNF.parse("a & b"), "0": DNF.parse("~a", ["a", "b"])}, 2)
    Traceback (most recent call last):
    ...
    idnf.exporting.documents.DocumentError: model must have a term for every point; got none under a & ~b.
    """
    names = next(iter(sides.values())).names
    for name, side in sides.items():
        for mask in side.masks:
            if mask.bit_count() > k:
                text = term_text(mask, names)
                raise DocumentError(f"model must have terms of at most k = {k} literals; got {text} in class {name}.")
    _prove_conflicts(sides, names)
    try:
        point = uncovered([mask for side in sides.values() for mask in side.masks], budget=Budget(MOST_STEPS))
    except TooManySteps as error:
        rule = "model must be provable within bounds; the proof that no point is left out takes too long."
        raise Unproved(rule) from error
    if point is not None:
        words = " & ".join(literal_text(code, names) for code in codes_of(point)) or "1"
        raise DocumentError(f"model must have a term for every point; got none under {words}.")


def _prove_conflicts(sides: Mapping[str, DNF], names: tuple[str, ...]) -> None:
    if sum(one.size * other.size for one, other in combinations(sides.values(), 2)) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    for (one, first), (other, second) in combinations(sides.items(), 2):
        pair = first_overlap(first.masks, second.masks)
        if pair is not None:
            texts = f"{term_text(pair[0], names)} in class {one} and {term_text(pair[1], names)} in class {other}"
            raise DocumentError(f"model must have opposite terms that exclude each other; got {texts}.")


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
