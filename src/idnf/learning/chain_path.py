"""How many bands, how much of k and what to minimise, chosen by cross-validation on the log loss.

Functions learned quickly, apart, for every boundary on most of the examples are counted on the others: how many of them
hold is nearly the band that a chain would give. With all boundaries and with fewer of them, for every size and
objective, the log loss there is taken. All of k, all boundaries and the cautious objective are used unless another
setting is clearly better: the fewest bands within half a standard error rank worse on the data to choose on. Bands that
the examples do not tell apart become one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import isotonic_regression
from sklearn.utils.parallel import Parallel, delayed

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.belief import unseen_share
from idnf.learning.chains import (
    CAUTIOUS,
    Boundary,
    ChainTask,
    LearnedChain,
    Weighing,
    band_numbers,
    learn_chain,
    part_of,
)
from idnf.learning.local.quick_search import models_by_size
from idnf.learning.objective import Asked, Objective
from idnf.learning.path import CAUTIONS, FOLD_SEED, LEAST_SIZE, Caution, parts_held_out
from idnf.logic.model import Model

# Distinct rows that cross-validation looks at; of more, a sample.
_MOST_ROWS = 3000
# Fewer distinct rows than this tell nothing.
_LEAST_ROWS = 12
# The effort of a search in the folds as a part of the whole one's, and the part of the time for them.
_QUICK, _TRYING = 0.02, 0.4
# Another setting is taken than all of k, all boundaries and caution if it is better by this many standard errors.
_CLEARLY = 2.0
# Boundaries that are tried where none are asked for; none beyond these odds, nor two whose log odds differ by less.
_BOUNDARIES, _LEAST_ODDS, _LEAST_GAP = 8, 0.02, 0.15


@dataclass(frozen=True)
class Wanted:
    """Which boundaries are asked for.

    Attributes
    ----------
    given : tuple of Boundary
        These and no others; if there are none, they are chosen.
    count : int or None
        How many are chosen; as many as pay if not given.
    decisive : float
        The probability from which on the higher label is given: one boundary is there.
    """

    given: tuple[Boundary, ...] = ()
    count: int | None = None
    decisive: float = 0.5

    def tried(self, examples: Weighing) -> tuple[Boundary, ...]:
        """Return the boundaries to begin with."""
        return self.given or spread_boundaries(examples, self.count or _BOUNDARIES, self.decisive)

    def kept(self, tried: Sequence[Boundary]) -> list[int]:
        """Return the places of those that stay whether they pay or not."""
        free = not self.given and self.count is None
        return [place for place, boundary in enumerate(tried) if not free or boundary.at == self.decisive]


def spread_boundaries(examples: Weighing, count: int, decisive: float = 0.5) -> tuple[Boundary, ...]:
    """Return boundaries that divide the examples evenly by what other models think of them; one is the decisive one.

    >>> features = np.array([[p >> j & 1 for j in range(6)] for p in range(64)], dtype=bool)
    >>> sick = features.sum(axis=1) * 10.0
    >>> rows = DistinctRows.of_two(features, sick, 60 - sick, True)
    >>> low, middle, high = (boundary.at for boundary in spread_boundaries(Weighing(rows), 3))
    >>> middle, 0.2 < low < 0.4, 0.6 < high < 0.8
    (0.5, True, True)
    """
    rows, guess = examples.rows, examples.guess(Boundary(decisive))[:, 1]
    asked = ~np.isnan(guess)
    order = np.argsort(guess[asked], kind="stable")
    chances, masses = guess[asked][order], rows.masses[asked][order]
    places = (np.cumsum(masses) - masses / 2) / masses.sum()
    spread = np.interp((np.arange(count) + 0.5) / count, places, chances).clip(_LEAST_ODDS, 1 - _LEAST_ODDS)
    odds = np.log(spread / (1 - spread))
    middle = float(np.log(decisive / (1 - decisive)))
    others = [each for each in np.delete(odds, np.abs(odds - middle).argmin()) if abs(each - middle) >= _LEAST_GAP]
    found = [middle]
    for each in sorted(others):
        if all(abs(each - one) >= _LEAST_GAP for one in found):
            found.append(each)
    at = sorted({round(float(1 / (1 + np.exp(-each))), 2) for each in found[1:]} - {decisive} | {decisive})
    return tuple(map(Boundary, at))


def learn_bands(
    rows: DistinctRows, wanted: Wanted, task: ChainTask, *, tune: bool = True
) -> tuple[LearnedChain, ChainPath | None, Weights | None]:
    """Learn a chain; return it, what cross-validation said, and what it held out by band.

    Boundaries that were not asked for and tell no examples apart are left out.
    """
    examples, options = Weighing(rows), task.options
    boundaries = wanted.tried(examples)
    path = None
    if tune and options.price is None:
        trying = replace(options, deadline=options.deadline.part(_TRYING), progress=part_of(options.progress, 0.0, 0.5))
        try:
            path = chain_path(rows, boundaries, replace(task, options=trying), kept=wanted.kept(boundaries))
        except KeyboardInterrupt:
            options.deadline.stop()
    places = range(len(boundaries)) if path is None else path.chosen.boundaries
    size, caution = (task.k, CAUTIOUS) if path is None else (path.chosen.size, path.chosen.caution)
    later = replace(task, k=size, options=replace(options, progress=part_of(options.progress, 0.5, 1.0)))
    others = () if path is None else path.models
    chain = learn_chain(examples, [boundaries[place] for place in places], later, caution=caution, others=others)
    if not wanted.given:
        chain = chain.merged()

    def counts(part: LearnedChain) -> Weights | None:
        return None if path is None else path.counts([boundaries.index(one) for one in part.boundaries])

    held_out = counts(chain)
    if held_out is not None and not wanted.given:
        bands = band_numbers(_holding(chain.models, rows) > 0)
        seen: Weights = held_out + counts_by_band(bands, rows.weights, len(chain.models))
        chain = chain.at(paying(seen))
    chain = replace(chain, models=tuple(model.within(task.k) for model in chain.models))
    return chain, path, counts(chain)


def paying(counts: Weights) -> list[int]:
    """Return the boundaries whose two sides differ in the share of the higher class, the middle one if there is none.

    >>> paying(np.array([[9.0, 1], [5, 5], [6, 4], [1, 9]]))
    [0, 2]
    """
    high = band_shares(counts)[:, 1]
    return [place for place in range(len(high) - 1) if high[place + 1] > high[place] + 1e-9] or [(len(high) - 1) // 2]


def band_shares(counts: Weights) -> Weights:
    """Return the share of each class in each band, such that higher classes become no less likely in higher bands.

    One example of each class is added to every band. Neighbouring bands that are out of order share what they have.

    Parameters
    ----------
    counts : float array of shape (bands, classes)
        The weight of each class in each band, both in ascending order.

    Examples
    --------
    >>> band_shares(np.array([[8.0, 0], [2, 6], [3, 5]])).round(2).tolist()
    [[0.9, 0.1], [0.35, 0.65], [0.35, 0.65]]
    """
    smooth = counts + 1.0
    totals = smooth.sum(axis=1)
    above = np.cumsum(smooth[:, ::-1], axis=1)[:, ::-1] / totals[:, None]
    pooled = [isotonic_regression(share, sample_weight=totals) for share in above.T[1:]]
    edges = np.stack([np.ones(len(counts)), *pooled, np.zeros(len(counts))])
    shares: Weights = (edges[:-1] - edges[1:]).T
    return shares


@dataclass(frozen=True)
class ChainPoint:
    """A setting, and what cross-validation says of it.

    Attributes
    ----------
    size : int
        How much of k its functions use.
    caution : Caution
        What they minimise.
    boundaries : tuple of int
        The places of its boundaries among all.
    loss : float
        The mean log loss of the examples held out.
    spread : float
        The standard error of its difference to the loss of all boundaries, all of k and the cautious objective.
    conditions : float
        The literals of its functions, on the average over the folds.
    """

    size: int
    caution: Caution
    boundaries: tuple[int, ...]
    loss: float
    spread: float
    conditions: float


@dataclass(frozen=True)
class ChainPath:
    """Every setting that was tried and the one chosen.

    Attributes
    ----------
    points : tuple of ChainPoint
    chosen : ChainPoint
    models : tuple of Model
        What the folds found with the chosen size and objective.
    counts : callable
        Gives, for the places of some boundaries, the weight of each class among the examples held out by the band that
        they make with the chosen size and objective.
    """

    points: tuple[ChainPoint, ...]
    chosen: ChainPoint
    models: tuple[Model, ...]
    counts: Callable[[Sequence[int]], Weights]


def chain_path(
    rows: DistinctRows,
    boundaries: Sequence[Boundary],
    task: ChainTask,
    *,
    kept: Sequence[int] | None = None,
    cautions: Sequence[Caution] = CAUTIONS,
) -> ChainPath | None:
    """Return what cross-validation says of every setting; None if the examples or the time are too few.

    Parameters
    ----------
    rows : DistinctRows
        The examples, their classes in order.
    boundaries : sequence of Boundary
        All there may be.
    task : ChainTask
    kept : sequence of int, optional
        The places of boundaries that stay; all of them if not given.
    cautions : sequence of Caution
        What functions may minimise.
    """
    if len(rows.features) < _LEAST_ROWS or not task.names or not unseen_share(rows.features):
        return None
    some = rows.sampled(_MOST_ROWS, 0) if len(rows.features) > _MOST_ROWS else rows
    folds = list(chain_folds(some, np.random.default_rng(FOLD_SEED)))
    found = _tried(folds, boundaries, task, cautions)
    if found is None:
        return None
    least = min(task.k, LEAST_SIZE)
    trials = [
        _Trial(size, caution, [[models[c][b][size - 1] for b in range(len(boundaries))] for models in found], folds)
        for c, caution in enumerate(cautions)
        for size in range(least, task.k + 1)
    ]
    stay = range(len(boundaries)) if kept is None else kept
    settings = [(trial, places) for trial in trials for places in fewer_and_fewer(len(boundaries), stay)]
    usual = (task.k, cautions[-1], len(boundaries))
    return _chosen(settings, [(trial.size, trial.caution, len(places)) for trial, places in settings].index(usual))


def fewer_and_fewer(count: int, kept: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all places, then fewer and fewer, spread evenly, with those that are kept.

    Which ones go does not depend on the examples: the best of all subsets would look better than it is.

    >>> list(fewer_and_fewer(5, [2]))
    [(0, 1, 2, 3, 4), (0, 2, 3, 4), (0, 2, 4), (0, 2), (2,)]
    """
    yield tuple(range(count))
    for fewer in range(count - 1, len(kept) - 1, -1):
        free = [place for place in range(count) if place not in kept]
        spread = np.linspace(0, len(free) - 1, fewer - len(kept)).round().astype(int).tolist()
        yield tuple(sorted([*kept, *(free[place] for place in spread)]))


