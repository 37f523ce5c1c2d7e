"""A classifier as a list of rules: what SQL, ONNX and other targets without sets of cells are written from.

Principal reasons become arithmetic over conditions. A set of columns is a reason of a row (an AXp) iff some maximal box
over exactly these columns holds the row and none over fewer of them does. A factor weighs as many reasons as hold a
column of it; heavier factors come first, then those with earlier columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from idnf.auditing.reason_shares import Factors
from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn
from idnf.explaining.sides import Sides
from idnf.exporting.documents import checked_text
from idnf.logic.boxes import Box, cells_of

Label = str | int | float | bool

Conditions = tuple[tuple[int, int], ...]
"""A column of the model and the mask of the cells it must lie in, for each column constrained."""


def plain_classes(clf: DNFClassifier) -> tuple[Label, ...]:
    """Return the labels of class 0, class 1 and so on as text, numbers or Booleans.

    >>> plain_classes(DNFClassifier(k=1, learner="greedy").fit([[0], [1]], ["no", "yes"]))
    ('no', 'yes')
    """
    return tuple(_plain(label) for label in clf.classes_.tolist())


def _plain(label: object) -> Label:
    if isinstance(label, str):
        return checked_text(label, "a label")
    if not isinstance(label, (bool, int, float)) or not math.isfinite(label):
        raise ValueError(f"classes must be text, numbers or Booleans to be exported; got {label!r}.")
    return label


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


def reasons_of(clf: DNFClassifier) -> list[tuple[Conditions, str]]:
    """Return the conditions and words of all reasons, so ordered that the first one that holds of a row is its own."""
    explainer, sides = clf.fitted_.explainer, clf.fitted_.sides
    for name, terms, boxes in zip(plain_classes(clf), sides.terms, sides.reasons, strict=True):
        if terms is None or boxes is None:
            raise ValueError(f"class {name!r} has too many reasons to be exported; export with reasons=False.")
    return [(_conditions(sides, reason.box), str(reason)) for reason, _ in explainer.ordered_reasons()]


def _conditions(sides: Sides, box: Box) -> Conditions:
    return tuple((j, box[j]) for j in sides.space.constrained(box))


@dataclass(frozen=True)
class Notice:
    """What principal reasons are worked out from.

    Parameters
    ----------
    boxes : tuple of tuple of Conditions
        For each set of columns the maximal boxes over exactly these columns.
    smaller : tuple of tuple of int
        For each set of columns those that are part of it, by index.
    weights : tuple of tuple of int
        For each factor the sets of columns that hold a column of it.
    codes : tuple of str
        The code of each factor, the name of its column where it has none.
    """

    boxes: tuple[tuple[Conditions, ...], ...]
    smaller: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    codes: tuple[str, ...]


def notice_of(clf: DNFClassifier) -> Notice:
    """Return what the principal reasons of a classifier are worked out from.

    >>> notice = notice_of(DNFClassifier.from_dnf("a & b | c"))
    >>> notice.codes, notice.weights
    (('a', 'b', 'c'), ((1, 2), (1, 3), (0, 2, 3)))
    """
    sides = clf.fitted_.sides
    frame = sides.frame
    by_columns: dict[int, list[Conditions]] = {}
    texts = clf.fitted_.reason_texts
    only = None if texts is None else texts.side(clf.classes_.tolist())
    for label, maximal in zip(sides.labels, sides.maximal, strict=True):
        if only not in (None, label):
            continue
        if maximal is None:
            raise ValueError(
                f"class {clf.classes_.tolist()[label]!r} has too many reasons for principal reasons to be exported."
            )
        for inner in maximal:
            box = frame.expanded(inner)
            columns = sum(1 << j for j in frame.inner.constrained(inner))
            by_columns.setdefault(columns, []).append(_conditions(sides, box))
    sets = sorted((columns for columns in by_columns if columns), key=lambda s: (s.bit_count(), tuple(cells_of(s))))
    factors = Factors.of(clf.fitted_.table_model.sides, texts)
    return Notice(
        tuple(tuple(by_columns[s]) for s in sets),
        tuple(tuple(i for i, t in enumerate(sets) if t != s and not t & ~s) for s in sets),
        tuple(tuple(i for i, s in enumerate(sets) if s & group) for group in factors.groups),
        factors.codes,
    )


def checked_count(count: int) -> int:
    """Refuse a number of principal reasons below 0."""
    if count < 0:
        raise ValueError(f"principal must be 0 or more; got {count}.")
    return count
