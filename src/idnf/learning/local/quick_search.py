"""A model of every size up to k, each found by a search of little effort that starts from the next smaller one.

What cross-validation needs of search is a fair sample of the models of each size, many times over. Here the sizes share
their preparation, states are compared by their values as integers, and only the best of them become models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

import numpy as np

from idnf.learning.constants import constant_model
from idnf.learning.local.annealing_task import Annealed
from idnf.learning.local.berge_task import Repaired
from idnf.learning.local.budgets import IN_FOLDS, JobMaker, scaled
from idnf.learning.local.jobs import AnnealJob, BergeJob, SearchProblem, final_state, state_model
from idnf.learning.local.labelled_terms import Start, add_starts
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.specification.heat_bath import RandomStream
from idnf.learning.lookahead import MOST_TRIPLES, lookahead_trees
from idnf.learning.narrowing import narrowed
from idnf.learning.objective import TOLERANCE, Objective
from idnf.learning.task import LearningTask
from idnf.logic.model import Model

# States of each kind that become models.
_KEPT = 1
# How many times the moves of a Berge job are made to see what a price or another count makes of a model.
_MORE_MOVES = 5

_State = tuple[AnnealJob | BergeJob, Annealed | Repaired]


def models_by_size(objective: Objective, task: LearningTask) -> list[Model]:
    """Return a model of each size from 1 to k, none worse than a smaller one; fewer when time runs out.

    Parameters
    ----------
    objective : Objective
        The training examples as they are weighed, and the price of a literal.
    task : LearningTask
        The features, the largest size, the family, the literals allowed, the effort, the time limit and the seed; the
        rest is for a whole search.

    Examples
    --------
    >>> from idnf.counting.contract import DistinctRows
    >>> features = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    >>> either = features[:, 0] & features[:, 1] | features[:, 2]
    >>> rows = DistinctRows.of_two(features, either * 1.0, ~either * 1.0, True)
    >>> [model.k for model in models_by_size(Objective(rows, 0.01), LearningTask(("a", "b", "c"), 2))]
    [1, 2]
    """
    narrow = narrowed(objective.rows, task)
    if narrow is None:
        return _QuickSearch(objective, task).models()
    smaller = Objective(narrow.rows, objective.price)
    return [narrow.widened(model) for model in _QuickSearch(smaller, narrow.task).models()]


def repaired_models(model: Model, objective: Objective, task: LearningTask, factors: Sequence[float]) -> list[Model]:
    """Return what Berge steps make of a model at some multiples of the price of a literal, each from the one before.

    They count columns of the space that the task has, literals if there is none. None is worse at its price than
    the one before it; but for a time limit all take as many moves, and all classes are taken alike.

    >>> from idnf.counting.contract import DistinctRows
    >>> from idnf.logic.boxes import Column, Space
    >>> dose = Space((Column("dose", ("low", "middle", "high"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> rows = DistinctRows(np.array([[1, 1], [0, 1], [0, 0]], dtype=bool), np.eye(2)[[0, 1, 0]], True)
    >>> from idnf.logic.nested import NestedDNF
    >>> never, task = NestedDNF.constant(("a", "b"), False, 1), LearningTask(("a", "b"), 1, space=dose)
    >>> for found in repaired_models(never, Objective(rows, 0.01), task, [1, 90]):
    ...     print(found.side(1))
    ~a & b
    0
    """
    task = replace(task, k=model.k, starts=(model,))
    narrow = narrowed(objective.rows, task)
    rows, task = (objective.rows, task) if narrow is None else (narrow.rows, narrow.task)
    (last,) = task.starts
    found = []
    for factor in factors:
        last = _QuickSearch(Objective(rows, factor * objective.price), task).repaired(last)
        found.append(last)
    return found if narrow is None else [*map(narrow.widened, found)]


@dataclass(frozen=True, order=True)
class _Costed:
    """A model with its cost."""

    cost: float
    model: Model = field(compare=False)

    def within(self, k: int) -> _Costed:
        """Return the model as one of a larger bound."""
        return _Costed(self.cost, self.model.within(k))


class _QuickSearch:
    """Searches for models of growing size."""

    def __init__(self, objective: Objective, task: LearningTask) -> None:
        self.objective = objective
        self.task = task
        stream = RandomStream(task.random_state)
        self.jobs = JobMaker(task, IN_FOLDS, objective.price, ((stream.bits(),) for _ in count()))
        self.allowed = frozenset(range(2 * len(task.names))) if task.allowed is None else task.allowed
        self.has_trees = task.family.has_trees and len(self.allowed) == 2 * len(task.names)
        # Of more than two classes, trees are looked at alone: what a wider family adds helps all settings alike.
        self.searches = objective.rows.n_classes == 2

    @cached_property
    def problem(self) -> SearchProblem:
        """What every job needs."""
        examples = ExampleMasks(self.objective.rows, np.random.default_rng([self.task.random_state, 0]))
        return SearchProblem(examples, self.task.names, self.task.k, self.allowed)

    @cached_property
    def defaults(self) -> list[int]:
        """What it is worth to give every example a label in place of class 0."""
        totals: list[int] = self.problem.examples.nets.sum(axis=1, dtype=np.int64).tolist()
        return totals

    def models(self) -> list[Model]:
        """Return a model of each size."""
        sizes, n_classes = range(1, self.task.k + 1), self.objective.rows.n_classes
        trees = self._trees(sizes)
        best = min(self._costed(constant_model(self.task.names, label, 1, n_classes)) for label in range(n_classes))
        # The only functions of size one are literals, and a tree of depth one is the best of them.
        found, grows = [], not self.has_trees
        for size in sizes:
            known = [best.within(size), *trees[size - 1 : size]]
            # Where the size before made nothing better, or no error, this one hardly will, unless a tree shows a way.
            if self.searches and (grows or min(known).cost < best.cost - TOLERANCE and size > 1):
                known += self._searched(self.problem.of_size(size), known)
            if self._is_late():
                break
            grows = size == 1 or min(known).cost < best.cost - TOLERANCE
            best = _least(known)
            grows = grows and best.cost > self.objective.price * best.model.literal_count + TOLERANCE
            found.append(best.model)
        return found

    def _trees(self, sizes: Sequence[int]) -> list[_Costed]:
        if not self.has_trees:
            return []
        rows, price = self.objective.rows, self.objective.price
        # Where trees are looked at alone, they are nearer to those of a whole search.
        far = self.task.effort / 5 if self.searches else 5 * self.task.effort
        most = round(MOST_TRIPLES * min(1.0, far))
        trees = lookahead_trees(rows, self.task.names, sizes, price=price, most_triples=most, is_over=self._is_late)
        return [*map(self._costed, trees)]

    def _searched(self, problem: SearchProblem, known: list[_Costed]) -> list[_Costed]:
        """Return what annealing finds, and what Berge steps make of that and of the models known."""
        found = self._found(problem, self.jobs.annealing(problem))
        if self.task.family.has_every_function and problem.allowed:
            models = (each.model for each in sorted(known + found))
            found += self._found(problem, self.jobs.repairing(problem, models))
        return found

    def _found(self, problem: SearchProblem, jobs: Sequence[AnnealJob | BergeJob]) -> list[_Costed]:
        """Return the models of the best states that some jobs find."""
        states: list[_State] = []
        for job in jobs:
            if self._is_late():
                break
            states.append((job, final_state(problem, job, self._is_late)))
        states.sort(key=self._worth, reverse=True)
        return [self._costed(state_model(problem, job, state)) for job, state in states[:_KEPT]]

    def _costed(self, model: Model) -> _Costed:
        return _Costed(self.objective(model), model)

    def _worth(self, state: _State) -> int:
        job, found = state
        return found.value + (self.defaults[job.default] if isinstance(job, BergeJob) else 0)

    def repaired(self, model: Model) -> Model:
        """Return what Berge steps make of a model, with every label that occurs for a default."""
        known, problem = self._costed(model), replace(self.problem, space=self.task.space)
        starts: list[Start] = []
        labels = np.flatnonzero(self.objective.rows.totals).tolist()
        add_starts(starts, model, labels, problem.cells, most=len(labels))
        jobs = self.jobs.from_starts(starts, scaled(_MORE_MOVES * IN_FOLDS.moves, self.task.effort))
        return _least([known, *self._found(problem, jobs)]).model

    def _is_late(self) -> bool:
        return self.task.deadline.is_over()


def _least(found: Sequence[_Costed]) -> _Costed:
    """Return the model of the least cost; of equals the one of the fewest literals, then the first."""
    least = min(found).cost + TOLERANCE
    tied = [each for each in found if each.cost <= least]
    return min(tied, key=lambda each: each.model.literal_count) if tied[1:] else tied[0]
