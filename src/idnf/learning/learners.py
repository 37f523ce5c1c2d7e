"""What each learner does on distinct rows, a function each, for any number of classes.

Cuts of a column that the training examples hardly distinguish are merged: a model may cut a column at 0.158 in one line
and at 0.1587 in another, or ask for a value between the two. Where the cuts part few examples, writing one of them for
both costs nothing or next to nothing. Writing one feature for another throughout a model keeps every reason within k: a
reason of the old model, written so, is one of the new model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from idnf.counting.contract import Counts, DistinctRows
from idnf.learning.checklist_search import checklists
from idnf.learning.column_trees import column_tree
from idnf.learning.greedy import learn_greedy, one_against_rest, one_against_rest_has_time, order_in_time
from idnf.learning.label_noise import unseen_share
from idnf.learning.local.jobs import single_threaded
from idnf.learning.local.quick_search import constant_model
from idnf.learning.local.search import search
from idnf.learning.local.search_options import Narrowed, SearchOptions, useful_size
from idnf.learning.lookahead import cart_in_time
from idnf.learning.objective import Learned, Objective, error_share, plain_objective
from idnf.learning.path import CAUTIONS, LEAST_ROWS, LearningPath, learning_path, objectives
from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree, over
from idnf.logic.verification import VerificationError

Progress = Callable[[float], None]

# The share of a tuned search that cross-validation takes, of the work and of the time.
_TRYING, _CHOOSING = 0.8, 0.5
# Exact learning needs a good model to begin with, not the best.
_START_EFFORT = 0.25
# The most of a time limit that this may take; rows times features for which a second is enough to prepare a proof.
_STARTING = 0.5
_CELLS_A_SECOND = 10_000_000
# With several classes: the share of a time limit for a tree to begin with, and of what is left then for the proof.
_STARTING_TREE, _PROVING = 0.3, 0.7


def paper_heuristic(counts: Counts, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn a nested DNF by the paper's heuristic; of either class if the family has more than nested DNFs."""
    polarity = task.polarity if task.family == "nested" else "auto"
    size = order_in_time(k, task.deadline.left)
    learned = learn_greedy(counts, names, size, polarity=polarity, allowed=task.allowed, random_state=task.random_state)
    return replace(learned, model=learned.model.within(k))