def chain_folds(rows: DistinctRows, generator: np.random.Generator) -> Iterator[tuple[DistinctRows, DistinctRows]]:
    """Yield examples to learn from and examples held out, class by class in equal parts."""
    parts = np.stack([parts_held_out(weights, generator) for weights in rows.weights.T], axis=2)
    for held in parts:
        left = rows.weights - held
        shown, asked = left.any(axis=1), held.any(axis=1)
        yield (
            DistinctRows(rows.features[shown], left[shown], rows.complete),
            DistinctRows(rows.features[asked], held[asked], rows.complete),
        )


def _tried(
    folds: Sequence[tuple[DistinctRows, DistinctRows]],
    boundaries: Sequence[Boundary],
    task: ChainTask,
    cautions: Sequence[Caution],
) -> list[list[list[list[Model]]]] | None:
    """Return models by fold, caution, boundary and size; None when time runs out."""
    options = task.options
    objectives: list[tuple[int, Objective]] = []
    for seed, (train, _) in enumerate(folds):
        if options.deadline.is_over():
            return None
        weighing = Weighing(train)
        objectives += [(seed, weighing.objective(b, caution)) for caution in cautions for b in boundaries]
    quick = replace(options, effort=_QUICK * options.effort, accepts=None, progress=None)
    work = (
        delayed(models_by_size)(objective, task.names, task.k, replace(quick, random_state=seed))
        for seed, objective in objectives
    )
    found: list[list[Model]] = []
    for models in Parallel(n_jobs=options.n_jobs, prefer="threads", return_as="generator")(work):
        if len(models) < task.k:
            return None
        found.append(models)
        if options.progress is not None:
            options.progress(len(found) / len(objectives))
    shape = iter(found)
    return [[[next(shape) for _ in boundaries] for _ in cautions] for _ in folds]


