"""Where to cut an ordered column, and which readable value to write for a cut.

A column is first condensed to its distinct values with the weight of each class, so that integer weights and repeated
rows give the same cuts exactly, and a column of many distinct values is condensed further to fine bins of equal weight.
Cuts are positions between neighbouring distinct values; the value written for one is the shortest in the gap.

Every column is cut at its own values, those of `MOST_CUT_ROWS` rows in a larger table (`spread_rows`). Under a time
limit the columns before it tell how long a row takes, and each column is cut by as many rows as the time left for it
allows (`TimeSlices`); and the learner looks at as many as there is time to make features of (`rows_in_time`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from heapq import heappop, heappush
from itertools import combinations_with_replacement
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import DAY
from idnf.logic.deadlines import Deadline

FINE_BINS = 1000
"""Columns of more distinct values than this are cut at the borders of this many bins of equal weight."""

SMALLEST_SHARE = 0.005
"""No tree cut leaves less than this share of the weight on one side within its node."""

SMOOTHED = 0.01
"""The share of all weight that categories are given with the usual shares of the classes, to be put in an order."""

# Years, months, days and so on, as numpy abbreviates them.
_TIME_STEPS = {"date": "YMD", "datetime": "YMDhms", "datetime-utc": "YMDhms"}


@dataclass(frozen=True)
class CountedValues:
    """The distinct values of a column, ascending, and the weight of each class at each of them.

    Parameters
    ----------
    values : ndarray of shape (n_distinct,)
    weights : ndarray of shape (n_distinct, n_classes)
    """

    values: NDArray[np.float64]
    weights: NDArray[np.float64]

    @classmethod
    def from_examples(
        cls,
        values: NDArray[np.float64],
        classes: NDArray[np.intp],
        weights: NDArray[np.float64],
        *,
        n_classes: int,
    ) -> CountedValues:
        """Count the examples of each distinct value.

        >>> counted = CountedValues.from_examples(np.array([2.0, 1, 2]), np.array([0, 1, 1]), np.ones(3), n_classes=2)
        >>> counted.values.tolist(), counted.weights.tolist()
        ([1.0, 2.0], [[0.0, 1.0], [1.0, 1.0]])
        """
        order = np.argsort(values)
        ascending = values[order]
        starts = np.empty(len(ascending), dtype=bool)
        starts[:1] = True
        np.not_equal(ascending[1:], ascending[:-1], out=starts[1:])
        distinct = ascending[starts]
        slots = (np.cumsum(starts) - 1) * n_classes + classes[order]
        totals = np.bincount(slots, weights=weights[order], minlength=len(distinct) * n_classes)
        return cls(distinct, totals.astype(np.float64, copy=False).reshape(len(distinct), n_classes))

    @property
    def n_cuts(self) -> int:
        """The number of places where the column can be cut."""
        return max(len(self.values) - 1, 0)

    def gap(self, position: int) -> tuple[float, float]:
        """Return the neighbouring values between which a cut lies."""
        return float(self.values[position]), float(self.values[position + 1])


def quantile_positions(counted: CountedValues, max_cuts: int) -> list[int]:
    """Return at most `max_cuts` positions that split the weight evenly, ascending.

    Position p cuts between the p-th distinct value and the next.

    >>> counted = CountedValues(np.arange(8.0), np.ones((8, 1)))
    >>> quantile_positions(counted, 3)
    [1, 3, 5]
    """
    if counted.n_cuts <= max_cuts:
        return list(range(counted.n_cuts))
    cumulative = np.cumsum(counted.weights.sum(axis=1))
    targets = cumulative[-1] * np.arange(1, max_cuts + 1) / (max_cuts + 1)
    positions = np.unique(np.searchsorted(cumulative, targets, side="left"))
    found: list[int] = positions[positions < counted.n_cuts].tolist()
    return found


def tree_positions(counted: CountedValues, max_cuts: int) -> list[int]:
    """Return at most `max_cuts` positions chosen by a decision tree on this column alone, ascending.

    >>> counted = CountedValues(np.arange(5.0), np.array([[9, 0], [9, 0], [0, 9], [9, 0], [9, 0]], dtype=float))
    >>> tree_positions(counted, 2)
    [1, 2]
    """
    if counted.n_cuts <= max_cuts:
        return list(range(counted.n_cuts))
    if max_cuts == 0:
        return []
    borders = np.array(quantile_positions(counted, FINE_BINS), dtype=np.intp)
    binned = np.add.reduceat(counted.weights, np.concatenate([[0], borders + 1]), axis=0)
    sums = np.concatenate([np.zeros((1, binned.shape[1])), np.cumsum(binned, axis=0)])
    # The best split of every node that has one, by what it gains; of equals the one found first.
    waiting = [(-gain, 0, split) for gain, split in _best_split(sums, 0, len(binned))]
    found: list[int] = []
    while waiting and len(found) < max_cuts:
        _, _, (first, middle, last) = heappop(waiting)
        found.append(int(borders[middle - 1]))
        if len(found) == max_cuts:
            break
        for start, stop in ((first, middle), (middle, last)):
            for gain, split in _best_split(sums, start, stop):
                heappush(waiting, (-gain, len(found), split))
    return sorted(found)


def _best_split(sums: NDArray[np.float64], first: int, last: int) -> list[tuple[float, tuple[int, int, int]]]:
    """Return the split of some bins that gains most by Gini's measure, none if no split is allowed.

    Row p of the sums has the weight of each class in the first p bins.
    """
    whole = sums[last] - sums[first]
    if last - first < 2 or np.count_nonzero(whole) < 2:
        return []
    left = sums[first + 1 : last] - sums[first]
    right = whole - left
    left_weight, right_weight = left.sum(axis=1), right.sum(axis=1)
    least = SMALLEST_SHARE * sums[-1].sum()
    allowed = (left_weight >= least) & (right_weight >= least) & (left_weight > 0) & (right_weight > 0)
    if not allowed.any():
        return []
    with np.errstate(divide="ignore", invalid="ignore"):
        purity = (left * left).sum(axis=1) / left_weight + (right * right).sum(axis=1) / right_weight
    place = int(np.where(allowed, purity, -np.inf).argmax())
    gain = float(purity[place] - (whole * whole).sum() / whole.sum())
    return [(gain, (first, first + 1 + place, last))]


def best_runs(weights: NDArray[np.float64], most: int) -> tuple[tuple[int, int], ...]:
    """Return the intervals between two cuts that separate the classes best: the first and the last cell of each.

    An interval is two comparisons to write, so it must distinguish them better than every single cut does. Row c of the
    weights has the weight of each class in cell c; of equals the first are taken.

    >>> best_runs(np.array([[9, 0], [1, 8], [0, 9], [9, 0], [9, 0]], dtype=float), 2)
    ((1, 2), (2, 2))
    """
    sums = np.concatenate([np.zeros((1, weights.shape[1])), np.cumsum(weights, axis=0)])
    runs = combinations_with_replacement(range(1, len(weights) - 1), 2)
    gains = {(low, high): _purity_gain(sums[high + 1] - sums[low], sums[-1]) for low, high in runs}
    return _best_above(gains, [_purity_gain(upto, sums[-1]) for upto in sums[1:-1]], most)


def best_sets(weights: NDArray[np.float64], most: int) -> tuple[int, ...]:
    """Return sets of two cells or more, and of all but two or fewer, that separate the classes best, as masks.

    For each class the cells are taken in the order of its share in them, smoothed: as though every cell had a hundredth
    of all weight more, with the usual share. A set and what it leaves out are the same condition; it must tell the
    classes apart better than every single cell does.

    >>> [bin(mask) for mask in best_sets(np.array([[9, 1], [1, 8], [8, 2], [0, 5], [9, 9]], dtype=float), 1)]
    ['0b1010']
    """
    cells, classes = weights.shape
    whole = weights.sum(axis=0)
    smoothed = weights + SMOOTHED * whole
    shares = smoothed / smoothed.sum(axis=1, keepdims=True)
    found: dict[int, float] = {}
    for label in range(1 if classes == 2 else 0, classes):
        order = np.argsort(-shares[:, label], kind="stable")
        for size in range(2, cells - 1):
            mask = sum(1 << cell for cell in order[:size].tolist())
            if (1 << cells) - 1 - mask not in found:
                found[mask] = _purity_gain(weights[order[:size]].sum(axis=0), whole)
    return _best_above(found, [_purity_gain(cell, whole) for cell in weights], most)


T = TypeVar("T", int, tuple[int, int])


def _best_above(gains: dict[T, float], single: Sequence[float], most: int) -> tuple[T, ...]:
    """Return, sorted, the conditions that gain most, and more than every single comparison."""
    least = max(single, default=0.0) * (1 + 1e-12)
    better = [one for one in gains if gains[one] > least]
    return tuple(sorted(sorted(better, key=lambda one: (-gains[one], one))[:most]))


def _purity_gain(inside: NDArray[np.float64], whole: NDArray[np.float64]) -> float:
    """Return the weight that is of one class with itself if some of the weight is set apart from the rest (Gini)."""
    parts = [part for part in (inside, whole - inside) if part.sum() > 0]
    return float(sum((part * part).sum() / part.sum() for part in parts))


def readable_number(low: float, high: float, *, whole: bool = False) -> float:
    """Return a short number t with ``low <= t < high``, from the middle half of the gap if it has one.

    Between neighbours, such as 4.5 and 4.6, there is no number of as many digits: the lower one is taken.

    >>> readable_number(16.79, 16.82), readable_number(30, 31, whole=True), readable_number(30, 45)
    (16.8, 30.0, 40.0)
    >>> readable_number(4.5, 4.6), readable_number(9.99, 10.0)
    (4.5, 9.99)
    """
    middle = low / 2 + high / 2
    half = high / 2 - low / 2
    if whole and high - low <= 2:
        return float(math.floor(middle))
    if _are_neighbours(low, high):
        return low + 0.0  # not -0.0
    if half > 0:
        exponent = math.floor(math.log10(max(abs(low), abs(high)))) + 1
        while exponent >= math.floor(math.log10(half)):
            candidate = float(f"{round(Decimal(middle).scaleb(-exponent))}e{exponent}")
            if abs(candidate - middle) <= half / 2 and low <= candidate < high:
                return candidate
            exponent -= 1
    return middle if low <= middle < high else low


def _are_neighbours(low: float, high: float) -> bool:
    """Return whether two numbers are one step of their last digit after the point apart."""
    ends = [Decimal(repr(float(end))) for end in (low, high)]
    step = min(int(end.normalize().as_tuple().exponent) for end in ends)
    return step < 0 and ends[1] - ends[0] == Decimal(1).scaleb(step)


def readable_time(low: float, high: float, kind: str, *, unit: int = 1) -> float:
    """Return a round date, time or duration t, in microseconds, with ``low <= t < high``.

    Dates prefer the last day of a year, then of a month; times prefer the first moment of a year, month, day, hour.
    Durations are multiples of `unit`, of which `low` must be one.

    >>> from idnf.columns.phrases import time_value, time_words
    >>> low, high = time_value("2019-11-03", "date"), time_value("2020-02-20", "date")
    >>> time_words(readable_time(low, high, "date"), "date")
    '2019-12-31'
    """
    middle, half = math.floor((low + high) / 2), (high - low) / 2
    if kind == "duration":
        middle = middle // unit * unit
        candidates = _round_durations(middle, unit)
    else:
        candidates = [_near(middle, step, kind) for step in _TIME_STEPS[kind]]
    for pair in candidates:
        for candidate in sorted(pair, key=lambda t: (abs(t - middle), t)):
            if abs(candidate - middle) <= half / 2 and low <= candidate < high:
                return float(candidate)
    return float(math.floor(middle / DAY) * DAY if kind == "date" else middle)


def common_unit(durations: NDArray[np.float64]) -> int:
    """Return the day, hour, minute or second of which all durations are multiples, or a microsecond.

    >>> common_unit(np.array([2.0, 5.0]) * 3_600_000_000)
    3600000000
    """
    units = (DAY, 3_600_000_000, 60_000_000, 1_000_000)
    return next((unit for unit in units if (durations % unit == 0).all()), 1)


def _round_durations(middle: int, unit: int) -> list[list[float]]:
    powers = [10**p * DAY for p in range(5, -1, -1)]
    steps = [*powers, 3_600_000_000, 600_000_000, 60_000_000, 10_000_000, *(10**p for p in range(6, -1, -1))]
    return [[middle // step * step, (middle // step + 1) * step] for step in steps if step >= unit]


def _near(middle: int, step: str, kind: str) -> list[float]:
    """Return the borders of the year, month, ... in which a time lies; for dates the last days before them."""
    start = np.datetime64(middle, "us").astype(f"datetime64[{step}]")
    shift = DAY if kind == "date" and step != "D" else 0
    borders = np.array([start, start + 1]).astype("datetime64[us]").astype(np.int64)
    return [float(border - shift) for border in borders.tolist()]


MOST_CUT_ROWS = 200_000
"""Rows that columns are cut by; of a larger table as many are drawn."""


def spread_rows(rows: int, most: int) -> NDArray[np.intp]:
    """Return that many rows of more, drawn one from each of equal stretches of the table; the same in every column.

    >>> spread_rows(8, 4) // 2
    array([0, 1, 2, 3])
    """
    inner = np.random.default_rng([rows, most]).random(most)
    return np.minimum((np.arange(most) + inner) * (rows / most), rows - 1).astype(np.intp)


# Seconds that a row takes as far as is known before the first column, rather too many.
_SECONDS_A_ROW = 2e-6

LEAST_ROWS = 200
"""The fewest rows that a column is cut by."""


class TimeSlices:
    """The time left for the columns of a table.

    Parameters
    ----------
    deadline : Deadline
    columns : int
        How many columns there are still to be cut.

    Examples
    --------
    >>> times = iter([0.0, 2.0, 2.0, 3.0])
    >>> hurry = TimeSlices(Deadline(5.0, clock=lambda: next(times)), columns=5)
    >>> with hurry.column(10_000) as rows:    # a column has a second, more than enough
    ...     rows
    10000
    >>> with hurry.column(10_000) as rows:    # but it took two seconds, and four columns have three
    ...     rows
    3750
    """

    def __init__(self, deadline: Deadline, columns: int) -> None:
        self._deadline = deadline
        self._columns = columns
        self._seconds = self._rows = 0.0

    @contextmanager
    def column(self, rows: int) -> Iterator[int]:
        """Give how many of the rows of a column to look at, and note how long that takes."""
        if not self._deadline.is_set:
            yield rows
            return
        began = self._deadline.clock()
        each = max(self._deadline.end - began, 0.0) / max(1, self._columns)
        takes = max(self._seconds / self._rows, 1e-9) if self._rows else _SECONDS_A_ROW
        taken = min(rows, max(LEAST_ROWS, int(each / takes)))
        yield taken
        self._seconds += self._deadline.clock() - began
        self._rows += taken
        self._columns -= 1


# What is done with the features of a row before learning begins, counted in the time that making them takes.
_STEPS = 8
# Tables with fewer rows are not sampled; of others a part is tried to see how long it takes.
_FEW = 2000
_TRIED = 20
# Rows of each class that a sample has at least, if there are that many.
_LEAST_OF_CLASS = 50


def rows_in_time(
    make: Callable[[slice], object], labels: NDArray[np.intp], deadline: Deadline, seed: int
) -> NDArray[np.intp] | None:
    """Return the rows that there is time to look at; None if there is time for all of them.

    Parameters
    ----------
    make : callable
        Makes the features of some rows.
    labels : int array of shape (rows,)
        The class of each row, -1 for rows that do not count.
    deadline : Deadline
        When all features are to be there.
    seed : int
    """
    rows = len(labels)
    if not deadline.is_set or rows <= _FEW:
        return None
    tried = max(_FEW // 2, rows // _TRIED)
    left, began = deadline.left, deadline.clock()
    make(slice(0, tried))
    each = _STEPS * (deadline.clock() - began) / tried
    most = max(_FEW // 2, int(left / max(each, 1e-12)))
    return None if most >= rows else _sample(labels, most, np.random.default_rng([seed, 3]))


def _sample(labels: NDArray[np.intp], most: int, generator: np.random.Generator) -> NDArray[np.intp]:
    """Return about that many rows, of each class in proportion and not too few.

    >>> labels = np.repeat([0, 1], [900, 100])
    >>> np.bincount(labels[_sample(labels, 500, np.random.default_rng(0))]).tolist()
    [450, 50]
    """
    share = most / len(labels)
    chosen = []
    for label in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == label)
        count = min(len(members), max(_LEAST_OF_CLASS, round(share * len(members))))
        chosen.append(generator.permutation(members)[:count])
    return np.sort(np.concatenate(chosen))
