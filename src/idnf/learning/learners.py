"""Which learner does what for which family, a function each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from idnf.counting.contract import Counts, DistinctRows
from idnf.learning.cart import cart
from idnf.learning.greedy import learn_greedy
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.local.threads import single_threaded
from idnf.learning.merging import with_merged_cuts
from idnf.learning.objective import Objective, error_share
from idnf.learning.path import learning_path
from idnf.learning.result import Learned
from idnf.logic.nested import NestedDNF

MOST_ROWS = 250_000
"""Distinct rows that search looks at, fewer where they have very many features; of more, a sample of this size."""

MOST_CELLS = 250_000_000
"""Distinct rows times features that search looks at: a byte each, and as many again while it runs."""

MOST_EXACT_ROWS = 50_000
"""Distinct rows that exact learning and search over several classes look at; of more, a sample of this size."""

Progress = Callable[[float], None]

# The share of a tuned search that cross-validation takes.
_TRYING = 0.8
# Exact learning needs a good model to begin with, not the best.
_START_EFFORT = 0.25
# The most of a time limit that this may take; rows times features for which a second is enough to prepare a proof.
_STARTING = 0.5
_CELLS_A_SECOND = 10_000_000


def paper_heuristic(counts: Counts, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn a nested DNF by the paper's heuristic; of either class where the family has more than nested DNFs."""
    polarity = task.polarity if task.family == "nested" else "auto"
    return learn_greedy(
        counts,
        names,
        k,
        polarity=polarity,
        allowed=task.allowed,
        order=task.order(k),
        random_state=task.random_state,
    )


def learn_by_cart(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn a tree by CART."""
    tree = cart(rows, names, k, random_state=task.random_state)
    return Learned(tree, error_share(rows, tree))


def refuse_constraints_on_trees(task: SearchOptions) -> None:
    """Raise an error where CART would have to keep to some literals."""
    if task.allowed is not None:
        raise ValueError(
            f'family must be "nested" for learner="greedy" under monotonic_cst; got {task.family!r}. '
            'learner="search" takes any family.'
        )


def learn_by_search(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn by local search, with a size and an objective chosen by cross-validation where the task says so.

    Without features there is only a constant.
    """
    if not names:
        return _constant(rows, k)
    tuned = task.tune and task.price is None
    deadline = task.deadline
    with single_threaded():
        learned = learn_tuned(rows, names, k, task) if tuned else search(rows, names, k, options=task)
        merged = with_merged_cuts(learned, rows, task.ordered, is_over=deadline.is_over)
    return merged if task.accepts is None or task.accepts(merged.model) else learned


def learn_tuned(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn by local search with the size and the objective that cross-validation says; half the time is for that."""
    deadline = task.deadline
    trying = replace(task, tune=False, deadline=deadline.part(0.5), progress=_part_of(task.progress, 0.0, _TRYING))
    path = learning_path(rows, names, k, trying)
    rest = replace(task, tune=False, deadline=deadline, progress=_part_of(task.progress, _TRYING, 1.0))
    if path is None:
        return search(rows, names, k, options=rest)
    objective, size = path.objective, path.chosen.size
    assert isinstance(objective, Objective), "a path of two classes"
    learned = search(objective.rows, names, size, options=replace(rest, price=objective.price))
    return replace(learned, model=learned.model.within(k), path=path)


def _part_of(progress: Progress | None, start: float, stop: float) -> Progress | None:
    """Return what tells of one part of the work."""
    return None if progress is None else lambda share: progress(start + (stop - start) * share)


def learn_exactly(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn the model of least training objective, starting from what search finds; by default literals are free."""
    from idnf.learning.exact.column_optimum import with_columns_counted
    from idnf.learning.exact.optimum import ExactOptions, exact

    if not names:
        return _constant(rows, k)
    quick = replace(
        task, tune=False, ordered=(), price=task.price or 0.0, effort=min(task.effort, _START_EFFORT), progress=None
    )
    deadline = task.deadline
    start = learn_by_search(rows, names, k, replace(quick, deadline=deadline.part(_STARTING)))
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
    found = exact(rows, tuple(names), k, options=options)
    if _bars_splits(task, names, k):
        return replace(found, optimal=None, bound=None, bound_family=None)
    return found if task.space is None else with_columns_counted(found, rows, k, task.space, task)


def _bars_splits(task: SearchOptions, names: Sequence[str], k: int) -> bool:
    """Tell whether only trees without splits on some features are looked at, though others may keep to the literals.

    A split on a feature whose negation is barred can keep to the literals where one of its branches is constant. Up to
    k = 2 such trees are nested DNFs, which all families but trees hold.
    """
    barred = task.allowed is not None and len(task.allowed) < 2 * len(names)
    return barred and (task.family == "tree" or task.family != "nested" and k > 2)


def _constant(rows: DistinctRows, k: int) -> Learned:
    """Return the class of more weight, whatever the example."""
    constant = NestedDNF.constant((), bool(rows.positive.sum() > rows.negative.sum()), k)
    return Learned(constant, error_share(rows, constant))
