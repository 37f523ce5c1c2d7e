"""A classifier as plain data for the small engines in Python and JavaScript, the files in ``templates``.

Only what decisions and reasons need: the columns the model looks at with merged cells (its frame), the boxes of the
two classes, the words for conditions. A box is a list of pairs of a column and a mask of merged cells; columns that it
does not constrain are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.categories import CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup
from idnf.columns.intervals import IntervalColumn, OrderedColumn
from idnf.columns.phrases import name_words
from idnf.columns.phrases import value_words as category_words
from idnf.explaining.catalogue import reason_boxes
from idnf.explaining.maximal import TooManyBoxes, maximal_boxes_within
from idnf.explaining.sides import LARGE, Sides
from idnf.explaining.training_values import ColumnValues
from idnf.explaining.wording import Wording
from idnf.exporting.plain_labels import two_plain_classes
from idnf.logic.boxes import Box, Column, cells_of

Plain = dict[str, object]
Boxes = list[list[list[int | str]]]


def compiled(clf: DNFClassifier, *, reasons: bool = True) -> Plain:
    """Return what decisions need as plain data and, with ``reasons``, what explanations need."""
    classes = two_plain_classes(clf)
    sides = clf.fitted_.sides
    small = 1 - sides.default
    plain: Plain = {
        "k": clf.k,
        "classes": list(classes),
        "columns": [
            _column(clf.binariser_.columns_[j], sides.frame.merged[i]) for i, j in enumerate(sides.frame.columns)
        ],
        "small": small,
        "boxes": [None if i != small and not reasons else _boxes(sides, sides.inner[i]) for i in (0, 1)],
    }
    if not reasons:
        return plain
    named = [label[:1].upper() + label[1:] if isinstance(label, str) else f"Class {label}" for label in classes]
    others = [str(label) if isinstance(label, str) else f"class {label}" for label in classes]
    words = [_words(clf, i) for i in range(len(sides.frame.columns))]
    return {
        **plain,
        "named": named,
        "others": others,
        "maximal": [_maximal(sides, label, classes) for label in (0, 1)],
        "words": words,
        "texts": dict(clf.fitted_.texts),
        "catalogue": [_catalogue(sides, label) for label in (0, 1)],
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
    """Return the maximal boxes of a class whose opposite is not written down; they explain it then."""
    if sides.terms[1 - label] is not None:
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


def _column(column: TableColumn, merged: Sequence[int]) -> Plain:
    """Return how the values of a column are read."""
    plain = {key: value for key, value in column.to_dict().items() if key not in ("seen", "rare")}
    plain["missing"] = column.has_missing_cell
    if isinstance(column, IntervalColumn):
        plain["cuts"] = list(column.limits)
    if isinstance(column, GroupColumn):
        plain["kind"] = "one-hot" if isinstance(column, OneHotGroup) else "ordered-group"
    return {**plain, "ordered": column.ordered, "merged": list(merged)}


def _words(clf: DNFClassifier, i: int) -> Plain:
    """Return how conditions on a column of the frame are said: a table where it is ordered, the parts elsewhere."""
    frame = clf.fitted_.sides.frame
    j = frame.columns[i]
    column, wording = clf.binariser_.columns_[j], clf.fitted_.explainer.wordings[j]
    if column.ordered:
        return {"labels": _own_labels(column), "said": _said(frame.inner.columns[i], frame.members[i], wording)}
    labels = [category_words(label) for label in column.known_labels]
    if isinstance(column, CategoryColumn):
        labels = [*(category_words(value) for value in column.values), "other"]
    rest = len(labels) - 1 if isinstance(column, CategoryColumn) or getattr(column, "none", False) else None
    plain = {"name": name_words(column.name), "labels": labels, "rest": rest}
    return {**plain, "own": list(column.known_labels) if isinstance(column, GroupColumn) else None}


def _own_labels(column: TableColumn) -> list[str] | None:
    """Return what the values of a column are called where they are not written as they are."""
    if isinstance(column, OrderedColumn):
        return [category_words(value) for value in column.values]
    return None if isinstance(column, IntervalColumn) else list(column.known_labels)


def _said(column: Column, members: Sequence[int], wording: Wording) -> dict[str, list[str]]:
    """Return, for every interval of merged cells with or without "missing", the condition and the change in words."""
    said = {}
    for mask in _intervals(column):
        cells = sum(members[cell] for cell in cells_of(mask))
        said[str(mask)] = [wording.condition(cells), wording.said(cells)]
    return said


def _intervals(column: Column) -> Iterator[int]:
    missing = 1 << column.size - 1 if column.missing else 0
    known = column.size - column.missing
    for low in range(known):
        for high in range(low, known):
            run = (1 << high + 1) - (1 << low)
            if run != column.full:
                yield run
            if missing and run | missing != column.full:
                yield run | missing
    if missing:
        yield missing


def _values(clf: DNFClassifier, i: int) -> Plain | None:
    """Return the training values of a column of the frame, those that may be proposed also in words."""
    explainer = clf.fitted_.explainer
    j = explainer.sides.frame.columns[i]
    known: ColumnValues | None = explainer.values[j] if explainer.values else None
    wording = explainer.wordings[j]
    labels = [wording.said(1 << cell) for cell in range(explainer.space.columns[j].size)]
    if known is None:
        return {"labels": labels, "seen": None}
    words = wording.position_words
    seen = [None if pair is None else [*pair, words(pair[0]), words(pair[1])] for pair in known.seen]
    return {"labels": labels, "seen": seen, "shares": list(known.shares), "quantiles": list(known.quantiles)}
