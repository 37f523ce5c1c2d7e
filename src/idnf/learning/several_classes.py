"""Which learner does what for which family where there are more than two classes.

Greedy learning is CART for trees and, for ``family="any"``, the better of CART and one nested DNF for each class
against the rest. Search and exact learning look at distinct rows. Where these are a sample, what errs least on all rows
is kept, CART included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from idnf.counting.contract import ClassCounts, DistinctRows
from idnf.learning.cart import cart_in_time
from idnf.learning.choices import LearnerName
from idnf.learning.class_path import class_learning_path
from idnf.learning.exact.class_optimum import ClassTreeOptions, optimal_class_tree, proof_has_time
from idnf.learning.learners import MOST_EXACT_ROWS as MOST_ROWS
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.local.threads import single_threaded
from idnf.learning.merging import with_merged_cuts
from idnf.learning.objective import Objective
from idnf.learning.one_against_rest import one_against_rest, one_against_rest_has_time
from idnf.learning.recounting import Recounted, best_on_all
from idnf.learning.result import Learned
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.deadlines import Deadline
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree

# Exact learning needs a good tree to begin with, not the best model.
_START_EFFORT = 0.25
# Weights beyond this, or below one part of it, are divided by the largest.
_LARGEST = 1e20
# Shares of a time limit: for learning, for the choice of a setting, for CART, for a tree to begin with, and of what is
# left then for the proof.
_BEFORE_COMPILING = 0.9
_CHOOSING = 0.4
_CART = 0.5
_STARTING = 0.3
_PROVING = 0.7


def learn_classes(
    table: ClassCounts, names: Sequence[str], k: int, task: SearchOptions, learner: LearnerName
) -> Recounted:
    """Learn the DNFs of several classes, on a sample of the examples where there are very many.

    Parameters
    ----------
    table : ClassCounts
        The training examples.
    names : sequence of str
        The features.
    k : int
        The largest size of a reason.
    task : SearchOptions
        How to learn; "nested", a polarity and constraints on literals are for two classes.
    learner : {"greedy", "search", "exact"}
    """
    refuse_two_class_options(task)
    deadline = task.deadline
    rows = _of_usual_size(table.distinct_rows(MOST_ROWS, task.random_state))
    task = replace(task, deadline=deadline.part(_BEFORE_COMPILING))
    with single_threaded():
        learned = {"greedy": _greedy, "search": _search, "exact": _exact}[learner](rows, names, k, task)
        if learner == "search":
            learned = with_merged_cuts(learned, rows, task.ordered, is_over=deadline.is_over)
    if rows.complete:
        return Recounted(_of_order(learned, k), "distinct rows")
    others = [] if deadline.is_over() else [Learned(_cart(rows, names, k, task, deadline), 0.0)]
    best = best_on_all(table, [learned, *others])
    return Recounted(_of_order(best, k), f"sample of {len(rows.features)} distinct rows, recounted on all")


def _of_usual_size(rows: DistinctRows) -> DistinctRows:
    """Return rows whose weights single precision can hold; only their proportions matter."""
    largest = float(rows.weights.max(initial=0.0))
    usual = not largest or 1 / _LARGEST < largest < _LARGEST
    return rows if usual else replace(rows, weights=rows.weights / largest)


def _of_order(learned: Learned, k: int) -> Learned:
    """Return what was learned as a model of bound k: a tree as it is, terms as a DNF for each class."""
    model = learned.model.nested_form or ClassDNFs.of(learned.model)
    return replace(learned, model=model.within(k))


def refuse_two_class_options(task: SearchOptions) -> None:
    """Raise an error for what has a meaning for two classes only."""
    if task.family == "nested":
        raise ValueError(
            'Only binary classification is supported. family must be "any", "nested-tree", "pair-tree" or "tree" for '
            f"more than two classes; got {task.family!r}, which tells two classes apart."
        )
    if task.polarity != "auto":
        raise ValueError(
            f'Only binary classification is supported. polarity must be "auto" for more than two classes; '
            f"got {task.polarity!r}, which chooses one of two."
        )
    if task.allowed is not None:
        raise ValueError("allowed must be None for more than two classes; got literals.")


def _cart(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions, deadline: Deadline) -> Model:
    return cart_in_time(rows, names, k, random_state=task.random_state, deadline=deadline)


def _greedy(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    deadline = task.deadline
    models: list[Model] = [_cart(rows, names, k, task, deadline.part(_CART))]
    if task.family == "any" and one_against_rest_has_time(rows, deadline):
        rest = one_against_rest(rows, names, k, random_state=task.random_state)
        models += [] if rest is None else [rest]
    objective = Objective(rows, 0.0)
    best = min(models, key=objective)
    return Learned(best, objective(best))


def _search(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Return what search finds, with a size and an objective chosen by cross-validation where the task says so."""
    if not task.tune or task.price is not None:
        return search(rows, names, k, options=task)
    deadline = task.deadline
    path = class_learning_path(rows, names, k, replace(task, deadline=deadline.part(_CHOOSING)))
    rest = replace(task, tune=False, deadline=deadline)
    if path is None:
        return search(rows, names, k, options=rest)
    objective = path.objective
    assert isinstance(objective, Objective), "a path of several classes"
    found = search(objective.rows, names, path.chosen.size, options=replace(rest, price=objective.price))
    return replace(found, path=path)


def _exact(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Return the optimal tree or pair tree; a wider family may hold a better model still, with the bound for these."""
    if task.price:
        raise ValueError(
            f'price must be None or 0 for learner="exact" with more than two classes; got {task.price}. '
            'learner="search" takes any price.'
        )
    deadline = task.deadline
    quick = replace(task, price=0.0, effort=min(task.effort, _START_EFFORT), progress=None)
    pairs = task.family != "tree"
    starting = replace(quick, deadline=deadline.part(_STARTING))
    start = search(rows, names, k, options=replace(starting, family="pair-tree" if pairs else "tree")).model
    proving = deadline if task.family in ("tree", "pair-tree") else deadline.part(_PROVING)
    if not proof_has_time(rows, proving):
        return Learned(start, Objective(rows, 0.0)(start))
    tree = NestedTree.of(start)
    options = ClassTreeOptions(start=tree, deadline=proving, progress=task.progress, pairs=pairs)
    proved = optimal_class_tree(rows, names, k, options=options)
    if task.family in ("tree", "pair-tree"):
        return proved
    wider = search(rows, names, k, options=replace(quick, deadline=deadline))
    if wider.objective < proved.objective - 1e-12:
        return Learned(wider.model, wider.objective, bound=proved.bound, bound_family=proved.bound_family)
    return proved
