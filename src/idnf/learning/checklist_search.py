"""Checklists by coordinate search: one literal of "at least m of n" is exchanged at a time while that is better.

Whether an example is given class 1 hangs on a single literal only if exactly m - 1 of the others hold (with points, if
they count less than enough and no less by more than it does), so what every candidate in its place would be worth is
one product of those examples' weights and features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.logic.checklists import MOST_ITEMS, Checklist, least_sets

# Examples looked at, at most; ways to begin with each shape; rounds over all literals of one.
_MOST_ROWS = 4096
_STARTS = 3
_MOST_ROUNDS = 8
# The most literals of checklists in which they count differently, and what one counts at most.
_MOST_UNEQUAL = 5
UNEQUAL_POINTS = 2

Weights = NDArray[np.float64]


def shapes(k: int, most_points: int = 1) -> list[tuple[tuple[int, ...], int]]:
    """Return the checklists of reasons of at most k literals that are not plain "all" or "any": (points, least).

    >>> shapes(2), shapes(2, 2)
    ([((1, 1, 1), 2)], [((1, 1, 1), 2), ((2, 1, 1), 2), ((2, 1, 1), 3)])
    """
    sizes = range(3, min(2 * k, MOST_ITEMS + 1))
    equal = [((1,) * n, m) for n in sizes for m in range(2, n) if max(m, n - m + 1) <= k]
    found: dict[frozenset[tuple[int, ...]], tuple[tuple[int, ...], int]] = {}
    for n in sizes[: _MOST_UNEQUAL - 2]:
        for points in sorted(combinations_with_replacement(range(most_points, 0, -1), n), key=sum):
            for least in range(2, sum(points)):
                wins, blocks = (list(least_sets(points, enough)) for enough in (least, sum(points) - least + 1))
                if max(map(len, [*wins, *blocks])) <= k and {i for win in wins for i in win} == set(range(n)):
                    found.setdefault(frozenset(wins), (points, least))
    return equal + [shape for shape in found.values() if len(set(shape[0])) > 1]


def checklists(  # noqa: PLR0913 - what search takes
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    *,
    allowed: frozenset[int] | None = None,
    random_state: int = 0,
    starts: int = _STARTS,
    most_points: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[Checklist]:
    """Yield the best checklist found of each shape, for two classes.

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    names : sequence of str
        The features.
    k : int
        The largest size of a reason.
    allowed : frozenset of int, optional
        The literals that may stand in terms of class 1; all if not given.
    random_state : int
        Draws the examples looked at if there are very many, and where to begin.
    starts : int
        Ways to begin with each shape.
    most_points : int
        The most that a literal counts.
    is_over : callable
        Tells when to stop.

    Examples
    --------
    >>> points = np.array([[p >> j & 1 for j in range(4)] for p in range(16)], dtype=bool)
    >>> yes = (points[:, :3].sum(axis=1) >= 2).astype(float)
    >>> [best] = checklists(DistinctRows.of_two(points, yes, 1 - yes, True), tuple("abcd"), 2)
    >>> best.codes, best.least
    ((0, 2, 4), 2)
    """
    generator = np.random.default_rng([random_state, 3])
    net = rows.positive - rows.negative
    chosen = np.flatnonzero(net)
    if len(chosen) > _MOST_ROWS:
        chosen = np.sort(generator.choice(chosen, _MOST_ROWS, replace=False))
    codes = np.arange(2 * len(names)) if allowed is None else np.array(sorted(allowed), dtype=np.intp)
    table = _Table(rows.features[chosen].astype(float), net[chosen], codes, is_over)
    for points, least in shapes(k, most_points):
        if is_over():
            return
        if len(set((codes // 2).tolist())) < len(points):
            continue
        begun = table.starts(len(points), starts, generator)
        _, best = max((table.climbed(start, points, least) for start in begun), key=lambda pair: pair[0])
        order = sorted(range(len(points)), key=best.__getitem__)
        yield Checklist(names, [best[i] for i in order], least, [points[i] for i in order]).within(k)


class _Table:
    """Examples as numbers, and the literals to choose from."""

    def __init__(
        self, features: Weights, net: Weights, codes: NDArray[np.intp], is_over: Callable[[], bool] = lambda: False
    ) -> None:
        self.features, self.net, self.codes, self.is_over = features, net, codes, is_over

    def held(self, code: int) -> Weights:
        column = self.features[:, code >> 1]
        return 1 - column if code & 1 else column

    def worths(self, some: NDArray[np.bool_]) -> Weights:
        """Return the weight of some examples that each literal holds for."""
        sums = self.net[some] @ self.features[some]
        return np.stack([sums, self.net[some].sum() - sums], axis=1).ravel()[self.codes]

    def starts(self, count: int, ways: int, generator: np.random.Generator) -> Iterator[list[int]]:
        """Yield literals of different features: the most informative ones, then others drawn from the better half."""
        worths = self.worths(np.ones(len(self.net), dtype=bool))
        ranked = self.codes[np.argsort(-worths, kind="stable")].tolist()
        yield _of_different_features(ranked, count)
        half = ranked[: max(2 * count, len(ranked) // 2)]
        for _ in range(ways - 1):
            yield _of_different_features([*generator.permutation(half).tolist(), *ranked], count)

    def climbed(self, codes: list[int], points: Sequence[int], least: int) -> tuple[float, list[int]]:
        """Return the best checklist that exchanging single literals leads to, after what it is worth."""
        count: Weights = np.sum([point * self.held(code) for code, point in zip(codes, points, strict=True)], axis=0)
        value = float(self.net[count >= least].sum())
        for _ in range(_MOST_ROUNDS):
            before = value
            for place in range(len(codes)):
                others = count - points[place] * self.held(codes[place])
                worths = self.worths((others < least) & (others >= least - points[place]))
                taken = {code >> 1 for i, code in enumerate(codes) if i != place}
                worths[[code >> 1 in taken for code in self.codes.tolist()]] = -np.inf
                best = int(worths.argmax())
                total = float(self.net[others >= least].sum() + worths[best])
                if total > value + 1e-9 * abs(value):
                    codes[place], value = int(self.codes[best]), total
                    count = others + points[place] * self.held(codes[place])
            if value == before or self.is_over():
                break
        return value, codes


def _of_different_features(ranked: Sequence[int], count: int) -> list[int]:
    chosen: dict[int, int] = {}
    for code in ranked:
        chosen.setdefault(code >> 1, code)
    return list(chosen.values())[:count]
