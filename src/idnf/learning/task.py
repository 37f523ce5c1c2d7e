"""What is to be learned and how: one object from the estimator to the kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from idnf.learning.choices import POLARITIES, Device, LearnerName, Polarity
from idnf.learning.families import Family, family_of
from idnf.learning.trials import Trials
from idnf.learning.value_folds import ValueFolds
from idnf.logic.boxes import Space
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model


@dataclass(frozen=True)
class LearningTask:
    """What is to be learned and how.

    Parameters
    ----------
    names : tuple of str
        The features.
    k : int
        The most conditions that a reason may have.
    learner : {"greedy", "search", "exact"}
    family : Family
        What models to look at.
    polarity : {"positive", "negative", "auto"}
        For "nested": the nested DNF is of class 1, of class 0, or the better of the two.
    price : float, optional
        The price of a literal, as a share of all weight; by default what is minimised follows the noise in the data
        (:mod:`idnf.learning.objective`).
    effort : float
        Scales the number of moves.
    deadline : Deadline
        When the best model so far is to be returned.
    n_jobs : int, optional
        Threads, as in joblib; the result does not depend on it.
    device : {"cpu", "cuda"}
        Where exact learning that starts from this search multiplies matrices.
    random_state : int
        The seed.
    allowed : frozenset of int, optional
        The literal codes that may occur in terms of class 1, their negations in terms of class 0; all by default.
    accepts : callable, optional
        Tells whether a model may be returned; constants always may.
    tune : bool
        Whether learners that search choose the size and the objective of models by cross-validation first
        (:mod:`idnf.learning.path`), where `price` is not given.
    references : bool
        Whether the paper's learner and CART are asked too, so that search is never worse than they are.
    space : Space, optional
        The columns that features are of; if not given, each is a column of its own.
    unavoidable : float
        The part of all weight that no model gets right, because an example counts for several labels in part.
    ordered : tuple of tuple of int
        The features of each ordered column: learners that search make cuts one that hardly differ
        (:mod:`idnf.learning.merged_cuts`).
    progress : callable, optional
        Called after each job with the share of the work that is done.
    wide : tuple of int
        Features that are intervals or sets of categories, of which a tuned search chooses by cross-validation whether
        they are used at all; without that they are.
    starts : tuple of Model
        Models to start from, and not to be worse than.
    trials : Trials, optional
        What other tasks tried on the same examples.
    values : ValueFolds, optional
        The examples with the values of columns of many categories, which folds group anew.
    """

    names: tuple[str, ...]
    k: int
    learner: LearnerName = "search"
    family: Family = field(default_factory=lambda: family_of("any"))
    polarity: Polarity = "auto"
    price: float | None = None
    effort: float = 1.0
    deadline: Deadline = field(default_factory=Deadline)
    n_jobs: int | None = None
    device: Device = "cpu"
    random_state: int = 0
    allowed: frozenset[int] | None = None
    accepts: Callable[[Model], bool] | None = None
    tune: bool = False
    references: bool = True
    space: Space | None = None
    unavoidable: float = 0.0
    ordered: tuple[tuple[int, ...], ...] = ()
    progress: Callable[[float], None] | None = None
    wide: tuple[int, ...] = ()
    starts: tuple[Model, ...] = ()
    trials: Trials | None = None
    values: ValueFolds | None = None

    def __post_init__(self) -> None:
        if self.polarity not in POLARITIES:
            raise InvalidArgument("polarity", f"be one of {', '.join(POLARITIES)}", f"{self.polarity!r}")
        if self.effort <= 0:
            raise InvalidArgument("effort", "be positive", self.effort)

    @property
    def size(self) -> int:
        """How much of k reasons over the features can use.

        >>> LearningTask(("a", "b", "c"), 2).size, LearningTask(("a", "b", "c"), 10**9).size
        (2, 3)
        """
        return min(self.k, max(1, len(self.names)))

    def over(self, kept: Sequence[int]) -> LearningTask:
        """Return the task over some of the features alone; models are accepted as they are over these."""
        names, place = tuple(self.names[j] for j in kept), {feature: n for n, feature in enumerate(kept)}
        return replace(
            self,
            names=names,
            allowed=None if self.allowed is None else _codes_among(self.allowed, place),
            space=None if self.space is None else self.space.only(kept),
            ordered=(),
            wide=(),
            values=None if self.values is None else self.values.over(kept),
            starts=tuple(model.renumber(names, place) for model in self.starts),
        )

    @property
    def either_polarity(self) -> Polarity:
        """The polarity for nested DNFs; if the family has more than these, both."""
        return "auto" if self.family.has_trees else self.polarity


def _codes_among(codes: Iterable[int], place: Mapping[int, int]) -> frozenset[int]:
    """Return the literal codes of the features kept, by their places among these."""
    return frozenset(2 * place[code >> 1] + (code & 1) for code in codes if code >> 1 in place)
