"""A model as people read it, and the catalogue of every reason it can ever give.

A reason is a box inside a class that constrains at most k columns and that no condition can be widened in; conditions
on ordered columns are intervals, with or without "missing". The reason given for any example is one of them. The
certificate of a reason names for each term of the other classes the condition that contradicts it: a reader can check
each line alone, and together the lines prove that no example meeting the conditions is in another class.

A model is read as the reasons of every class but the longest, that one otherwise. The lists of all classes but one say
all about that one: a case is of it when every line fails, so each reason for it fails at least one condition in every
line. Lines are reasons of the catalogue, under their numbers there, so no condition can be dropped from one; a reason
that the others imply is not printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import Phrase, together
from idnf.explaining.batch import Patterns, holding
from idnf.explaining.wording import Wording
from idnf.logic.boxes import Box, Column, Space
from idnf.logic.cubes import irredundant_boxes, outermost
from idnf.logic.errors import InvalidArgument
from idnf.logic.sides import ClassBoxes
from idnf.result_frames import Tabular, by_attribute, html_table

if TYPE_CHECKING:
    from idnf.explaining.explainer import Explainer


@dataclass(frozen=True)
class ModelSize:
    """How much there is to read.

    Attributes
    ----------
    terms, conditions : int
        Lines of the class that needs fewer, or of all classes but the longest, and conditions in them.
    reasons : int or None
        Reasons of all classes; None if they are too many to count.
    form : str
        The form in which the model is printed: the one with the fewest conditions.
    printed : int
        The conditions in that form; a checklist has a number more.
    lines : int
        The lines of conditions in that form.

    Examples
    --------
    >>> print(ModelSize(2, 3, 5, "lines", 3, 2))
    2 lines with 3 conditions; 5 reasons in all
    >>> print(ModelSize(3, 6, 6, "checklist", 4, 3))
    a checklist of 3 conditions; 6 reasons in all
    """

    terms: int
    conditions: int
    reasons: int | None
    form: str = "lines"
    printed: int | None = None
    lines: int | None = None

    def __str__(self) -> str:
        lines = self.terms if self.lines is None else self.lines
        count = self.conditions if self.printed is None else self.printed
        if self.form == "checklist":
            shown = f"a checklist of {_plural(lines, 'condition')}"
        elif self.form == "tree":
            shown = f"a tree of {_plural(count, 'condition')}"
        else:
            shown = f"{_plural(lines, 'line')} with {_plural(count, 'condition')}"
        reasons = "many reasons" if self.reasons is None else _plural(self.reasons, "reason")
        return f"{shown}; {reasons} in all"


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


@dataclass(frozen=True)
class Line:
    """One reason: its number in the catalogue, if there is one, and its conditions."""

    id: str | None
    conditions: tuple[Phrase, ...]

    def __str__(self) -> str:
        words = together(self.conditions) or "always"
        return words if self.id is None else f"{words}  [{self.id}]"


@dataclass(frozen=True)
class Reading:
    """The lines of each class.

    Attributes
    ----------
    lines : tuple of tuples of Line
        For class 0, class 1 and so on, reasons that together say when the class is given; none of them is implied by
        the others.
    boxes : tuple of tuples of Box
        The same lines as boxes of the frame.
    reasons : tuple of int or None
        The number of all reasons of each class; None if they are too many to list.
    """

    lines: tuple[tuple[Line, ...], ...]
    boxes: tuple[tuple[Box, ...], ...]
    reasons: tuple[int | None, ...]

    @classmethod
    def of(cls, explainer: Explainer) -> Reading:
        """Return the lines of a model.

        >>> from idnf.explaining.explainer import Explainer
        >>> from idnf.logic.boxes import Space
        >>> from idnf.logic.dnf import DNF
        >>> reading = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc")).reading
        >>> print(*reading.lines[1], reading.size, sep="; ")
        c  [b1]; a and b  [b2]; 2 lines with 3 conditions; 4 reasons in all
        """
        every = explainer.sides.reasons
        boxes = tuple(_necessary_boxes(explainer, label) for label in explainer.sides.labels)
        lines = (tuple(line_of(explainer, label, box) for box in held) for label, held in enumerate(boxes))
        return cls(tuple(lines), boxes, tuple(None if found is None else len(found) for found in every))

    @property
    def longest(self) -> int:
        """The class of most lines, then of most conditions, then the first."""
        return max(range(len(self.lines)), key=lambda label: (_length(self.lines[label]), -label))

    def order(self, first: int | None = None, *, always: bool = False) -> list[int]:
        """Return the classes in the order of the text; the last is the one that is not listed.

        ``first`` begins, unless it alone needs most lines and is not to begin always; classes that are never given come
        after the others.
        """
        labels, lengths, last = range(len(self.lines)), [_length(lines) for lines in self.lines], self.longest
        others = [label for label in labels if label != first]
        if first == last and (always or lengths.count(lengths[last]) > 1) and lengths[first][0]:
            last = max(others, key=lambda label: (lengths[label], -label))
        listed = (label for label in labels if label != last)
        return [*sorted(listed, key=lambda label: (not lengths[label][0], label != first, lengths[label], label)), last]

    @property
    def size(self) -> ModelSize:
        """How much there is to read."""
        lengths = [_length(lines) for label, lines in enumerate(self.lines) if label != self.longest]
        counts = [count for count in self.reasons if count is not None]
        every = sum(counts) if len(counts) == len(self.reasons) else None
        return ModelSize(sum(terms for terms, _ in lengths), sum(conditions for _, conditions in lengths), every)


def _length(lines: Sequence[Line]) -> tuple[int, int]:
    return len(lines), sum(len(line.conditions) for line in lines)


def _necessary_boxes(explainer: Explainer, label: int) -> tuple[Box, ...]:
    sides = explainer.sides
    every = sides.reasons[label]
    if every is None:
        return tuple(outermost([sides.frame.box(box) for box in sides.boxes_of(label)]))
    return tuple(irredundant_boxes(every))


def line_of(explainer: Explainer, label: int, box: Box) -> Line:
    """Return a reason of a class, given as a box of the frame, with its number and in words."""
    expanded = explainer.sides.frame.expand(box)
    return Line(explainer.reason_id(label, expanded), phrases_of(explainer, expanded))


def line_words(explainer: Explainer, box: Box) -> str:
    """Return the conditions of a box of the frame in words."""
    return str(Line(None, phrases_of(explainer, explainer.sides.frame.expand(box))))


def phrases_of(explainer: Explainer, box: Box) -> tuple[Phrase, ...]:
    """Return the conditions of a box of the space, each in words."""
    return tuple(explainer.wordings[j].phrase(box[j]) for j in explainer.space.constrained(box))


def reason_id(label: int, place: int) -> str:
    """Return the name of a reason: a letter for its class, and its number from 1, which no reader takes for a number.

    >>> reason_id(0, 0), reason_id(1, 9), reason_id(27, 0)
    ('a1', 'b10', 'bb1')
    """
    letters = chr(97 + label % 26)
    return (f"{chr(97 + label // 26)}{letters}" if label >= 26 else letters) + str(place + 1)


@dataclass(frozen=True)
class Reason:
    """One reason of the catalogue.

    Attributes
    ----------
    id : str
        A letter for the class, in the order of the classes, and the number of the reason in it: ``"b3"``.
    label : object
        The class the reason gives.
    conditions : tuple of str
    words : str
        The conditions as one.
    columns : tuple of str
    text : str or None
        The user's own wording.
    coverage : float or None
        The share of the given examples that meet the conditions.
    precision : float or None
        The share of those whose true class is the label; None if there are none.
    box : Box
        The conditions as cells, one mask per column.
    """

    id: str
    label: object
    conditions: tuple[str, ...]
    words: str
    columns: tuple[str, ...]
    text: str | None
    coverage: float | None
    precision: float | None
    box: Box

    def __str__(self) -> str:
        return self.text or self.words

    def to_dict(self) -> dict[str, object]:
        """Return the reason as plain data."""
        figures = {"text": self.text, "coverage": self.coverage, "precision": self.precision}
        said = {"conditions": list(self.conditions), "columns": list(self.columns)}
        return {"id": self.id, "label": self.label, **said, **figures}


def reason_order(space: Space, box: Box) -> tuple[object, ...]:
    """Return what puts the reasons of all classes in an order in which the first that holds a point is the one given.

    Fewest columns, then column order, then for each column the condition that begins lowest and, of those, the widest.
    Among the reasons over the same columns that hold a point, that is the one its conditions are grown to by the rule
    of :mod:`idnf.logic.regions`: there the condition on the first column holds all cells that any of them has.

    >>> age = Column("age", ("0", "1", "2", "missing"), ordered=True, missing=True)
    >>> space = Space((age, Column("job", ("x", "y"))), ())
    >>> sorted([(0b1000, 0b11), (0b0011, 0b11), (0b1011, 0b11), (0b1111, 0b01)], key=lambda b: reason_order(space, b))
    [(11, 3), (3, 3), (8, 3), (15, 1)]
    """
    used = space.constrained(box)
    return len(used), used, tuple(_beginning(space.columns[j], box[j]) for j in used)


def _beginning(column: Column, mask: int) -> tuple[int, int]:
    known = mask if column.missing_cell is None else mask & ~(1 << column.missing_cell)
    lowest = (known & -known).bit_length() if known else column.size + 1
    return lowest, -mask.bit_count()


def counted_in(
    sides: ClassBoxes, boxes: Sequence[Box], patterns: Patterns, in_class: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Count, for boxes of the frame, the examples that meet them and those of them that are in the class."""
    n = len(patterns.cells)
    every = np.bincount(patterns.index, minlength=n)
    true = np.bincount(patterns.index, weights=in_class, minlength=n)
    met, right = np.zeros(len(boxes)), np.zeros(len(boxes))
    for part, held in holding(sides.frame.inner, tuple(boxes), patterns):
        met += held @ every[part]
        right += held @ true[part]
    return met, right


