"""What greedy learners do: the paper's heuristic, CART, one class against the rest, trees over columns."""

from __future__ import annotations

from dataclasses import replace

from idnf.counting.contract import Counts, DistinctRows
from idnf.learning.column_trees import column_tree
from idnf.learning.greedy import learn_greedy, one_against_rest, one_against_rest_has_time, order_in_time
from idnf.learning.lookahead import cart_in_time
from idnf.learning.objective import Learned, Objective, error_share, plain_objective
from idnf.learning.path import CAUTIONS, LEAST_ROWS, objectives
from idnf.learning.task import LearningTask
from idnf.logic.boxes import Space
from idnf.logic.errors import InvalidArgument


def paper_heuristic(counts: Counts, task: LearningTask) -> Learned:
    """Learn a nested DNF by the paper's heuristic; of either class if the family has more than nested DNFs."""
    size = order_in_time(task.k, task.deadline.left)
    learned = learn_greedy(
        counts, task.names, size, polarity=task.either_polarity, allowed=task.allowed, random_state=task.random_state
    )
    return replace(learned, model=learned.model.within(task.k))


def learn_by_cart(rows: DistinctRows, task: LearningTask) -> Learned:
    """Learn a tree by CART, from as many rows as there is time for."""
    tree = cart_in_time(rows, task.names, task.k, random_state=task.random_state, deadline=task.deadline.part(0.5))
    return Learned(tree, error_share(rows, tree))


def learn_column_tree(rows: DistinctRows, task: LearningTask) -> Learned:
    """Learn a tree whose paths ask of at most k columns, grown by CART's measure and cut back by the price of noise."""
    if task.allowed is not None:
        raise InvalidArgument(
            "family", "have models that can be monotone under monotonic_cst", f"{task.family.name!r}", '"any" has.'
        )
    if task.price is not None:
        objective = Objective(rows, task.price)
    elif len(rows.features) < LEAST_ROWS or task.deadline.is_over():
        objective = plain_objective(rows)
    else:
        objective = objectives(rows, CAUTIONS[-1:], task)[0]
    space = task.space or Space.boolean(task.names)
    tree = column_tree(objective.rows, task.names, task.k, space, price=objective.price, deadline=task.deadline)
    if tree is None:
        return learn_by_cart(rows, task)
    return Learned(tree, objective(tree), price=objective.price)


def learn_against_rest(rows: DistinctRows, task: LearningTask) -> list[Learned]:
    """Learn a nested DNF of each class against the rest, if the family and the time allow it."""
    if not task.family.has_every_function or not one_against_rest_has_time(rows, task.deadline):
        return []
    model = one_against_rest(rows, task.names, task.k, random_state=task.random_state)
    return [] if model is None else [Learned(model, error_share(rows, model))]
