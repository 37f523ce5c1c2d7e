"""What to minimise for several classes, by cross-validation, and what each size up to k would give.

A *setting* is a size and how far labels are believed, with its price of a literal (:mod:`idnf.learning.path`). On four
fifths of the examples a look-ahead tree is grown for every setting and tried on the rest: what a wider family adds to a
tree helps all settings alike, and trees are quick. All of k is used; labels are taken as they are only where that errs
clearly less. What the constants were chosen on is said in the guide to several classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.belief import unseen_share
from idnf.learning.class_belief import believed_classes, left_out_class_errors, left_out_guess
from idnf.learning.evaluation import labels_of
from idnf.learning.held_out import smallest_of_the_best
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.lookahead import lookahead_tree
from idnf.learning.objective import Objective, noise_examples
from idnf.learning.path import FOLD_SEED, Caution, LearningPath, PathPoint, parts_held_out
from idnf.logic.deadlines import Deadline
from idnf.logic.trees import NestedTree

CLASS_CAUTIONS = (Caution(0.0, 0.0), Caution(0.75, 0.5))
"""Every label as it is and the least price; and three quarters of each label replaced by what other models that were
not shown it think of it, with half the price of as much noise as these show."""

CLEARLY = 1.0
"""Labels are taken as they are where that errs less by so many standard errors of the difference."""

# Fewer distinct rows than this tell nothing.
_LEAST_ROWS = 12
# With fewer examples than this, folds are drawn twice.
_FEW, _REPEATS = 200, 2
# Rows and features that the trials look at, at most.
_MOST_ROWS = 3000
# The share of all learning that this is about.
_SHARE = 0.4


def class_learning_path(
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    task: SearchOptions,
    *,
    cautions: Sequence[Caution] = CLASS_CAUTIONS,
) -> LearningPath | None:
    """Return what cross-validation says of every setting; None where the examples or the time are too few.

    There is none for a table that holds every point of its space either: nothing is left to guess there.

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    names : sequence of str
        The features.
    k : int
        The largest size of a reason.
    task : SearchOptions
        The progress to tell of, and a time limit after which there is no path.
    cautions : sequence of Caution
        What models may minimise, the plain objective first.

    Examples
    --------
    >>> features = np.array([[p >> j & 1 for j in range(5)] for p in range(30)], dtype=bool)
    >>> rows = DistinctRows(features, np.eye(3)[features[:, :2].sum(axis=1)], True)
    >>> path = class_learning_path(rows, tuple("abcde"), 2, SearchOptions())
    >>> path.chosen.size, [point.accuracy == 1.0 for point in path.points if point.chosen]
    (2, [True])
    """
    if len(rows.features) < _LEAST_ROWS or k < 1 or not names or not unseen_share(rows.features):
        return None
    deadline = task.deadline
    is_over = deadline.is_over
    some = rows.sampled(_MOST_ROWS, 0) if len(rows.features) > _MOST_ROWS else rows
    settings = tuple(product(range(1, k + 1), cautions))
    tried: list[list[NestedTree]] = []
    tests: list[DistinctRows] = []
    folds = list(_folds(some, np.random.default_rng(FOLD_SEED)))
    for shown, held in folds:
        made = dict(zip(cautions, class_objectives(shown, cautions, is_over=is_over)))
        if is_over():
            return None
        tried.append([_tree(made[caution], names, size, deadline) for size, caution in settings])
        tests.append(held)
        if task.progress is not None:
            task.progress(_SHARE * len(tests) / len(folds))
    held_out = _HeldOut(tried, tests, max(1.0, rows.total / rows.example))
    chosen = held_out.chosen([place for place, (size, _) in enumerate(settings) if size == k])
    made = dict(zip(cautions, class_objectives(rows, cautions, is_over=is_over)))
    points = tuple(
        PathPoint(size, caution, made[caution].price, *held_out.figures(place), chosen=place == chosen)
        for place, (size, caution) in enumerate(settings)
    )
    return LearningPath(points, len(tests), made[settings[chosen][1]])


def class_objectives(
    rows: DistinctRows,
    cautions: Sequence[Caution] = CLASS_CAUTIONS,
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> list[Objective]:
    """Return the objective of each caution for some examples; other models are asked for once.

    >>> rows = DistinctRows(np.eye(20, dtype=bool), np.eye(2)[[0, 1] * 10], True)
    >>> round(class_objectives(rows)[0].price, 6)
    0.0025
    """
    unseen = unseen_share(rows.features)
    guess = left_out_guess(rows, is_over=is_over)
    errors = unseen * left_out_class_errors(rows, guess)
    example = rows.example / rows.total
    least, noisy = noise_examples(0.0), noise_examples(errors)
    prices = [(least + caution.noise * (noisy - least)) * example for caution in cautions]
    parts = [unseen * caution.belief for caution in cautions]
    return [Objective(believed_classes(rows, guess, part), price) for part, price in zip(parts, prices)]


def _tree(objective: Objective, names: Sequence[str], size: int, deadline: Deadline) -> NestedTree:
    return lookahead_tree(objective.rows, names, size, price=objective.price, is_over=deadline.is_over)


def _folds(rows: DistinctRows, generator: np.random.Generator) -> Iterator[tuple[DistinctRows, DistinctRows]]:
    """Yield examples to learn from and examples held out, class by class in equal parts."""
    for _ in range(_REPEATS if rows.total / rows.example < _FEW else 1):
        parts = np.stack([parts_held_out(weights, generator) for weights in rows.weights.T], axis=2)
        for held in parts:
            left = rows.weights - held
            shown, asked = left.any(axis=1), held.any(axis=1)
            yield (
                DistinctRows(rows.features[shown], left[shown], rows.complete),
                DistinctRows(rows.features[asked], held[asked], rows.complete),
            )


class _HeldOut:
    """What the trees of each setting make of the examples held out, fold by fold."""

    def __init__(self, tried: list[list[NestedTree]], tests: list[DistinctRows], examples: float) -> None:
        self.tried = tried
        self.examples = examples
        weights = np.concatenate([test.weights for test in tests])
        self.weights = weights.sum(axis=1)
        self.given: NDArray[np.intp] = np.stack(
            [
                np.concatenate([labels_of(trees[place], test.features) for trees, test in zip(tried, tests)])
                for place in range(len(tried[0]))
            ]
        )
        self.errors = 1.0 - weights[np.arange(len(weights)), self.given].sum(axis=1) / weights.sum()
        self.conditions = np.array([[tree.literal_count for tree in trees] for trees in tried]).mean(axis=0)

    def chosen(self, places: Sequence[int]) -> int:
        """Return the smallest of the best settings but the first, or the first where it is clearly better than that."""
        plain, *cautious = places
        errors = self.errors[cautious]
        first = cautious[int(errors.argmin())]
        differs = np.array([self._differ(first, place) for place in cautious])
        best = cautious[smallest_of_the_best(errors, differs, self.conditions[cautious], self.examples)]
        less = float(self.errors[best] - self.errors[plain])
        spread = np.sqrt(max(self._differ(best, plain) - less**2, 0.0) / self.examples)
        return plain if less > max(CLEARLY * spread, 1e-12) else best

    def _differ(self, first: int, second: int) -> float:
        """Return the share of examples that two settings give another class."""
        return float((self.given[first] != self.given[second]) @ self.weights / self.weights.sum())

    def figures(self, place: int) -> tuple[float, float, float, float]:
        """Return accuracy, its standard error, conditions and reasons of a setting."""
        error = float(self.errors[place])
        spread = float(np.sqrt(max(0.0, error * (1 - error)) / self.examples))
        reasons = float(np.mean([sum(1 for _ in trees[place].leaves()) for trees in self.tried]))
        return 1 - error, spread, float(self.conditions[place]), reasons
