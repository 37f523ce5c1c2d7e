"""How much work a search does, and the jobs that follow from it.

A whole search and the quick ones in the folds of cross-validation make the same steps with different budgets, whose
counts are at effort 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from idnf.learning.local.jobs import AnnealJob, BergeJob, SearchProblem
from idnf.learning.local.labelled_terms import Start, add_starts
from idnf.learning.local.shapes import all_shapes
from idnf.learning.task import LearningTask
from idnf.logic.model import Model


@dataclass(frozen=True)
class SearchBudget:
    """The work of a search for two labels, at effort 1.

    Parameters
    ----------
    sweeps : int
        Sweeps of one annealing job; each looks once at every cell of a matrix and every split.
    restarts : int
        Annealing jobs for each polarity of a nested DNF.
    moves : int
        Moves of one Berge job; each drops some terms and adds others.
    starts : int
        Models that Berge jobs start from.
    blank : bool
        Whether Berge jobs start from nothing too, with each label for a default.
    """

    sweeps: int
    restarts: int
    moves: int
    starts: int
    blank: bool


WHOLE = SearchBudget(sweeps=300, restarts=4, moves=400, starts=3, blank=True)
"""The budget of the final fit; a restart is made only until what is best so far is found once more.

Restarts were set by `experiments/searching.py restarts`; `parts` shows what they, the starts and steps from nothing are
worth.
"""

IN_FOLDS = SearchBudget(sweeps=300, restarts=2, moves=400, starts=3, blank=False)
"""The budget of a search in the folds, at a fiftieth of the effort of the fit: `experiments/searching.py folds`."""


def scaled(count: float, effort: float) -> int:
    """Return a count at some effort, at least 1.

    >>> scaled(300, 0.02), scaled(300, 0.001)
    (6, 1)
    """
    return max(1, round(count * effort))


@dataclass(frozen=True)
class JobMaker:
    """Makes the jobs of a search.

    Parameters
    ----------
    task : LearningTask
    budget : SearchBudget
    price : float
        Of a literal, as a share of all weight.
    seeds : iterator
        Gives each job the numbers of its seed.
    """

    task: LearningTask
    budget: SearchBudget
    price: float
    seeds: Iterator[tuple[int, ...]]

    def annealing(self, problem: SearchProblem) -> list[AnnealJob]:
        """Return annealing jobs of every shape, of those that matter most several."""
        sweeps = scaled(self.budget.sweeps, self.task.effort)
        shapes = all_shapes(self.task, problem, restarts=self.budget.restarts)
        return [AnnealJob(shape, self.price, sweeps, next(self.seeds)) for shape in shapes]

    def repairing(self, problem: SearchProblem, models: Iterable[Model]) -> list[BergeJob]:
        """Return Berge jobs from the first of some models as they are written; the other label is the default."""
        starts: list[Start] = [((), 0), ((), 1)] if self.budget.blank else []
        most = len(starts) + self.budget.starts
        for model in models:
            add_starts(starts, model, (1 - model.own_terms()[1],), problem.cells, most=most)
        return self.from_starts(starts, scaled(self.budget.moves, self.task.effort))

    def from_starts(self, starts: Sequence[Start], moves: int) -> list[BergeJob]:
        """Return a Berge job of some moves from each start."""
        return [BergeJob(terms, default, self.price, moves, next(self.seeds)) for terms, default in starts]
