"""Which of two labels people want, if a label's name says so."""

from __future__ import annotations

from collections.abc import Sequence

from idnf.columns.phrases import brief
from idnf.logic.errors import InvalidArgument

WANTED = frozenset(
    ["accept", "accepted", "admitted", "approve", "approved", "benign", "good", "grant", "granted", "healthy"]
    + ["paid", "pass", "passed", "repaid"]
)
"""Labels that people hope for."""

UNWANTED = frozenset(
    ["bad", "decline", "declined", "default", "defaulted", "denied", "deny", "fail", "failed", "fraud", "malignant"]
    + ["refuse", "refused", "reject", "rejected"]
)
"""Labels that people are refused by or that harm them."""


def favourable_label(labels: Sequence[object]) -> object:
    """Return the label of two that people want; None if no name says so, the names disagree or there are more labels.

    >>> favourable_label(["approved", "declined"]), favourable_label(["fraud", "usual"])
    ('approved', 'usual')
    >>> [favourable_label(labels) for labels in (["no", "yes"], ["bad", "declined"], ["bad", "fair", "good"])]
    [None, None, None]
    """
    if len(labels) != 2:
        return None
    for names, place in ((WANTED, 0), (UNWANTED, 1)):
        named = [label for label in labels if str(label).strip().lower() in names]
        if len(named) == 1:
            return [named[0], *(label for label in labels if label != named[0])][place]
    return None


def unwanted_labels(labels: Sequence[object]) -> list[object]:
    """Return the labels whose names say that people are refused by them or harmed.

    >>> unwanted_labels(["bad", "fair", "good"])
    ['bad']
    """
    return [label for label in labels if str(label).strip().lower() in UNWANTED]


def favourable_number(favourable: object, labels: Sequence[object], candidates: str = "one of the labels") -> int:
    """Return the place of the favourable label among those it may be.

    >>> favourable_number("good", ["bad", "good"])
    1
    >>> favourable_number("fair", ["bad", "good"])
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: favourable must be one of the labels ('bad', 'good'); got 'fair'.
    """
    try:
        return list(labels).index(favourable)
    except (ValueError, TypeError, ArithmeticError):
        rule = f"be {candidates} ({', '.join(map(brief, labels))})"
        raise InvalidArgument("favourable", rule, f"{favourable!r}") from None


def favourable_end(favourable: object, ordered: Sequence[object]) -> int:
    """Return 1 if the highest of some ordered labels is the favourable one, 0 if the lowest is.

    >>> favourable_end("low", ["low", "middle", "high"])
    0
    """
    candidates = "one of the labels" if len(ordered) == 2 else "the lowest or the highest label"
    return favourable_number(favourable, [ordered[0], ordered[-1]], candidates)
