"""How many rows cuts are chosen from where time is short.

Every column is cut at its own values, all of them by default. Under a time limit the columns before it tell how long a
row takes, and each column is cut by as many rows, evenly spaced, as the time left for it allows.
"""

from __future__ import annotations

from idnf.logic.deadlines import Deadline

# Seconds that a row takes as far as is known before the first column, rather too many.
_SECONDS_A_ROW = 2e-6

LEAST_ROWS = 200
"""The fewest rows that a column is cut by."""


class Hurry:
    """The time left for the columns of a table.

    Parameters
    ----------
    deadline : Deadline
    columns : int
        How many columns there are still to be cut.

    Examples
    --------
    >>> times = iter([0.0, 2.0, 2.0])
    >>> hurry = Hurry(Deadline(5.0, clock=lambda: next(times)), columns=5)
    >>> hurry.begin(10_000)    # a column has a second, more than enough
    10000
    >>> hurry.end()            # but it takes two seconds, and four columns have three
    >>> hurry.begin(10_000)
    3750
    """

    def __init__(self, deadline: Deadline, columns: int) -> None:
        self._deadline = deadline
        self._columns = columns
        self._seconds = self._rows = 0.0
        self._began = 0.0
        self._taken = 0

    def begin(self, rows: int) -> int:
        """Begin a column; return how many of its rows to look at."""
        if not self._deadline.is_set:
            return rows
        self._began = self._deadline.clock()
        each = max(self._deadline.end - self._began, 0.0) / max(1, self._columns)
        takes = max(self._seconds / self._rows, 1e-9) if self._rows else _SECONDS_A_ROW
        self._taken = min(rows, max(LEAST_ROWS, int(each / takes)))
        return self._taken

    def end(self) -> None:
        """Note that a column is done."""
        if self._deadline.is_set:
            self._seconds += self._deadline.clock() - self._began
            self._rows += self._taken
            self._columns -= 1
