"""The independent parts of a search: each has its own seed, and gives one model.

The products of a search take microseconds. Threads that a library starts for them wait for each other in a loop: beside
busy neighbours that costs many times the processor time of the work itself, so there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from threadpoolctl import ThreadpoolController

from idnf.learning.local import berge_search, tree_search
from idnf.learning.local.berge_models import to_column_model, to_model
from idnf.learning.local.berge_search import BergeTask, Repaired
from idnf.learning.local.cells import Cells
from idnf.learning.local.kernels import Kernels, kernels
from idnf.learning.local.masks import ExampleMasks, code_array, opposite_codes
from idnf.learning.local.tree_search import Annealed, AnnealTask, Pools, Shape, to_tree
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
    found = found_state(problem, job, is_over)
    return state_model(problem, job, found), found.cut


def found_state(problem: SearchProblem, job: AnnealJob | BergeJob, is_over: Callable[[], bool]) -> Annealed | Repaired:
    """Return the state a job finds."""
    examples = problem.examples
    price = examples.integer(job.price * examples.total)
    if isinstance(job, AnnealJob):
        task = AnnealTask(examples, job.shape, problem.pools, price)
        return problem.kernels.anneal(task, tree_search.schedule(examples, job.sweeps), _seed(job.seed), is_over)
    # What is allowed differs from what is not among two labels only.
    allowed = problem.pools.negative if job.default == 1 else problem.pools.positive
    repairing = BergeTask(examples, job.default, allowed, problem.k, price, problem.forced, problem.cells)
    cooling = berge_search.schedule(examples, job.moves)
    return problem.kernels.repair(repairing, job.start, cooling, _seed(job.seed), is_over)


def state_model(problem: SearchProblem, job: AnnealJob | BergeJob, found: Annealed | Repaired) -> Model:
    """Return the state a job has found as a model."""
    if isinstance(job, AnnealJob):
        assert isinstance(found, Annealed), "annealing ends in a tree"
        tree = to_tree(found, job.shape, problem.names, problem.k)
        return tree.as_nested() or tree
    assert isinstance(found, Repaired), "Berge steps end in terms"
    count = len(problem.examples.nets)
    if problem.cells is not None and problem.space is not None:
        counted = problem.names, problem.k, problem.space, problem.cells
        return to_column_model(found.terms, job.default, count, counted)
    return to_model(found.terms, job.default, count, problem.names, problem.k)


def _seed(numbers: tuple[int, ...]) -> int:
    """Return 64 random bits for some numbers; a single number is taken as it is."""
    if len(numbers) == 1:
        return numbers[0]
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])


@contextmanager
def single_threaded() -> Iterator[None]:
    """Let the libraries that multiply matrices use one thread; afterwards as many as before.

    >>> from threadpoolctl import threadpool_info
    >>> with single_threaded():
    ...     print({each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"})
    {1}
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """Return what knows the libraries in use; looking for them takes milliseconds."""
    return ThreadpoolController()
