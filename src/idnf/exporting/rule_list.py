"""A classifier as a list of rules: what SQL, ONNX and other targets without sets of cells are written from."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn, box_text
from idnf.explaining.catalogue import reason_boxes, reason_order
from idnf.explaining.sides import Sides
from idnf.exporting.plain_labels import Label, plain_classes, two_plain_classes
from idnf.logic.boxes import Box

Conditions = tuple[tuple[int, int], ...]
"""A column of the model and the mask of the cells it must lie in, for each column constrained."""


@dataclass(frozen=True)
class Rules:
    """One class by its terms, the other where none of them holds.

    Parameters
    ----------
    columns : tuple of TableColumn
        All columns of the model.
    used : tuple of int
        Those that the model looks at.
    terms : tuple of Conditions
        The terms of the class with fewer of them; the other side need not be written down.
    label, otherwise : Label
        What is given where a term holds, and where none does.
    """

    columns: tuple[TableColumn, ...]
    used: tuple[int, ...]
    terms: tuple[Conditions, ...]
    label: Label
    otherwise: Label


@dataclass(frozen=True)
class ReasonRule:
    """A reason of the catalogue: the first one in order whose conditions hold is the reason of a row."""

    conditions: Conditions
    label: Label
    words: str


def rules_of(clf: DNFClassifier) -> Rules:
    """Return the rules of a fitted classifier.

    >>> rules = rules_of(DNFClassifier.from_dnf("a & b | c", classes=("no", "yes")))
    >>> rules.terms, rules.label, rules.otherwise
    ((((2, 2),), ((0, 2), (1, 2))), 'yes', 'no')
    """
    classes = two_plain_classes(clf)
    sides = clf.fitted_.sides
    label = 1 - sides.default
    terms = tuple(_conditions(sides, box) for box in sides.terms[label] or ())
    return Rules(clf.binariser_.columns_, sides.frame.columns, terms, classes[label], classes[1 - label])


def reasons_of(clf: DNFClassifier) -> list[ReasonRule]:
    """Return all reasons of both classes, so ordered that the first one that holds of a row is its reason."""
    rules: list[tuple[tuple[object, ...], ReasonRule]] = []
    for label, name in enumerate(plain_classes(clf)):
        sides = clf.fitted_.sides
        boxes = None if sides.terms[label] is None else reason_boxes(sides, label)
        if boxes is None:
            raise ValueError(f"class {name!r} has too many reasons to be exported; export with reasons=False.")
        for number, inner in enumerate(boxes):
            box = sides.frame.expanded(inner)
            conditions = _conditions(sides, box)
            own = clf.fitted_.texts.get(f"{label}.{number + 1}")
            words = own or box_text(clf.binariser_.columns_, box)
            rules.append((reason_order(sides.frame.inner, inner), ReasonRule(conditions, name, words)))
    return [rule for _, rule in sorted(rules, key=lambda pair: pair[0])]


def _conditions(sides: Sides, box: Box) -> Conditions:
    return tuple((j, box[j]) for j in sides.space.constrained(box))
