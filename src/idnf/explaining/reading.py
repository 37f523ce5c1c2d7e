"""A model as people read it: the reasons of the class that needs fewer of them, the other class otherwise.

The list of one class says all about the other: a case is of the other class when every line fails, so each reason for
the other class takes one failed condition from every line. Lines are reasons of the catalogue, under their numbers
there, so no condition can be dropped from one; a reason that the others imply is not printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idnf.columns.column import conjunction_words
from idnf.explaining.catalogue import reason_boxes
from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Box, outermost

# Beyond this many reasons of a class, those that the others imply are not looked for.
_MOST_COMPARED = 200


@dataclass(frozen=True)
class ModelSize:
    """How much there is to read.

    Attributes
    ----------
    terms, conditions : int
        Lines of the class that needs fewer, and conditions in them.
    reasons : int or None
        Reasons of all classes; None where they are too many to count.

    Examples
    --------
    >>> print(ModelSize(2, 3, 5))
    2 lines with 3 conditions; 5 reasons in all
    """

    terms: int
    conditions: int
    reasons: int | None

    def __str__(self) -> str:
        lines = f"{self.terms} line{'s' * (self.terms != 1)}"
        conditions = f"{self.conditions} condition{'s' * (self.conditions != 1)}"
        return f"{lines} with {conditions}; {'many' if self.reasons is None else self.reasons} reasons in all"


@dataclass(frozen=True)
class Line:
    """One reason: its number in the catalogue, where there is one, and its conditions."""

    id: str | None
    conditions: tuple[str, ...]

    def __str__(self) -> str:
        words = conjunction_words(self.conditions) or "always"
        return words if self.id is None else f"{words}  [{self.id}]"


@dataclass(frozen=True)
class Reading:
    """The lines of each class.

    Attributes
    ----------
    lines : tuple of two tuples of Line
        For class 0 and class 1, reasons that together say when the class is given; none of them is implied by the
        others.
    reasons : tuple of int or None
        The number of all reasons of class 0 and of class 1; None where they are too many to list.
    """

    lines: tuple[tuple[Line, ...], tuple[Line, ...]]
    reasons: tuple[int | None, int | None]

    @classmethod
    def of(cls, explainer: Explainer) -> Reading:
        """Return the lines of a model.

        >>> from idnf.logic.boxes import Space
        >>> from idnf.logic.dnf import DNF
        >>> reading = Reading.of(Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc")))
        >>> print(*reading.lines[1], reading.size, sep="; ")
        c  [1.1]; a and b  [1.2]; 2 lines with 3 conditions; 4 reasons in all
        """
        (zero, n_zero), (one, n_one) = (_lines(explainer, label) for label in (0, 1))
        return cls((zero, one), (n_zero, n_one))

    @property
    def shorter(self) -> int:
        """The class, 0 or 1, of fewer lines, of fewer conditions among equals; class 1 of equals."""
        return min((1, 0), key=lambda label: _length(self.lines[label]))

    @property
    def size(self) -> ModelSize:
        """How much there is to read."""
        terms, conditions = _length(self.lines[self.shorter])
        zero, one = self.reasons
        return ModelSize(terms, conditions, None if zero is None or one is None else zero + one)


def _length(lines: Sequence[Line]) -> tuple[int, int]:
    return len(lines), sum(len(line.conditions) for line in lines)


def _lines(explainer: Explainer, label: int) -> tuple[tuple[Line, ...], int | None]:
    frame = explainer.sides.frame
    every = reason_boxes(explainer.sides, label)
    if every is None:
        boxes = outermost([frame.box(box) for box in explainer.sides.written(label)])
        return tuple(Line(None, _words(explainer, frame.expanded(box))) for box in boxes), None
    return tuple(_line(explainer, label, frame.expanded(box)) for box in needed_boxes(every)), len(every)


def _line(explainer: Explainer, label: int, box: Box) -> Line:
    return Line(explainer.reason_id(label, box), _words(explainer, box))


def _words(explainer: Explainer, box: Box) -> tuple[str, ...]:
    return tuple(explainer.wordings[j].condition(box[j]) for j in explainer.space.constrained(box))


def needed_boxes(boxes: Sequence[Box]) -> list[Box]:
    """Return boxes with the same union, none of which lies in the union of the others; the last are given up first.

    >>> needed_boxes([(0b01, 0b11), (0b11, 0b01), (0b10, 0b01)])
    [(1, 3), (3, 1)]
    """
    kept = list(boxes)
    if len(kept) > _MOST_COMPARED:
        return kept
    for box in reversed(boxes):
        others = [other for other in kept if other != box]
        if is_covered(box, others):
            kept = others
    return kept


def is_covered(box: Box, others: Sequence[Box]) -> bool:
    """Tell whether a box lies in a union of boxes; exponential in their number at worst.

    >>> is_covered((0b11, 0b01), [(0b01, 0b11), (0b10, 0b01)]), is_covered((0b11, 0b11), [(0b01, 0b11)])
    (True, False)
    """
    if not all(box):
        return True
    meeting = [other for other in others if all(a & b for a, b in zip(box, other, strict=True))]
    if not meeting:
        return False
    # What is left of the box outside one of them falls into disjoint parts, one a column.
    first = max(meeting, key=lambda other: sum((a & b).bit_count() for a, b in zip(box, other, strict=True)))
    rest = [other for other in meeting if other != first]
    inside = list(box)
    for column, mask in enumerate(first):
        outside = inside[column] & ~mask
        if outside and not is_covered((*inside[:column], outside, *inside[column + 1 :]), rest):
            return False
        inside[column] &= mask
    return True


def model_text(explainer: Explainer, *, first: int | None = None, both: bool = False) -> str:
    """Return a model in words.

    Parameters
    ----------
    explainer : Explainer
        The model.
    first : {0, 1}, optional
        The class to begin with where both are listed or both are equally short.
    both : bool
        Whether to list every reason of both classes.

    Examples
    --------
    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"), classes=("no", "yes"))
    >>> print(model_text(explainer))
    Every decision has a reason of at most 2 conditions.
    <BLANKLINE>
    yes if
         c  [1.1]
      or a and b  [1.2]
    <BLANKLINE>
    no otherwise. Each of its 2 reasons takes one failed condition from every line above.
    """
    k = explainer.sides.k
    head = f"Every decision has a reason of at most {k} condition{'s' * (k != 1)}.\n"
    reading = Reading.of(explainer)
    names = [str(name) for name in explainer.classes]
    always = next((label for label in (0, 1) if not reading.lines[1 - label]), None)
    if always is not None:
        return f"{head}\n{names[always]} always"
    if both:
        order = (0, 1) if first == 0 else (1, 0)
        return "\n\n".join([head.rstrip(), *(_listed(names[label], _all_lines(explainer, label)) for label in order)])
    shorter = reading.shorter
    if first is not None and _length(reading.lines[0]) == _length(reading.lines[1]):
        shorter = first
    return "\n".join([head, _listed(names[shorter], reading.lines[shorter]), "", _otherwise(reading, names, shorter)])


def _all_lines(explainer: Explainer, label: int) -> Sequence[Line]:
    """Return every reason of a class, or its lines where the reasons are too many to list."""
    every = reason_boxes(explainer.sides, label)
    if every is None:
        return _lines(explainer, label)[0]
    expanded = explainer.sides.frame.expanded
    return [_line(explainer, label, expanded(box)) for box in every]


def _listed(name: str, lines: Sequence[Line]) -> str:
    return f"{name} if\n     " + "\n  or ".join(map(str, lines))


def _otherwise(reading: Reading, names: Sequence[str], shorter: int) -> str:
    """Return the sentence that says when the other class is given, and how its reasons come about."""
    count, lines = reading.reasons[1 - shorter], len(reading.lines[shorter])
    where = "the line above" if lines == 1 else "every line above"
    each = {None: "Each of its reasons", 1: "Its one reason"}.get(count, f"Each of its {count} reasons")
    return f"{names[1 - shorter]} otherwise. {each} takes one failed condition from {where}."
