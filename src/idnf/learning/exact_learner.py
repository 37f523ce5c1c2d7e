"""What exact learning makes of distinct rows, for any number of classes."""

from __future__ import annotations

from dataclasses import replace

from idnf.counting.contract import DistinctRows
from idnf.learning.constants import best_constant
from idnf.learning.families import family_of
from idnf.learning.local.search import search
from idnf.learning.local.single_thread import single_threaded
from idnf.learning.objective import Learned, error_share
from idnf.learning.proved_families import keeps_to_literals
from idnf.learning.search_learner import learn_by_search
from idnf.learning.task import LearningTask
from idnf.logic.errors import InvalidArgument
from idnf.logic.trees import NestedTree

# Exact learning needs a good model to begin with, not the best.
_START_EFFORT = 0.25
# The most of a time limit that this may take; rows times features for which a second is enough to prepare a proof.
_STARTING = 0.5
_CELLS_A_SECOND = 10_000_000
# With several classes: the share of a time limit for a tree to begin with, and of what is left then for the proof.
_STARTING_TREE, _PROVING = 0.3, 0.7


def learn_exactly(rows: DistinctRows, task: LearningTask) -> Learned:
    """Learn the model of least training objective, starting from what search finds; by default literals are free."""
    from idnf.learning.exact.column_optimum import with_columns_counted
    from idnf.learning.exact.optimum import ExactOptions, exact

    if not task.names or rows.n_classes > 2:
        return _best_tree(rows, replace(task, k=task.size)) if task.names else best_constant(rows, task.k)
    # What is proved counts literals, unless columns are counted afterwards.
    effort = min(task.effort, _START_EFFORT)
    starts = tuple(filter(keeps_to_literals, task.starts))
    quick = replace(
        task, tune=False, ordered=(), price=task.price or 0.0, effort=effort, space=None, progress=None, starts=starts
    )
    deadline = task.deadline
    start = learn_by_search(rows, replace(quick, deadline=deadline.part(_STARTING)))
    if rows.features.size > _CELLS_A_SECOND * deadline.left:
        return start
    progress = task.progress
    options = ExactOptions(
        family=task.family,
        polarity=task.polarity,
        price=task.price or 0.0,
        allowed=task.allowed,
        start=start,
        deadline=deadline,
        device=task.device,
        progress=None if progress is None else lambda best, bound: progress(bound / best if best > 0 else 1.0),
    )
    # More rows than features make more nested DNFs.
    found = exact(rows, task.names, task.size if task.family.has_trees else task.k, options=options)
    if _bars_splits(task):
        return replace(found, optimal=None, bound=None, bound_family=None)
    return found if task.space is None else with_columns_counted(found, rows, task.space, task)


def _bars_splits(task: LearningTask) -> bool:
    """Return whether only trees without splits on some features are looked at, though others may keep to the literals.

    A split on a feature whose negation is barred can keep to the literals where one of its branches is constant. Up to
    k = 2 such trees are nested DNFs, which all families but trees hold.
    """
    barred = task.allowed is not None and len(task.allowed) < 2 * len(task.names)
    return barred and task.family.has_trees and (task.size > 2 or not task.family.has_nested)


def _best_tree(rows: DistinctRows, task: LearningTask) -> Learned:
    """Return the optimal tree; for "any" the optimal pair tree, or a better model with the bound for pair trees."""
    from idnf.learning.exact.class_optimum import ClassTreeOptions, optimal_class_tree, proof_has_time

    if task.price:
        raise InvalidArgument(
            "price",
            'be None or 0 for learner="exact" with more than two classes',
            task.price,
            'learner="search" takes any price.',
        )
    deadline = task.deadline
    is_any = task.family.has_every_function
    quick = replace(task, price=0.0, effort=min(task.effort, _START_EFFORT), space=None, progress=None)
    with single_threaded():
        starting = replace(quick, family=family_of("tree"), deadline=deadline.part(_STARTING_TREE), starts=())
        start = search(rows, starting).model
        proving = deadline.part(_PROVING) if is_any else deadline
        if not proof_has_time(rows, proving):
            return Learned(start, error_share(rows, start))
        options = ClassTreeOptions(NestedTree.of(start), proving, task.progress, pairs=is_any)
        proved = optimal_class_tree(rows, task.names, task.k, options=options)
        if not is_any:
            return proved
        wider = search(rows, replace(quick, deadline=deadline))
    if wider.objective < proved.objective - 1e-12:
        return Learned(wider.model, wider.objective, bound=proved.bound, bound_family=proved.bound_family)
    return proved
