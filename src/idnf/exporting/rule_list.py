"""A classifier as a list of rules: what SQL, ONNX and other targets without sets of cells are written from."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.classifier.bands import DNFBands
from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn
from idnf.columns.predicates import all_of, to_plain
from idnf.explaining.reading import Reason
from idnf.explaining.score_table import ScoreTable
from idnf.exporting.plain_labels import Label, plain_classes
from idnf.logic.boxes import Box
from idnf.logic.errors import InvalidArgument
from idnf.logic.sides import ClassBoxes

Conditions = tuple[tuple[int, int], ...]
"""A column of the model and the mask of the cells it must lie in, for each column constrained."""


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
        held = [(conditions_of(sides, box), place) for place, sides in above for box in sides.boxes_of(1)]
        used = tuple(sorted({j for model in models for j in model.used}))
        return Rules(clf.binariser_.columns_, used, tuple(t for t, _ in held), tuple(place for _, place in held), 0)
    classes = plain_classes(clf)
    sides = clf.fitted_.sides
    given = [(box, classes[label]) for label in sides.others(sides.default) for box in sides.terms[label] or ()]
    terms = tuple(conditions_of(sides, box) for box, _ in given)
    labels = tuple(label for _, label in given)
    return Rules(clf.binariser_.columns_, sides.frame.columns, terms, labels, classes[sides.default])


def reasons_of(clf: DNFClassifier) -> list[tuple[Conditions, str]]:
    """Return the conditions and words of all reasons, so ordered that the first one that holds for a row is its own."""
    return [(conditions_of(clf.fitted_.sides, reason.box), str(reason)) for reason in _in_order(clf)]


def scores_of(clf: DNFClassifier) -> ScoreTable:
    """Return the shares of two classes by the reasons that hold; refuse other models, and reasons that are too many."""
    if len(clf.classes_) != 2:
        raise InvalidArgument("probability", "be asked of a model of two labels", f"one of {len(clf.classes_)}")
    table = clf.fitted_.confidence.table
    if table is None:
        raise ValueError("the model has too many reasons for shares to be exported; export without them.")
    return table


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
        (reason, to_plain(all_of(columns[j].test(mask) for j, mask in conditions_of(sides, reason.box))))
        for reason in _in_order(clf)
    ]


def _in_order(clf: DNFClassifier) -> list[Reason]:
    """Return the reasons in the order in which the first that holds is given; refuse a class with too many."""
    sides = clf.fitted_.sides
    for name, terms, boxes in zip(plain_classes(clf), sides.terms, sides.reasons, strict=True):
        if terms is None or boxes is None:
            raise ValueError(f"class {name!r} has too many reasons to be exported; export with reasons=False.")
    return [reason for reason, _ in clf.fitted_.explainer.ordered_reasons()]


def conditions_of(sides: ClassBoxes, box: Box) -> Conditions:
    """Return the conditions of a box: the columns it constrains, and the cells it allows."""
    return tuple((j, box[j]) for j in sides.space.constrained(box))
