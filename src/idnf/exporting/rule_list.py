"""A classifier as a list of rules: what SQL, ONNX and other targets without sets of cells are written from."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn, box_text
from idnf.explaining.catalogue import reason_boxes, reason_id, reason_order
from idnf.explaining.sides import Sides
from idnf.exporting.plain_labels import Label, plain_classes
from idnf.logic.boxes import Box

Conditions = tuple[tuple[int, int], ...]
"""A column of the model and the mask of the cells it must lie in, for each column constrained."""


@dataclass(frozen=True)
class Rules:
    """All classes but one by their terms, that one where none of them holds.

    Parameters
    ----------
    columns : tuple of TableColumn
        All columns of the model.
    used : tuple of int
        Those that the model looks at.
    terms : tuple of Conditions
        The terms of all classes but the longest, which need not be written down.
    labels : tuple of Label
        What each term gives; terms that hold together give the same.
    otherwise : Label
        What is given where no term holds.
    """

    columns: tuple[TableColumn, ...]
    used: tuple[int, ...]
    terms: tuple[Conditions, ...]
    labels: tuple[Label, ...]
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
    >>> rules.terms, rules.labels, rules.otherwise
    ((((2, 2),), ((0, 2), (1, 2))), ('yes', 'yes'), 'no')
    """
    classes = plain_classes(clf)
    sides = clf.fitted_.sides
    given = [(box, classes[label]) for label in sides.others(sides.default) for box in sides.terms[label] or ()]
    terms = tuple(_conditions(sides, box) for box, _ in given)
    labels = tuple(label for _, label in given)
    return Rules(clf.binariser_.columns_, sides.frame.columns, terms, labels, classes[sides.default])


def reasons_of(clf: DNFClassifier) -> list[ReasonRule]:
    """Return all reasons of every class, so ordered that the first one that holds of a row is its reason."""
    rules: list[tuple[tuple[object, ...], ReasonRule]] = []
    for label, name in enumerate(plain_classes(clf)):
        sides = clf.fitted_.sides
        boxes = None if sides.terms[label] is None else reason_boxes(sides, label)
        if boxes is None:
            raise ValueError(f"class {name!r} has too many reasons to be exported; export with reasons=False.")
        for number, inner in enumerate(boxes):
            box = sides.frame.expanded(inner)
            conditions = _conditions(sides, box)
            own = clf.fitted_.texts.get(reason_id(label, number))
            words = own or box_text(clf.binariser_.columns_, box)
            rules.append((reason_order(sides.frame.inner, inner), ReasonRule(conditions, name, words)))
    return [rule for _, rule in sorted(rules, key=lambda pair: pair[0])]


def _conditions(sides: Sides, box: Box) -> Conditions:
    return tuple((j, box[j]) for j in sides.space.constrained(box))
