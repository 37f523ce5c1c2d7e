"""A model as a list of rules: what SQL, ONNX and other targets without sets of cells are written from."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier, Fitted
from idnf.columns.column import TableColumn
from idnf.columns.predicates import all_of, to_plain
from idnf.explaining.reading import Reason
from idnf.explaining.score_table import ScoreTable
from idnf.exporting.plain_labels import Label, plain_label
from idnf.logic.boxes import Box
from idnf.logic.errors import InvalidArgument
from idnf.logic.sides import ClassBoxes

Conditions = tuple[tuple[int, int], ...]
"""A column of the model and the mask of the cells it must lie in, for each column constrained."""


@dataclass(frozen=True)
class Rules:
    """All outcomes but one by their terms, that one if none of them holds.

    Parameters
    ----------
    columns : tuple of TableColumn
        All columns of the model.
    used : tuple of int
        Those that the model looks at.
    terms : tuple of Conditions
        The terms of all labels but the longest, which need not be written down; of bands those above each boundary.
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


def rules_of(clf: AnyClassifier) -> Rules:
    """Return the rules of a fitted model: the terms of its labels, of several models the last one first.

    >>> rules = rules_of(DNFClassifier.from_dnf("a & b | c", classes=("no", "yes")))
    >>> rules.terms, rules.labels, rules.otherwise
    ((((2, 2),), ((0, 2), (1, 2))), ('yes', 'yes'), 'no')
    """
    fitted = clf.fitted_
    codes, chain = tuple(map(plain_label, fitted.codes)), [model.sides for model in fitted.models]
    # Outcomes are sums of labels, and each model of several holds within the one before.
    default = chain[0].default if len(chain) == 1 else 0
    held = [
        (conditions_of(sides, box), codes[place + label])
        for place, sides in reversed([*enumerate(chain)])
        for label in sides.others(default)
        for box in sides.boxes_of(label)
    ]
    terms, labels = tuple(term for term, _ in held), tuple(label for _, label in held)
    return Rules(fitted.columns, fitted.used, terms, labels, codes[default])


def reasons_of(clf: AnyClassifier) -> dict[str, list[tuple[Conditions, str]]]:
    """Return for each claim the conditions and words of its reasons, so ordered that the first that holds is given."""
    fitted = clf.fitted_
    ordered = [_in_order(model) for model in fitted.models]
    labels = [model.classes.tolist() for model in fitted.models]
    return {
        claim: [
            (conditions_of(fitted.models[place].sides, reason.box), str(reason))
            for place, claimed in whose
            for reason in ordered[place]
            if labels[place].index(reason.label) in claimed
        ]
        for claim, whose in fitted.claimed_labels().items()
    }


def scores_of(clf: DNFClassifier) -> ScoreTable:
    """Return the shares of two classes by the reasons that hold; refuse other models, and reasons that are too many."""
    if len(clf.classes_) != 2:
        raise InvalidArgument("probability", "be asked of a model of two labels", f"one of {len(clf.classes_)}")
    table = clf.fitted_.scores
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
        for reason in _in_order(clf.fitted_)
    ]


def _in_order(fitted: Fitted) -> list[Reason]:
    """Return the reasons in the order in which the first that holds is given; refuse a class with too many."""
    for name, terms, boxes in zip(fitted.classes.tolist(), fitted.sides.terms, fitted.sides.reasons, strict=True):
        if terms is None or boxes is None:
            raise ValueError(f"class {name!r} has too many reasons to be exported; export with reasons=False.")
    return [reason for reason, _ in fitted.explainer.ordered_reasons()]


def conditions_of(sides: ClassBoxes, box: Box) -> Conditions:
    """Return the conditions of a box: the columns it constrains, and the cells it allows."""
    return tuple((j, box[j]) for j in sides.space.constrained(box))
