"""Which of two labels is the positive one, and labels given as text."""

from __future__ import annotations

from collections.abc import Sequence

from idnf.columns.phrases import is_number

AFFIRMATIVE = (
    *("1", "1.0", "true", "yes", "y", "t", "ja", "j", "oui", "o", "si", "sí", "sim", "da", "tak", "wahr", "vrai"),
    *("approved", "accepted", "granted", "good", "positive", "success"),
)


def positive_label(labels: Sequence[object], asked: str | None, *, option: str = "--positive") -> object:
    """Return the label asked for, else one that says yes, else the one sorted second.

    >>> positive_label(["no", "yes"], None), positive_label(["no", "yes"], "no"), positive_label(["a", "b"], None)
    ('yes', 'no', 'b')
    """
    if asked is not None:
        return label_of(labels, asked, option=option)
    return affirmative_label(labels) if affirmative_label(labels) is not None else labels[-1]


def affirmative_label(labels: Sequence[object]) -> object:
    """Return the label that says yes, in one of several languages; None where none does, or more than one.

    >>> affirmative_label(["ja", "nein"]), affirmative_label(["o", "x"])
    ('ja', None)
    """
    named = {str(label).strip().lower(): label for label in labels}
    if "o" in named and not {"n", "non"} & set(named):
        del named["o"]
    return next((named[word] for word in AFFIRMATIVE if word in named), None)


def label_of(labels: Sequence[object], text: str, *, option: str) -> object:
    """Return the label that a text stands for.

    >>> label_of([False, True], "true", option="--to"), label_of([0, 1], "1.0", option="--to")
    (True, 1)
    """
    for label in labels:
        if str(label) == text or (isinstance(label, bool) and str(label).lower() == text.lower()):
            return label
    for label in labels:
        if not isinstance(label, (str, bool)) and is_number(text) and float(text) == label:
            return label
    folded = [label for label in labels if str(label).casefold() == text.casefold()]
    if len(folded) == 1:
        return folded[0]
    raise ValueError(f"{option} must be one of {', '.join(map(str, labels))}; got {text}.")
