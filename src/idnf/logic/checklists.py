"""Checklists: class 1 iff the literals that hold count at least so much together.

Every decision has a reason: literals that count enough, or failed ones without which the rest does not. So "at least m
of n" has reasons of at most max(m, n - m + 1) literals, and is written with n of them and a number, where a DNF takes
m times as many lines as there are ways to choose m of n.
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
from idnf.logic.model import Counted

MOST_ITEMS = 12
"""The most literals of a checklist: its sides are written down."""

MOST_POINTS = MOST_ITEMS
"""The most that a literal counts: as much as all of a checklist whose literals become one."""

# The same of checklists that are looked for in models.
_MOST_TICKS = 9
_SMALL_POINTS = 3


class Checklist(DoubleDNF):
    """At least so much of some literals.

    Parameters
    ----------
    names : sequence of str
        The features.
    codes : sequence of int
        The literals, of different features.
    least : int
        What those that hold must count together; 0 is always so, more than all never.
    points : sequence of int, optional
        What each literal counts; 1 if not given.
    k : int, optional
        The bound on reasons; the least one if not given.
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
    def counted(self) -> Counted:
        """The literals, what each counts and what is enough."""
        return self.codes, self.points, self.least

    @property
    def literal_count(self) -> int:
        """The number of literals written, and one for the number."""
        return len(self.codes) + 1

    def renumbered(self, names: tuple[str, ...], place: Mapping[int, int]) -> Self:
        """Return the checklist over other names; literals that become one count together, opposite ones cancel out.

        >>> majority = Checklist("abc", (0, 2, 5), 2)
        >>> joined = majority.renumbered(("a", "b"), {0: 0, 1: 0, 2: 1})
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
            points = {one: point - sure * (one | 1 == code | 1) for one, point in points.items()}
        held = {code: point for code, point in points.items() if point}
        least = min(max(least, 0), sum(held.values()) + 1)
        return type(self)(names, tuple(held), least, tuple(held.values()), k=self.k)

    def within(self, k: int) -> Self:
        """Return the same checklist as a model of another bound."""
        return type(self)(self.names, self.codes, self.least, self.points, k=k, space=self.space)

    def __repr__(self) -> str:
        return f"Checklist(k={self.k}, least={self.least}, of={[self.names[feature_of(c)] for c in self.codes]})"


def least_sets(points: Sequence[int], least: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of places that count at least so much together and no longer do without any of theirs.

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
    """A checklist over the frame: a class is given iff the conditions that hold count at least this much together."""

    least: int
    conditions: tuple[Condition, ...]
    points: tuple[int, ...]

    def turned(self, full: Box) -> Ticks:
        """Return the checklist of the other class."""
        failed = tuple((column, full[column] & ~mask) for column, mask in self.conditions)
        return Ticks(sum(self.points) - self.least + 1, failed, self.points)


def ticks_of(reasons: Sequence[Box], opposite: Sequence[Box], space: Space) -> Ticks | None:
    """Return a class as a checklist, given all reasons of both classes; None if it is none with small points.

    "All of these" and "any of these" are not checklists.

    >>> space = Space.boolean("abc")
    >>> majority = [(2, 2, 3), (2, 3, 2), (3, 2, 2)], [(1, 1, 3), (1, 3, 1), (3, 1, 1)]
    >>> ticks_of(*majority, space)
    Ticks(least=2, conditions=((0, 2), (1, 2), (2, 2)), points=(1, 1, 1))
    """
    winning = [dict.fromkeys((j, box[j]) for j in space.constrained(box)) for box in reasons]
    conditions = sorted({one for term in winning for one in term})
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
    """Yield points for each condition, small ones first: more for those with more say, the same for the same."""
    masks = [sum(1 << i for i in win) for win in wins]
    won = [held for held in range(1 << count) if any(held & mask == mask for mask in masks)]
    say = [sum(held >> i & 1 for held in won) for i in range(count)]
    levels = sorted(set(say))
    choices = combinations_with_replacement(range(1, _SMALL_POINTS + 1), len(levels))
    for values in sorted(choices, key=lambda values: (sum(values), values)):
        point = dict(zip(levels, values, strict=True))
        yield tuple(point[one] for one in say)
