"""A classifier as plain data for the small engines in Python and JavaScript, in row_engine.py and engine.js.

Only what decisions and reasons need: the columns the model looks at with merged cells (its frame), the boxes of
each class, the words for conditions. A box is a list of pairs of a column and a mask of merged cells; columns that it
does not constrain are left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.portable import portable_column, portable_words
from idnf.explaining.catalogue import reason_boxes
from idnf.explaining.maximal import TooManyBoxes, maximal_boxes_within
from idnf.explaining.sides import LARGE, Sides
from idnf.explaining.training_values import ColumnValues
from idnf.exporting.plain_labels import plain_classes
from idnf.logic.boxes import Box

Plain = dict[str, object]
Boxes = list[list[list[int | str]]]


def compiled(clf: DNFClassifier, *, reasons: bool = True) -> Plain:
    """Return what decisions need as plain data and, with ``reasons``, what explanations need."""
    classes = plain_classes(clf)
    sides = clf.fitted_.sides
    columns = clf.binariser_.columns_
    plain: Plain = {
        "k": clf.k,
        "classes": list(classes),
        "columns": [portable_column(columns[j], sides.frame.merged[i]) for i, j in enumerate(sides.frame.columns)],
        "default": sides.default,
        "boxes": [
            None if label == sides.default and not reasons else _boxes(sides, sides.inner[label])
            for label in sides.labels
        ],
    }
    if not reasons:
        return plain
    said = clf.fitted_.explainer.outcomes
    words = [
        portable_words(columns[j], sides.frame.inner.columns[i], sides.frame.members[i])
        for i, j in enumerate(sides.frame.columns)
    ]
    return {
        **plain,
        "target": clf.fitted_.target,
        "given": [one.given for one in said],
        "would_be": [one.would_be for one in said],
        "to_be": [one.to_be for one in said],
        "fixed": list(clf.fitted_.explainer.fixed),
        "maximal": [_maximal(sides, label, classes) for label in sides.labels],
        "words": words,
        "texts": dict(clf.fitted_.texts),
        "catalogue": [_catalogue(sides, label) for label in sides.labels],
        "values": [_values(clf, i) for i in range(len(words))],
    }


def script_json(plain: object) -> str:
    r"""Return plain data as JSON that is inert inside a script element and inside source code.

    >>> print(script_json("</script>\u2028é"))
    "\u003c/script\u003e\u2028\u00e9"
    """
    text = json.dumps(plain, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _boxes(sides: Sides, boxes: Sequence[Box] | None) -> Boxes | None:
    if boxes is None:
        return None
    full = sides.frame.inner.full
    return [[[j, _exact(mask)] for j, mask in enumerate(box) if mask != full[j]] for box in boxes]


def _exact(mask: int) -> int | str:
    """Return a mask as a number, or as text where JavaScript would round it."""
    return mask if mask < 1 << 53 else str(mask)


def _maximal(sides: Sides, label: int, classes: Sequence[object]) -> Boxes | None:
    """Return the maximal boxes of a class where another is not written down; they explain it then."""
    if all(sides.terms[other] is not None for other in sides.others(label)):
        return None
    try:
        return _boxes(sides, maximal_boxes_within(sides.inner[label] or (), sides.frame.inner.full, limit=LARGE))
    except TooManyBoxes as error:
        raise ValueError(
            f"class {classes[label]!r} has too many reasons to be exported; export with reasons=False."
        ) from error


def _catalogue(sides: Sides, label: int) -> Boxes | None:
    # A side that is not written down has too many reasons to list.
    return None if sides.terms[label] is None else _boxes(sides, reason_boxes(sides, label))


def _values(clf: DNFClassifier, i: int) -> Plain | None:
    """Return the training values of a column of the frame, those that may be proposed also in words."""
    explainer = clf.fitted_.explainer
    j = explainer.sides.frame.columns[i]
    known: ColumnValues | None = explainer.values[j] if explainer.values else None
    wording = explainer.wordings[j]
    labels = [wording.phrase(1 << cell).instead for cell in range(explainer.space.columns[j].size)]
    if known is None:
        return {"labels": labels, "seen": None}
    words = wording.position_words
    seen = [None if pair is None else [*pair, words(pair[0]), words(pair[1])] for pair in known.seen]
    return {"labels": labels, "seen": seen, "shares": list(known.shares), "quantiles": list(known.quantiles)}
