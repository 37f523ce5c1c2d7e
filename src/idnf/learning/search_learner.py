"""What local search learns from distinct rows, with the size and objective that cross-validation chooses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from idnf.counting.contract import DistinctRows
from idnf.learning.checklist_search import checklists
from idnf.learning.constants import best_constant
from idnf.learning.greedy_learners import learn_column_tree
from idnf.learning.label_noise import unseen_share
from idnf.learning.local.search import search
from idnf.learning.local.single_thread import single_threaded
from idnf.learning.merged_cuts import with_merged_cuts
from idnf.learning.narrowing import Narrowed
from idnf.learning.objective import Learned, Objective, plain_objective
from idnf.learning.path import CAUTIONS, LEAST_ROWS, LearningPath, learning_path, objectives
from idnf.learning.task import LearningTask
from idnf.learning.trials import examples_key, trials_of

Progress = Callable[[float], None]


# The share of a tuned search that cross-validation takes, of the work and of the time.
_TRYING, _CHOOSING = 0.8, 0.5


def learn_by_search(rows: DistinctRows, task: LearningTask) -> Learned:
    """Learn by local search, with a size and an objective chosen by cross-validation if the task says so.

    Without features there is only a constant.
    """
    if not task.names:
        return best_constant(rows, task.k)
    if task.family.is_of_columns:
        return learn_column_tree(rows, task)
    sized = replace(task, k=task.size)
    with single_threaded():
        learned = learn_tuned(rows, sized) if task.price is None else _searched(rows, sized)
        merged = with_merged_cuts(learned, rows, task.ordered, is_over=task.deadline.is_over)
    found = merged if task.accepts is None or task.accepts(merged.model) else learned
    return replace(found, model=found.model.within(task.k))


def _searched(rows: DistinctRows, task: LearningTask) -> Learned:
    """Return what search finds, or a checklist if it costs less, or no more and is shorter.

    A checklist is charged as it is written, n literals and a number, so search over terms rarely meets one.
    """
    learned = search(rows, task)
    if not task.family.has_every_function or rows.n_classes != 2 or task.deadline.is_over():
        return learned
    objective = Objective(rows, learned.price)
    made = checklists(
        rows,
        task.names,
        task.k,
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


def learn_tuned(rows: DistinctRows, task: LearningTask) -> Learned:
    """Learn by local search with the size and the objective that cross-validation says; half the time is for that."""
    narrow, bound = _without_wide(rows, task), task.k
    path, objective = _chosen_objective(rows, task)
    if narrow is not None:
        first = _chosen_objective(narrow.rows, replace(narrow.task, progress=None))
        if is_clearly_better(path, first[0]) or not unseen_share(rows.features, task.space):
            narrow = None
        else:
            (path, objective), task = first, narrow.task
    progress = _part_of(task.progress, _TRYING * task.tune, 1.0)
    space = task.space if path is None or path.by_columns else None
    size = bound if path is None else path.chosen.size
    # A start keeps to the bound and to columns: if cross-validation counts less or otherwise, it is no start.
    starts = task.starts if size == bound and space is task.space else ()
    final = replace(task, k=size, tune=False, price=objective.price, space=space, progress=progress, starts=starts)
    key = ("search", examples_key(objective.rows, final), size, objective.price, task.accepts)
    learned = trials_of(task).once(key, lambda: _searched(objective.rows, final))
    model = learned.model.within(bound)
    return replace(learned, model=model if narrow is None else narrow.widened(model), path=path)


def _without_wide(rows: DistinctRows, task: LearningTask) -> Narrowed | None:
    """Return the examples and the task without intervals and sets; None if these are not to be chosen."""
    if not task.wide:
        return None
    assert task.space is not None, "intervals and sets are of columns"
    kept = [feature for feature in range(len(task.names)) if feature not in set(task.wide)]
    narrow = Narrowed.to(kept, rows, task)
    return replace(narrow, rows=narrow.rows.merged())


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


def _chosen_objective(rows: DistinctRows, task: LearningTask) -> tuple[LearningPath | None, Objective]:
    """Return the path, if there is one, and the objective; without a path the cautious one, if that can be made."""
    soon = task.deadline.part(_CHOOSING)
    trying = replace(task, tune=False, starts=(), deadline=soon, progress=_part_of(task.progress, 0.0, _TRYING))
    try:
        path = learning_path(rows, trying) if task.tune and task.family.is_tuned else None
        if path is not None:
            return path, path.objective
        if len(rows.features) >= LEAST_ROWS and not soon.is_over():
            return None, objectives(rows, CAUTIONS[-1:], trying)[0]
    except KeyboardInterrupt:
        # The best model so far is what the user gets.
        task.deadline.stop()
    return None, plain_objective(rows)


def _part_of(progress: Progress | None, start: float, stop: float) -> Progress | None:
    """Return what tells of one part of the work."""
    return None if progress is None else lambda share: progress(start + (stop - start) * share)
