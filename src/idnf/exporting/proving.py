"""The guarantee of a model from a file, proved again within a bound on the work, and that of its printed lines.

A model is kept as Boolean terms, which know nothing of columns: `age <= 30` and `age <= 40` are two features there, and
terms that differ over features may be one over columns. What people read are boxes over columns. They are proved by
themselves, cell by cell: lines of different classes exclude each other, no row is left out, no line has more than k
conditions, and no line holds a row to which the model's own terms give another class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from idnf.columns.column import TableColumn
from idnf.explaining.explainer import Explainer
from idnf.explaining.reading import line_words
from idnf.explaining.sides import LARGE, Boxes, Sides
from idnf.explaining.wording import label_words
from idnf.exporting.documents import DocumentError
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.cubes import Layout, Meeting, first_overlap, is_covered
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree
from idnf.logic.verification import Certificate, Partition, VerificationError, Words

MOST_PAIRS = 500_000_000
"""The most pairs of opposite terms that are compared."""

MOST_STEPS = 5_000_000
"""The most terms that are looked at, counted once for each case, to prove that no point escapes."""

MOST_CHOICES = 1 << 21
"""The most ways to refute a nested DNF row by row that are gone through to write down its complement."""


MOST_MASKS = 20_000_000
"""The most cells of columns, term by term, that a side may take when both sides are large."""


class Unproved(DocumentError):
    """A model that may well keep its promise, but is too large for the proof."""


def refuse_large(model: Model, columns: int) -> None:
    """Raise an error for a nested model whose sides would take too long to write down over that many columns."""
    sizes = [
        sum(leaf.most_terms(label) for _, leaf in NestedTree.of(model).leaves()) for label in range(model.n_classes)
    ]
    several = model.n_classes > 2 or min(sizes) > LARGE
    if max(sizes) > MOST_CHOICES or (several and max(sizes) * columns > MOST_MASKS):
        raise DocumentError(f"model must have sides that can be written down; got about {max(sizes)} terms.")


def prove(model: ClassDNFs, classes: Sequence[object] | None = None, *, budget: Budget | None = None) -> Certificate:
    """Prove that the terms of classes keep their promise, within a budget and a bound on the pairs of opposite terms.

    >>> from idnf.logic.dnf import DNF
    >>> prove(DNF.parse("a & b").double()).terms
    (1, 2)
    """
    if sum(one.size * other.size for one, other in combinations(model.dnfs, 2)) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    return model.verify(classes, budget=budget)


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
    used = sides.frame.columns
    layout = Layout(tuple(sides.space.columns[j].size for j in used))
    others = Meeting([layout.mask(tuple(box[i] for i in used)) for box in opposite], layout)
    for j, box, mask in stretched:
        longer = layout.mask(tuple(mask if i == j else box[i] for i in used))
        if any(others.pairs([longer], budget=budget)):
            raise NotMonotone(f"settings.monotonic_cst[{columns[j].name!r}] must hold of the model; it does not.")


def _longer(mask: int, column: TableColumn, way: int) -> int:
    known = mask & column.known_mask
    if not known:
        return mask
    upwards = column.known_mask & -(known & -known)
    downwards = (1 << known.bit_length()) - 1
    return mask | (upwards if way == 1 else downwards)


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


def _outside_model(sides: Sides, label: int, lines: list[int], layout: Layout, budget: Budget | None) -> int | None:
    """Return a line that meets a term of another class, or, where those are not written down, leaves its own terms."""
    opposite: list[Boxes | None] = [sides.inner[other] for other in sides.others(label)]
    if None not in opposite:
        others = [layout.mask(box) for side in opposite for box in side or ()]
        pair = first_overlap(lines, others, layout=layout, budget=budget)
        return None if pair is None else pair[0]
    own = list(map(layout.mask, sides.inner[label] or ()))
    return next((line for line in lines if not is_covered(line, own, layout, budget=budget)), None)