class Reasons(Tabular, list[Reason]):
    """The catalogue as a list that notebooks show as a table."""

    def columns(self) -> dict[str, list[object]]:
        """Return the reasons by field."""
        said: dict[str, list[object]] = {"reason": list(map(str, self))}
        return by_attribute(self, "id", "label") | said | by_attribute(self, "coverage", "precision")


@dataclass(frozen=True)
class Contradiction:
    """A term of the other class, and the condition of the reason that no example of it meets."""

    term: tuple[str, ...]
    words: str
    condition: str

    def __str__(self) -> str:
        return f"{self.words}: contradicted by {self.condition}"


@dataclass(frozen=True)
class ReasonCertificate:
    """The proof that a reason suffices: every term of the other class is contradicted."""

    conditions: tuple[str, ...]
    contradictions: tuple[Contradiction, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.contradictions)) or "the other class has no terms"

    def _repr_html_(self) -> str:
        lines = [(line.words, line.condition) for line in self.contradictions]
        return html_table({"of another class": [words for words, _ in lines], "contradicted by": [c for _, c in lines]})

    def to_dict(self) -> dict[str, object]:
        """Return the certificate as plain data."""
        lines = [{"term": list(line.term), "condition": line.condition} for line in self.contradictions]
        return {"conditions": list(self.conditions), "contradictions": lines}


def reason_certificate(sides: ClassBoxes, wordings: Sequence[Wording], label: int, box: Box) -> ReasonCertificate:
    """Return the certificate of a reason for a class; the other classes are written down for it if they are not yet."""
    columns = sides.space.constrained(box)
    said = {j: wordings[j].phrase(box[j]).condition for j in columns}
    contradictions = []
    for term in sides.opposite(label):
        against = next((j for j in columns if not box[j] & term[j]), None)
        if against is None:
            raise InvalidArgument("box", f"lie inside class {label}", f"{box}, which meets the term {term}")
        phrases = [wordings[j].phrase(term[j]) for j in sides.space.constrained(term)]
        conditions = tuple(phrase.condition for phrase in phrases)
        contradictions.append(Contradiction(conditions, together(phrases), said[against]))
    return ReasonCertificate(tuple(said.values()), tuple(contradictions))
