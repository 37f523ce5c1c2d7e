"""How much of k to use, and what to minimise, chosen by cross-validation within the training examples.

A *setting* is a size up to k, how far labels are believed and what is believed in their place, and how much of the
price of noise a literal costs. Models learned quickly with every setting on most of the examples are tried on the
others. What they err there, as it would be with all examples to learn from, is weighed against what there is to read:
models of half the conditions may err some part of a standard error more. More room than the data support makes a model
worse, and longer.

From the models of that setting, others are made in which a literal costs several times as much, and the price is
chosen among these in the same way. So are models whose terms compare a column twice: where k counts columns an
interval is one condition, and more functions have reasons that short. They are searched if they err clearly less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.label_noise import believed, best_guess, left_out_errors, unseen_share
from idnf.learning.local.masks import Cells
from idnf.learning.local.quick_search import models_by_size, repaired_models
from idnf.learning.objective import Objective, PackedFeatures, noise_price, plain_objective, term_count
from idnf.learning.task import LearningTask
from idnf.learning.trials import Trials, examples_key, trials_of
from idnf.learning.value_folds import ValueFolds
from idnf.logic.boxes import Space
from idnf.logic.model import Model

FOLDS = 5
"""In how many parts examples are held out."""

HALF, MOST = 0.7, 0.012
"""How many standard errors of the difference a setting may err more if its models have half the conditions, and the
most that it may: with few examples a standard error is large."""

PRICES = (1.0, 3.0, 9.0)
"""Multiples of the price of a literal that are tried with the chosen size and objective."""

CLEARLY = 2.0
"""A wider family is searched, or less than k used of several classes, when that errs less by more than this many
standard errors of the difference."""


class HeldOut:
    """What the models of each setting make of the examples held out, fold by fold."""

    def __init__(
        self, tried: list[list[Model]], folds: list[tuple[DistinctRows, DistinctRows]], examples: float
    ) -> None:
        self.tried = tried
        self.examples = examples
        tests = [test for _, test in folds]
        self.weights = np.concatenate([test.masses for test in tests])
        self.predicted = _predict_parts(tried, tests)
        self.errors = _errors(self.predicted, tests)
        trains = [train for train, _ in folds]
        self.expected = expected_errors(self.errors, _errors(_predict_parts(tried, trains), trains))
        self.conditions = np.array([[model.literal_count for model in models] for models in tried]).mean(axis=0)

    def is_clearly_better(self, one: int, other: int) -> bool:
        """Return whether a setting errs less on the examples held out than another, by more than chance would give."""
        gain = float(self.errors[other] - self.errors[one])
        differs = float((self.predicted[one] != self.predicted[other]) @ self.weights / self.weights.sum())
        return gain > CLEARLY * math.sqrt(max(differs - gain**2, 0.0) / self.examples)

    def best_for_its_length(self, eligible: NDArray[np.intp]) -> int:
        """Return the eligible setting that errs least for what there is to read."""
        errors, predicted = self.expected[eligible], self.predicted[eligible]
        differs = (predicted != predicted[int(errors.argmin())]) @ self.weights / self.weights.sum()
        conditions = self.conditions[eligible]
        return int(eligible[best_for_its_length(errors, differs, conditions, self.examples)])

    def figures(self, place: int) -> tuple[float, float, float, float]:
        """Return accuracy, its standard error, conditions and reasons of a setting."""
        error = float(self.errors[place])
        spread = float(np.sqrt(error * (1 - error) / self.examples))
        reasons = float(np.mean([term_count(models[place]) for models in self.tried]))
        return 1 - error, spread, float(self.conditions[place]), reasons


def _predict_parts(tried: list[list[Model]], parts: list[DistinctRows]) -> NDArray[np.intp]:
    """Return the class each setting's models give to the examples of their parts, a line for each setting."""
    asked = [PackedFeatures(part.features) for part in parts]
    columns = [
        np.array([examples.labels(model) for model in models]) for models, examples in zip(tried, asked, strict=True)
    ]
    return np.concatenate(columns, axis=1)


def _errors(predicted: NDArray[np.intp], parts: list[DistinctRows]) -> NDArray[np.float64]:
    """Return the share of the weight of all parts together that each setting's models get wrong."""
    weights = np.concatenate([part.weights for part in parts])
    right = np.array([weights[np.arange(len(weights)), given].sum() for given in predicted])
    errors: NDArray[np.float64] = 1 - right / weights.sum()
    return errors


