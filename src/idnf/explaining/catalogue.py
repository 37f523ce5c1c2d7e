"""The catalogue: every reason a model can ever give, listed before it is used.

A reason is a box inside a class that constrains at most k columns and that no condition can be widened in; conditions
on ordered columns are intervals, with or without "missing". The reason given for any example is one of them.

The certificate of a reason names for each term of the other classes the condition that contradicts it. A reader can
check each line alone; together the lines prove that no example meeting the conditions is in another class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import together
from idnf.explaining.batch import Patterns, holding
from idnf.explaining.sides import Sides
from idnf.explaining.wording import Wording
from idnf.logic.boxes import Box, Column, Space
from idnf.tables.result_frames import Tabular, html_table


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
        The conditions as cells, one mask a column.
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
    of :mod:`idnf.explaining.regions`: there the condition on the first column holds all cells that any of them has.

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
    sides: Sides, boxes: Sequence[Box], patterns: Patterns, in_class: NDArray[np.bool_] | None = None
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
        return {
            "id": [one.id for one in self],
            "label": [one.label for one in self],
            "reason": [str(one) for one in self],
            "coverage": [one.coverage for one in self],
            "precision": [one.precision for one in self],
        }


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


def reason_certificate(sides: Sides, wordings: Sequence[Wording], label: int, box: Box) -> ReasonCertificate:
    """Return the certificate of a reason for a class; the other classes are written down for it if they are not yet."""
    columns = sides.space.constrained(box)
    said = {j: wordings[j].phrase(box[j]).condition for j in columns}
    contradictions = []
    for term in sides.opposite(label):
        against = next((j for j in columns if not box[j] & term[j]), None)
        if against is None:
            raise ValueError(f"box must lie inside class {label}; got {box}, which meets the term {term}.")
        phrases = [wordings[j].phrase(term[j]) for j in sides.space.constrained(term)]
        conditions = tuple(phrase.condition for phrase in phrases)
        contradictions.append(Contradiction(conditions, together(phrases), said[against]))
    return ReasonCertificate(tuple(said.values()), tuple(contradictions))
