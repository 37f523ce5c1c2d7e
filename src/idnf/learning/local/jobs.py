"""The independent parts of a search: each has its own seed, and gives one model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from idnf.learning.local.berge import BergeState
from idnf.learning.local.berge_search import BergeSearch, BergeTask, to_double
from idnf.learning.local.heat_bath import HeatBath
from idnf.learning.local.masks import ExampleMasks, opposite_codes
from idnf.learning.local.tree_search import Pools, Shape, TreeState, anneal
from idnf.logic.learned_models import Model
from idnf.logic.trees import Leaf, NestedTree


@dataclass(frozen=True)
class AnnealJob:
    """Anneal a tree of one shape; `price` is a share of all weight."""

    shape: Shape
    price: float
    sweeps: int
    seed: tuple[int, ...]


@dataclass(frozen=True)
class BergeJob:
    """Make Berge steps from a state, of class 0 where `complemented`."""

    start: BergeState
    complemented: bool
    price: float
    moves: int
    seed: tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """What every job needs."""

    examples: ExampleMasks
    names: tuple[str, ...]
    k: int
    allowed: frozenset[int]
    deadline: float | None

    @property
    def free(self) -> frozenset[int]:
        """The literals that may stand at a split: both of them are allowed."""
        return self.allowed & opposite_codes(self.allowed)


def run_job(problem: Problem, job: AnnealJob | BergeJob) -> tuple[Model, bool]:
    """Return the model a job finds, and whether the job was cut short."""
    if isinstance(job, AnnealJob):
        return _annealed(problem, job)
    examples = problem.examples
    net = -examples.net if job.complemented else examples.net
    allowed = opposite_codes(problem.allowed) if job.complemented else problem.allowed
    task = BergeTask(examples, net, allowed, problem.k, job.price * examples.total)
    berge = BergeSearch(task, job.start, np.random.default_rng(job.seed))
    cut = berge.run(job.moves, problem.deadline)
    return to_double(berge.best, problem.names, problem.k, complemented=job.complemented), cut


def _annealed(problem: Problem, job: AnnealJob) -> tuple[Model, bool]:
    examples = problem.examples
    pools = Pools(
        examples.pool(problem.allowed), examples.pool(opposite_codes(problem.allowed)), examples.pool(problem.free)
    )
    bath = HeatBath(np.random.default_rng(job.seed))
    state = TreeState(examples, job.shape, pools, job.price * examples.total, bath)
    _, cut = anneal(state, job.sweeps, problem.deadline)
    return _plain(state.to_tree(problem.names, problem.k)), cut


def _plain(tree: NestedTree) -> Model:
    """Return a nested DNF of class 1 as such, any other tree as it is."""
    return tree.root.nested if isinstance(tree.root, Leaf) and not tree.root.complemented else tree
