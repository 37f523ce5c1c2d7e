"""The independent parts of a search: each has its own seed, and gives one model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from idnf.learning.local import annealing_task, berge_task
from idnf.learning.local.annealing_task import Annealed, AnnealTask, Pools, Shape, to_tree
from idnf.learning.local.berge_task import BergeTask, Repaired
from idnf.learning.local.kernels import Kernels, kernels
from idnf.learning.local.labelled_terms import to_model
from idnf.learning.local.masks import Cells, ExampleMasks, code_array, opposite_codes
from idnf.logic.boxes import Space
from idnf.logic.model import Model


@dataclass(frozen=True)
class AnnealJob:
    """Anneal a tree of one shape; `price` is a share of all weight."""

    shape: Shape
    price: float
    sweeps: int
    seed: tuple[int, ...]


@dataclass(frozen=True)
class BergeJob:
    """Make Berge steps from some labelled terms and a default label."""

    start: tuple[tuple[int, int], ...]
    default: int
    price: float
    moves: int
    seed: tuple[int, ...]


@dataclass(frozen=True)
class SearchProblem:
    """What every job needs; Berge steps agree with `forced`, terms of each label, and count columns of a space."""

    examples: ExampleMasks
    names: tuple[str, ...]
    k: int
    allowed: frozenset[int]
    forced: tuple[tuple[int, ...], ...] = ()
    space: Space | None = None

    def of_size(self, k: int) -> SearchProblem:
        """Return the same problem for another size; what was prepared is shared."""
        other = replace(self, k=k)
        other.__dict__.update(free=self.free, pools=self.pools, kernels=self.kernels, cells=self.cells)
        return other

    @cached_property
    def free(self) -> frozenset[int]:
        """The literals that may stand at a split: both of them are allowed."""
        return self.allowed & opposite_codes(self.allowed)

    @cached_property
    def cells(self) -> Cells | None:
        """The cells of columns that have several literals, None if every literal counts for itself."""
        return None if any(self.forced) else Cells.of(self.space)

    @cached_property
    def kernels(self) -> Kernels:
        """The inner loops."""
        return kernels()

    @cached_property
    def pools(self) -> Pools:
        """The literals for terms of class 1, for terms of class 0 and for splits."""
        return Pools(code_array(self.allowed), code_array(opposite_codes(self.allowed)), code_array(self.free))


def run_job(problem: SearchProblem, job: AnnealJob | BergeJob, is_over: Callable[[], bool]) -> tuple[Model, bool]:
    """Return the model a job finds, and whether the job was cut short."""
    found = final_state(problem, job, is_over)
    return state_model(problem, job, found), found.cut


def final_state(problem: SearchProblem, job: AnnealJob | BergeJob, is_over: Callable[[], bool]) -> Annealed | Repaired:
    """Return the state a job finds."""
    examples = problem.examples
    price = examples.integer(job.price * examples.total)
    if isinstance(job, AnnealJob):
        task = AnnealTask(examples, job.shape, problem.pools, price)
        return problem.kernels.anneal(task, annealing_task.schedule(examples, job.sweeps), _seed(job.seed), is_over)
    # What is allowed differs from what is not among two labels only.
    allowed = problem.pools.negative if job.default == 1 else problem.pools.positive
    repairing = BergeTask(examples, job.default, allowed, problem.k, price, problem.forced, problem.cells)
    cooling = berge_task.schedule(examples, job.moves)
    return problem.kernels.repair(repairing, job.start, cooling, _seed(job.seed), is_over)


def state_model(problem: SearchProblem, job: AnnealJob | BergeJob, found: Annealed | Repaired) -> Model:
    """Return the state a job has found as a model."""
    if isinstance(job, AnnealJob):
        assert isinstance(found, Annealed), "annealing ends in a tree"
        tree = to_tree(found, job.shape, problem.names, problem.k)
        return tree.as_nested() or tree
    assert isinstance(found, Repaired), "Berge steps end in terms"
    counted = None if problem.cells is None or problem.space is None else (problem.space, problem.cells)
    return to_model(found.terms, job.default, len(problem.examples.nets), problem.names, problem.k, counted)


def _seed(numbers: tuple[int, ...]) -> int:
    """Return 64 random bits for some numbers; a single number is taken as it is."""
    if len(numbers) == 1:
        return numbers[0]
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])