def expected_errors(held_out: NDArray[np.float64], training: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what models would err on new examples had they been learned from all examples, not from all but a fold.

    What a model errs more on new examples than on its own shrinks as these become more, about in proportion. Larger
    models, for which that is more, gain more by the fold that they were not shown.

    >>> expected_errors(np.array([0.2, 0.3]), np.array([0.2, 0.0])).round(2).tolist()
    [0.2, 0.24]
    """
    errors: NDArray[np.float64] = held_out - (held_out - training) / FOLDS
    return errors


def best_for_its_length(
    errors: NDArray[np.float64], differs: NDArray[np.float64], conditions: NDArray[np.float64], examples: float
) -> int:
    """Return the setting that errs least for what there is to read: half the conditions make up for some error.

    Parameters
    ----------
    errors : ndarray of shape (n_settings,)
        The share of examples that the models of each setting get wrong.
    differs : ndarray of shape (n_settings,)
        The share of examples that they give another class than the first of the best does.
    conditions : ndarray of shape (n_settings,)
        How many literals they have.
    examples : float
        How many examples there are.

    Examples
    --------
    >>> best_for_its_length(np.array([0.20, 0.21]), np.array([0.0, 0.1]), np.array([9.0, 8.0]), 900.0)
    0
    >>> best_for_its_length(np.array([0.20, 0.21]), np.array([0.0, 0.1]), np.array([9.0, 2.0]), 900.0)
    1
    """
    excess = errors - errors.min()
    spread = np.sqrt(np.maximum(differs - excess**2, 0.0) / examples)
    half = np.minimum(HALF * spread, MOST)
    behind = np.divide(excess, half, out=np.where(excess > 1e-12, np.inf, 0.0), where=half > 0)
    costs = np.round(behind + np.log2(1 + conditions), 9)
    return int(np.lexsort((errors, conditions, costs))[0])


LEAST_SIZE = 2
"""Of two classes, where k allows it, smaller sizes are shown and not chosen: folds of few examples prefer them too
often."""

LEAST_ROWS = 12
"""Fewer distinct rows than this tell nothing of each other: labels are taken as they are."""

FOLD_SEED = (0, 1)
"""Folds are the same whatever the random state, as are the guesses of other models: it moves the search alone."""

# With fewer examples than this, folds are drawn several times.
_FEW, _REPEATS = 200, 2
# Distinct rows that cross-validation looks at; of more, a random part.
_MOST_ROWS = 3000
# Weights that count more examples than this are not taken apart.
_MOST_UNITS = 1_000_000
# The effort of a search in the folds as a part of the whole one's.
_QUICK = 0.02


@dataclass(frozen=True)
class LabelTrust:
    """How far guesses of other models replace labels, and the part of the price of noise that a literal costs.

    A guess counts as much as some examples do, so that `belief` of the label of a row with one example is replaced, and
    less where several examples share a row.
    """

    belief: float
    noise: float

    def parts(self, examples: Weights) -> Weights:
        """Return the part of the labels of each row that is replaced, by the number of its examples.

        >>> LabelTrust(0.75, 1.0).parts(np.array([1.0, 3.0, 9.0])).tolist()
        [0.75, 0.5, 0.25]
        """
        parts: Weights = self.belief / (self.belief + (1 - self.belief) * np.maximum(examples, 1.0))
        return parts if self.belief else np.zeros(len(examples))


CAUTIONS = (LabelTrust(0.0, 0.0), LabelTrust(0.75, 1.0))
"""Every label as it is and the least price; and three quarters of a single label replaced by what trees and logistic
regression that were not shown it think of it, with the price of as much noise as they show."""


@dataclass(frozen=True)
class PathPoint:
    """A setting, and what cross-validation says about it.

    Attributes
    ----------
    size : int
        How much of k its models use.
    caution : LabelTrust
        What they minimise.
    price : float
        What a literal costs, as a share of the weight of all training examples; of objectives that were not chosen, as
        the folds say.
    accuracy : float
        The share of held-out examples that its models get right.
    spread : float
        The standard error of that share.
    conditions, reasons : float
        The literals and the terms of both classes that its models have, on average over the folds.
    chosen : bool
        Whether the model was learned with this setting.
    """

    size: int
    caution: LabelTrust
    price: float
    accuracy: float
    spread: float
    conditions: float
    reasons: float
    chosen: bool = False


@dataclass(frozen=True)
class LearningPath:
    """All settings that were tried.

    Attributes
    ----------
    points : tuple of PathPoint
        Small sizes first.
    folds : int
        How many times examples were held out.
    objective : Objective
        What the chosen setting minimises on all examples.
    by_columns : bool
        Whether the model was searched among all functions with reasons of that many columns; else each literal of a
        term counts.
    """

    points: tuple[PathPoint, ...]
    folds: int
    objective: Objective
    by_columns: bool = False

    @property
    def chosen(self) -> PathPoint:
        """The setting the model was learned with."""
        return next(point for point in self.points if point.chosen)

    def to_dict(self) -> dict[str, list[int | float | str | bool]]:
        """Return the settings as columns, for a table of pandas or polars: ``pd.DataFrame(path.to_dict())``."""
        kinds = ["plain" if not point.caution.belief else "cautious" for point in self.points]
        columns: dict[str, list[int | float | str | bool]] = {"size": [point.size for point in self.points]}
        columns["objective"] = list(kinds)
        for name in ("price", "accuracy", "spread", "conditions", "reasons", "chosen"):
            columns[name] = [getattr(point, name) for point in self.points]
        return columns

    def cells(self) -> tuple[tuple[str, ...], ...]:
        """Return the settings as text, a heading first, the chosen one marked."""
        head = ("size", "objective", "price", "accuracy", "spread", "conditions", "reasons", "chosen")
        lines = zip(*self.to_dict().values(), strict=True)
        return (head, *(tuple(_cell(name, value) for name, value in zip(head, line, strict=True)) for line in lines))

    def __str__(self) -> str:
        cells = self.cells()
        widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
        lines = ("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in cells)
        return "\n".join(line.rstrip() for line in lines)


def _cell(name: str, value: float | str | bool) -> str:
    if name == "chosen":
        return "chosen" if value else ""
    if name in ("accuracy", "spread"):
        return f"{value:.1%}"
    return f"{value:.5f}" if name == "price" else f"{value:.1f}" if isinstance(value, float) else str(value)


def learning_path(
    rows: DistinctRows, task: LearningTask, *, cautions: Sequence[LabelTrust] = CAUTIONS
) -> LearningPath | None:
    """Return what cross-validation says about every setting; None if the examples or the time are too few.

    There is none for a table that holds every point of its space either: nothing is left to guess there, unless the
    points are groups of values.

    Parameters
    ----------
    rows : DistinctRows
        The training examples with their weights.
    task : LearningTask
        How to search, up to which size; its time limit is the limit of this function too.
    cautions : sequence of LabelTrust
        What models may minimise.

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> features = generator.random((300, 4)) < 0.5
    >>> noisy = features[:, 0] ^ (generator.random(300) < 0.1)
    >>> rows = DistinctRows.of_two(features, noisy * 1.0, ~noisy * 1.0, True)
    >>> path = learning_path(rows, LearningTask(("a", "b", "c", "d"), 2))
    >>> path.chosen.size, path.chosen.conditions
    (2, 1.0)
    >>> print(str(path).splitlines()[0])
    size  objective    price  accuracy  spread  conditions  reasons  chosen
    """
    examples = rows if task.values is None else task.values.rows
    if len(examples.features) < LEAST_ROWS or not task.k or not task.names:
        return None
    if task.values is None and not unseen_share(rows.features, task.space):
        return None
    is_late, key, trials = task.deadline.is_over, examples_key(rows, task), trials_of(task)
    generator, by_row = np.random.default_rng(FOLD_SEED), task.unavoidable > 0
    folds = trials.once(("folds", key), lambda: _drawn_folds(rows, generator, by_row=by_row, values=task.values))

    def tell(done: int) -> None:
        if task.progress is not None:
            task.progress(done / (len(folds) * (1 + len(cautions))))

    settings = tuple(product(range(1, task.k + 1), cautions))
    # Other models of each part are asked for once; then every objective is a piece of work of its own.
    made: list[Objective] = []
    for place, (train, _) in enumerate(folds):
        if is_late():
            return None
        made += trials.once(("objectives", key, place, *cautions), partial(objectives, train, cautions, task))
        tell(len(made) // len(cautions))
    trial = _Trial(task, key, trials)
    by_size: list[list[Model]] = []
    work = (delayed(trial.models)(objective, place // len(cautions)) for place, objective in enumerate(made))
    for models in Parallel(n_jobs=task.n_jobs, prefer="threads", return_as="generator")(work):
        if len(models) < task.k:
            return None
        by_size.append(models)
        tell(len(folds) + len(by_size))
    step = len(cautions)
    tried = [
        [by_size[start + kind][size - 1] for size in range(1, task.k + 1) for kind in range(step)]
        for start in range(0, len(by_size), step)
    ]
    judge = partial(HeldOut, folds=folds, examples=max(1.0, _example_count(rows)))
    held_out = judge(tried)
    chosen = _chosen_setting(held_out, np.array([size for size, _ in settings]), rows.n_classes)
    caution = settings[chosen][1]
    (objective,) = trials.once(("objective", key, caution), lambda: objectives(rows, [caution], task))
    prices = {each: _mean_price(made[kind::step], rows) for kind, each in enumerate(cautions)}
    prices[settings[chosen][1]] = objective.price
    points = [
        PathPoint(size, each, prices[each], *held_out.figures(place)) for place, (size, each) in enumerate(settings)
    ]
    refined = trial.refined([models[chosen] for models in tried], made[chosen % step :: step], judge)
    if refined is not None and PRICES[refined.price] > 1:
        objective, chosen = Objective(objective.rows, PRICES[refined.price] * objective.price), chosen + 1
        points.insert(chosen, PathPoint(*settings[chosen - 1], objective.price, *refined.figures))
    points[chosen] = replace(points[chosen], chosen=True)
    return LearningPath(tuple(points), len(folds), objective, refined is not None and refined.by_columns)


def _chosen_setting(held_out: HeldOut, sizes: NDArray[np.intp], n_classes: int) -> int:
    """Return the setting that is taken, by the size of each."""
    most = int(sizes.max())
    chosen = held_out.best_for_its_length(np.flatnonzero(sizes >= min(most, LEAST_SIZE)))
    if n_classes == 2:
        return chosen
    # Trees alone are tried, and what a wider family adds grows with the size: a smaller one must clearly err less.
    largest = held_out.best_for_its_length(np.flatnonzero(sizes == most))
    return chosen if held_out.is_clearly_better(chosen, largest) else largest


def objectives(rows: DistinctRows, cautions: Sequence[LabelTrust], task: LearningTask) -> list[Objective]:
    """Return the objective of each caution for some examples; other models are asked for once.

    Fewer of them are asked once the time of the task is over.

    >>> rows = DistinctRows.of_two(np.eye(20, dtype=bool), np.ones(20), np.zeros(20), True)
    >>> task = LearningTask(tuple("abcdefghijklmnopqrst"), 2)
    >>> [objective.price for objective in objectives(rows, [LabelTrust(0.0, 0.0)], task)]
    [0.0025]
    """
    if not any(caution.belief or caution.noise for caution in cautions):
        return [plain_objective(rows) for _ in cautions]
    unseen = unseen_share(rows.features, task.space)
    guess = best_guess(rows, is_over=task.deadline.is_over)
    examples = rows.masses / rows.example
    # What no model gets right is no noise.
    errors = max(0.0, left_out_errors(rows, guess) - task.unavoidable) / (1 - task.unavoidable)
    least, noisy = noise_price(rows, 0.0), noise_price(rows, unseen * errors)
    return [
        Objective(believed(rows, guess, unseen * caution.parts(examples)), least + caution.noise * (noisy - least))
        for caution in cautions
    ]


def _mean_price(folds: Sequence[Objective], rows: DistinctRows) -> float:
    """Return what a literal costs in the folds, on average, as a share of the weight of all rows."""
    prices = [each.price * each.rows.total for each in folds]
    return float(np.mean(prices)) / rows.total


class _Refined(NamedTuple):
    """The place of the price to take, whether columns are counted at it, and what cross-validation says about that."""

    price: int
    by_columns: bool
    figures: tuple[float, float, float, float]


@dataclass(frozen=True)
class _Trial:
    """What is tried on every part of the examples."""

    task: LearningTask
    key: Hashable
    trials: Trials

    def models(self, objective: Objective, seed: int) -> list[Model]:
        """Return a model of each size for some examples, found with little effort; fewer when time runs out."""
        key = ("models", self.key, seed, objective.price, examples_key(objective.rows, self.task))
        return self.trials.sizes(key, self.task.k, lambda: models_by_size(objective, self._quick(seed)))

    def refined(
        self, known: Sequence[Model], parts: Sequence[Objective], judge: Callable[[list[list[Model]]], HeldOut]
    ) -> _Refined | None:
        """Return what to make of the models known of each part; None for other families or when time runs out.

        Columns are counted at the best price alone, in models made from the same ones by as many steps.
        """
        priced = self._repair(known, parts, PRICES, None)
        if not priced:
            return None
        held_out = judge(priced)
        best = held_out.best_for_its_length(np.arange(len(PRICES)))
        before = [[model, *models][best] for model, models in zip(known, priced, strict=True)]
        space = self.task.space
        wider = [] if Cells.of(space) is None else self._repair(before, parts, PRICES[best : best + 1], space)
        if not wider:
            return _Refined(best, False, held_out.figures(best))
        both = judge([[models[best], *wide] for models, wide in zip(priced, wider, strict=True)])
        by_columns = both.is_clearly_better(1, 0)
        return _Refined(best, by_columns, both.figures(int(by_columns)))

    def _repair(
        self, known: Sequence[Model], parts: Sequence[Objective], prices: Sequence[float], space: Space | None
    ) -> list[list[Model]]:
        """Return what becomes of the model of each part at some prices, with the columns of a space counted if given.

        Nothing for other families or when time runs out.
        """
        if not self.task.family.has_every_function:
            return []

        def repaired(seed: int, model: Model, objective: Objective) -> list[Model]:
            examples = examples_key(objective.rows, self.task)
            return self.trials.once(
                ("repaired", examples, objective.price, seed, model, model.k, prices, space),
                lambda: repaired_models(model, objective, replace(self._quick(seed), space=space), prices),
            )

        pairs = zip(known, parts, strict=True)
        work = (delayed(repaired)(seed, model, objective) for seed, (model, objective) in enumerate(pairs))
        found = [*Parallel(n_jobs=self.task.n_jobs, prefer="threads", return_as="generator")(work)]
        return [] if self.task.deadline.is_over() else found

    def _quick(self, seed: int) -> LearningTask:
        return replace(self.task, effort=_QUICK * self.task.effort, random_state=seed)


def _drawn_folds(
    rows: DistinctRows,
    generator: np.random.Generator,
    *,
    by_row: bool = False,
    values: ValueFolds | None = None,
) -> list[tuple[DistinctRows, DistinctRows]]:
    """Return examples to learn from and examples held out, class by class in equal parts; or whole rows.

    Groups of values are made anew in each fold.
    """
    if values is not None:
        values = values.sampled(_MOST_ROWS)
        rows = values.rows
    elif len(rows.features) > _MOST_ROWS:
        rows = rows.part(generator.permutation(len(rows.features))[:_MOST_ROWS])
    folds = []
    for _ in range(_REPEATS if _example_count(rows) < _FEW else 1):
        if by_row:
            fold_of = generator.permutation(len(rows.features)) % FOLDS
            held_out = [np.where((fold_of == fold)[:, np.newaxis], rows.weights, 0.0) for fold in range(FOLDS)]
        else:
            # The last class first.
            parts = [parts_held_out(weights, generator) for weights in rows.weights.T[::-1]]
            held_out = list(np.stack(parts[::-1], axis=2))
        for held in held_out:
            if values is None:
                folds.append((_part(rows, rows.weights - held), _part(rows, held)))
            else:
                made = values.without(held)
                folds.append((_part(made, rows.weights - held).merged(), _part(made, held).merged()))
    return folds


def parts_held_out(weights: NDArray[np.float64], generator: np.random.Generator) -> NDArray[np.float64]:
    """Return how much of each row's weight each fold holds out: whole examples where weights count them, else rows.

    >>> parts_held_out(np.array([5.0, 10.0]), np.random.default_rng(0)).sum(axis=0).tolist()
    [5.0, 10.0]
    """
    units = weights if np.array_equal(weights, np.floor(weights)) and weights.sum() < _MOST_UNITS else weights > 0
    places = np.repeat(np.arange(len(weights)), units.astype(np.intp))
    numbers = generator.permutation(len(places)) % FOLDS
    share = np.divide(weights, units, out=np.zeros(len(weights)), where=units > 0)
    return np.array([np.bincount(places[numbers == fold], minlength=len(weights)) * share for fold in range(FOLDS)])


def _part(rows: DistinctRows, weights: Weights) -> DistinctRows:
    """Return the rows that some weights leave anything of."""
    kept = weights.any(axis=1)
    return DistinctRows(rows.features[kept], weights[kept], rows.complete)


def _example_count(rows: DistinctRows) -> float:
    """Return about how many examples there are; weights count examples unless all of them are small."""
    return rows.total / rows.example
