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


class Checklist(DoubleDNF):
    """At least so much of some literals.

    Parameters
    ----------
    names : sequence of str
        The features.
    codes : sequence of int
        The literals, of different features.
    least : int
        What those that hold must count together, at least 1 and at most all.
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
        if len(self.points) != len(self.codes) or min(self.points, default=1) < 1:
            raise ValueError(f"points must be a positive number for each literal; got {self.points}.")
        if not 1 <= least <= sum(self.points):
            raise ValueError(f"least must be from 1 to {sum(self.points)}; got {least}.")
        wins = list(least_sets(self.points, least))
        blocks = list(least_sets(self.points, sum(self.points) - least + 1))
        positive = DNF.from_masks(names, [mask_of(self.codes[i] for i in win) for win in wins])
        negative = DNF.from_masks(names, [mask_of(self.codes[i] ^ 1 for i in block) for block in blocks])
        needed = max(map(len, [*wins, *blocks]))
        super().__init__(positive, negative, needed if k is None else k, space)

    @property
    def literal_count(self) -> int:
        """The number of literals written, and one for the number."""
        return len(self.codes) + 1

    def renumbered(self, names: tuple[str, ...], place: Mapping[int, int]) -> Self | DoubleDNF:
        """Return the checklist over other names; if two of its literals become one, its terms."""
        codes = [literal(place[feature_of(code)], negated=is_negated(code)) for code in self.codes]
        if len({feature_of(code) for code in codes}) < len(codes):
            return DoubleDNF(*(side.renumbered(names, place) for side in (self.positive, self.negative)), self.k)
        return type(self)(names, codes, self.least, self.points, k=self.k)

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
    for size in range(1, len(points) + 1):
        for chosen in combinations(range(len(points)), size):
            total = sum(points[i] for i in chosen)
            if least <= total < least + min(points[i] for i in chosen):
                yield chosen
