"""The best up-set for a fixed literal matrix.

Each example is a point of the grid, a term is a prefix vector r, and it holds at the points c >= r. Given the net
weight (class 1 minus class 0) of each observed point, the best set of prefix vectors is a small problem, solved here by
branch and bound. It is exponential in the number of vectors in the worst case, hence the limit on nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import GridHistogram

Prefixes = tuple[int, ...]

# After this many nodes the time is looked at.
_NODES_A_LOOK = 64


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Vectors:
    """The prefix vectors of rank at most `order` over `order` rows, each after the one it extends.

    Vector v takes one literal more than vector ``parents[v]`` in row ``rows[v]``, ``lengths[v]`` there in all. Vector 0
    is the empty one.
    """

    vectors: tuple[Prefixes, ...]
    rows: tuple[int, ...]
    lengths: tuple[int, ...]
    parents: tuple[int, ...]


@lru_cache(maxsize=16)
def prefix_vectors(order: int) -> Vectors:
    """Return the C(2k, k) prefix vectors for k rows.

    >>> prefix_vectors(2).vectors
    ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0))
    """
    vectors: list[Prefixes] = [()]
    for _ in range(order):
        vectors = [(*r, length) for r in vectors for length in range(order - sum(r) + 1)]
    places = {r: v for v, r in enumerate(vectors)}
    rows, lengths, parents = [0], [0], [0]
    for r in vectors[1:]:
        row = max(i for i, r_i in enumerate(r) if r_i)
        rows.append(row)
        lengths.append(r[row])
        parents.append(places[(*r[:row], 0, *r[row + 1 :])])
    return Vectors(tuple(vectors), tuple(rows), tuple(lengths), tuple(parents))


@lru_cache(maxsize=16)
def vector_arrays(order: int) -> tuple[tuple[NDArray[np.int32], ...], tuple[NDArray[np.uint64], ...], NDArray[np.int8]]:
    """Return prefix vectors, rows, lengths, parents and sizes as arrays, then what is known of their halves.

    >>> [len(each) for each in vector_arrays(2)[0]], vector_arrays(2)[2].shape
    ([12, 6, 6, 6, 6, 2, 4, 6, 3, 6], (3, 16))
    """
    known = prefix_vectors(order)
    prefixes = np.array(known.vectors, dtype=np.int32).reshape(len(known.vectors), order)
    first, second = order - order // 2, order // 2
    digits, halves = zip(*(_half_points(order, rows) for rows in (first, second)), strict=True)
    below = [np.all(points[:, np.newaxis] >= half, axis=2) for points, half in zip(digits, halves, strict=True)]
    bounds = np.concatenate([[0], np.cumsum(below[0].sum(axis=1))])
    line = _whole(len(halves[1]))
    rows = np.zeros((len(below[1]), line), dtype=np.int8)
    rows[:, : len(halves[1])] = -below[1].astype(np.int8)
    ranks = [half.sum(axis=1) for half in halves]
    lanes = [_whole(int(np.count_nonzero(ranks[1] <= order - rank))) for rank in ranks[0]]
    numbers = [{tuple(half): place for place, half in enumerate(each.tolist())} for each in halves]
    places = [numbers[0][vector[:first]] * line + numbers[1][vector[first:]] for vector in known.vectors]
    steps = [(order + 1) ** i for i in range(first)] + [(order + 1) ** i << 16 for i in range(second)]
    integers = (
        *(prefixes.ravel(), known.rows, known.lengths, known.parents, prefixes.sum(axis=1), steps),
        *(bounds, np.nonzero(below[0])[1], lanes, places),
    )
    shifts = np.arange(0, 8 * order, 8, dtype=np.uint64)
    packed = [
        (points.astype(np.uint64) << by).sum(axis=1, dtype=np.uint64)
        for points, by in ((digits[0], shifts[:first]), (digits[1], shifts[first:]), (prefixes, shifts))
    ]
    return tuple(np.ascontiguousarray(each, dtype=np.int32) for each in integers), tuple(packed), rows


def _half_points(order: int, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the points of some rows by their codes, and those of at most `order` literals, short ones first."""
    codes = np.arange((order + 1) ** rows)
    points = codes[:, np.newaxis] // (order + 1) ** np.arange(rows) % (order + 1)
    ranks = points.sum(axis=1)
    short = np.flatnonzero(ranks <= order)
    return points, points[short[np.argsort(ranks[short], kind="stable")]]


