"""Destroy-and-repair search over the whole class of k-AXp-interpretable functions into labels.

A state is a default label and terms of at most k literals, each with another label. It is such a function iff terms of
different labels conflict and the complement of their union is covered by its implicants of at most k literals: a point
in a term has that term as its reason, one in none has an implicant of the complement. Every such function arises so,
whatever the default. A move drops a few terms and adds others, each built around an example that is not covered yet:
its literals must conflict with every implicant of the default that has none to spare and with every term of another
label, and what room is left is filled with the literals that gain most. A worse state is accepted with a probability
that falls with the temperature. Here is what is searched; :mod:`idnf.learning.local.specification.repairing` says how.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.learning.local.masks import Cells, Codes, ExampleMasks
from idnf.learning.local.schedules import Schedule
from idnf.logic.errors import InvalidArgument

# In units of one example's weight.
_HOT, _COLD = 1.0, 0.2
# Terms built around one example in one move.
MOST_CANDIDATES = 16
# Terms added in one move, at most.
MOST_ADDED = 4
# How much an example of another label weighs while a long term is built.
CAUTION = 2
# Steps of the search for terms around one example.
MOST_NODES = 1000
# A state whose default label has more prime implicants than this is too slow to work on, and so is one of more terms.
MOST_IMPLICANTS = 600
MOST_TERMS = 48
MOST_LITERALS = 52
"""The most literals of a forced term."""


@dataclass(frozen=True)
class BergeTask:
    """What to search: the default label, the literals a term may use, k, and the price of a literal.

    A term of label c must conflict with every term in `forced[d]` for another label d, and the points of `forced[c]`
    must have label c. With `cells` k counts their columns, else every feature is a column of its own.
    """

    examples: ExampleMasks
    default: int
    allowed: Codes
    k: int
    price: int
    forced: tuple[tuple[int, ...], ...] = ()
    cells: Cells | None = None

    @property
    def counted(self) -> Cells:
        """The cells of the columns that k counts."""
        return self.cells or Cells.plain(self.examples.n_features)

    @property
    def gains(self) -> NDArray[np.int32]:
        """What each label gains over the default, for each example."""
        nets = self.examples.nets
        return np.ascontiguousarray(nets - nets[self.default])


def term_room(task: BergeTask) -> int:
    """Return how many literals a term may have: two for each column of several literals that it may restrict.

    >>> from idnf.counting.contract import DistinctRows
    >>> rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.ones(2), np.zeros(2), True)
    >>> term_room(BergeTask(ExampleMasks(rows, np.random.default_rng(0)), 0, np.arange(4, dtype=np.int32), 2, 0))
    2
    """
    return task.k if task.counted.is_plain else 2 * min(task.k, len(task.counted.columns))


def takes_whole(task: BergeTask) -> bool:
    """Return whether new terms may take in whole an implicant that has no column to spare, if they lie in its columns.

    Two labels over features that are columns of their own do without.
    """
    return not task.counted.is_plain or len(task.examples.nets) > 2  # noqa: PLR2004


def check_terms(task: BergeTask, terms: Sequence[tuple[int, int]]) -> None:
    """Check that steps can start from some labelled terms: they know none that is wider than k, or forced and longer.

    >>> from idnf.counting.contract import DistinctRows
    >>> rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.ones(2), np.zeros(2), True)
    >>> task = BergeTask(ExampleMasks(rows, np.random.default_rng(0)), 0, np.arange(4, dtype=np.int32), 1, 0)
    >>> check_terms(task, [(0b0101, 1)])
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: terms must be of at most k = 1 literals; got 2.
    """
    cells, counted = task.counted, "literals" if task.counted.is_plain else "columns"
    widths = [cells.width(cells.cube(term)) for term, _ in terms]
    if max(widths, default=0) > task.k:
        raise InvalidArgument("terms", f"be of at most k = {task.k} {counted}", max(widths))
    longest = max((term.bit_count() for side in task.forced for term in side), default=0)
    if longest > MOST_LITERALS:
        raise InvalidArgument("forced", f"be terms of at most {MOST_LITERALS} literals", longest)


@dataclass(frozen=True)
class Repaired:
    """The best state of a search: its terms with their labels, their value, and whether the search was cut short."""

    value: int
    terms: tuple[tuple[int, int], ...]
    cut: bool = False


def schedule(examples: ExampleMasks, moves: int) -> Schedule:
    """Return how a search by Berge steps cools."""
    return Schedule.cooling(_HOT * examples.unit, _COLD * examples.unit, moves, size=examples.size)
