"""Principal reasons as arithmetic over conditions, for targets without sets of columns.

A set of columns is a reason of a row (an AXp) iff some maximal box over exactly these columns holds the row and none
over fewer of them does. A factor weighs as many reasons as hold a column of it; heavier factors come first, then those
with earlier columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from idnf.auditing.principal_reasons import Factors
from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.rule_list import Conditions
from idnf.logic.boxes import cells_of


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
    for label, maximal in zip(sides.labels, sides.maximal, strict=True):
        if maximal is None:
            raise ValueError(
                f"class {clf.classes_.tolist()[label]!r} has too many reasons for principal reasons to be exported."
            )
        for inner in maximal:
            box = frame.expanded(inner)
            columns = sum(1 << j for j in frame.inner.constrained(inner))
            conditions = tuple((j, box[j]) for j in sides.space.constrained(box))
            by_columns.setdefault(columns, []).append(conditions)
    sets = sorted((columns for columns in by_columns if columns), key=lambda s: (s.bit_count(), tuple(cells_of(s))))
    factors = Factors.of(clf.fitted_.table_model.class_boxes, clf.fitted_.reason_texts)
    names = [column.name for column in frame.inner.columns]
    codes = [
        names[next(cells_of(group))] if text is None else text.code
        for group, text in zip(factors.groups, factors.texts, strict=True)
    ]
    return Notice(
        tuple(tuple(by_columns[s]) for s in sets),
        tuple(tuple(i for i, t in enumerate(sets) if t != s and not t & ~s) for s in sets),
        tuple(tuple(i for i, s in enumerate(sets) if s & group) for group in factors.groups),
        tuple(codes),
    )


def checked_count(count: int) -> int:
    """Refuse a number of principal reasons below 0."""
    if count < 0:
        raise ValueError(f"principal must be 0 or more; got {count}.")
    return count