class _Trial:
    """What the functions of one size and objective make of the examples, shown and held out, fold by fold."""

    def __init__(
        self,
        size: int,
        caution: Caution,
        models: list[list[Model]],
        folds: Sequence[tuple[DistinctRows, DistinctRows]],
    ) -> None:
        self.size = size
        self.caution = caution
        self.models = models
        self.weights = [(train.weights, test.weights) for train, test in folds]
        self.holding = [tuple(_holding(each, part) for part in fold) for each, fold in zip(models, folds, strict=True)]
        lengths = np.array([[model.literal_count for model in each] for each in models], dtype=np.float64)
        self.conditions = lengths.mean(axis=0)

    def losses(self, places: Sequence[int]) -> tuple[Weights, Weights]:
        """Return the weight of each pair of example and class held out, and its log loss, all folds together."""
        weights, losses = [], []
        for (shown, held), (before, after) in zip(self.weights, self.holding, strict=True):
            shares = band_shares(counts_by_band(before[list(places)].sum(axis=0), shown, len(places)))
            weights.append(held.ravel())
            losses.append(-np.log(shares[after[list(places)].sum(axis=0)]).ravel())
        return np.concatenate(weights), np.concatenate(losses)

    def loss(self, places: Sequence[int]) -> float:
        """Return the mean log loss of the examples held out."""
        weights, losses = self.losses(places)
        return float(weights @ losses / weights.sum())

    def counts(self, places: Sequence[int]) -> Weights:
        """Return the weight of each class in each band among the examples held out."""
        parts = zip(self.weights, self.holding, strict=True)
        total: Weights = np.zeros((len(places) + 1, self.weights[0][0].shape[1]))
        for (_, held), (_, after) in parts:
            total += counts_by_band(after[list(places)].sum(axis=0), held, len(places))
        return total


