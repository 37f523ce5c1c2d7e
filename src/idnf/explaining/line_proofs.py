"""A proof about what is printed: the lines of a model, as numbered in the catalogue, and nothing else.

A model is kept as Boolean terms, which know nothing of columns: `age <= 30` and `age <= 40` are two features there, and
terms that differ over features may be one over columns. What people read are boxes over columns. They are proved by
themselves, cell by cell: lines of different classes exclude each other, no row is left out, no line has more than k
conditions, and no line holds a row to which the model's own terms give another class.
"""

from __future__ import annotations

from dataclasses import replace

from idnf.explaining.explainer import Explainer
from idnf.explaining.reading import line_words
from idnf.explaining.sides import Boxes, Sides
from idnf.explaining.wording import label_words
from idnf.logic.cubes import Layout, first_overlap, is_covered
from idnf.logic.deadlines import Budget
from idnf.logic.verification import Certificate, Partition, VerificationError, Words

LINES = Words("rows", "row", "line", "reason", "condition", "{}")

# More pairs of lines of different classes than this are not compared.
_MOST_PAIRS = 1_000_000


def prove_lines(explainer: Explainer, *, first: int | None = None, budget: Budget | None = None) -> Certificate | None:
    """Prove the lines of a model as they are printed; None if its reasons are too many to list.

    The order is that of the text; see :meth:`idnf.explaining.reading.Reading.order` for ``first``. Raises
    :class:`idnf.logic.verification.VerificationError` where the lines are not the model, and
    :class:`idnf.logic.deadlines.TooManySteps` where the budget is not enough.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"), classes=("no", "yes"))
    >>> prove_lines(explainer).terms
    (2, 2)
    """
    if budget is not None:
        explainer = replace(explainer, sides=replace(explainer.sides, budget=budget))
    sides = explainer.sides
    printed = printed_boxes(explainer, first=first)
    if printed is None:
        return None
    layout = Layout.of(sides.frame.inner)
    names = tuple(label_words(explainer.classes[label]) for label in printed)
    masks = [list(map(layout.mask, boxes)) for boxes in printed.values()]
    partition = Partition(names, masks, sides.k, layout, lambda mask: line_words(explainer, layout.box(mask)), LINES)
    if partition.pairs > _MOST_PAIRS:
        return None
    certificate = partition.prove(budget=budget)
    for label, lines in zip(printed, masks, strict=True):
        wrong = _outside_model(sides, label, lines, layout, budget)
        if wrong is not None:
            raise VerificationError(f"every line must lie in its class; got {partition.text(wrong)}, which does not.")
    return certificate


def printed_boxes(explainer: Explainer, *, first: int | None = None) -> dict[int, Boxes] | None:
    """Return the lines of the classes that are listed, then all reasons of the last one, as boxes of the frame."""
    if None in explainer.sides.reasons:
        return None
    reading = explainer.reading
    *listed, last = reading.order(first)
    return {label: reading.boxes[label] for label in listed} | {last: explainer.sides.reasons[last] or ()}


def _outside_model(sides: Sides, label: int, lines: list[int], layout: Layout, budget: Budget | None) -> int | None:
    """Return a line that meets a term of another class, or, where those are not written down, leaves its own terms."""
    opposite: list[Boxes | None] = [sides.inner[other] for other in sides.others(label)]
    if None not in opposite:
        others = [layout.mask(box) for side in opposite for box in side or ()]
        pair = first_overlap(lines, others, layout=layout, budget=budget)
        return None if pair is None else pair[0]
    own = list(map(layout.mask, sides.inner[label] or ()))
    return next((line for line in lines if not is_covered(line, own, layout, budget=budget)), None)
