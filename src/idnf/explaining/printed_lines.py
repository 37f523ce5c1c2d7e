"""The lines of a model as they are printed, as boxes, and what is proved of them."""

from __future__ import annotations

from dataclasses import replace

from idnf.explaining.explainer import Explainer
from idnf.explaining.reading import line_words
from idnf.explaining.wording import label_words
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.sides import Boxes
from idnf.logic.verification import Certificate
from idnf.proving.lines import prove_boxes


def prove_lines(explainer: Explainer, *, first: int | None = None, budget: Budget | None = None) -> Certificate | None:
    """Prove the lines of a model as they are printed; None if its reasons are too many to list.

    The order is that of the text; see :meth:`idnf.explaining.reading.Reading.order` for ``first``. Raises
    :class:`idnf.logic.verification.VerificationError` if the lines are not the model, and
    :class:`idnf.logic.deadlines.TooManySteps` if the budget is not enough.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"), classes=("no", "yes"))
    >>> prove_lines(explainer).terms
    (2, 2)
    """
    if budget is not None:
        explainer = replace(explainer, sides=replace(explainer.sides, budget=budget))
    printed = printed_boxes(explainer, first=first)
    if printed is None:
        return None
    names = [label_words(explainer.classes[label]) for label in printed]
    proof = prove_boxes(explainer.sides, printed, names, lambda box: line_words(explainer, box), budget)
    every = tuple(len(explainer.sides.reasons[label] or ()) for label in printed)
    return None if proof is None else replace(proof, every=every)


def lines_of(explainer: Explainer, budget: Budget) -> Certificate | None:
    """Return the proof of the lines, or nothing if they take longer to list than there is time."""
    try:
        return prove_lines(explainer, budget=budget)
    except TooManySteps:
        return None


def printed_boxes(explainer: Explainer, *, first: int | None = None) -> dict[int, Boxes] | None:
    """Return the lines of the classes that are listed, then all reasons of the last one, as boxes of the frame."""
    if None in explainer.sides.reasons:
        return None
    reading = explainer.reading
    *listed, last = reading.order(first)
    return {label: reading.boxes[label] for label in listed} | {last: explainer.sides.reasons[last] or ()}
