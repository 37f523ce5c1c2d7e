"""The training objective, chosen by cross-validation within the training examples.

Models learned quickly by each objective on a part of the distinct rows are tried on the rest; the objective whose
models err less there is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.local.jobs import AnnealJob, SearchProblem
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.objective import Objective, error_share
from idnf.logic.model import Model

_FOLDS = 3
TRIALS = 2 * _FOLDS
"""How often the jobs of a trial are done: for two objectives on every part."""

# Does jobs, each on its problem, and gives their models in that order; fewer when it is cut short.
Runner = Callable[[Sequence[tuple[SearchProblem, AnnealJob]]], Iterable[Model]]


def validated(
    objectives: Sequence[Callable[[DistinctRows], Objective]],
    rows: DistinctRows,
    problem: SearchProblem,
    jobs: Sequence[AnnealJob],
    run: Runner,
) -> int:
    """Return which objective's models, learned on two thirds of the rows, err least on the others; the last of equals.

    Parameters
    ----------
    objectives : sequence of callable
        Each makes an objective of some examples; the last one is taken when the work is cut short.
    rows : DistinctRows
        The training examples.
    problem : SearchProblem
        Its examples are replaced by those of each part.
    jobs : sequence of AnnealJob
        What to do for every part and objective; of the models found, the one of the least objective counts.
    run : callable
        Does the jobs.
    """
    generator = np.random.default_rng(jobs[0].seed)
    folds = generator.permutation(len(rows.features)) % _FOLDS
    trials = []
    for fold in range(_FOLDS):
        test = _part(rows, folds == fold)
        trials += [(objective(_part(rows, folds != fold)), test) for objective in objectives]
    work = []
    for objective, _ in trials:
        part = replace(problem, examples=ExampleMasks(objective.rows, generator))
        work += [(part, replace(job, price=objective.price)) for job in jobs]
    done = list(run(work))
    if len(done) < len(work):
        return len(objectives) - 1
    errors = np.zeros(len(objectives))
    for place, (objective, test) in enumerate(trials):
        best = min(done[place * len(jobs) : (place + 1) * len(jobs)], key=objective)
        errors[place % len(objectives)] += error_share(test, best) * (test.positive.sum() + test.negative.sum())
    return int(np.flatnonzero(errors <= errors.min())[-1])


def _part(rows: DistinctRows, chosen: NDArray[np.bool_]) -> DistinctRows:
    return DistinctRows.of_two(rows.features[chosen], rows.positive[chosen], rows.negative[chosen], rows.complete)
