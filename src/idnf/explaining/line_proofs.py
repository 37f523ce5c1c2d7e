"""A proof about what is printed: the lines of a model, as numbered in the catalogue, and nothing else.

A model is kept as Boolean terms, which know nothing of columns: `age <= 30` and `age <= 40` are two features there, and
terms that differ over features may be one over columns. What people read are boxes over columns. They are proved by
themselves, cell by cell: lines of different classes exclude each other, no row is left out, no line has more than k
conditions, and no line holds a row to which the model's own terms give another class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from idnf.explaining.explainer import Explainer
from idnf.explaining.reading import is_covered
from idnf.explaining.sides import Boxes, Sides
from idnf.explaining.wording import label_words
from idnf.logic.boxes import Box, in_conflict
from idnf.logic.deadlines import Budget
from idnf.logic.verification import VerificationError

# More pairs of lines of different classes than this are not compared.
_MOST_PAIRS = 1_000_000


@dataclass(frozen=True)
class LineProof:
    """What was proved of the lines of a model over all rows its columns can have.

    Attributes
    ----------
    k : int
        No line has more conditions.
    classes : tuple of str
        The labels, that of the class which is not listed last.
    counts : tuple of int
        The lines of each class that is listed, and all reasons of the last one.
    pairs : int
        Pairs of lines of different classes found to exclude each other; every pair there is.

    Examples
    --------
    >>> print(LineProof(2, ("yes", "no"), (3, 4), 12))
    Proved over all rows: yes (3 lines) and no (4 reasons) exclude each other in all 12 pairs, every row
    meets one of them, and none has more than 2 conditions.
    """

    k: int
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    pairs: int

    def __str__(self) -> str:
        given = [name for name, count in zip(self.classes, self.counts, strict=True) if count]
        if len(given) == 1:
            return f"Proved over all rows: {given[0]} always."
        words = [*["line"] * (len(self.counts) - 1), "reason"]
        counted = [
            f"{name} ({count} {word}{'s' * (count != 1)})"
            for name, count, word in zip(self.classes, self.counts, words, strict=True)
        ]
        excluded = f"{', '.join(counted[:-1])} and {counted[-1]} exclude each other in all {self.pairs} pairs"
        conditions = f"{self.k} condition{'s' * (self.k != 1)}"
        return f"Proved over all rows: {excluded}, every row meets one of them, and none has more than {conditions}."


def prove_lines(explainer: Explainer, *, first: int | None = None, budget: Budget | None = None) -> LineProof | None:
    """Prove the lines of a model as they are printed; None where its reasons are too many to list.

    The order is that of the text; see :meth:`idnf.explaining.reading.Reading.order` for ``first``. Raises
    :class:`idnf.logic.verification.VerificationError` where the lines are not the model, and
    :class:`idnf.logic.deadlines.TooManySteps` where the budget is not enough.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"), classes=("no", "yes"))
    >>> prove_lines(explainer).counts
    (2, 2)
    """
    if budget is not None:
        explainer = replace(explainer, sides=replace(explainer.sides, budget=budget))
    sides = explainer.sides
    printed = printed_boxes(explainer, first=first)
    if printed is None:
        return None
    pairs = sum(len(a) * len(b) for a, b in combinations(printed.values(), 2))
    if pairs > _MOST_PAIRS:
        return None
    for label, boxes in printed.items():
        size = max((len(sides.frame.inner.constrained(box)) for box in boxes), default=0)
        if size > sides.k:
            raise VerificationError(f"every line must have at most {sides.k} conditions; got one of {size}.")
        _check_model(sides, label, boxes, budget)
    for one, other in combinations(printed.values(), 2):
        _check_conflicts(one, other, budget)
    if not is_covered(sides.frame.inner.full, [box for boxes in printed.values() for box in boxes], budget):
        raise VerificationError("every row must meet a line; got a row that meets none.")
    names = tuple(label_words(explainer.classes[label]) for label in printed)
    return LineProof(sides.k, names, tuple(map(len, printed.values())), pairs)


def printed_boxes(explainer: Explainer, *, first: int | None = None) -> dict[int, Boxes] | None:
    """Return the lines of the classes that are listed, then all reasons of the last one, as boxes of the frame."""
    if None in explainer.sides.reasons:
        return None
    reading = explainer.reading
    *listed, last = reading.order(first)
    return {label: reading.boxes[label] for label in listed} | {last: explainer.sides.reasons[last] or ()}


def _check_conflicts(one: Sequence[Box], other: Sequence[Box], budget: Budget | None) -> None:
    for a in one:
        if budget is not None:
            budget.spend(len(other))
        for b in other:
            if not in_conflict(a, b):
                raise VerificationError(f"lines of different classes must exclude each other; got {a} and {b}.")


def _check_model(sides: Sides, label: int, boxes: Sequence[Box], budget: Budget | None) -> None:
    """Compare lines with the model's terms for the other classes, or for their own where those are not written down."""
    opposite: list[Boxes | None] = [sides.inner[other] for other in sides.others(label)]
    if None not in opposite:
        _check_conflicts(boxes, [box for side in opposite for box in side or ()], budget)
        return
    for box in boxes:
        if not is_covered(box, sides.inner[label] or (), budget):
            raise VerificationError(f"every line must lie in its class; got {box}, which does not.")
