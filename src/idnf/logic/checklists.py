"""Checklists: class 1 iff the literals that hold count at least so much together.

Every decision has a reason: literals that count enough, or failed ones without which the rest does not. So "at least m
of n" has reasons of at most max(m, n - m + 1) literals, and is written with n of them and a number, where a DNF takes
m times as many lines as there are ways to choose m of n.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, Self

from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.literals import feature_of, is_negated, literal, mask_of

MOST_ITEMS = 12
"""The most literals of a checklist: its sides are written down."""

MOST_POINTS = 9
"""The most that a literal counts."""


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
            raise ValueError(f"codes must be literals of at most {MOST_ITEMS} different features; got {self.codes}.")
        if len(self.points) != len(self.codes) or not all(1 <= p <= MOST_POINTS for p in self.points):
            raise ValueError(f"points must be from 1 to {MOST_POINTS} for each literal; got {self.points}.")
        if not 0 <= least <= sum(self.points) + 1:
            raise ValueError(f"least must be from 0 to {sum(self.points) + 1}; got {least}.")
        wins = list(least_sets(self.points, least))
        blocks = list(least_sets(self.points, sum(self.points) - least + 1))
        positive = DNF.from_masks(names, [mask_of(self.codes[i] for i in win) for win in wins])
        negative = DNF.from_masks(names, [mask_of(self.codes[i] ^ 1 for i in block) for block in blocks])
        needed = max(map(len, [*wins, *blocks]), default=0)
        super().__init__(positive, negative, needed if k is None else k, space)

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
