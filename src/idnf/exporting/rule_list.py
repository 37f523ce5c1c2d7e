"""A classifier as a list of rules: what SQL, ONNX and other targets without sets of cells are written from.

Principal reasons become arithmetic over conditions. A set of columns is a reason of a row (an AXp) iff some maximal box
over exactly these columns holds the row and none over fewer of them does. A factor weighs as many reasons as hold a
column of it, and one more if it has a necessary column: one but for which a box of another class would hold the row.
Heavier factors come first, then those with earlier columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from idnf.auditing.model_audits import noticed_labels
from idnf.auditing.reason_shares import Factors
from idnf.classifier.bands import DNFBands
from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn
from idnf.columns.predicates import all_of, to_plain
from idnf.explaining.reading import Reason
from idnf.exporting.documents import checked_text
from idnf.logic.boxes import Box, cells_of
from idnf.logic.errors import InvalidArgument
from idnf.logic.sides import ClassBoxes

Label = str | int | float | bool

Conditions = tuple[tuple[int, int], ...]
"""A column of the model and the mask of the cells it must lie in, for each column constrained."""


def plain_classes(clf: DNFClassifier) -> tuple[Label, ...]:
    """Return the labels of class 0, class 1 and so on as text, numbers or Booleans.

    >>> plain_classes(DNFClassifier(k=1, learner="greedy").fit([[0], [1]], ["no", "yes"]))
    ('no', 'yes')
    """
    return tuple(map(plain_label, clf.classes_.tolist()))


def plain_label(label: object) -> Label:
    """Return a label as text, a number or a Boolean."""
    if isinstance(label, str):
        return checked_text(label, "a label")
    if not isinstance(label, (bool, int, float)) or not math.isfinite(label):
        raise InvalidArgument("classes", "be text, numbers or Booleans to be exported", f"{label!r}")
    return label


@dataclass(frozen=True)
class Rules:
    """All classes but one by their terms, that one if none of them holds.

    Parameters
    ----------
    columns : tuple of TableColumn
        All columns of the model.
    used : tuple of int
        Those that the model looks at.
    terms : tuple of Conditions
        The terms of all classes but the longest, which need not be written down.
    labels : tuple of Label
        What each term gives; of several that hold, the first counts.
    otherwise : Label
        What is given if no term holds.
    """

    columns: tuple[TableColumn, ...]
    used: tuple[int, ...]
    terms: tuple[Conditions, ...]
    labels: tuple[Label, ...]
    otherwise: Label


def rules_of(clf: DNFClassifier | DNFBands) -> Rules:
    """Return the rules of a fitted classifier; of bands, the terms of each boundary, the highest first.

    >>> rules = rules_of(DNFClassifier.from_dnf("a & b | c", classes=("no", "yes")))
    >>> rules.terms, rules.labels, rules.otherwise
    ((((2, 2),), ((0, 2), (1, 2))), ('yes', 'yes'), 'no')
    """
    if isinstance(clf, DNFBands):
        models = clf.fitted_.models
        above = [(place, model.sides) for place, model in enumerate(models, 1)][::-1]
        held = [(_conditions(sides, box), place) for place, sides in above for box in sides.written(1)]
        used = tuple(sorted({j for model in models for j in model.used}))
        return Rules(clf.binariser_.columns_, used, tuple(t for t, _ in held), tuple(place for _, place in held), 0)
    classes = plain_classes(clf)
    sides = clf.fitted_.sides
    given = [(box, classes[label]) for label in sides.others(sides.default) for box in sides.terms[label] or ()]
    terms = tuple(_conditions(sides, box) for box, _ in given)
    labels = tuple(label for _, label in given)
    return Rules(clf.binariser_.columns_, sides.frame.columns, terms, labels, classes[sides.default])


def reasons_of(clf: DNFClassifier) -> list[tuple[Conditions, str]]:
    """Return the conditions and words of all reasons, so ordered that the first one that holds for a row is its own."""
    return [(_conditions(clf.fitted_.sides, reason.box), str(reason)) for reason in _in_order(clf)]


def ordered_reasons(clf: DNFClassifier) -> list[tuple[Reason, list[object]]]:
    """Return the catalogue of a classifier, so ordered that the first reason whose test holds for a row is its own.

    Of bands, each boundary has a classifier of its own: ``bands.models_``.

    Returns
    -------
    list of pairs
        A :class:`~idnf.explaining.reading.Reason`, and when it holds: a test such as
        ``["compare", ["income"], 35.0, None]``. ``ReadTable.holds`` says what tests mean.

    Examples
    --------
    >>> policy = DNFClassifier.from_dnf("~'income <= 35'", columns={"income": [35]}, classes=("no", "yes"))
    >>> [(reason.id, test) for reason, test in ordered_reasons(policy)]
    [('a1', ['compare', ['income'], None, 35.0]), ('b1', ['compare', ['income'], 35.0, None])]
    """
    columns, sides = clf.fitted_.columns, clf.fitted_.sides
    return [
        (reason, to_plain(all_of(columns[j].test(mask) for j, mask in _conditions(sides, reason.box))))
        for reason in _in_order(clf)
    ]


def _in_order(clf: DNFClassifier) -> list[Reason]:
    """Return the reasons in the order in which the first that holds is given; refuse a class with too many."""
    sides = clf.fitted_.sides
    for name, terms, boxes in zip(plain_classes(clf), sides.terms, sides.reasons, strict=True):
        if terms is None or boxes is None:
            raise ValueError(f"class {name!r} has too many reasons to be exported; export with reasons=False.")
    return [reason for reason, _ in clf.fitted_.explainer.ordered_reasons()]


def _conditions(sides: ClassBoxes, box: Box) -> Conditions:
    return tuple((j, box[j]) for j in sides.space.constrained(box))


@dataclass(frozen=True)
class Notice:
    """What principal reasons are worked out from.

    Parameters
    ----------
    boxes : tuple of tuple of Conditions
        For each class and set of columns the maximal boxes over exactly these columns.
    classes : tuple of int
        The class that each of these gives.
    smaller : tuple of tuple of int
        For each of these those of the same class over part of the columns, by index.
    weights : tuple of tuple of int
        For each factor those that hold a column of it.
    nearly : tuple of tuple of (int, tuple of Conditions)
        For each factor the classes, and boxes of them that constrain a column of it, without that column.
    codes : tuple of str
        The code of each factor, the name of its column if it has none.
    """

    boxes: tuple[tuple[Conditions, ...], ...]
    classes: tuple[int, ...]
    smaller: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    nearly: tuple[tuple[tuple[int, tuple[Conditions, ...]], ...], ...]
    codes: tuple[str, ...]

    def of_class(self, label: int) -> list[int]:
        """Return the sets of columns whose boxes give a class, by index."""
        return [i for i, other in enumerate(self.classes) if other == label]


def notice_of(clf: DNFClassifier) -> Notice:
    """Return what the principal reasons of a classifier are worked out from.

    >>> notice = notice_of(DNFClassifier.from_dnf("a & b | c"))
    >>> notice.codes, notice.weights, notice.classes
    (('a', 'b', 'c'), ((1, 2), (1, 3), (0, 2, 3)), (1, 1, 0, 0))
    """
    sides = clf.fitted_.sides
    frame = sides.frame
    found: dict[tuple[int, int], list[Conditions]] = {}
    texts = clf.fitted_.reason_texts
    noticed = noticed_labels(clf.fitted_)
    for label, maximal in zip(sides.labels, sides.maximal, strict=True):
        if label not in noticed:
            continue
        if maximal is None:
            raise ValueError(
                f"class {clf.classes_.tolist()[label]!r} has too many reasons for principal reasons to be exported."
            )
        for inner in maximal:
            columns = sum(1 << j for j in frame.inner.constrained(inner))
            found.setdefault((label, columns), []).append(_conditions(sides, frame.expanded(inner)))
    keys = sorted(
        (key for key in found if key[1]), key=lambda key: (key[1].bit_count(), tuple(cells_of(key[1])), key[0])
    )
    factors = Factors.of(clf.fitted_.table_model.sides, texts)
    return Notice(
        tuple(tuple(found[key]) for key in keys),
        tuple(label for label, _ in keys),
        tuple(tuple(i for i, (c, t) in enumerate(keys) if c == label and t != s and not t & ~s) for label, s in keys),
        tuple(tuple(i for i, (_, s) in enumerate(keys) if s & group) for group in factors.groups),
        tuple(
            tuple(
                (label, tuple(tuple(one for one in box if one[0] != j) for box in found[label, s]))
                for label, s in keys
                for j in frame.outer(cells_of(s & group))
            )
            for group in factors.groups
        ),
        factors.codes,
    )


def checked_count(count: int) -> int:
    """Refuse a number of principal reasons below 0."""
    if count < 0:
        raise InvalidArgument("principal", "be 0 or more", count)
    return count
