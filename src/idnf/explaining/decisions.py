"""What is decided while some columns are still unknown, and which column to ask for next.

Unknown is not "missing": missing is a value like any other, unknown means that every value is possible.
"""

from __future__ import annotations

from dataclasses import dataclass

from idnf.explaining.sides import Sides
from idnf.logic.boxes import Box, cells_of, in_conflict

BUDGET = 20_000
"""States looked at before the search for the best next column gives up being exact."""


@dataclass(frozen=True)
class NextColumn:
    """The column to ask for next.

    Attributes
    ----------
    column : str
    worst_case : int or None
        The most columns that must still be asked for, this one included, whatever the answers; None if not known.
    exact : bool
        Whether no other column has a better worst case. False where looking at all cases would take too long; the
        column is then the one that leaves the fewest terms open in its worst case.
    """

    column: str
    worst_case: int | None
    exact: bool

    def __str__(self) -> str:
        return self.column


def decided(sides: Sides, known: Box) -> int | None:
    """Return the class that every point of ``known`` has, or None when there are points of several.

    A class is decided iff every term of the others conflicts with what is known.
    """
    box = sides.frame.box(known)
    return next((label for label in sides.labels if sides.regions[label].has(box)), None)


def next_column(sides: Sides, known: Box, *, budget: int = BUDGET) -> NextColumn | None:
    """Return the column with which the class is decided after the fewest questions in the worst case.

    The columns already known to a single cell are not asked for again. The search is exact as long as it needs no more
    than ``budget`` states; ties go to the first column. Returns None when the class is decided.
    """
    start = sides.frame.box(known)
    search = _Search(sides, budget)
    if search.label(start) is not None:
        return None
    try:
        questions = 1
        while (column := search.column_deciding(start, questions)) is None:
            questions += 1
        return NextColumn(sides.frame.inner.columns[column].name, questions, True)
    except _BudgetSpent:
        return NextColumn(sides.frame.inner.columns[_most_closing(search.terms, start)].name, None, False)


class _BudgetSpent(Exception):
    """The search has looked at as many states as it may."""


class _Search:
    def __init__(self, sides: Sides, budget: int) -> None:
        self.sides = sides
        self.left = budget
        self.terms = [term for side in sides.inner for term in side or ()]
        self.labels: dict[Box, int | None] = {}
        self.failed: dict[Box, int] = {}

    def label(self, box: Box) -> int | None:
        if box not in self.labels:
            self.left -= 1
            if self.left < 0:
                raise _BudgetSpent
            self.labels[box] = next((label for label in self.sides.labels if self.sides.regions[label].has(box)), None)
        return self.labels[box]

    def column_deciding(self, box: Box, questions: int) -> int | None:
        """Return the first column that decides ``box`` with at most that many questions, this one included."""
        return next((j for j in _open_columns(self.terms, box) if self._decides(box, j, questions)), None)

    def _decides(self, box: Box, column: int, questions: int) -> bool:
        for cell in cells_of(box[column]):
            after = (*box[:column], 1 << cell, *box[column + 1 :])
            if self.label(after) is None and not self._is_decidable(after, questions - 1):
                return False
        return True

    def _is_decidable(self, box: Box, questions: int) -> bool:
        if questions <= self.failed.get(box, 0):
            return False
        if self.column_deciding(box, questions) is not None:
            return True
        self.failed[box] = questions
        return False


def _open_columns(terms: list[Box], box: Box) -> list[int]:
    """Return the columns not known to a single cell that some term still possible constrains."""
    possible = [term for term in terms if not in_conflict(term, box)]
    return [j for j, mask in enumerate(box) if mask & mask - 1 and any(term[j] & mask != mask for term in possible)]


def _most_closing(terms: list[Box], box: Box) -> int:
    """Return the column that leaves the fewest terms possible, whatever its cell."""

    def left(column: int) -> int:
        slices = ((*box[:column], 1 << cell, *box[column + 1 :]) for cell in cells_of(box[column]))
        return max(sum(not in_conflict(term, part) for term in terms) for part in slices)

    return min(_open_columns(terms, box), key=lambda j: (left(j), j))