def _holding(models: Sequence[Model], part: DistinctRows) -> NDArray[np.intp]:
    asked = Asked(part.features)
    return np.array([asked.holds(model) for model in models], dtype=np.intp)


def counts_by_band(bands: NDArray[np.intp], weights: Weights, boundaries: int) -> Weights:
    """Return the weight of each class in each band.

    >>> counts_by_band(np.array([0, 2, 2]), np.array([[1.0, 0], [0, 1], [2, 1]]), 2).tolist()
    [[1.0, 0.0], [0.0, 0.0], [2.0, 2.0]]
    """
    columns = [np.bincount(bands, column, minlength=boundaries + 1) for column in weights.T]
    return np.stack(columns).T.astype(np.float64)


def _chosen(settings: Sequence[tuple[_Trial, tuple[int, ...]]], usual: int) -> ChainPath:
    """Return all settings and the one chosen: the usual one, unless the best one is clearly better."""
    tried = [trial.losses(places) for trial, places in settings]
    weights, expected = tried[usual]
    examples = float(weights.sum())
    points = []
    for (trial, places), (_, losses) in zip(settings, tried, strict=True):
        less = float(weights @ (expected - losses)) / examples
        spread = float(np.sqrt(max(0.0, float(weights @ (expected - losses) ** 2) / examples - less**2) / examples))
        loss = float(weights @ losses) / examples
        conditions = float(trial.conditions[list(places)].sum())
        points.append(ChainPoint(trial.size, trial.caution, places, loss, spread, conditions))
    best = min(range(len(points)), key=lambda place: (points[place].loss, place))
    clearly = points[usual].loss - points[best].loss > _CLEARLY * points[best].spread
    trial, places = settings[best if clearly else usual]
    models = tuple(each[place] for each in trial.models for place in places)
    return ChainPath(tuple(points), points[best if clearly else usual], models, trial.counts)