def _whole(count: int) -> int:
    """Return a number of lanes that is a multiple of 16."""
    return 16 * -(-count // 16)


@dataclass(frozen=True)
class UpSet:
    """Prefix vectors, the net weight they cover less the price of their literals, and whether nothing beats them."""

    prefixes: tuple[Prefixes, ...]
    value: float
    proved: bool


def best_up_set(
    grid: GridHistogram,
    vectors: Sequence[Prefixes],
    price: float = 0.0,
    *,
    start: Sequence[Prefixes] = (),
    node_limit: int = 100_000,
    is_over: Callable[[], bool] = _never,
) -> UpSet:
    """Return the vectors whose union covers the most net weight, less `price` for each literal.

    Parameters
    ----------
    grid : GridHistogram
        The observed grid points with the weight of each class.
    vectors : sequence of tuple of int
        The prefix vectors to choose from.
    price : float
        In units of weight.
    start : sequence of tuple of int
        Some of the vectors; they are returned unless others are better.
    node_limit : int
        Branching stops after that many nodes; the best set found is returned, not proved.
    is_over : callable
        Tells, now and then, that branching is to stop.

    Examples
    --------
    >>> points = np.array([[0, 1], [1, 0], [1, 1]])
    >>> grid = GridHistogram(points, np.array([0.0, 2.0, 3.0]), np.array([1.0, 0.0, 0.0]))
    >>> best_up_set(grid, prefix_vectors(2).vectors)
    UpSet(prefixes=((1, 0),), value=5.0, proved=True)
    """
    bounds = np.array(vectors, dtype=np.int64).reshape(len(vectors), grid.points.shape[1])
    covers = np.all(grid.points[np.newaxis] >= bounds[:, np.newaxis], axis=2)
    net = grid.positive - grid.negative
    places = [list(vectors).index(r) for r in start]
    rounding = 1e-9 * float(np.abs(net).sum())
    branching = _Branching(covers, net, price * bounds.sum(axis=1), node_limit, rounding, is_over)
    branching.run(places)
    chosen = tuple(tuple(vectors[v]) for v in sorted(branching.best))
    return UpSet(chosen, branching.value, not branching.stopped)


def best_vectors(
    covers: NDArray[np.bool_],
    net: NDArray[np.float64],
    prices: NDArray[np.int64],
    *,
    start: Sequence[int] = (),
    node_limit: int,
) -> tuple[list[int], float]:
    """Return the vectors whose union covers the most whole net weight, less their prices, and that value.

    Parameters
    ----------
    covers : ndarray of shape (n_vectors, n_points), dtype=bool
        Which vectors hold at which points.
    net : ndarray of shape (n_points,), dtype=float64
        Whole numbers: sums are exact.
    prices : ndarray of shape (n_vectors,), dtype=int64
        What each vector costs.
    start : sequence of int
        Some of the vectors; they are returned unless others are better.
    node_limit : int
        Branching stops after that many nodes.
    """
    branching = _Branching(covers, net, prices.astype(np.float64), node_limit, 0.0)
    branching.run(list(start))
    return sorted(branching.best), branching.value


class _Branching:
    """Branch and bound: take the vector with the greatest gain or never take it."""

    def __init__(
        self,
        covers: NDArray[np.bool_],
        net: NDArray[np.float64],
        prices: NDArray[np.float64],
        node_limit: int,
        rounding: float,
        is_over: Callable[[], bool] = _never,
    ) -> None:
        self.covers = covers
        self.net = net
        self.prices = prices
        self.node_limit = node_limit
        self.is_over = is_over
        self.nodes = 0
        self.stopped = False
        self.best: list[int] = []
        self.value = 0.0
        self.rounding = rounding

    def run(self, start: list[int]) -> None:
        """Find the best set, beginning with some vectors."""
        self.begin(start)
        useful = np.flatnonzero(self.covers.any(axis=1))
        self.explore(useful, np.zeros(len(self.net), dtype=bool), [], 0.0)

    def begin(self, chosen: list[int]) -> None:
        """Take some vectors as the best set so far, if they are worth anything."""
        covered = self.covers[chosen].any(axis=0)
        value = float(self.net[covered].sum() - self.prices[chosen].sum())
        if value > self.rounding:
            self.best, self.value = chosen, value

    def explore(
        self, candidates: NDArray[np.intp], covered: NDArray[np.bool_], chosen: list[int], value: float
    ) -> None:
        """Improve on the best set with what can be added to `chosen`."""
        while True:
            self.nodes += 1
            if value > self.value + self.rounding:
                self.best, self.value = list(chosen), value
            left = np.where(covered, 0.0, self.net)
            useful = self.covers[candidates] @ np.maximum(left, 0.0) - self.prices[candidates] > self.rounding
            candidates = candidates[useful]
            if not len(candidates) or self._stops():
                return
            reachable = self.covers[candidates].any(axis=0)
            if value + np.maximum(left[reachable], 0.0).sum() <= self.value + self.rounding:
                return
            gains = self.covers[candidates] @ left - self.prices[candidates]
            place = int(gains.argmax())
            best = int(candidates[place])
            candidates = np.delete(candidates, place)
            self.explore(candidates, covered | self.covers[best], [*chosen, best], value + float(gains[place]))

    def _stops(self) -> bool:
        timely = self.nodes % _NODES_A_LOOK or not self.is_over()
        self.stopped = self.stopped or self.nodes > self.node_limit or not timely
        return self.stopped
