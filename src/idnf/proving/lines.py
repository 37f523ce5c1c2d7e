"""The proof of the lines that people read, which are boxes over columns.

A model is kept as Boolean terms, which know nothing of columns: `age <= 30` and `age <= 40` are two features there, and
terms that differ over features may be one over columns. So lines are proved by themselves, cell by cell: lines of
different classes exclude each other, no row is left out, no line has more than k conditions, and no line holds a row to
which the model's own terms give another class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from idnf.logic.boxes import Box
from idnf.logic.cubes import Layout, first_overlap, is_covered
from idnf.logic.deadlines import Budget
from idnf.logic.sides import Boxes, ClassBoxes
from idnf.logic.verification import Certificate, Partition, VerificationError, Words

LINES = Words("rows", "row", "reason", "condition", "{}")

# More pairs of lines of different classes than this are not compared.
_MOST_PAIRS = 1_000_000


def prove_boxes(
    sides: ClassBoxes,
    boxes: Mapping[int, Boxes],
    names: Sequence[str],
    words: Callable[[Box], str],
    budget: Budget | None = None,
) -> Certificate | None:
    """Prove that boxes of each class are the model; None if there are too many pairs to compare.

    Raises :class:`idnf.logic.verification.VerificationError` if they are not, and
    :class:`idnf.logic.deadlines.TooManySteps` if the budget is not enough.

    Parameters
    ----------
    sides : ClassBoxes
        The model.
    boxes : mapping of int to boxes
        The lines of each class, as boxes of the reduced space.
    names : sequence of str
        What these classes are called, in the same order.
    words : callable
        What a box is called.
    budget : Budget, optional

    Examples
    --------
    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> sides = ClassBoxes.of(DNF.parse("a & b").double(), Space.boolean("ab"))
    >>> prove_boxes(sides, dict(enumerate(sides.reasons)), ("no", "yes"), str).terms
    (2, 1)
    """
    layout = Layout.of(sides.frame.inner)
    masks = [list(map(layout.mask, held)) for held in boxes.values()]
    partition = Partition(tuple(names), masks, sides.k, layout, lambda mask: words(layout.box(mask)), LINES)
    if partition.pairs > _MOST_PAIRS:
        return None
    certificate = partition.prove(budget=budget)
    for label, lines in zip(boxes, masks, strict=True):
        wrong = _outside_model(sides, label, lines, layout, budget)
        if wrong is not None:
            raise VerificationError(f"every reason must lie in its class; got {partition.text(wrong)}, which does not.")
    return certificate


def _outside_model(
    sides: ClassBoxes, label: int, lines: list[int], layout: Layout, budget: Budget | None
) -> int | None:
    """Return a line that meets a term of another class, or, if those are not written down, leaves its own terms."""
    opposite: list[Boxes | None] = [sides.inner[other] for other in sides.others(label)]
    if None not in opposite:
        others = [layout.mask(box) for side in opposite for box in side or ()]
        pair = first_overlap(lines, others, layout=layout, budget=budget)
        return None if pair is None else pair[0]
    own = list(map(layout.mask, sides.inner[label] or ()))
    return next((line for line in lines if not is_covered(line, own, layout, budget=budget)), None)
