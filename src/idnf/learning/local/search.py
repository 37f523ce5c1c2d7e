"""Local search: annealing over matrices and trees, then Berge steps over every k-AXp-interpretable function.

Two labels have trees of nested DNFs annealed as a whole; with more, nested DNFs take the place of branches of a tree.

The work is a list of independent jobs, each with its own seed, so the result is the same for any number of threads. A
search stops by effort; a time limit or Ctrl-C makes it stop early with the best model so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from threading import Event, Thread
from time import sleep

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from idnf.counting.contract import DistinctRows
from idnf.counting.packed import PackedTable
from idnf.learning.checklist_search import UNEQUAL_POINTS, checklists
from idnf.learning.constants import constant_model
from idnf.learning.greedy import learn_greedy, one_against_rest, one_against_rest_has_time
from idnf.learning.local.annealing_task import Shape
from idnf.learning.local.budgets import WHOLE, JobMaker, scaled
from idnf.learning.local.jobs import AnnealJob, BergeJob, SearchProblem, run_job
from idnf.learning.local.labelled_terms import Start, add_starts
from idnf.learning.local.masks import Cells, ExampleMasks
from idnf.learning.local.shapes import nested_shapes
from idnf.learning.lookahead import (
    CELLS_A_SECOND,
    MOST_TRIPLES,
    affordable_breadth,
    cart,
    cart_in_time,
    counted_tree,
    lookahead_tree,
)
from idnf.learning.narrowing import narrowed
from idnf.learning.objective import (
    TOLERANCE,
    Learned,
    Objective,
    best_model,
    plain_objective,
    with_better_branches,
)
from idnf.learning.task import LearningTask
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree

# The paper's learner tries C(2k, k) terms; beyond this k it is no reference.
_MOST_GREEDY = 8
# Splits tried in look-ahead trees of depth 4, half as many in deeper ones, in tables of up to some size.
_BREADTH = 6
_MOST_BROAD = 40_000
_MOST_BROAD_CLASSES = 400_000
# Tables beyond this size have no look-ahead tree.
_MOST_SEEN = 20_000_000
# Sweeps of one annealing job for a leaf between two of several labels, how many for each polarity, the largest order.
_LEAF_SWEEPS = 30
_LEAF_RESTARTS = 2
# Moves of Berge jobs with several labels from all starts together, and of each at least.
_LABEL_MOVES = 4000
_LEAST_LABEL_MOVES = 200
_MOST_LEAF_ORDER = 4
# Shares of a time limit for CART with several labels, and of all work before Berge steps then.
_CART_SHARE = 0.5
_BEFORE_BERGE = 0.4
# The share of a time limit after which models that are too large are cut down, and the least seconds for that.
_BEFORE_CUTTING = 0.8
_CUTTING = 0.2
# About how long a move of a Berge job takes, in the units of `_cost`.
_MOVE_COST = 18.0
# Of more distinct rows than this, a tree of scikit-learn takes so long that Ctrl-C and the time are heeded meanwhile.
_MOST_WAITED_ROWS = 10_000


def search(rows: DistinctRows, task: LearningTask) -> Learned:
    """Learn a model that is never worse, on the training objective, than what its family starts from.

    "nested" starts from the paper's learner, "tree" from CART and a look-ahead tree of depth k, the others from all of
    them; all from a constant. With more than two labels the
    paper's learner gives one nested DNF for each label against the rest, and a literal costs a small part of an example
    unless its price is given.

    Parameters
    ----------
    rows : DistinctRows
        The training examples with their weights.
    task : LearningTask
        What to look for, and how.
    """
    narrow = narrowed(rows, task, only_varying=True)
    if narrow is None:
        return _Search(rows, task).run()
    # What search must not be worse than is asked for with all features.
    wide = _Search(rows, task)
    try:
        wide.ask_references()
    except KeyboardInterrupt:
        wide.deadline.stop()
        return wide.best()
    learned = _Search(narrow.rows, replace(narrow.task, references=False)).run()
    objective = Objective(rows, learned.price)
    best = _best([*wide.models, narrow.widened(learned.model)], objective, task)
    return replace(learned, model=best, objective=objective(best))


class _Search:
    """One search: the best models so far, and the jobs still to do."""

    def __init__(self, rows: DistinctRows, task: LearningTask) -> None:
        self.rows = rows
        self.task = task
        self.objective = plain_objective(rows) if task.price is None else Objective(rows, task.price)
        self.deadline = task.deadline if task.accepts is None else task.deadline.part(_BEFORE_CUTTING)
        self.stopped = Event()
        allowed = frozenset(range(2 * len(task.names))) if task.allowed is None else task.allowed
        self.problem = SearchProblem(self._masks(), task.names, task.k, allowed, space=task.space)
        self.models: list[Model] = [*self._constants(), *(model.within(task.k) for model in task.starts)]
        seeds = ((task.random_state, number) for number in count(1))
        self.jobs = JobMaker(task, WHOLE, self.objective.price, seeds)
        self.cut = False

    def run(self) -> Learned:
        """Return the best model of the family."""
        try:
            if self.task.family.is_of_lists:
                self.models += self._checklists()
                return self.best()
            self.ask_references()
            whole = self.task.family.has_every_function and bool(self.problem.allowed)
            rounds = self._rounds() if self.rows.n_classes == 2 else []
            middle = self._annealing_share(rounds, whole=whole)
            self._consider_lookahead_tree()
            if self.rows.n_classes == 2:
                self._anneal(rounds, middle)
            elif self.task.family.has_nested:
                self._improve_branches(self._nested_models)
                if whole:
                    self._improve_branches(self._labelled_models)
            self._consider_optimal_tree()
            if whole:
                self._finish(self._berge_jobs(), stages=(middle, 1.0))
        except KeyboardInterrupt:
            self.deadline.stop()
        if self.rows.n_classes > 2 and self.task.progress is not None:
            self.task.progress(1.0)
        return self.best()

    def _checklists(self) -> list[Model]:
        """Return the best checklist of each shape."""
        rows, names, k = self.objective.rows, self.problem.names, self.problem.k
        allowed, seed = self.task.allowed, self.task.random_state
        found = checklists(
            rows, names, k, allowed=allowed, random_state=seed, most_points=UNEQUAL_POINTS, is_over=self._is_late
        )
        return [*found]

    def _constants(self) -> list[Model]:
        names, k, n_classes = self.problem.names, self.problem.k, self.rows.n_classes
        labels = (0, 1) if n_classes == 2 else (int(self.rows.totals.argmax()),)
        return [constant_model(names, label, k, n_classes) for label in labels]

    def best(self) -> Learned:
        """Return the best model so far."""
        best = _best(self.models, self.objective, self.task)
        return Learned(best, self.objective(best), price=self.objective.price)

    def _masks(self, rows: DistinctRows | None = None) -> ExampleMasks:
        """Return some examples as searches read them, all by default."""
        return ExampleMasks(rows or self.objective.rows, np.random.default_rng([self.task.random_state, 0]))

    def _annealing_share(self, rounds: Sequence[Sequence[AnnealJob]], *, whole: bool) -> float:
        """Return the share of all work after which annealing ends."""
        if self.rows.n_classes > 2:
            return _BEFORE_BERGE
        anneals = WHOLE.sweeps * sum(_cost(job.shape) for jobs in rounds for job in jobs)
        berges = (2 + WHOLE.starts) * WHOLE.moves * _MOVE_COST if whole else 0.0
        return anneals / max(1.0, anneals + berges)

    def ask_references(self) -> None:
        """Take in what the family must not be worse than."""
        task, problem = self.task, self.problem
        if not task.references or task.family.is_of_lists:
            return
        if self.rows.n_classes > 2:
            self._ask_for_classes()
            return
        table = PackedTable.of_rows(self.rows)
        if task.family.has_trees and len(problem.free) == 2 * len(problem.names):
            tree = self._reference_tree(table)
            self.models += [] if tree is None else [tree]
        if task.family.has_nested and 1 <= problem.k <= _MOST_GREEDY and not self._is_late():
            learned = learn_greedy(
                table,
                problem.names,
                problem.k,
                polarity=self.task.either_polarity,
                allowed=task.allowed,
                random_state=task.random_state,
            )
            self.models.append(learned.model)

    def _ask_for_classes(self) -> None:
        """Take in CART's tree and one nested DNF for each of several labels against the rest."""
        names, k, seed = self.problem.names, self.problem.k, self.task.random_state
        soon = self.deadline.part(_CART_SHARE)
        self.models.append(cart_in_time(self.rows, names, k, random_state=seed, deadline=soon))
        if self.task.family.has_every_function and one_against_rest_has_time(self.rows, self.deadline):
            rest = one_against_rest(self.rows, names, k, random_state=seed)
            self.models += [] if rest is None else [rest]

    def _improve_branches(self, others: Callable[[NestedTree, Objective], Iterator[Model]]) -> None:
        """Take in the best model so far with something better in place of its branches, for several labels."""
        if not self._is_late():
            self.models.append(with_better_branches(min(self.models, key=self.objective), self.objective, others))

    def _nested_models(self, branch: NestedTree, objective: Objective) -> Iterator[Model]:
        """Yield nested DNFs of the two heaviest labels of a branch."""
        rows, sweeps = objective.rows, scaled(_LEAF_SWEEPS, self.task.effort)
        label, otherwise = np.argsort(-rows.totals, kind="stable")[:2].tolist()
        pair = rows.of_pair(label, otherwise)
        problem = replace(self.problem, examples=self._masks(pair), k=min(branch.k, _MOST_LEAF_ORDER))
        price = objective.price * rows.total / pair.total
        shapes = _LEAF_RESTARTS * nested_shapes(self.task, problem)
        jobs = [AnnealJob(shape, price, sweeps, next(self.jobs.seeds)) for shape in shapes]
        for model in self._models([(problem, job) for job in jobs]):
            node = model.node().relabel((otherwise, label), branch.n_classes)
            yield NestedTree(branch.names, node, branch.k, branch.n_classes)

    def _labelled_models(self, branch: NestedTree, objective: Objective) -> Iterator[Model]:
        """Yield what Berge steps find from nothing and from a branch, for every default label; they count literals."""
        problem = replace(self.problem, examples=self._masks(objective.rows), k=branch.k, space=None)
        yield from self._models([(problem, job) for job in self._label_jobs([branch], objective, None)])

    def _reference_tree(self, table: PackedTable) -> Model | None:
        """Return CART's tree, or one of the same kind by counts if there is no time for that."""
        names, k = self.problem.names, self.problem.k
        if self.rows.features.size > CELLS_A_SECOND * self.deadline.left:
            return counted_tree(table, names, k, is_over=self._is_late)
        made = partial(cart, self.rows, names, k, random_state=self.task.random_state)
        return made() if len(self.rows.features) <= _MOST_WAITED_ROWS else self._awaited(made)

    def _consider_lookahead_tree(self) -> None:
        """Take in a tree of depth k that is hard to beat, where every split is allowed."""
        if self._may_split() and not self._is_late():
            broad = self._is_thorough()
            breadth = _BREADTH if broad and self.problem.k == 4 else _BREADTH // 2 if broad else 1
            self.models.append(self._lookahead_tree(breadth))

    def _consider_optimal_tree(self) -> None:
        """Take in a tree with as many splits tried as time allows, for who asks for the least errors at any length."""
        # Up to three levels the look-ahead tree is the best one.
        if self.problem.k <= 3 or self.objective.price or not self._is_thorough():
            return
        if not self._may_split() or self._is_late():
            return
        rows = self.objective.rows
        unavoidable = (rows.masses - rows.weights.max(axis=1)).sum() / rows.total
        if min(map(self.objective, self.models)) > unavoidable + TOLERANCE:
            examples, features = rows.features.shape
            self.models.append(self._lookahead_tree(affordable_breadth(examples, features, self.problem.k)))

    def _may_split(self) -> bool:
        """Return whether the family has trees, every split is allowed, and the table is not too large to look ahead."""
        problem = self.problem
        free = self.task.family.has_trees and len(problem.free) == 2 * len(problem.names)
        return free and self.rows.features.size <= _MOST_SEEN

    def _is_thorough(self) -> bool:
        """Return whether several splits are tried at a node."""
        most = _MOST_BROAD if self.rows.n_classes == 2 else _MOST_BROAD_CLASSES
        return self.task.effort >= 1 and self.rows.features.size < most

    def _lookahead_tree(self, breadth: int) -> Model:
        # Several labels have no trees but this one to start from.
        far = min(1.0, self.task.effort / 5) if self.rows.n_classes == 2 else 4 * min(1.0, self.task.effort)
        return lookahead_tree(
            self.objective.rows,
            self.problem.names,
            self.problem.k,
            price=self.objective.price,
            breadth=breadth,
            most_triples=round(MOST_TRIPLES * far),
            is_over=self._is_late,
        )

    def _awaited(self, work: Callable[[], Model]) -> Model | None:
        """Return what some work gives, or None when time runs out first; Ctrl-C is heard meanwhile."""
        # No lock is waited for: Ctrl-C in the middle of one would leave it broken.
        answers: list[Model] = []
        thread = Thread(target=lambda: answers.append(work()), daemon=True)
        thread.start()
        while not answers and thread.is_alive() and not self._is_late():
            sleep(0.02)
        return answers[0] if answers else None

    def _anneal(self, rounds: Sequence[Sequence[AnnealJob]], stop: float) -> None:
        """Anneal every shape, and those that matter most again until what is best so far is found once more."""
        costs = np.cumsum([0.0, *(sum(_cost(job.shape) for job in jobs) for jobs in rounds)])
        shares = (stop * costs / max(1.0, costs[-1])).tolist()
        best = float("inf")
        for jobs, stages in zip(rounds, zip(shares, shares[1:], strict=False), strict=True):
            known = len(self.models)
            self._finish(jobs, stages=stages)
            found = min(map(self.objective, self.models[known:]), default=float("inf"))
            if abs(found - best) <= TOLERANCE:
                break
            best = min(best, found)

    def _rounds(self) -> list[list[AnnealJob]]:
        """Return the annealing jobs: every shape once, then those that are there several times."""
        rounds: list[list[AnnealJob]] = []
        times: Counter[Shape] = Counter()
        for job in self.jobs.annealing(self.problem) if self.problem.k else ():
            if times[job.shape] == len(rounds):
                rounds.append([])
            rounds[times[job.shape]].append(job)
            times[job.shape] += 1
        return rounds

    def _berge_jobs(self) -> list[BergeJob]:
        """Return Berge searches from the best models so far and from nothing, for every default label."""
        models = sorted(self.models, key=self.objective)
        if self.rows.n_classes > 2:
            return self._label_jobs(models, self.objective, self.problem.cells)
        return self.jobs.repairing(self.problem, models)

    def _label_jobs(self, models: Sequence[Model], objective: Objective, cells: Cells | None) -> list[BergeJob]:
        """Return Berge searches from nothing and from the best of some models, for every one of several labels."""
        totals = objective.rows.totals
        labels = np.flatnonzero(totals).tolist()
        starts: list[Start] = [((), default) for default in labels]
        for model in models:
            add_starts(starts, model, labels, cells, most=2 * len(labels))
        # A branch has its share of the moves.
        share = self.task.effort * objective.rows.total / self.rows.total
        moves = max(1, round(share * max(_LEAST_LABEL_MOVES, _LABEL_MOVES / len(starts))))
        return replace(self.jobs, price=objective.price).from_starts(starts, moves)

    def _is_late(self) -> bool:
        """Return whether no further work is to be begun."""
        return self.cut or self.stopped.is_set() or self.deadline.is_over()

    def _results(
        self, work: Sequence[tuple[SearchProblem, AnnealJob | BergeJob]]
    ) -> Generator[tuple[Model, bool], None, None]:
        """Do jobs in turn or in threads; what they give comes in their order."""
        if effective_n_jobs(self.task.n_jobs) == 1:
            return (run_job(problem, job, self._is_late) for problem, job in work)
        threads = Parallel(n_jobs=self.task.n_jobs, prefer="threads", return_as="generator")
        results: Generator[tuple[Model, bool], None, None] = threads(
            delayed(run_job)(problem, job, self._is_late) for problem, job in work
        )
        return results

    def _finish(self, jobs: Sequence[AnnealJob | BergeJob], *, stages: tuple[float, float]) -> None:
        """Do the jobs and take in their models; they are this part of all work."""
        for model in self._models([(self.problem, job) for job in jobs], stages=stages):
            self.models.append(model)

    def _models(
        self,
        work: Sequence[tuple[SearchProblem, AnnealJob | BergeJob]],
        *,
        stages: tuple[float, float] = (0.0, 0.0),
    ) -> Iterator[Model]:
        """Yield the models of jobs in their order, until one is cut short; none if an earlier one was."""
        if self._is_late():
            return
        start, stop = stages
        costs = np.cumsum([_cost(job.shape) * job.sweeps if isinstance(job, AnnealJob) else 1.0 for _, job in work])
        results = self._results(work)
        finished = False
        try:
            for done, (model, cut) in zip(costs.tolist(), results, strict=True):
                yield model
                if self.task.progress is not None:
                    self.task.progress(start + (stop - start) * done / costs[-1])
                if cut:
                    self.cut = True
                    return
            finished = True
        finally:
            # Whatever ended this early, threads still at work are to end too.
            if not finished:
                self.stopped.set()
            results.close()


def _best(models: Sequence[Model], objective: Objective, task: LearningTask) -> Model:
    """Return the best model that is accepted."""
    return best_model(models, objective, task.accepts, task.deadline.at_least(_CUTTING).is_over)


def _cost(shape: Shape) -> float:
    """Return about how long a sweep takes, for a share of progress."""
    return len(shape.complemented) * shape.order**3 / 2 + 6 * shape.depth
