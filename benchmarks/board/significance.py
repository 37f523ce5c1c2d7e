"""Tests of differences: Wilcoxon's signed ranks with Holm's correction; mean ranks, Nemenyi's critical difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf, sqrt
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, studentized_range, wilcoxon

from .means import ACCURACY, Board, Measure

OURS = "idnf"
RESAMPLES = 9_999
LEVEL = 0.05


@dataclass(frozen=True)
class Compared:
    """Ours beside a peer at one k: means over the same data sets, who is ahead on how many, and the test.

    ``differences`` are ours minus theirs on each data set, ``spread`` is their standard deviation.
    """

    peer: str
    k: int
    differences: tuple[float, ...]
    ours: float
    theirs: float
    wins: int
    losses: int
    p: float
    spread: float
    corrected: float = 1.0

    @property
    def data_sets(self) -> int:
        """On how many data sets they were compared."""
        return len(self.differences)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Where the mean of ours minus theirs lies 95 of 100 times."""
        return interval(self.differences)

    @property
    def difference(self) -> float:
        """By how much our mean is above theirs."""
        return self.ours - self.theirs

    @property
    def ties(self) -> int:
        """The data sets where both are the same."""
        return self.data_sets - self.wins - self.losses


def signed_rank(differences: Sequence[float]) -> float:
    """Return the p-value of Wilcoxon's test, two-sided; 1 where nothing differs.

    >>> signed_rank([0.0, 0.0]), round(signed_rank([1, 2, 3, 4, 5, 6]), 3)
    (1.0, 0.031)
    """
    rounded = [round(value, 9) for value in differences]
    if not any(rounded):
        return 1.0
    # Exact where all sizes differ and none is zero; with ties scipy would try every sign of few differences.
    distinct = len({abs(value) for value in rounded} - {0.0}) == len(rounded)
    return float(wilcoxon(rounded, method="auto" if distinct else "asymptotic").pvalue)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [1.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        found[place] = largest
    return found


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return where the mean of differences lies 95 of 100 times if data sets are drawn anew (percentile bootstrap).

    >>> low, high = interval([1.0, 2.0, 3.0])
    >>> round(low, 2), round(high, 2)
    (1.0, 3.0)
    """
    values = np.asarray(differences, dtype=float)
    low, high = np.quantile(values[_draws(len(values))].mean(axis=1), [LEVEL / 2, 1 - LEVEL / 2])
    return float(low), float(high)


@lru_cache(8)
def _draws(count: int) -> NDArray[np.int64]:
    """Return places of that many data sets, drawn anew many times: the same for every comparison."""
    return np.random.default_rng(0).integers(0, count, (RESAMPLES, count))


def compared(board: Board, peer: str, k: int, measure: Measure = ACCURACY, *, ours: str = OURS) -> Compared | None:
    """Return ours beside a peer on the data sets that both have, None where there is none."""
    pairs = board.pairs(ours, peer, k, measure)
    if not pairs:
        return None
    raw = [mine - theirs for _, mine, theirs in pairs]
    differences = [round(measure.better * value, 9) for value in raw]
    return Compared(
        peer=peer,
        k=k,
        differences=tuple(raw),
        ours=fmean(mine for _, mine, _ in pairs),
        theirs=fmean(theirs for _, _, theirs in pairs),
        wins=sum(value > 0 for value in differences),
        losses=sum(value < 0 for value in differences),
        p=signed_rank(differences),
        spread=float(np.std(raw)),
    )


def all_compared(
    board: Board, peers: Sequence[str], measure: Measure = ACCURACY, *, ours: str = OURS
) -> list[Compared]:
    """Return ours beside every peer at every k, with p-values corrected for the number of them."""
    found = [compared(board, peer, k, measure, ours=ours) for k in board.bounds for peer in peers]
    kept = [each for each in found if each is not None]
    corrected = holm([each.p for each in kept])
    return [replace(each, corrected=p) for each, p in zip(kept, corrected)]


@dataclass(frozen=True)
class Ranks:
    """Mean ranks of methods over the data sets that all have, best first, and what difference is critical at 5 %."""

    k: int
    data_sets: int
    means: tuple[tuple[str, float], ...]
    critical: float


def ranks(board: Board, methods: Sequence[str], k: int, measure: Measure = ACCURACY) -> Ranks | None:
    """Return mean ranks; None with fewer than two methods or data sets."""
    data = board.common(methods, k, measure)
    if len(data) < 2 or len(methods) < 2:
        return None
    values = [board.values(method, k, measure) for method in methods]
    by_data = [rankdata([-measure.better * round(found[name], 9) for found in values]) for name in data]
    means = [(method, float(fmean(row[i] for row in by_data))) for i, method in enumerate(methods)]
    count = len(methods)
    critical = studentized_range.ppf(0.95, count, inf) / sqrt(2) * sqrt(count * (count + 1) / (6 * len(data)))
    return Ranks(k, len(data), tuple(sorted(means, key=lambda pair: pair[1])), float(critical))