def learn_by_cart(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn a tree by CART, from as many rows as there is time for."""
    credited = rows.credited(task.credit)
    tree = cart_in_time(credited, names, k, random_state=task.random_state, deadline=task.deadline.part(0.5))
    return _by_cost(Learned(tree, error_share(credited, tree)), rows, credited)


def learn_column_tree(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn a tree whose paths ask of at most k columns, grown by CART's measure and cut back by the price of noise."""
    if task.allowed is not None:
        raise ValueError('family must not be "column-tree" under monotonic_cst; "any" takes constraints.')
    if task.price is not None:
        objective = Objective(rows, task.price).credited(task.credit)
    elif len(rows.features) < LEAST_ROWS or task.deadline.is_over():
        objective = plain_objective(rows).credited(task.credit)
    else:
        objective = objectives(rows, CAUTIONS[-1:], task)[0]
    space = task.space or Space.boolean(names)
    tree = column_tree(objective.rows, names, k, space, price=objective.price, deadline=task.deadline)
    if tree is None:
        return learn_by_cart(rows, names, k, task)
    learned = Learned(tree, objective(tree), price=objective.price)
    return _by_cost(learned, rows, objective.rows if task.credit else rows)


def learn_against_rest(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> list[Learned]:
    """Learn a nested DNF of each class against the rest, if the family and the time allow it."""
    if task.family != "any" or not one_against_rest_has_time(rows, task.deadline):
        return []
    credited = rows.credited(task.credit)
    model = one_against_rest(credited, names, k, random_state=task.random_state)
    return [] if model is None else [_by_cost(Learned(model, error_share(credited, model)), rows, credited)]


def _by_cost(learned: Learned, rows: DistinctRows, credited: DistinctRows) -> Learned:
    """Return what was learned from credited rows with its objective as a share of the weight of the rows themselves.

    What is credited beyond the weight of the rows is not an error: it is left out.
    """
    if credited is rows:
        return learned
    scale = credited.total / rows.total
    bound = None if learned.bound is None else learned.bound * scale - scale + 1
    return replace(learned, objective=learned.objective * scale - scale + 1, bound=bound, price=learned.price * scale)


def refuse_constraints_on_trees(task: SearchOptions) -> None:
    """Raise an error where CART would have to keep to some literals."""
    if task.allowed is not None:
        raise ValueError(
            f'family must be "nested" for learner="greedy" under monotonic_cst; got {task.family!r}. '
            'learner="search" takes any family.'
        )


def refuse_two_class_options(task: SearchOptions) -> None:
    """Raise an error for what has a meaning for two classes only."""
    if task.family in ("nested", "checklist"):
        raise ValueError(
            'Only binary classification is supported. family must be "any", "column-tree" or "tree" for '
            f"more than two classes; got {task.family!r}, which separates two classes."
        )
    if task.polarity != "auto":
        raise ValueError(
            f'Only binary classification is supported. polarity must be "auto" for more than two classes; '
            f"got {task.polarity!r}, which chooses one of two."
        )
    if task.allowed is not None:
        raise ValueError("allowed must be None for more than two classes; got literals.")


def learn_by_search(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn by local search, with a size and an objective chosen by cross-validation if the task says so.

    Without features there is only a constant.
    """
    credited = rows.credited(task.credit)
    if not names:
        return _by_cost(_constant(credited, k), rows, credited)
    if task.family == "column-tree":
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
    return _by_cost(replace(found, model=found.model.within(k)), rows, minimised if task.credit else rows)


def _searched(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Return what search finds, or a checklist if it costs less, or no more and is shorter.

    A checklist is charged as it is written, n literals and a number, so search over terms rarely meets one.
    """
    learned = search(rows, names, k, options=task)
    if task.family != "any" or task.is_bounded or rows.n_classes != 2 or task.deadline.is_over():
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
        path = learning_path(rows, names, k, trying) if task.tune and task.family != "checklist" else None
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


def learn_exactly(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Learn the model of least training objective, starting from what search finds; by default literals are free."""
    from idnf.learning.exact.column_optimum import with_columns_counted
    from idnf.learning.exact.optimum import ExactOptions, exact

    credited, size = rows.credited(task.credit), useful_size(k, names)
    if not names or rows.n_classes > 2:
        found = _best_tree(credited, names, size, task) if names else _constant(credited, k)
        return _by_cost(found, rows, credited)
    # What is proved counts literals, unless columns are counted afterwards.
    effort = min(task.effort, _START_EFFORT)
    quick = replace(task, tune=False, ordered=(), price=task.price or 0.0, effort=effort, space=None, progress=None)
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
    # More rows than features make more nested DNFs.
    found = exact(rows, tuple(names), k if task.family == "nested" else size, options=options)
    if _bars_splits(task, names, size):
        return replace(found, optimal=None, bound=None, bound_family=None)
    return found if task.space is None else with_columns_counted(found, rows, k, task.space, task)


def _bars_splits(task: SearchOptions, names: Sequence[str], k: int) -> bool:
    """Return whether only trees without splits on some features are looked at, though others may keep to the literals.

    A split on a feature whose negation is barred can keep to the literals where one of its branches is constant. Up to
    k = 2 such trees are nested DNFs, which all families but trees hold.
    """
    barred = task.allowed is not None and len(task.allowed) < 2 * len(names)
    return barred and (task.family == "tree" or task.family != "nested" and k > 2)


def _best_tree(rows: DistinctRows, names: Sequence[str], k: int, task: SearchOptions) -> Learned:
    """Return the optimal tree; for "any" the optimal pair tree, or a better model with the bound for pair trees."""
    from idnf.learning.exact.class_optimum import ClassTreeOptions, optimal_class_tree, proof_has_time

    if task.price:
        raise ValueError(
            f'price must be None or 0 for learner="exact" with more than two classes; got {task.price}. '
            'learner="search" takes any price.'
        )
    deadline = task.deadline
    is_any = task.family == "any"
    quick = replace(task, price=0.0, effort=min(task.effort, _START_EFFORT), space=None, progress=None)
    with single_threaded():
        starting = replace(quick, family="tree", deadline=deadline.part(_STARTING_TREE))
        start = search(rows, names, k, options=starting).model
        proving = deadline.part(_PROVING) if is_any else deadline
        if not proof_has_time(rows, proving):
            return Learned(start, error_share(rows, start))
        options = ClassTreeOptions(NestedTree.of(start), proving, task.progress, pairs=is_any)
        proved = optimal_class_tree(rows, names, k, options=options)
        if not is_any:
            return proved
        wider = search(rows, names, k, options=replace(quick, deadline=deadline))
    if wider.objective < proved.objective - 1e-12:
        return Learned(wider.model, wider.objective, bound=proved.bound, bound_family=proved.bound_family)
    return proved


def _constant(rows: DistinctRows, k: int) -> Learned:
    """Return the class of most weight, whatever the example."""
    constant = constant_model((), int(rows.totals.argmax()), k, rows.n_classes)
    return Learned(constant, error_share(rows, constant))


SLIVER = 0.01
"""Cuts that part less than this share of the examples stay apart only where that wins more than one example."""

# Cuts that part less than this share are merged where that costs nothing.
_NEAR = 0.05


def with_merged_cuts(
    learned: Learned,
    rows: DistinctRows,
    columns: Iterable[Sequence[int]],
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> Learned:
    """Return what was learned with cuts of one column merged if the examples hardly distinguish them.

    Parameters
    ----------
    learned : Learned
        The model; one that is proved optimal is left as it is.
    rows : DistinctRows
        The training examples.
    columns : iterable of sequences of int
        The features of each ordered column.
    is_over : callable
        Tells that there is no time left; further columns stay as they are.
    """
    if learned.optimal is not None:
        return learned
    objective = Objective(rows, learned.price)
    model = _merged(learned.model, objective, columns, is_over)
    return replace(learned, model=model, objective=learned.objective + objective(model) - objective(learned.model))


def _merged(model: Model, objective: Objective, columns: Iterable[Sequence[int]], is_over: Callable[[], bool]) -> Model:
    """Return a model with some cuts of each column merged; of two, the shorter to write is kept."""
    rows = objective.rows
    one_example = rows.example / rows.total
    cost = objective(model)
    for column in columns:
        used = model.features()
        pairs = permutations([j for j in column if j in used], 2)
        for old, new in sorted(pairs, key=lambda pair: (len(model.names[pair[1]]), pair)):
            if is_over():
                return model
            if old not in used or new not in used:
                continue
            parted = float(rows.masses[rows.features[:, old] != rows.features[:, new]].sum()) / rows.total
            if parted > _NEAR:
                continue
            other = written_with(model, old, new)
            if not _keeps_promise(other):
                continue
            if objective(other) <= cost + (one_example if parted < SLIVER else 0.0) + 1e-12:
                model, cost, used = other, objective(other), other.features()
    return model


def _keeps_promise(model: Model) -> bool:
    """Return whether a model whose k counts columns still gives each point one class: its features are not independent.

    In other models a feature may be written for any other.
    """
    if model.space is None:
        return True
    try:
        ClassDNFs.of(model).verify()
    except VerificationError:
        return False
    return True


def written_with(model: Model, old: int, new: int) -> Model:
    """Return a model with one feature written for another everywhere.

    >>> from idnf.logic.dnf import DNF
    >>> print(written_with(DNF.parse("a & b | c").double(), 1, 0).side(1))
    a | c
    """
    place = {feature: new if feature == old else feature for feature in model.features()}
    written = model.renumbered(model.names, place)
    return written if model.space is None else over(written, model.space)
