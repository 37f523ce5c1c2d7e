"""Checklists: class 1 iff the points of the literals that hold add up to at least a threshold.

Every decision has a reason: true literals with enough points, or false literals without which the rest cannot reach the
threshold. So "at least m of n" has reasons of at most max(m, n - m + 1) literals. It is written with n literals and a
number; a DNF takes one line of m literals for each way to choose m of n.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import ClassVar, Self

from idnf.logic.boxes import Box, Space
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.forms import Condition
from idnf.logic.literals import feature_of, is_negated, literal, mask_of
from idnf.logic.model import Tally

MOST_ITEMS = 12
"""The most literals of a checklist, as its sides are written down."""

MOST_POINTS = MOST_ITEMS
"""The most points of a literal: those of a whole checklist whose literals become one."""

# The same limits for checklists that models are searched for.
_MOST_TICKS = 9
_SMALL_POINTS = 3


class Checklist(DoubleDNF):
    """A threshold on the points of the literals that hold.

    Parameters
    ----------
    names : sequence of str
        The features.
    codes : sequence of int
        The literals, of different features.
    least : int
        The threshold; 0 is always reached, more than the sum of all points never.
    points : sequence of int, optional
        The points of each literal, by default 1.
    k : int, optional
        The bound on reasons, by default the least one.
    space : Space, optional
        As for :class:`idnf.logic.class_dnfs.ClassDNFs`.

    Examples
    --------
    >>> majority = Checklist("abc", (0, 2, 4), 2)
    >>> print(majority.positive, majority.k, majority.literal_count)
    a & b | a & c | b & c 2 4
    >>> majority.verify().widths
    (2, 2)
    """

    kind: ClassVar[str] = "checklist"

    def __init__(
        self,
        names: Sequence[str],
        codes: Sequence[int],
        least: int,
        points: Sequence[int] | None = None,
        *,
        k: int | None = None,
        space: Space | None = None,
    ) -> None:
        self.codes, self.least = tuple(codes), least
        self.points = (1,) * len(self.codes) if points is None else tuple(points)
        if len({feature_of(code) for code in self.codes}) < len(self.codes) or len(self.codes) > MOST_ITEMS:
            raise InvalidArgument("codes", f"be literals of at most {MOST_ITEMS} different features", self.codes)
        if len(self.points) != len(self.codes) or not all(1 <= p <= MOST_POINTS for p in self.points):
            raise InvalidArgument("points", f"be from 1 to {MOST_POINTS} for each literal", self.points)
        if not 0 <= least <= sum(self.points) + 1:
            raise InvalidArgument("least", f"be from 0 to {sum(self.points) + 1}", least)
        wins = list(least_sets(self.points, least))
        blocks = list(least_sets(self.points, sum(self.points) - least + 1))
        positive = DNF.from_masks(names, [mask_of(self.codes[i] for i in win) for win in wins])
        negative = DNF.from_masks(names, [mask_of(self.codes[i] ^ 1 for i in block) for block in blocks])
        needed = max(map(len, [*wins, *blocks]), default=0)
        super().__init__(positive, negative, needed if k is None else k, space)

    @property
    def tally(self) -> Tally:
        """The literals, the points of each and the threshold."""
        return self.codes, self.points, self.least

    @property
    def literal_count(self) -> int:
        """The number of literals, and one for the threshold."""
        return len(self.codes) + 1

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int]) -> Self:
        """Return the checklist over other names; literals that become one add their points, opposite ones cancel out.

        >>> majority = Checklist("abc", (0, 2, 5), 2)
        >>> joined = majority.renumber(("a", "b"), {0: 0, 1: 0, 2: 1})
        >>> joined.codes, joined.points, joined.least
        ((0, 3), (2, 1), 2)
        """
        points: dict[int, int] = {}
        for code, point in zip(self.codes, self.points, strict=True):
            moved = literal(place[feature_of(code)], negated=is_negated(code))
            points[moved] = points.get(moved, 0) + point
        least = self.least
        for code in [code for code in points if code ^ 1 in points and not code & 1]:
            sure = min(points[code], points[code ^ 1])
            least -= sure
            points = {other: point - sure * (other | 1 == code | 1) for other, point in points.items()}
        kept = {code: point for code, point in points.items() if point}
        least = min(max(least, 0), sum(kept.values()) + 1)
        return type(self)(names, tuple(kept), least, tuple(kept.values()), k=self.k)

    def within(self, k: int) -> Self:
        """Return the same checklist with another bound."""
        return type(self)(self.names, self.codes, self.least, self.points, k=k, space=self.space)

    def __repr__(self) -> str:
        return f"Checklist(k={self.k}, least={self.least}, of={[self.names[feature_of(c)] for c in self.codes]})"


def least_sets(points: Sequence[int], least: int) -> Iterator[tuple[int, ...]]:
    """Yield the minimal sets of places whose points add up to at least ``least``.

    >>> list(least_sets((2, 1, 1), 2))
    [(0,), (1, 2)]
    """
    for size in range(len(points) + 1):
        for chosen in combinations(range(len(points)), size):
            total = sum(points[i] for i in chosen)
            if least <= total and all(total - points[i] < least for i in chosen):
                yield chosen


@dataclass(frozen=True)
class Ticks:
    """A checklist over the frame: a class is predicted iff the points of the conditions that hold reach a threshold."""

    least: int
    conditions: tuple[Condition, ...]
    points: tuple[int, ...]

    def complement(self, full: Box) -> Ticks:
        """Return the checklist of the other class."""
        failed = tuple((column, full[column] & ~mask) for column, mask in self.conditions)
        return Ticks(sum(self.points) - self.least + 1, failed, self.points)


def ticks_of(reasons: Sequence[Box], opposite: Sequence[Box], space: Space) -> Ticks | None:
    """Return a class as a checklist, from all reasons of both classes; None if it is not one with small points.

    "All of these" and "any of these" are not checklists.

    >>> space = Space.boolean("abc")
    >>> majority = [(2, 2, 3), (2, 3, 2), (3, 2, 2)], [(1, 1, 3), (1, 3, 1), (3, 1, 1)]
    >>> ticks_of(*majority, space)
    Ticks(least=2, conditions=((0, 2), (1, 2), (2, 2)), points=(1, 1, 1))
    """
    winning = [dict.fromkeys((j, box[j]) for j in space.constrained(box)) for box in reasons]
    conditions = sorted({condition for term in winning for condition in term})
    columns = [column for column, _ in conditions]
    if not 3 <= len(columns) <= _MOST_TICKS or len(set(columns)) < len(columns):
        return None
    wins = [[columns.index(column) for column, _ in term] for term in winning]
    blocks = [[columns.index(column) for column in space.constrained(box)] for box in opposite]
    for points in _weights(wins, len(columns)):
        least = min(sum(points[i] for i in win) for win in wins)
        if all(sum(points) - sum(points[i] for i in block) < least for block in blocks):
            trivial = least == sum(points) or least <= min(points)
            return None if trivial else Ticks(least, tuple(conditions), points)
    return None


def _weights(wins: Sequence[Sequence[int]], count: int) -> Iterator[tuple[int, ...]]:
    """Yield points for each condition, small ones first: the more sets of conditions win with it, the more points."""
    masks = [sum(1 << i for i in win) for win in wins]
    winning = [chosen for chosen in range(1 << count) if any(chosen & mask == mask for mask in masks)]
    influence = [sum(chosen >> i & 1 for chosen in winning) for i in range(count)]
    levels = sorted(set(influence))
    choices = combinations_with_replacement(range(1, _SMALL_POINTS + 1), len(levels))
    for values in sorted(choices, key=lambda values: (sum(values), values)):
        point = dict(zip(levels, values, strict=True))
        yield tuple(point[level] for level in influence)
