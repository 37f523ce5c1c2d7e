"""The price of a literal, chosen by cross-validation within the training examples.

Two prices compete: the least one, right where the classes can be told apart, and the one for data as noisy as these
(:func:`idnf.learning.objective.noisy_price`). Nested DNFs learned quickly at each of them on a part of the distinct
rows are tried on the rest; the price with fewer errors is taken, the higher one if equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.evaluation import Model
from idnf.learning.jobs import AnnealJob, Problem
from idnf.learning.masks import ExampleMasks
from idnf.learning.objective import error_share, literal_count

_FOLDS = 3

# Does jobs, each on its problem, and gives their models in that order; fewer when it is cut short.
Runner = Callable[[Sequence[tuple[Problem, AnnealJob]]], Iterable[Model]]


def validated_price(
    rows: DistinctRows, problem: Problem, prices: Sequence[float], jobs: Sequence[AnnealJob], run: Runner
) -> float:
    """Return the price under which models learned on two thirds of the rows err least on the others.

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    problem : Problem
        Its examples are replaced by those of each part.
    prices : sequence of float
        Shares of all weight; the last one is taken when the work is cut short.
    jobs : sequence of AnnealJob
        What to do for every part and price; of the models found, the one of the least objective counts.
    run : callable
        Does the jobs.
    """
    generator = np.random.default_rng(jobs[0].seed)
    folds = generator.permutation(len(rows.features)) % _FOLDS
    parts = [(_part(rows, folds != fold), _part(rows, folds == fold)) for fold in range(_FOLDS)]
    # A price is a share of all weight, of which a part has less.
    more = _FOLDS / (_FOLDS - 1)
    work = []
    for train, _ in parts:
        part_problem = replace(problem, examples=ExampleMasks(train, generator))
        work += [(part_problem, replace(job, price=more * price)) for price in prices for job in jobs]
    done = list(run(work))
    if len(done) < len(work):
        return prices[-1]
    models = iter(done)
    errors = np.zeros(len(prices))
    for train, test in parts:
        for place, price in enumerate(prices):
            found = [next(models) for _ in jobs]
            best = min(found, key=lambda model: error_share(train, model) + more * price * literal_count(model))
            errors[place] += error_share(test, best) * (test.positive.sum() + test.negative.sum())
    return max(price for price, wrong in zip(prices, errors, strict=True) if wrong <= errors.min())


def _part(rows: DistinctRows, chosen: NDArray[np.bool_]) -> DistinctRows:
    return DistinctRows(rows.features[chosen], rows.positive[chosen], rows.negative[chosen], rows.complete)
