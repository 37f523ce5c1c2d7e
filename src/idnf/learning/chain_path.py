"""How many bands, and by cross-validation on the log loss how much of k.

Functions learned quickly, apart, for some boundaries on most of the examples are counted on the others: how many of
them hold is nearly the band that a chain would give, and the log loss there is taken for every size. All of k is used
unless a smaller size is clearly better. Functions are looked for at many boundaries, and the chain of them is taken
that ranks best, where every boundary must add something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.chains import (
    Boundary,
    ChainTask,
    LearnedChain,
    Weighing,
    learn_chain,
    part_of,
    spread_places,
)
from idnf.learning.isotonic import band_shares
from idnf.learning.label_noise import unseen_share
from idnf.learning.local.quick_search import models_by_size
from idnf.learning.local.single_thread import single_threaded
from idnf.learning.objective import Objective, PackedFeatures
from idnf.learning.path import FOLD_SEED, LEAST_SIZE, parts_held_out
from idnf.learning.value_folds import ValueFolds
from idnf.logic.model import Model

# Distinct rows that cross-validation looks at; of more, a sample.
_MOST_ROWS = 3000
# Fewer distinct rows than this tell nothing.
_LEAST_ROWS = 12
# The effort of a search in the folds as a part of the whole one's, and the part of the time for them.
_QUICK, _TRYING = 0.02, 0.4
# Less than all of k is used if that is better by this many standard errors.
_CLEARLY = 2.0
# Boundaries that are tried where none are asked for; none beyond these odds, nor two whose log odds differ by less.
_BOUNDARIES, _LEAST_ODDS, _LEAST_GAP = 16, 0.02, 0.15
# Boundaries that cross-validation looks at.
_JUDGED = 8


@dataclass(frozen=True)
class Wanted:
    """Which boundaries are asked for.

    Attributes
    ----------
    given : tuple of Boundary
        These and no others; if there are none, they are chosen.
    count : int or None
        The most there may be, and how many are tried; 16 if not given.
    decisive : float
        The probability from which on the higher label is given: one of the boundaries tried is there.
    """

    given: tuple[Boundary, ...] = ()
    count: int | None = None
    decisive: float = 0.5

    def tried(self, examples: Weighing) -> tuple[Boundary, ...]:
        """Return the boundaries to begin with."""
        return self.given or spread_boundaries(examples, self.most, self.decisive)

    @property
    def most(self) -> int:
        """How many boundaries there may be."""
        return self.count or _BOUNDARIES


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
    if not asked.any():
        return (Boundary(decisive),)
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


@single_threaded()
def learn_bands(
    rows: DistinctRows, wanted: Wanted, task: ChainTask, *, tune: bool = True, through: Model | None = None
) -> tuple[LearnedChain, ChainPath | None, Weights | None]:
    """Learn a chain; return it, what cross-validation said, and what it held out by band.

    If boundaries are chosen, the chain passes through a function that is given, at the decisive boundary.
    """
    bound, each = task.each.k, replace(task.each, k=task.each.size)
    examples = Weighing(rows, each.price)
    boundaries = wanted.tried(examples)
    path = None
    if tune:
        trying = replace(each, deadline=each.deadline.part(_TRYING), progress=part_of(each.progress, 0.0, 0.5))
        try:
            path = chain_path(rows, boundaries, replace(task, each=trying))
        except KeyboardInterrupt:
            each.deadline.stop()
    size, others = (each.k, ()) if path is None else (path.chosen.size, path.models)
    later = replace(task, each=replace(each, k=size, progress=part_of(each.progress, 0.5, 1.0)))
    most = None if wanted.given else wanted.most
    at = None if through is None or most is None else (through, Boundary(wanted.decisive))
    chain = learn_chain(examples, boundaries, later, others=others, most=most, through=at)
    chain = replace(chain, models=tuple(model.within(bound) for model in chain.models))
    return chain, path, None if path is None else path.counts(chain.boundaries)


@dataclass(frozen=True)
class ChainPoint:
    """A size, and what cross-validation says about it.

    Attributes
    ----------
    size : int
        How much of k its functions use.
    loss : float
        The mean log loss of the examples held out.
    spread : float
        The standard error of its difference to the loss of all of k.
    conditions : float
        The literals of its functions, on average over the folds.
    """

    size: int
    loss: float
    spread: float
    conditions: float


@dataclass(frozen=True)
class ChainPath:
    """Every size that was tried and the one chosen.

    Attributes
    ----------
    points : tuple of ChainPoint
    chosen : ChainPoint
    boundaries : tuple of Boundary
        Those that were looked at.
    trial : _Trial
        What the folds found with the chosen size.
    """

    points: tuple[ChainPoint, ...]
    chosen: ChainPoint
    boundaries: tuple[Boundary, ...]
    trial: _Trial

    @property
    def models(self) -> tuple[Model, ...]:
        """What the folds found with the chosen size."""
        return tuple(model for each in self.trial.models for model in each)

    def counts(self, boundaries: Sequence[Boundary]) -> Weights:
        """Return the weight of each class among the examples held out by the band that some boundaries make.

        A boundary that was not looked at is taken for the nearest one that was.
        """
        nearest = [min(self.boundaries, key=boundary.distance) for boundary in boundaries]
        return self.trial.counts([*map(self.boundaries.index, nearest)])


def chain_path(rows: DistinctRows, boundaries: Sequence[Boundary], task: ChainTask) -> ChainPath | None:
    """Return what cross-validation says about every size; None if the examples or the time are too few.

    Parameters
    ----------
    rows : DistinctRows
        The examples, their classes in order.
    boundaries : sequence of Boundary
        All there may be, some of which are looked at.
    task : ChainTask
    """
    if len(rows.features) < _LEAST_ROWS or not task.each.names or not unseen_share(rows.features):
        return None
    values = None if task.each.values is None else task.each.values.sampled(_MOST_ROWS)
    some = rows.sampled(_MOST_ROWS, 0) if values is None else values.rows
    judged = [boundaries[place] for place in spread_places(len(boundaries), _JUDGED)]
    folds = list(chain_folds(some, np.random.default_rng(FOLD_SEED), values))
    found = _tried(folds, judged, task)
    if found is None:
        return None
    trials = [
        _Trial(size, [[by_size[size - 1] for by_size in models] for models in found], folds)
        for size in range(min(task.each.k, LEAST_SIZE), task.each.k + 1)
    ]
    return _chosen(trials, tuple(judged))


def chain_folds(
    rows: DistinctRows, generator: np.random.Generator, values: ValueFolds | None = None
) -> Iterator[tuple[DistinctRows, DistinctRows]]:
    """Yield examples to learn from and examples held out, class by class in equal parts; groups are made anew."""
    parts = np.stack([parts_held_out(weights, generator) for weights in rows.weights.T], axis=2)
    for held in parts:
        left = rows.weights - held
        shown, asked = left.any(axis=1), held.any(axis=1)
        features = rows.features if values is None else values.without(held).features
        yield (
            DistinctRows(features[shown], left[shown], rows.complete),
            DistinctRows(features[asked], held[asked], rows.complete),
        )


def _tried(
    folds: Sequence[tuple[DistinctRows, DistinctRows]],
    boundaries: Sequence[Boundary],
    task: ChainTask,
) -> list[list[list[Model]]] | None:
    """Return models by fold, boundary and size; None when time runs out."""
    each = task.each
    objectives: list[tuple[int, Objective]] = []
    for seed, (train, _) in enumerate(folds):
        if each.deadline.is_over():
            return None
        weighing = Weighing(train, each.price)
        objectives += [(seed, weighing.objective(boundary)) for boundary in boundaries]
    quick = replace(each, effort=_QUICK * each.effort, accepts=None, progress=None)
    work = (delayed(models_by_size)(objective, replace(quick, random_state=seed)) for seed, objective in objectives)
    found: list[list[Model]] = []
    for models in Parallel(n_jobs=each.n_jobs, prefer="threads", return_as="generator")(work):
        if len(models) < each.k:
            return None
        found.append(models)
        if each.progress is not None:
            each.progress(len(found) / len(objectives))
    shape = iter(found)
    return [[next(shape) for _ in boundaries] for _ in folds]


class _Trial:
    """What the functions of one size make of the examples, shown and held out, fold by fold."""

    def __init__(
        self, size: int, models: list[list[Model]], folds: Sequence[tuple[DistinctRows, DistinctRows]]
    ) -> None:
        self.size = size
        self.models = models
        self.weights = [(train.weights, test.weights) for train, test in folds]
        self.holding = [tuple(_holding(each, part) for part in fold) for each, fold in zip(models, folds, strict=True)]
        lengths = np.array([[model.literal_count for model in each] for each in models], dtype=np.float64)
        self.conditions = float(lengths.sum(axis=1).mean())

    def losses(self) -> tuple[Weights, Weights]:
        """Return the weight of each pair of example and class held out, and its log loss, all folds together."""
        weights, losses = [], []
        for (shown, held), (before, after) in zip(self.weights, self.holding, strict=True):
            shares = band_shares(counts_by_band(before.sum(axis=0), shown, len(before)))
            weights.append(held.ravel())
            losses.append(-np.log(shares[after.sum(axis=0)]).ravel())
        return np.concatenate(weights), np.concatenate(losses)

    def counts(self, places: Sequence[int]) -> Weights:
        """Return the weight of each class in each band among the examples held out."""
        parts = zip(self.weights, self.holding, strict=True)
        total: Weights = np.zeros((len(places) + 1, self.weights[0][0].shape[1]))
        for (_, held), (_, after) in parts:
            total += counts_by_band(after[list(places)].sum(axis=0), held, len(places))
        return total


def _holding(models: Sequence[Model], part: DistinctRows) -> NDArray[np.intp]:
    asked = PackedFeatures(part.features)
    return np.array([asked.holds(model) for model in models], dtype=np.intp)


def counts_by_band(bands: NDArray[np.intp], weights: Weights, boundaries: int) -> Weights:
    """Return the weight of each class in each band.

    >>> counts_by_band(np.array([0, 2, 2]), np.array([[1.0, 0], [0, 1], [2, 1]]), 2).tolist()
    [[1.0, 0.0], [0.0, 0.0], [2.0, 2.0]]
    """
    columns = [np.bincount(bands, column, minlength=boundaries + 1) for column in weights.T]
    return np.stack(columns).T.astype(np.float64)


def _chosen(trials: Sequence[_Trial], boundaries: tuple[Boundary, ...]) -> ChainPath:
    """Return all sizes and the one chosen: the last one, which is all of k, unless the best one is clearly better."""
    weights, expected = trials[-1].losses()
    examples = float(weights.sum())
    points = []
    for trial in trials:
        _, losses = trial.losses()
        less = float(weights @ (expected - losses)) / examples
        spread = float(np.sqrt(max(0.0, float(weights @ (expected - losses) ** 2) / examples - less**2) / examples))
        loss = float(weights @ losses) / examples
        points.append(ChainPoint(trial.size, loss, spread, trial.conditions))
    best = min(range(len(points)), key=lambda place: (points[place].loss, place))
    clearly = points[-1].loss - points[best].loss > _CLEARLY * points[best].spread
    chosen = best if clearly else -1
    return ChainPath(tuple(points), points[chosen], boundaries, trials[chosen])
