"""What local search learns from distinct rows, with the size and objective that cross-validation chooses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.checklist_search import checklists
from idnf.learning.constants import best_constant
from idnf.learning.greedy_learners import learn_column_tree
from idnf.learning.label_noise import unseen_share
from idnf.learning.local.search import search
from idnf.learning.local.search_options import Narrowed, SearchOptions, useful_size
from idnf.learning.local.single_thread import single_threaded
from idnf.learning.merged_cuts import with_merged_cuts
from idnf.learning.objective import Learned, Objective, plain_objective
from idnf.learning.own_weight import with_own_weight
from idnf.learning.path import CAUTIONS, LEAST_ROWS, LearningPath, learning_path, objectives

Progress = Callable[[float], None]


# The share of a tuned search that cross-validation takes, of the work and of the time.
_TRYING, _CHOOSING = 0.8, 0.5


def learn_by_search(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn by local search, with a size and an objective chosen by cross-validation if the task says so.

    Without features there is only a constant.
    """
    credited = rows.credited(task.credit)
    if not names:
        return with_own_weight(best_constant(credited, k), rows, credited)
    if task.family.is_of_columns:
        return learn_column_tree(rows, names, k, task)
    deadline, size = task.deadline, useful_size(k, names)
    with single_threaded():
        learned, minimised = (
            learn_tuned(rows, names, size, task)
            if task.price is None
            else (_searched(credited, names, size, _priced(task, rows)), credited)
        )
        merged = with_merged_cuts(learned, credited, task.ordered, is_over=deadline.is_over)
    found = merged if task.accepts is None or task.accepts(merged.model) else learned
    return with_own_weight(replace(found, model=found.model.within(k)), rows, minimised if task.credit else rows)


def _searched(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Return what search finds, or a checklist if it costs less, or no more and is shorter.

    A checklist is charged as it is written, n literals and a number, so search over terms rarely meets one.
    """
    learned = search(rows, names, k, options=task)
    if not task.family.has_every_function or task.is_bounded or rows.n_classes != 2 or task.deadline.is_over():
        return learned
    objective = Objective(rows, learned.price)
    made = checklists(
        rows,
        names,
        k,
        allowed=task.allowed,
        random_state=task.random_state,
        starts=1,
        is_over=task.deadline.is_over,
    )
    found = [one for one in made if task.accepts is None or task.accepts(one)]
    costs = [(round(objective(model), 12), model.literal_count) for model in [learned.model, *found]]
    best = min(range(len(costs)), key=costs.__getitem__)
    if not best:
        return learned
    return replace(learned, model=found[best - 1], objective=costs[best][0])


def _priced(task: SearchOptions, rows: DistinctRows) -> SearchOptions:
    """Return a task whose price, if one is given, is a share of the weight of credited rows."""
    if task.price is None or task.credit is None:
        return task
    return replace(task, price=task.price * rows.total / rows.credited(task.credit).total)


def learn_tuned(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> tuple[Learned, DistinctRows]:
    """Learn by local search with the size and the objective that cross-validation says; half the time is for that.

    Returns the rows as they are weighed in that objective too.
    """
    narrow = _without_wide(rows, names, task)
    path, objective = _chosen_objective(rows, names, k, task)
    if narrow is not None:
        first = _chosen_objective(narrow.rows, narrow.names, k, replace(narrow.options, progress=None))
        if is_clearly_better(path, first[0]) or not unseen_share(rows.features, task.space):
            narrow = None
        else:
            (path, objective), names, task = first, narrow.names, narrow.options
    progress = _part_of(task.progress, _TRYING * task.tune, 1.0)
    space = task.space if path is None or path.by_columns else None
    rest = replace(task, tune=False, price=objective.price, space=space, progress=progress)
    learned = _searched(objective.rows, names, k if path is None else path.chosen.size, rest)
    model = learned.model.within(k)
    return replace(learned, model=model if narrow is None else narrow.widened(model), path=path), objective.rows


def _without_wide(rows: DistinctRows, names: Sequence[str], task: SearchOptions) -> Narrowed | None:
    """Return the examples and the task without intervals and sets; None if it is not to be chosen whether to use them.

    No two rows become alike: cuts and categories tell all cells apart.
    """
    if not task.wide:
        return None
    assert task.space is not None, "intervals and sets are of columns"
    wide = set(task.wide)
    kept = tuple(feature for feature in range(len(names)) if feature not in wide)
    codes = {2 * feature + sign: 2 * n + sign for n, feature in enumerate(kept) for sign in (0, 1)}
    allowed = None if task.allowed is None else frozenset(codes[code] for code in task.allowed & codes.keys())
    few, accepts = tuple(names[feature] for feature in kept), task.accepts
    fewer = DistinctRows(np.ascontiguousarray(rows.features[:, kept]), rows.weights, rows.complete)
    options = replace(task, wide=(), allowed=allowed, space=task.space.only(kept), ordered=())
    narrow = Narrowed(fewer, few, options, kept, tuple(names), task.space)
    if accepts is None:
        return narrow
    return replace(narrow, options=replace(options, accepts=lambda model: accepts(narrow.widened(model))))


def is_clearly_better(wide: LearningPath | None, narrow: LearningPath | None) -> bool:
    """Return whether what a path chose errs less on the examples held out than what another did, by more than chance.

    That is half a standard error of the difference, were the two never wrong on the same example.
    """
    if wide is None or narrow is None or not narrow.chosen.spread:
        return False
    errors, spread = 1 - narrow.chosen.accuracy, narrow.chosen.spread
    examples = errors * (1 - errors) / spread**2
    differ = errors + 1 - wide.chosen.accuracy
    return errors - (1 - wide.chosen.accuracy) > 0.5 * math.sqrt(differ / examples)


def _chosen_objective(
    rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions
) -> tuple[LearningPath | None, Objective]:
    """Return the path, if there is one, and the objective; without a path the cautious one, if that can be made."""
    soon = task.deadline.part(_CHOOSING)
    trying = replace(task, tune=False, deadline=soon, progress=_part_of(task.progress, 0.0, _TRYING))
    try:
        path = learning_path(rows, names, k, trying) if task.tune and task.family.is_tuned else None
        if path is not None:
            return path, path.objective
        if len(rows.features) >= LEAST_ROWS and not soon.is_over():
            return None, objectives(rows, CAUTIONS[-1:], trying)[0]
    except KeyboardInterrupt:
        # The best model so far is what the user gets.
        task.deadline.stop()
    return None, plain_objective(rows).credited(task.credit)


def _part_of(progress: Progress | None, start: float, stop: float) -> Progress | None:
    """Return what tells of one part of the work."""
    return None if progress is None else lambda share: progress(start + (stop - start) * share)
