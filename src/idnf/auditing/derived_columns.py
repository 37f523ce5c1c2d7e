"""Columns that rules make of two others (``debt / income``, ``end - start``), and the values that go together.

A reason that names such a column looks at both that it is made of, and counts them. Not every cell of it can go with
every cell of these: ``debt / income`` is not over 1 if debt is below 10 and income over 20. Whether cells can meet is
decided by the range of the result over two intervals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, isnan, nextafter

from idnf.columns.cell_spans import cell_span
from idnf.columns.column import TableColumn
from idnf.logic.boxes import Box, Point, cells_of

_SIGN = re.compile(r"([-+*/])")

MOST_MEETINGS = 20_000
"""Combinations of cells that are tried for one region."""


@dataclass(frozen=True)
class Derivation:
    """How a column is made of two others.

    Examples
    --------
    >>> Derivation.of("debt / income"), Derivation.of("first-name") is None
    (Derivation(left='debt', sign='/', right='income'), True)
    >>> Derivation("debt", "/", "income").span((10.0, 20.0), (2.0, 5.0))
    (2.0, 10.0)
    """

    left: str
    sign: str
    right: str

    @classmethod
    def of(cls, name: str) -> Derivation | None:
        """Return what the name of a column says about how it is made; None if it is no derived column."""
        left, *others = _SIGN.split(name)
        if len(others) != 2:
            return None
        sign, right = others
        spaced = left[-1:].isspace() and right[:1].isspace()
        if not (left.strip() and right.strip() and (spaced or sign in "*/")):
            return None
        return cls(left.strip(), sign, right.strip())

    @property
    def name(self) -> str:
        """The name of the column."""
        return f"{self.left} {self.sign} {self.right}"

    @property
    def parts(self) -> tuple[str, str]:
        """The columns it is made of."""
        return self.left, self.right

    def span(self, left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
        """Return the least and the greatest value over two closed intervals; a divisor of 0 is left out."""
        if self.sign == "/":
            parts = [part for part in _without_zero(right) if part[0] <= part[1]]
            spans = [_corners(left, part, lambda a, b: a / b) for part in parts]
            return min((low for low, _ in spans), default=inf), max((high for _, high in spans), default=-inf)
        operations = {"*": lambda a, b: a * b, "+": lambda a, b: a + b, "-": lambda a, b: a - b}
        return _corners(left, right, operations[self.sign])


def parts_of(name: str) -> tuple[str, ...]:
    """Return the columns that a column counts as: itself, or those it is made of.

    >>> parts_of("age"), parts_of("end - start")
    (('age',), ('end', 'start'))
    """
    made = Derivation.of(name)
    return (name,) if made is None else made.parts


def _without_zero(interval: tuple[float, float]) -> Iterator[tuple[float, float]]:
    low, high = interval
    least = nextafter(0.0, 1.0)
    if low <= 0.0 <= high:
        yield low, -least
        yield least, high
    else:
        yield interval


def _corners(left: tuple[float, float], right: tuple[float, float], operation: object) -> tuple[float, float]:
    assert callable(operation)
    values = []
    for a, b in product(left, right):
        try:
            value = operation(a, b)
        except OverflowError:
            value = inf
        # 0 times infinity, infinity less infinity: anything is possible near such corners.
        values += [-inf, inf] if isnan(value) else [value]
    return min(values), max(values)


def possible_point(columns: Sequence[TableColumn], domain: Box, box: Box) -> Point | None:
    """Return a point of a box whose derived columns can have these values; None if there is none.

    >>> from idnf.columns.intervals import NumberColumn
    >>> columns = [NumberColumn(name, "refused", cuts=(cut,)) for name, cut in (("a", 1.0), ("b", 1.0), ("a - b", 0.0))]
    >>> possible_point(columns, (3, 3, 3), (1, 2, 2)), possible_point(columns, (3, 3, 3), (1, 2, 3))
    (None, (0, 1, 0))
    """
    place = {column.name: j for j, column in enumerate(columns)}
    made = [(j, found) for j, column in enumerate(columns) if (found := Derivation.of(column.name)) is not None]
    inside = [mask & allowed or mask for mask, allowed in zip(box, domain, strict=True)]
    first = [(mask & -mask).bit_length() - 1 for mask in inside]
    tied = sorted({j for j, _ in made} | {place[part] for _, one in made for part in one.parts if part in place})
    meetings = product(*(list(cells_of(inside[j])) for j in tied))
    for count, cells in enumerate(meetings):
        point = list(first)
        for j, cell in zip(tied, cells, strict=True):
            point[j] = cell
        if count >= MOST_MEETINGS or all(_can_meet(columns, place, point, j, one) for j, one in made):
            return tuple(point)
    return None


def _can_meet(
    columns: Sequence[TableColumn], place: dict[str, int], point: Sequence[int], j: int, made: Derivation
) -> bool:
    """Return whether a cell of a derived column can go with the cells of the columns it is made of."""
    ends = []
    for part in made.parts:
        i = place.get(part)
        ends.append((-inf, inf) if i is None else _interval(columns[i], point[i]))
    left, right = ends
    if columns[j].has_missing_cell and point[j] == len(columns[j].known_labels):
        lacks = left is None or right is None
        return lacks or (made.sign == "/" and right is not None and right[0] <= 0.0 <= right[1])
    if left is None or right is None:
        return False
    own, span = _interval(columns[j], point[j]), made.span(left, right)
    return own is not None and own[0] <= span[1] and span[0] <= own[1]


def _interval(column: TableColumn, cell: int) -> tuple[float, float] | None:
    """Return the values of a cell as a closed interval, None for missing values."""
    span = cell_span(column, cell)
    if span is None:
        return None
    low, high = span
    return (low if low == -inf else nextafter(low, inf)), high
