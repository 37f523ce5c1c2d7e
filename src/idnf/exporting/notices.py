"""Principal reasons as arithmetic over conditions, for programs that write notices.

A set of columns is a reason of a row (an AXp) iff some maximal box over exactly these columns holds the row and none
over fewer of them does. A factor weighs as many reasons as hold a column of it, and one more if it has a necessary
column: one but for which a box of another class would hold the row. Heavier factors come first, then those with earlier
columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from idnf.auditing.model_audits import noticed_labels
from idnf.auditing.reason_shares import Factors
from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.rule_list import Conditions, conditions_of
from idnf.logic.boxes import cells_of
from idnf.logic.errors import InvalidArgument


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
            found.setdefault((label, columns), []).append(conditions_of(sides, frame.expand(inner)))
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
