"""The independent parts of a search: each has its own seed, and gives one model.

The products of a search take microseconds. Threads that a library starts for them wait for each other in a loop: beside
busy neighbours that costs many times the processor time of the work itself, so there is one.

Berge searches start from models as labelled terms and end in them; annealing fills the shapes of nested trees that a
family has.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from threadpoolctl import ThreadpoolController

from idnf.learning.local import berge_search, tree_search
from idnf.learning.local.berge_search import MOST_IMPLICANTS, MOST_TERMS, BergeTask, Repaired
from idnf.learning.local.kernels import Kernels, kernels
from idnf.learning.local.masks import Cells, ExampleMasks, code_array, opposite_codes
from idnf.learning.local.reference import repairing
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.local.tree_search import Annealed, AnnealTask, Pools, Shape, to_tree
from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.model import Model
from idnf.logic.transversals import neighbours_first

Start = tuple[tuple[tuple[int, int], ...], int]
"""Labelled terms and the default label."""


def starting_terms(terms: Iterable[tuple[int, int]], cells: Cells | None = None) -> tuple[tuple[int, int], ...] | None:
    """Return labelled terms to start a search from, without absorbed ones, or None if the state would be too large.

    With `cells`, steps count their columns.

    >>> starting_terms([(0b0101, 1), (0b0001, 1)])
    ((1, 1),)
    """
    terms = [*terms]
    cells = cells or Cells.plain(max((term.bit_length() + 1 for term, _ in terms), default=0) // 2)
    reduced = cells.reduced(terms)
    if len(reduced) > MOST_TERMS or kernels().implicants(cells, [t for t, _ in reduced], MOST_IMPLICANTS) is None:
        return None
    return tuple(reduced)


def add_starts(starts: list[Start], model: Model, defaults: Iterable[int], cells: Cells | None, *, most: int) -> None:
    """Add a model as labelled terms with each default to some starts, but no known or large one."""
    sides: dict[int, Sequence[int]] = {}
    for default in defaults:
        if len(starts) == most:
            return
        labels = [label for label in range(model.n_classes) if label != default]
        sides.update({label: _side(model, label) for label in labels if label not in sides})
        terms = starting_terms([(term, label) for label in labels for term in sides[label]], cells)
        if terms is not None and (terms, default) not in starts:
            starts.append((terms, default))


def _side(model: Model, label: int) -> Sequence[int]:
    """Return the terms of a label, as they are written if the model is written for it."""
    own, written = model.own_terms() if model.n_classes == 2 else ((), None)
    return own if label == written else model.side(label).masks


def to_model(  # noqa: PLR0913 - a function, and how it is written
    terms: Iterable[tuple[int, int]],
    default: int,
    n_labels: int,
    names: Sequence[str],
    k: int,
    counted: tuple[Space, Cells] | None = None,
) -> ClassDNFs:
    """Return an interpretable function, labelled terms and a default, as the DNF of each label.

    With `counted` k counts the columns of a space.

    >>> print(to_model([(0b0101, 0)], 1, 2, ("a", "b"), 2).positive)
    ~a | ~b
    """
    space, cells = counted or (None, Cells.plain(len(names)))
    least = [*terms] if counted else cells.reduced(terms)
    masks = [term for term, _ in least]
    ordered = masks if counted else neighbours_first(masks)
    found = kernels().implicants(cells, ordered, MOST_IMPLICANTS) if len(least) <= MOST_TERMS else None
    implicants = repairing.implicants(cells, ordered, sys.maxsize) if found is None else found
    sides = [[term for term, other in least if other == label] for label in range(n_labels)]
    sides[default] = [cells.term(p) for p in implicants or () if cells.width(p) <= k]
    dnfs = [DNF.from_masks(tuple(names), side) for side in sides]
    return DoubleDNF(dnfs[1], dnfs[0], k, space) if n_labels == 2 else ClassDNFs(dnfs, k, space)


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
    counted = None if problem.cells is None or problem.space is None else (problem.space, problem.cells)
    return to_model(found.terms, job.default, len(problem.examples.nets), problem.names, problem.k, counted)


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


# Matrices beyond this order have too many prefix vectors (924 at 6, 3432 at 7); a larger k uses this one.
_MOST_ORDER = 6


def all_shapes(options: SearchOptions, problem: SearchProblem, *, restarts: int) -> list[Shape]:
    """Return the shapes to anneal, those that matter most several times."""
    family, k = options.family, problem.k
    if family == "tree":
        return restarts * tree_shapes(problem)
    nested = restarts * nested_shapes(options, problem)
    if family == "nested":
        return nested
    splits = [Shape(1, min(k - 1, _MOST_ORDER), (False, True))] if k > 2 and problem.free else []
    return nested + tree_shapes(problem) + splits


def nested_shapes(options: SearchOptions, problem: SearchProblem) -> list[Shape]:
    """Return nested DNFs of class 1, of class 0, or both."""
    sides = {"positive": (False,), "negative": (True,), "auto": (False, True)}[options.either_polarity]
    order = min(problem.k, _MOST_ORDER)
    return [Shape(0, order, (side,)) for side in sides] if problem.allowed else []


def tree_shapes(problem: SearchProblem) -> list[Shape]:
    """Return decision trees of depth k, if some split is allowed."""
    depth = min(problem.k, _MOST_ORDER)
    return [Shape(depth, 0, (False,) * (1 << depth))] if problem.free else []
